/* texture.c: makes tiles of noise that repeats, and a texture for colour maps. */
#include "texture.h"
#include "core/colours.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { SIDE = 256, TILES = 5 };

float otok_noise_hash(int x, int y, int salt)
{
    uint32_t h =
        (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ (uint32_t)salt * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (float)((h ^ h >> 15) >> 8) * 0x1p-24f;
}

/* Of an index that is at most one period outside. */
static int wrap_index(int i, int period)
{
    return i < 0 ? i + period : i >= period ? i - period : i;
}

/* Value noise with so many cells along the tile's side. */
static float value_noise(float x, float y, int cells, int salt)
{
    const float u = x * (float)cells, v = y * (float)cells, fu = u - floorf(u), fv = v - floorf(v);
    const float a = fu * fu * (3 - 2 * fu), b = fv * fv * (3 - 2 * fv);
    const int i = (int)floorf(u), j = (int)floorf(v), i0 = wrap_index(i, cells),
              i1 = wrap_index(i + 1, cells), j0 = wrap_index(j, cells);
    const int j1 = wrap_index(j + 1, cells);
    const float low = otok_noise_hash(i0, j0, salt) * (1 - a) + otok_noise_hash(i1, j0, salt) * a;
    const float high = otok_noise_hash(i0, j1, salt) * (1 - a) + otok_noise_hash(i1, j1, salt) * a;
    return low * (1 - b) + high * b;
}

float otok_noise_octaves(float x, float y, int cells, int n, int salt)
{
    float sum = 0, weight = 0;
    for (int i = 0; i < n; i++) {
        const float w = 1 / (float)(1 << i);
        sum += w * value_noise(x, y, cells << i, salt + i);
        weight += w;
    }
    return sum / weight;
}

float otok_noise_heaps(float x, float y, int cells, int salt)
{
    const float u = x * (float)cells, v = y * (float)cells;
    const int i = (int)floorf(u), j = (int)floorf(v);
    float nearest = 4;
    for (int q = j - 1; q <= j + 1; q++)
        for (int p = i - 1; p <= i + 1; p++) {
            const int a = wrap_index(p, cells), b = wrap_index(q, cells);
            const float dx = u - (float)p - otok_noise_hash(a, b, salt),
                        dy = v - (float)q - otok_noise_hash(a, b, salt + 1);
            nearest = fminf(nearest, dx * dx + dy * dy);
        }
    return sqrtf(fmaxf(0, 1 - nearest));
}

static float tile_height(int tile, float x, float y)
{
    switch (tile) {
    case 0:
        return 0.55f * otok_noise_heaps(x, y, 24, 11) + 0.25f * otok_noise_heaps(x, y, 41, 13) +
               0.45f * otok_noise_octaves(x, y, 5, 4, 17) - 0.1f;
    case 1:
        return 0.5f + 0.9f * (0.5f - fabsf(otok_noise_octaves(x, y, 6, 6, 23) - 0.5f) * 2.2f) *
                          otok_noise_octaves(x, y, 9, 5, 31) * 1.6f;
    case 2:
        return 0.5f * otok_noise_octaves(x, y, 12, 5, 41) +
               0.5f * otok_noise_octaves(x, y, 4, 3, 43);
    case 3:
        return 0.6f * otok_noise_heaps(x, y, 13, 53) * value_noise(x, y, 6, 57) +
               0.5f * otok_noise_octaves(x, y, 7, 5, 59);
    default: return otok_noise_octaves(x, y, 6, 4, 61);
    }
}

static unsigned char to_byte(float x)
{
    return (unsigned char)(x <= 0 ? 0 : x >= 1 ? 255 : (int)(x * 255 + 0.5f));
}

static void upload_tile(GLuint texture, int tile, float *height, unsigned char *pixels)
{
    static const float steep[TILES] = {6, 6, 8, 6, 10}; /* slopes are stored times this */
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            height[j * SIDE + i] =
                tile_height(tile, ((float)i + 0.5f) / SIDE, ((float)j + 0.5f) / SIDE);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            unsigned char *p = pixels + 4 * (j * SIDE + i);
            const float *row = height + j * SIDE;
            p[0] =
                to_byte(0.5f + steep[tile] / 2 *
                                   (row[wrap_index(i + 1, SIDE)] - row[wrap_index(i - 1, SIDE)]));
            p[1] = to_byte(0.5f + steep[tile] / 2 *
                                      (height[wrap_index(j + 1, SIDE) * SIDE + i] -
                                       height[wrap_index(j - 1, SIDE) * SIDE + i]));
            p[2] = to_byte(row[i]);
            p[3] = 255;
        }
    glTextureSubImage3D(texture, 0, 0, 0, tile, SIDE, SIDE, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

GLuint otok_texture_materials(void)
{
    GLuint texture;
    float *height = malloc(sizeof(float) * SIDE * SIDE);
    unsigned char *pixels = malloc((size_t)4 * SIDE * SIDE);
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &texture);
    glTextureStorage3D(texture, 9, GL_RGBA8, SIDE, SIDE, TILES);
    for (int tile = 0; height && pixels && tile < TILES; tile++)
        upload_tile(texture, tile, height, pixels);
    free(height);
    free(pixels);
    glGenerateTextureMipmap(texture);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    return texture;
}

GLuint otok_texture_scale(void)
{
    GLuint texture;
    glCreateTextures(GL_TEXTURE_1D, 1, &texture);
    glTextureStorage1D(texture, 1, GL_RGB16F, OTOK_COLOURS);
    glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    return texture;
}

void otok_texture_colours(GLuint scale, int map)
{
    float colours[OTOK_COLOURS][3];
    otok_colours_fill(map, colours);
    glTextureSubImage1D(scale, 0, 0, OTOK_COLOURS, GL_RGB, GL_FLOAT, colours);
}

GLuint otok_texture_plane(GLenum format, int width, int height, GLint wrap)
{
    GLuint texture;
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, 1, format, width, height);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(texture, GL_TEXTURE_WRAP_S, wrap);
    glTextureParameteri(texture, GL_TEXTURE_WRAP_T, wrap);
    return texture;
}
