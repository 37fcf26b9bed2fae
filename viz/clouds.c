/* clouds.c: see clouds.h. */
#include "clouds.h"
#include "scene_state.h"
#include "texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORMS = 256, PUFFS = 32, SHADOW = 512 }; /* texels along a side */

static int compare_heights(const void *a, const void *b)
{
    const float x = **(const float *const *)a, y = **(const float *const *)b;
    return (x > y) - (x < y);
}

/* Heaps, in groups. Each texel is the share of all texels that are lower, so a threshold of 1 - x
   leaves the share x of the sky. */
static void fill_forms(GLuint texture)
{
    enum { N = FORMS * FORMS };
    float *height = malloc(N * sizeof *height);
    const float **order = malloc(N * sizeof *order);
    unsigned short *share = malloc(N * sizeof *share);
    for (int i = 0; height && order && share && i < N; i++) {
        const float x = ((float)(i % FORMS) + 0.5f) / FORMS,
                    y = ((float)(i / FORMS) + 0.5f) / FORMS;
        height[i] = otok_noise_octaves(x, y, 5, 2, 83) + 0.30f * otok_noise_heaps(x, y, 12, 89) +
                    0.15f * otok_noise_heaps(x, y, 27, 97);
        order[i] = &height[i];
    }
    if (height && order && share) {
        qsort(order, N, sizeof *order, compare_heights);
        for (int k = 0; k < N; k++)
            share[order[k] - height] = (unsigned short)k;
        glTextureSubImage2D(texture, 0, 0, 0, FORMS, FORMS, GL_RED, GL_UNSIGNED_SHORT, share);
    }
    free(share);
    free(order);
    free(height);
}

/* 1 at scattered points, and less the farther away they are, in a cube of `cells`^3 cells that
   repeats. */
static float puff_density(const float p[3], int cells, const unsigned char *points)
{
    float nearest = 1;
    int at[3];
    for (int k = 0; k < 3; k++)
        at[k] = (int)(p[k] * (float)cells);
    for (int i = 0; i < 27; i++) {
        const int to[3] = {at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1};
        const int cell = (((to[2] + cells) % cells * cells) + (to[1] + cells) % cells) * cells +
                         (to[0] + cells) % cells;
        float sum = 0;
        for (int k = 0; k < 3; k++) {
            const float d = p[k] * (float)cells - (float)to[k] - (float)points[3 * cell + k] / 255;
            sum += d * d;
        }
        nearest = fminf(nearest, sum);
    }
    return 1 - sqrtf(nearest);
}

static void fill_puffs(GLuint texture)
{
    enum { N = PUFFS * PUFFS * PUFFS };
    unsigned char points[3 * 512], *texels = malloc(N);
    unsigned state = 7;
    for (size_t i = 0; i < sizeof points; i++) {
        state = state * 1664525u + 1013904223u;
        points[i] = (unsigned char)(state >> 24);
    }
    for (int i = 0; texels && i < N; i++) {
        const float p[3] = {((float)(i % PUFFS) + 0.5f) / PUFFS,
                            ((float)(i / PUFFS % PUFFS) + 0.5f) / PUFFS,
                            ((float)(i / PUFFS / PUFFS) + 0.5f) / PUFFS};
        texels[i] = (unsigned char)(255 * (0.65f * puff_density(p, 4, points) +
                                           0.35f * puff_density(p, 8, points)));
    }
    if (texels)
        glTextureSubImage3D(texture, 0, 0, 0, 0, PUFFS, PUFFS, PUFFS, GL_RED, GL_UNSIGNED_BYTE,
                            texels);
    free(texels);
}

otok_status otok_clouds_create(otok_clouds *c)
{
    c->forms = otok_texture_plane(GL_R16, FORMS, FORMS, GL_REPEAT);
    c->shadow = otok_texture_plane(GL_R8, SHADOW, SHADOW, GL_REPEAT);
    glCreateTextures(GL_TEXTURE_3D, 1, &c->puffs);
    glTextureStorage3D(c->puffs, 1, GL_R8, PUFFS, PUFFS, PUFFS);
    glTextureParameteri(c->puffs, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    fill_forms(c->forms);
    fill_puffs(c->puffs);
    OTOK_TRY(otok_program_create(&c->shade, OTOK_FILES("cloud.glsl", "cloud_shade.comp"),
                                 OTOK_FAST_ASKED));
    OTOK_TRY(otok_program_create(&c->soft, OTOK_FILES("cloud_soft.comp"), OTOK_FAST_ASKED));
    return otok_program_create(&c->sky, OTOK_FILES("cloud.glsl", "cloud_sky.comp"),
                               OTOK_FAST_ASKED);
}

void otok_clouds_destroy(otok_clouds *c)
{
    glDeleteTextures(5, (const GLuint[]){c->forms, c->puffs, c->shadow, c->layer, c->rough});
    glDeleteProgram(c->sky);
    glDeleteProgram(c->soft);
    glDeleteProgram(c->shade);
}

static void run_into_texture(GLuint program, GLuint texture, GLenum format, int width, int height)
{
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, format);
    otok_program_run(program, width, height, GL_TEXTURE_FETCH_BARRIER_BIT);
}

static void resize_layer(otok_clouds *c, int width, int height)
{
    if (c->width == width && c->height == height) return;
    glDeleteTextures(2, (const GLuint[]){c->layer, c->rough});
    c->layer = otok_texture_plane(GL_RGBA16F, width, height, GL_CLAMP_TO_EDGE);
    c->rough = otok_texture_plane(GL_RGBA16F, width, height, GL_CLAMP_TO_EDGE);
    c->width = width;
    c->height = height;
    memset(c->drawn_for, 0, sizeof c->drawn_for);
}

static void fill_layer(otok_clouds *c, GLuint unit)
{
    run_into_texture(c->sky, c->rough, GL_RGBA16F, c->width, c->height);
    glBindTextureUnit(unit, c->rough);
    run_into_texture(c->soft, c->layer, GL_RGBA16F, c->width, c->height);
    glBindTextureUnit(unit, c->layer);
}

void otok_clouds_draw(otok_clouds *c, const struct uniforms *u, int width, int height,
                      unsigned unit)
{
    const float shade[5] = {u->sun[0], u->sun[1], u->sun[2], u->clouds[0], u->clouds[2]};
    float view[33];
    memcpy(view, u->to_clip, sizeof u->to_clip);
    memcpy(view + 16, u->sun, sizeof u->sun);
    memcpy(view + 20, u->sunlight, sizeof u->sunlight);
    memcpy(view + 24, u->skylight, sizeof u->skylight);
    memcpy(view + 28, u->clouds, sizeof u->clouds);
    view[32] = u->right[3];
    resize_layer(c, (width + 1) / 2, (height + 1) / 2);
    const GLuint textures[4] = {c->shadow, c->layer, c->forms, c->puffs};
    for (unsigned i = 0; i < 4; i++)
        glBindTextureUnit(unit + i, textures[i]);
    if (memcmp(c->shaded_for, shade, sizeof shade) != 0)
        run_into_texture(c->shade, c->shadow, GL_R8, SHADOW, SHADOW);
    if (memcmp(c->drawn_for, view, sizeof view) != 0) fill_layer(c, unit + 1);
    memcpy(c->shaded_for, shade, sizeof shade);
    memcpy(c->drawn_for, view, sizeof view);
}
