/* gltf.c: writes the ground, its water and the sea as glTF 2.0: NAME.gltf, its numbers in NAME.bin,
   and the relief of image.h in NAME.png as its colours (Khronos Group, "glTF 2.0
   Specification"). Metres; x is east, y up, z south, and the middle of the map is at 0. */
#include "mesh.h"

#include "../core/status.h"
#include "file.h"
#include "image.h"

#include <ctype.h>
#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOATS = 5126, WORDS = 5125, VERTICES = 34962, TRIANGLES = 34963 }; /* of OpenGL */
static const float least_water = 0.05f; /* the depth of water that is drawn [m] */

typedef struct gltf {
    const otok_snapshot *state;
    double exaggerate;
    char *clear; /* 1 in cells without data */
    FILE *bin, *views, *accessors, *meshes, *nodes;
    int nviews, nmeshes;
} gltf;

static void put_word(const gltf *g, uint32_t word)
{
    word = htole32(word);
    fwrite(&word, sizeof word, 1, g->bin);
}

static void put_floats(const gltf *g, const float *v, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t word;
        memcpy(&word, &v[i], sizeof word);
        put_word(g, word);
    }
}

/* What the last `count` elements of the binary are: a view, and the accessor of the same number. */
static int add(gltf *g, const char *type, int parts, int64_t count, int component, int target)
{
    const long long size = 4LL * parts * count, end = ftello(g->bin);
    fprintf(g->views, "%s{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld,\"target\":%d}",
            g->nviews ? ",\n" : "", end - size, size, target);
    fprintf(g->accessors,
            "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%lld,\"type\":\"%s\"",
            g->nviews ? "},\n" : "", g->nviews, component, (long long)count, type);
    return g->nviews++;
}

/* The height of a vertex: ground, and `above` it if not NULL. */
static float height(const gltf *g, const float *above, int64_t i, int64_t j)
{
    const int64_t c = j * g->state->grid.nx + i;
    const float h = g->state->maps[OTOK_TERRAIN][c] + (above ? above[c] : 0);
    return (float)((double)h * g->exaggerate);
}

static void place(const gltf *g, const float *above, int64_t i, int64_t j, float out[3])
{
    const otok_grid m = g->state->grid;
    out[0] = (float)(((double)i + 0.5 - 0.5 * (double)m.nx) * m.spacing);
    out[1] = height(g, above, i, j);
    out[2] = (float)((0.5 * (double)m.ny - (double)j - 0.5) * m.spacing);
}

static void direct(const gltf *g, const float *above, int64_t i, int64_t j, float out[3])
{
    const otok_grid m = g->state->grid;
    const int64_t w = i > 0 ? i - 1 : i, e = i + 1 < m.nx ? i + 1 : i, s = j > 0 ? j - 1 : j,
                  n = j + 1 < m.ny ? j + 1 : j;
    const double x = (double)(height(g, above, w, j) - height(g, above, e, j)) /
                     ((double)(e - w) * m.spacing),
                 z = (double)(height(g, above, i, n) - height(g, above, i, s)) /
                     ((double)(n - s) * m.spacing),
                 per = 1 / sqrt(x * x + z * z + 1);
    out[0] = (float)(x * per), out[1] = (float)per, out[2] = (float)(z * per);
}

/* Vertices of all cells: POSITION, NORMAL. Returns the number of the first. */
static int put_vertices(gltf *g, const float *above)
{
    const int64_t nx = g->state->grid.nx, ny = g->state->grid.ny;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY},
          v[3];
    for (int64_t c = 0; c < nx * ny; c++) {
        place(g, above, c % nx, c / nx, v);
        put_floats(g, v, 3);
        for (int k = 0; k < 3; k++)
            low[k] = fminf(low[k], v[k]), high[k] = fmaxf(high[k], v[k]);
    }
    const int first = add(g, "VEC3", 3, nx * ny, FLOATS, VERTICES);
    fprintf(g->accessors, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low[0],
            (double)low[1], (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
    for (int64_t c = 0; c < nx * ny; c++) {
        direct(g, above, c % nx, c / nx, v);
        put_floats(g, v, 3);
    }
    add(g, "VEC3", 3, nx * ny, FLOATS, VERTICES);
    return first;
}

/* Two triangles between four cells, counter-clockwise from above; of water, where one of them is
   wet. Returns how many corners there are. */
static int64_t put_triangles(gltf *g, const float *water)
{
    const int64_t nx = g->state->grid.nx, ny = g->state->grid.ny;
    int64_t corners = 0;
    for (int64_t j = 0; j + 1 < ny; j++)
        for (int64_t i = 0; i + 1 < nx; i++) {
            const int64_t a = j * nx + i, at[6] = {a, a + 1, a + 1 + nx, a, a + 1 + nx, a + nx};
            int counts = water == NULL;
            for (int k = 0; water && k < 6; k++)
                counts |= water[at[k]] >= least_water;
            for (int k = 0; k < 6; k++)
                counts &= !g->clear[at[k]];
            for (int k = 0; counts && k < 6; k++, corners++)
                put_word(g, (uint32_t)at[k]);
        }
    if (corners) add(g, "SCALAR", 1, corners, WORDS, TRIANGLES);
    return corners;
}

static void add_mesh(gltf *g, const char *name, int first, const char *more, int indices,
                     int material)
{
    const char *comma = g->nmeshes ? ",\n" : "";
    fprintf(g->meshes,
            "%s{\"name\":\"%s\",\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d%s},"
            "\"indices\":%d,\"material\":%d}]}",
            comma, name, first, first + 1, more, indices, material);
    fprintf(g->nodes, "%s{\"name\":\"%s\",\"mesh\":%d}", comma, name, g->nmeshes++);
}

static void put_ground(gltf *g)
{
    const otok_grid m = g->state->grid;
    const float *reef = g->state->maps[OTOK_REEF];
    const int first = put_vertices(g, NULL);
    char more[64];
    for (int64_t c = 0; c < m.nx * m.ny; c++)
        put_floats(g,
                   (const float[]){(float)(((double)(c % m.nx) + 0.5) / (double)m.nx),
                                   (float)(1 - ((double)(c / m.nx) + 0.5) / (double)m.ny)},
                   2);
    add(g, "VEC2", 2, m.nx * m.ny, FLOATS, VERTICES);
    if (reef) {
        put_floats(g, reef, (int)(m.nx * m.ny));
        add(g, "SCALAR", 1, m.nx * m.ny, FLOATS, VERTICES);
    }
    const int used = snprintf(more, sizeof more, ",\"TEXCOORD_0\":%d", first + 2);
    if (reef) snprintf(more + used, sizeof more - (size_t)used, ",\"_REEF\":%d", first + 3);
    if (put_triangles(g, NULL)) add_mesh(g, "terrain", first, more, g->nviews - 1, 0);
}

static void put_water(gltf *g)
{
    const float *water = g->state->maps[OTOK_WATER];
    const int64_t cells = g->state->grid.nx * g->state->grid.ny;
    int64_t wet = 0;
    for (int64_t c = 0; water && c < cells; c++)
        wet += water[c] >= least_water && !g->clear[c];
    if (!wet) return;
    const int first = put_vertices(g, water);
    if (put_triangles(g, water)) add_mesh(g, "water", first, "", g->nviews - 1, 1);
}

/* A level rectangle over the map. */
static void put_sea(gltf *g)
{
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    const otok_grid m = g->state->grid;
    const float x = (float)(0.5 * (double)m.nx * m.spacing),
                z = (float)(0.5 * (double)m.ny * m.spacing),
                y = (float)(g->state->sea_level * g->exaggerate);
    if (!isfinite(y)) return;
    put_floats(g, (const float[]){-x, y, z, x, y, z, x, y, -z, -x, y, -z}, 12);
    const int first = add(g, "VEC3", 3, 4, FLOATS, VERTICES);
    fprintf(g->accessors, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", -(double)x,
            (double)y, -(double)z, (double)x, (double)y, (double)z);
    put_floats(g, (const float[]){0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0}, 12);
    add(g, "VEC3", 3, 4, FLOATS, VERTICES);
    for (int k = 0; k < 6; k++)
        put_word(g, corners[k]);
    add_mesh(g, "sea", first, "", add(g, "SCALAR", 1, 6, WORDS, TRIANGLES), 1);
}

/* The name of a file beside, as a URI. */
static void put_uri(FILE *out, const char *path, const char *ending)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    for (const char *c = name; *c && strcmp(c, ".gltf") != 0; c++)
        fprintf(out, isalnum((unsigned char)*c) || strchr("-._~", *c) ? "%c" : "%%%02X",
                (unsigned char)*c);
    fputs(ending, out);
}

static void put_json(FILE *out, const char *path, const char *const texts[4], size_t bytes,
                     int nodes)
{
    fprintf(out,
            "{\"asset\":{\"version\":\"2.0\",\"generator\":\"otok %s\"},\n\"scene\":0,\"scenes\":"
            "[{\"nodes\":[",
            otok_version());
    for (int i = 0; i < nodes; i++)
        fprintf(out, i ? ",%d" : "%d", i);
    fprintf(out,
            "]}],\n\"nodes\":[%s],\n\"meshes\":[%s],\n\"materials\":[{\"name\":\"ground\","
            "\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},\"metallicFactor\":0}},\n"
            "{\"name\":\"water\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.01,0.12,0.18,0.5]"
            ",\"metallicFactor\":0,\"roughnessFactor\":0.1},\"alphaMode\":\"BLEND\"}],\n"
            "\"textures\":[{\"source\":0,\"sampler\":0}],\"samplers\":[{\"wrapS\":33071,\"wrapT\":"
            "33071}],\n\"images\":[{\"uri\":\"",
            texts[3], texts[2]);
    put_uri(out, path, ".png");
    fprintf(out, "\"}],\n\"buffers\":[{\"byteLength\":%zu,\"uri\":\"", bytes);
    put_uri(out, path, ".bin");
    fprintf(out, "\"}],\n\"bufferViews\":[%s],\n\"accessors\":[%s}]}\n", texts[0], texts[1]);
}

static otok_status write_picture(const gltf *g, const char *path)
{
    const otok_snapshot *s = g->state;
    const otok_relief relief = {s->grid,
                                s->maps[OTOK_TERRAIN],
                                NULL,
                                s->sea_level,
                                s->grid.nx > 2048 || s->grid.ny > 2048 ? 1 : 2,
                                s->maps[OTOK_ROAD],
                                NULL};
    return otok_image_relief(path, &relief);
}

otok_status otok_gltf_write(const char *path, const otok_snapshot *snapshot, double exaggerate)
{
    const int64_t cells = snapshot->grid.nx * snapshot->grid.ny;
    const int stem = (int)strlen(path) - 5;
    char *texts[6] = {0}, beside[4096];
    size_t sizes[6] = {0};
    FILE *files[6];
    if (snapshot->grid.nx < 2 || snapshot->grid.ny < 2 || cells > 1 << 25)
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: %lld x %lld cells: a mesh needs 2 x 2, and holds at most 33554432; "
                         "write .tif or .exr",
                         path, (long long)snapshot->grid.nx, (long long)snapshot->grid.ny);
    gltf g = {.state = snapshot, .exaggerate = exaggerate, .clear = calloc((size_t)cells, 1)};
    int made = g.clear != NULL;
    for (int i = 0; i < 6; i++)
        made &= (files[i] = open_memstream(&texts[i], &sizes[i])) != NULL;
    g.views = files[0], g.accessors = files[1], g.meshes = files[2], g.nodes = files[3];
    g.bin = files[4];
    if (made) {
        otok_holes_mark(&snapshot->holes, (unsigned char *)g.clear);
        put_ground(&g), put_water(&g), put_sea(&g);
        for (int i = 0; i < 5; i++)
            made &= !ferror(files[i]) && fflush(files[i]) == 0;
    }
    if (made) put_json(files[5], path, (const char *const *)texts, sizes[4], g.nmeshes);
    for (int i = 0; i < 6; i++)
        made &= files[i] && !ferror(files[i]) && fclose(files[i]) == 0;
    otok_status status = made ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a mesh", path);
    snprintf(beside, sizeof beside, "%.*s.bin", stem, path);
    if (status == OTOK_OK) status = otok_file_put(beside, texts[4], sizes[4]);
    snprintf(beside, sizeof beside, "%.*s.png", stem, path);
    if (status == OTOK_OK) status = write_picture(&g, beside);
    if (status == OTOK_OK) status = otok_file_put(path, texts[5], sizes[5]);
    for (int i = 0; i < 6; i++)
        free(texts[i]);
    free(g.clear);
    return status;
}
