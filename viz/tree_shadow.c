/* tree_shadow.c: see tree_shadow.h. */
#include "tree_shadow.h"
#include "scene_state.h"
#include "shader.h"

#include <math.h>
#include <string.h>

enum { SIDE = 2048 }; /* texels: one is at most a fifth of a site wide (OTOK_TREES_SIDE) */

/* A texture that is lit beyond its borders. */
static GLuint make_shadow_map(int side)
{
    GLuint depth;
    const float lit[4] = {0};
    glCreateTextures(GL_TEXTURE_2D, 1, &depth);
    glTextureStorage2D(depth, 1, GL_DEPTH_COMPONENT16, side, side);
    glTextureParameteri(depth, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(depth, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTextureParameteri(depth, GL_TEXTURE_COMPARE_FUNC, GL_GEQUAL);
    glTextureParameteri(depth, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTextureParameteri(depth, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTextureParameterfv(depth, GL_TEXTURE_BORDER_COLOR, lit);
    return depth;
}

GLuint otok_tree_shadow_create_empty(void)
{
    const float none = 0;
    const GLuint depth = make_shadow_map(1);
    glClearTexImage(depth, 0, GL_DEPTH_COMPONENT, GL_FLOAT, &none);
    return depth;
}

otok_status otok_tree_shadow_create(otok_tree_shadow *s)
{
    s->depth = make_shadow_map(SIDE);
    glCreateFramebuffers(1, &s->frame);
    glNamedFramebufferTexture(s->frame, GL_DEPTH_ATTACHMENT, s->depth, 0);
    glNamedFramebufferDrawBuffer(s->frame, GL_NONE);
    return otok_program_create(
        &s->program, OTOK_FILES("material.glsl", "tree.glsl", "tree_shadow.vert"), "false");
}

void otok_tree_shadow_destroy(otok_tree_shadow *s)
{
    glDeleteFramebuffers(1, &s->frame);
    glDeleteTextures(1, &s->depth);
    glDeleteProgram(s->program);
}

/* Sets a row of the projection. It maps a place to 0..1 if it is within `half` of the middle along
   `way`. It moves by whole texels, so that shadows keep still when the eye moves. */
static void set_projection_row(float row[4], const double way[3], const double middle[3],
                               double half)
{
    const double texel = 2 * half / SIDE;
    double at = 0;
    for (int i = 0; i < 3; i++) {
        row[i] = (float)(way[i] / (2 * half));
        at += way[i] * middle[i];
    }
    row[3] = (float)(0.5 - round(at / texel) * texel / (2 * half));
}

/* The box holds what lies within reach of the eye along x, y and z, and on the map. */
void otok_tree_shadow_aim(struct uniforms *u, double lowest, double highest)
{
    const double x = u->sun[0], y = u->sun[1], z = u->sun[2], flat = fmax(hypot(x, y), 1e-6),
                 reach = u->woods[1], tallest = 3 * u->woods[0];
    const double way[3][3] = {
        {-y / flat, x / flat, 0}, {-z * x / flat, -z * y / flat, flat}, {x, y, z}};
    const double least[3] = {0, 0, lowest},
                 most[3] = {u->extent[0], u->extent[1], highest + tallest};
    double middle[3], half[3];
    for (int i = 0; i < 3; i++) {
        const double low = fmax(u->eye[i] - reach, least[i]),
                     high = fmin(u->eye[i] + reach, most[i]);
        middle[i] = (low + high) / 2;
        half[i] = fmax(high - low, tallest) / 2;
    }
    for (int k = 0; k < 3; k++) {
        double size = tallest;
        for (int i = 0; i < 3; i++)
            size += fabs(way[k][i]) * half[i];
        set_projection_row(u->tree_shadow[k], way[k], middle, size);
    }
}

int otok_tree_shadow_kept(otok_tree_shadow *s, const struct uniforms *u)
{
    const float *parts[7] = {u->forward, u->eye, u->right, u->up, u->sun, u->levels, u->woods};
    float view[28];
    int same = 1;
    for (int i = 0; i < 28; i++)
        view[i] = parts[i / 4][i % 4];
    for (int i = 0; i < 3; i++)
        same = same && fabsf(view[i] - s->drawn_for[i]) < 2 / view[7]; /* pixels at one metre */
    same = same && memcmp(view + 3, s->drawn_for + 3, sizeof view - 3 * sizeof *view) == 0;
    if (!same) memcpy(s->drawn_for, view, sizeof view);
    return same;
}

void otok_tree_shadow_draw(const otok_tree_shadow *s, GLuint array, GLintptr command)
{
    const float none = 0;
    GLint before;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    const GLboolean strip = glIsEnabled(GL_SCISSOR_TEST); /* a strip of the picture is drawn */
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->frame);
    glViewport(0, 0, SIDE, SIDE);
    glClearNamedFramebufferfv(s->frame, GL_DEPTH, 0, &none);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER); /* the nearest to the sun */
    glUseProgram(s->program);
    glBindVertexArray(array);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, (const void *)command);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)before);
    if (strip) glEnable(GL_SCISSOR_TEST);
}
