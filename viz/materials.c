/* materials.c: see materials.h. Pictures of any size become square layers of one texture. A layer
   repeats in the proportions of its picture. */
#include "materials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDE = 2048, TILE_SIDE = 256 }; /* texels; the latter of texture.c's tiles */

static const struct {
    const char *name;
    unsigned usual; /* 0xrrggbb */
    double repeats;
} rows[OTOK_MATERIALS] = {
#define OTOK_MATERIAL(NAME, word, usual, repeats, help) {#word, usual, repeats},
#include "materials.def"
#undef OTOK_MATERIAL
};

/* As in shaders/material.glsl, std140. */
typedef struct numbers {
    float mean[OTOK_MATERIALS][4], gain[OTOK_MATERIALS][4], size[OTOK_MATERIALS][4];
} numbers;

void otok_material_constants(char out[OTOK_MATERIAL_CONSTANTS])
{
    static const char *const names[] = {
#define OTOK_MATERIAL(NAME, ...) #NAME,
#include "materials.def"
#undef OTOK_MATERIAL
        "MATERIALS"};
    int used = 0;
    for (int i = 0; i <= OTOK_MATERIALS; i++)
        used += snprintf(out + used, (size_t)(OTOK_MATERIAL_CONSTANTS - used),
                         "const int OWN_%s = %d;\n", names[i], i);
}

const char *otok_material_name(int material)
{
    return material >= 0 && material < OTOK_MATERIALS ? rows[material].name : NULL;
}

otok_materials *otok_materials_create(void)
{
    otok_materials *m = calloc(1, sizeof *m);
    for (int i = 0; m && i < OTOK_MATERIALS; i++)
        m->at[i].tiling = 1;
    return m;
}

void otok_materials_destroy(otok_materials *materials)
{
    for (int i = 0; materials && i < OTOK_MATERIALS; i++)
        free(materials->at[i].picture);
    free(materials);
}

double otok_light_of(double srgb)
{
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
}

static double usual_light(int material, int k)
{
    return otok_light_of((double)(rows[material].usual >> (16 - 8 * k) & 255) / 255);
}

/* ---- pictures ---- */

/* Texel i of `side` from n pixels in a circle, `stride` floats apart: weights fall linearly to 0
   over the wider of a pixel and a texel. */
static void weighted_mean(const float *from, int n, size_t stride, int i, int side, float out[3])
{
    const double scale = (double)n / side, reach = scale > 1 ? scale : 1,
                 middle = (i + 0.5) * scale - 0.5;
    double sum[3] = {0, 0, 0}, all = 0;
    for (int p = (int)ceil(middle - reach); p <= (int)floor(middle + reach); p++) {
        const float *pixel = from + stride * (size_t)(((p % n) + n) % n);
        const double weight = 1 - fabs(p - middle) / reach;
        for (int k = 0; k < 3; k++)
            sum[k] += weight * (double)pixel[k];
        all += weight;
    }
    for (int k = 0; k < 3; k++)
        out[k] = (float)(sum[k] / all);
}

static unsigned char byte_of(double light)
{
    const double s = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (unsigned char)(255 * fmin(fmax(s, 0), 1) + 0.5);
}

/* The picture as side x side texels, the lowest row first, and its mean. `wide` has room for
   height x side pixels of three floats, `row` for the longer side. */
static void resample(const otok_material *m, int side, float *wide, float *row,
                     unsigned char *texels, double mean[3])
{
    float light[256];
    for (int i = 0; i < 256; i++)
        light[i] = (float)otok_light_of(i / 255.0);
    for (int j = 0; j < m->height; j++) {
        for (size_t i = 0; i < 3 * (size_t)m->width; i++)
            row[i] = light[m->picture[3 * (size_t)j * (size_t)m->width + i]];
        for (int i = 0; i < side; i++)
            weighted_mean(row, m->width, 3, i, side,
                          wide + 3 * ((size_t)j * (size_t)side + (size_t)i));
    }
    mean[0] = mean[1] = mean[2] = 0;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            float texel[3];
            weighted_mean(wide + 3 * i, m->height, 3 * (size_t)side, j, side, texel);
            for (int k = 0; k < 3; k++) {
                texels[3 * ((side - 1 - j) * side + i) + k] = byte_of((double)texel[k]);
                mean[k] += (double)texel[k] / ((double)side * side);
            }
        }
}

/* The least power of two that no picture is larger than, up to MOST_SIDE. */
static int common_side(const otok_materials *m, int *layers)
{
    int side = 1;
    *layers = 0;
    for (int i = 0; i < OTOK_MATERIALS; i++) {
        if (!m->at[i].picture) continue;
        ++*layers;
        while (side < MOST_SIDE && (side < m->at[i].width || side < m->at[i].height))
            side *= 2;
    }
    return side;
}

static int upload_picture(const otok_material *m, GLuint pictures, int layer, int side,
                          double mean[3])
{
    const size_t longer = (size_t)(m->width > m->height ? m->width : m->height);
    float *wide = malloc(3 * sizeof *wide * (size_t)m->height * (size_t)side),
          *row = malloc(3 * sizeof *row * longer);
    unsigned char *texels = malloc(3 * (size_t)side * (size_t)side);
    const int can = wide && row && texels;
    if (can) {
        resample(m, side, wide, row, texels, mean);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTextureSubImage3D(pictures, 0, 0, 0, layer, side, side, 1, GL_RGB, GL_UNSIGNED_BYTE,
                            texels);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    }
    free(wide);
    free(row);
    free(texels);
    return can;
}

/* ---- what shaders read ---- */

static void set_usual(numbers *n)
{
    memset(n, 0, sizeof *n);
    for (int i = 0; i < OTOK_MATERIALS; i++) {
        const double usual[3] = {usual_light(i, 0), usual_light(i, 1), usual_light(i, 2)};
        for (int k = 0; k < 3; k++)
            n->mean[i][k] = 1;
        n->mean[i][3] = (float)(1 / otok_luminance(usual[0], usual[1], usual[2]));
    }
}

/* The mean of a picture becomes the colour if one is given. Else it stays. */
static void set_picture(numbers *n, int material, const otok_material *m, int layer, int side,
                        const double mean[3])
{
    const double aspect = (double)m->width / m->height,
                 repeats = rows[material].repeats * m->tiling;
    const float size[4] = {(float)layer, (float)repeats, (float)(repeats * aspect),
                           (float)log2(repeats * fmax(aspect, 1) * (double)side / TILE_SIDE)};
    memcpy(n->size[material], size, sizeof size);
    for (int k = 0; k < 3; k++) {
        const double gain = m->has_colour ? m->colour[k] / fmax(mean[k], 1e-4) : 1;
        n->gain[material][k] = (float)gain;
        n->mean[material][k] = (float)(gain * mean[k] / usual_light(material, k));
    }
    n->gain[material][3] = 1;
}

static void fill_textures(otok_material_textures *t, const otok_materials *materials, numbers *n)
{
    int layers, levels = 1;
    const int side = common_side(materials, &layers);
    while (side >> levels)
        levels++;
    if (layers) {
        glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &t->pictures);
        glTextureStorage3D(t->pictures, levels, GL_SRGB8_ALPHA8, side, side, layers);
        glTextureParameteri(t->pictures, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    }
    layers = 0;
    for (int i = 0; i < OTOK_MATERIALS; i++) {
        const otok_material *m = &materials->at[i];
        double mean[3];
        for (int k = 0; m->has_colour && k < 3; k++)
            n->mean[i][k] = (float)(m->colour[k] / usual_light(i, k));
        if (m->picture && upload_picture(m, t->pictures, layers, side, mean))
            set_picture(n, i, m, layers, side, mean);
        layers += m->picture != NULL;
    }
    if (layers) glGenerateTextureMipmap(t->pictures);
}

void otok_material_textures_update(otok_material_textures *t, const otok_materials *materials)
{
    numbers n;
    if (t->made && t->shown == materials) return;
    glDeleteTextures(1, &t->pictures);
    t->pictures = 0;
    set_usual(&n);
    if (materials) fill_textures(t, materials, &n);
    if (!t->numbers) {
        glCreateBuffers(1, &t->numbers);
        glNamedBufferStorage(t->numbers, sizeof n, NULL, GL_DYNAMIC_STORAGE_BIT);
    }
    glNamedBufferSubData(t->numbers, 0, sizeof n, &n);
    t->made = 1;
    t->shown = materials;
}

void otok_material_textures_destroy(otok_material_textures *t)
{
    glDeleteTextures(1, &t->pictures);
    glDeleteBuffers(1, &t->numbers);
    *t = (otok_material_textures){0};
}
