/* shader.c: compiles and links. */
#include "shader.h"

#include <stdio.h>
#include <string.h>

static const otok_shader *find(const char *name)
{
    const otok_shader *s = otok_shaders;
    while (s->name && strcmp(s->name, name) != 0)
        s++;
    return s;
}

static GLenum stage_of(const char *name)
{
    static const struct {
        const char *ending;
        GLenum stage;
    } stages[] = {{".vert", GL_VERTEX_SHADER},
                  {".tesc", GL_TESS_CONTROL_SHADER},
                  {".tese", GL_TESS_EVALUATION_SHADER},
                  {".comp", GL_COMPUTE_SHADER}};
    for (int i = 0; i < 4; i++)
        if (strstr(name, stages[i].ending)) return stages[i].stage;
    return GL_FRAGMENT_SHADER;
}

static otok_status compile(GLuint program, const char *name)
{
    static const char version[] = "#version 450 core\n";
    const GLenum stage = stage_of(name);
    const otok_shader *parts[4] = {find("common.glsl"), find("material.glsl"), find("value.glsl"), find(name)};
    const GLchar *texts[5] = {version};
    GLint sizes[5] = {sizeof version - 1}, n = 1, done;
    for (int i = 0; i < 4; i++) {
        if ((i == 1 || i == 2) && stage != GL_FRAGMENT_SHADER) continue;
        texts[n] = (const GLchar *)parts[i]->text;
        sizes[n++] = parts[i]->size;
    }
    const GLuint shader = glCreateShader(stage);
    glShaderSource(shader, n, texts, sizes);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    char why[400] = "";
    if (!done) glGetShaderInfoLog(shader, sizeof why, NULL, why);
    glAttachShader(program, shader);
    glDeleteShader(shader); /* lives as long as its program */
    return done ? OTOK_OK : OTOK_FAIL(OTOK_DEVICE, "shader %s does not compile on this device: %s", name, why);
}

otok_status otok_program_create(GLuint *out, const char *const files[4])
{
    const GLuint program = glCreateProgram();
    otok_status status = OTOK_OK;
    GLint done = 1;
    for (int i = 0; i < 4 && files[i] && status == OTOK_OK; i++)
        status = compile(program, files[i]);
    if (status == OTOK_OK) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &done);
    }
    if (!done) {
        char why[400] = "";
        glGetProgramInfoLog(program, sizeof why, NULL, why);
        status = OTOK_FAIL(OTOK_DEVICE, "shader %s does not link on this device: %s", files[0], why);
    }
    if (status != OTOK_OK) glDeleteProgram(program);
    *out = status == OTOK_OK ? program : 0;
    return status;
}
