/* shader.c: compiles and links programs. */
#include "shader.h"
#include "swell.h"

#include <stdio.h>
#include <string.h>

static const otok_shader *find_shader(const char *name)
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
                  {".frag", GL_FRAGMENT_SHADER},
                  {".comp", GL_COMPUTE_SHADER}};
    for (int i = 0; i < 5; i++)
        if (strstr(name, stages[i].ending)) return stages[i].stage;
    return GL_NONE;
}

/* Numbers that C and shaders share. */
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__
#define SWELL_CONSTANTS                                                                            \
    "const float SWELL_ALONG[] = {" TEXT(OTOK_SWELL_ALONG) "}, SWELL_TURNED[] = {" TEXT(           \
        OTOK_SWELL_TURNED) "}, SWELL_LOOP = " TEXT(OTOK_SWELL_LOOP) ", SWELL_MAP = " TEXT(OTOK_SWELL_MAP) ";\n"

/* The last of n files is a stage, those before it are parts of its text. */
static otok_status compile_stage(GLuint program, const char *const *names, int n, const char *fast)
{
    char version[300];
    const char *name = names[n - 1];
    const otok_shader *common = find_shader("common.glsl");
    const int head =
        snprintf(version, sizeof version,
                 "#version 450 core\n#define FAST %s\n" SWELL_CONSTANTS "#line 1\n", fast);
    const GLchar *texts[2 + OTOK_SHADER_FILES] = {version, (const GLchar *)common->text};
    GLint sizes[2 + OTOK_SHADER_FILES] = {head, common->size}, done;
    for (int i = 0; i < n; i++) {
        const otok_shader *part = find_shader(names[i]);
        texts[2 + i] = (const GLchar *)part->text;
        sizes[2 + i] = part->size;
    }
    const GLuint shader = glCreateShader(stage_of(name));
    glShaderSource(shader, 2 + n, texts, sizes);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    char why[400] = "";
    if (!done) glGetShaderInfoLog(shader, sizeof why, NULL, why);
    glAttachShader(program, shader);
    glDeleteShader(shader); /* lives as long as its program */
    return done
               ? OTOK_OK
               : OTOK_FAIL(OTOK_DEVICE, "shader %s does not compile on this device: %s", name, why);
}

otok_status otok_program_create(GLuint *out, const char *const files[OTOK_SHADER_FILES],
                                const char *fast)
{
    const GLuint program = glCreateProgram();
    otok_status status = OTOK_OK;
    GLint done = 1;
    int first = 0;
    for (int i = 0; i < OTOK_SHADER_FILES && files[i] && status == OTOK_OK; i++) {
        if (stage_of(files[i]) == GL_NONE) continue;
        status = compile_stage(program, files + first, i + 1 - first, fast);
        first = i + 1;
    }
    if (status == OTOK_OK) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &done);
    }
    if (!done) {
        char why[400] = "";
        glGetProgramInfoLog(program, sizeof why, NULL, why);
        status =
            OTOK_FAIL(OTOK_DEVICE, "shader %s does not link on this device: %s", files[0], why);
    }
    if (status != OTOK_OK) glDeleteProgram(program);
    *out = status == OTOK_OK ? program : 0;
    return status;
}

void otok_program_run(GLuint program, int width, int height, GLbitfield barrier)
{
    glUseProgram(program);
    glDispatchCompute((GLuint)(width + OTOK_GROUP - 1) / OTOK_GROUP,
                      (GLuint)(height + OTOK_GROUP - 1) / OTOK_GROUP, 1);
    glMemoryBarrier(barrier);
}
