/* preset.c: see preset.h. A program is a row, and so is a mask. */
#include "preset.h"

#include "../core/colours.h"
#include "../core/status.h"
#include "../io/image.h"
#include "../io/mesh.h"
#include "../sim/derived.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PNG16 = 1, R16 = 2, R32 = 4, EXR = 8, GLTF = 16, SIZES = 6, LONGEST = 1 << 15 };

struct cli_preset {
    const char *name;
    int sizes[SIZES]; /* that it reads, in rising order; 0: any */
    int formats;
    const char *hint; /* what its dialogue wants */
};

static const cli_preset presets[] = {
    {"unreal",
     {505, 1009, 2017, 4033, 8129},
     PNG16 | R16,
     "Landscape mode, Import from File: heights.png or heights.r16, with the scale"},
    {"houdini",
     {0},
     EXR,
     "HeightField File: heights.exr, with the size in metres and a height scale of 1"},
    {"blender",
     {0},
     EXR | GLTF,
     "File, Import, glTF: terrain.gltf; or a plane of the size in metres, Displace by heights.exr "
     "(Non-Color), midlevel 0, strength 1"},
    {"gaea",
     {0},
     PNG16 | R32,
     "File: heights.r32 or heights.png, scale Raw; the terrain has this height and this width"},
};
enum { PRESETS = sizeof presets / sizeof presets[0] };
const char cli_preset_names[] = "unreal, houdini, blender, gaea";

static const struct format {
    int bit;
    const char *ending;
} formats[] = {{PNG16, "png"}, {R16, "r16"}, {R32, "r32"}, {EXR, "exr"}};

/* Ranges are the same for every state, so a mask does not flicker in a sequence. NAN: that of one
   cell to that of the map. */
static const struct mask {
    const char *name, *field, *unit; /* field NULL: flow of the ground */
    double low, high;
    int is_log, is_angle;
} masks[] = {{"flow", NULL, "m2", NAN, NAN, 1, 0},
             {"wear", "erosion_depth", "m", 0, 20, 0, 0},
             {"deposits", "deposit_depth", "m", 0, 20, 0, 0},
             {"wetness", "wetness", "1", 0, 255, 0, 0},
             {"reef", "reef", "m", 0, 20, 0, 0},
             {"slope", "slope", "degree", 0, 90, 0, 1}};

typedef struct job {
    const cli_preset_wanted *wanted;
    const otok_snapshot *state;
    int64_t nx, ny;     /* pixels of a tile */
    double along, down; /* metres per pixel */
    otok_scale heights;
    FILE *json;
    const char *comma; /* before the next file */
} job;

const cli_preset *cli_preset_find(const char *name)
{
    for (int i = 0; i < PRESETS; i++)
        if (strcmp(presets[i].name, name) == 0) return &presets[i];
    return NULL;
}

/* The text "505, 1009" of the sizes. */
static void list_sizes(char out[64], const cli_preset *p)
{
    *out = 0;
    for (int i = 0; i < SIZES && p->sizes[i]; i++)
        snprintf(out + strlen(out), 64 - strlen(out), "%s%d", i ? ", " : "", p->sizes[i]);
}

otok_status cli_preset_check(const cli_preset_wanted *w)
{
    char sizes[64];
    int known = !w->size || !w->preset->sizes[0];
    for (int i = 0; i < SIZES; i++)
        known |= w->preset->sizes[i] == w->size;
    list_sizes(sizes, w->preset);
    return known ? OTOK_OK
                 : OTOK_FAIL(OTOK_USAGE, "--size %d: %s reads %s", w->size, w->preset->name, sizes);
}

/* Pixels of a tile along a side of n cells; the edges of tiles meet in a row of pixels. */
static int64_t side_of(const cli_preset_wanted *w, int64_t n, int64_t longest)
{
    const double exact =
        1 + (double)(n - 1) *
                (w->size ? (double)(w->size - 1) / (double)(longest - 1) : 1 / (double)w->tiles);
    int64_t best = (int64_t)fmax(2, floor(exact + 0.5));
    double least = INFINITY;
    for (int i = 0; i < SIZES && w->preset->sizes[i]; i++) {
        const double off = fabs(log((double)w->preset->sizes[i] / exact));
        if (off < least) least = off, best = w->preset->sizes[i];
    }
    return best;
}

/* The part of a map that is a tile, row 0 at its bottom; `y` counts tiles from the north. */
static void cut(float *out, const job *j, const float *map, int x, int y)
{
    const int tiles = j->wanted->tiles;
    const int64_t wide = (j->nx - 1) * tiles + 1, first = (tiles - 1 - y) * (j->ny - 1);
    for (int64_t row = 0; row < j->ny; row++)
        memcpy(out + row * j->nx, map + (first + row) * wide + x * (j->nx - 1),
               (size_t)j->nx * sizeof *out);
}

static otok_status write_one(const job *j, const char *path, const float *map, int format, int bits,
                             const char *name, const char *unit, const otok_scale *scale)
{
    const otok_grid g = {.nx = j->nx, .ny = j->ny, .spacing = j->along};
    switch (format) {
    case PNG16: return otok_image_gray(path, map, g, name, unit, scale, bits);
    case R16: return otok_raw_write(path, map, g, scale);
    case R32: return otok_raw_write(path, map, g, NULL);
    default: return otok_exr_write(path, map, g, name, unit);
    }
}

/* All tiles of a map in a format. The map is that of the tiles together. */
static otok_status write_tiles(job *j, const float *map, const struct format *format, int bits,
                               const char *name, const char *unit, const otok_scale *scale)
{
    const int tiles = j->wanted->tiles;
    const size_t cells = (size_t)(j->nx * j->ny);
    char file[64], path[4096];
    float *tile = malloc(cells * sizeof *tile);
    otok_status status = tile ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a tile");
    for (int n = 0; n < tiles * tiles && status == OTOK_OK; n++) {
        cut(tile, j, map, n % tiles, n / tiles);
        for (size_t i = 0; i < cells; i++)
            tile[i] = format->bit == R32 ? (float)otok_scale_share(scale, (double)tile[i])
                      : isnan(tile[i])   ? (float)scale->low
                                         : tile[i];
        if (tiles == 1)
            snprintf(file, sizeof file, "%s.%s", name, format->ending);
        else
            snprintf(file, sizeof file, "%s_x%d_y%d.%s", name, n % tiles, n / tiles,
                     format->ending);
        snprintf(path, sizeof path, "%s/%s", j->wanted->folder, file);
        status = write_one(j, path, tile, format->bit, bits, name, unit, scale);
        if (status != OTOK_OK) break;
        fprintf(j->json,
                "%s\n    {\"file\": \"%s\", \"bits\": %d, \"black\": %.17g, \"white\": %.17g, "
                "\"unit\": \"%s\", \"logarithmic\": %s}",
                j->comma, file, format->bit == EXR || format->bit == R32 ? 32 : bits, scale->low,
                scale->high, unit, scale->is_log ? "true" : "false");
        j->comma = ",";
    }
    free(tile);
    return status;
}

static otok_status sample(const job *j, float **out, const float *map)
{
    const int tiles = j->wanted->tiles;
    return otok_image_sample(out, map, j->state->grid, (j->nx - 1) * tiles + 1,
                             (j->ny - 1) * tiles + 1);
}

/* Unreal's height of a level v is z + (v - 32768)/128 scale/100 m. */
static void put_unreal(FILE *out, const job *j, const char *format)
{
    const double range = j->heights.high - j->heights.low;
    fprintf(out, format, 100 * j->along, 100 * j->down, range * 12800 / 65535,
            100 * (j->heights.low + range * 32768 / 65535));
}

static otok_status write_heights(job *j)
{
    const cli_preset *p = j->wanted->preset;
    const double sea = j->state->sea_level;
    float *map;
    OTOK_TRY(sample(j, &map, j->state->maps[OTOK_TERRAIN]));
    const int tiles = j->wanted->tiles;
    const int64_t n = ((j->nx - 1) * tiles + 1) * ((j->ny - 1) * tiles + 1);
    double low = INFINITY, high = -INFINITY;
    long long beyond = 0;
    for (int64_t i = 0; i < n; i++)
        low = fmin(low, (double)map[i]), high = fmax(high, (double)map[i]);
    if (high == low) high = low + 1;
    j->heights = (otok_scale){.low = isnan(j->wanted->low) ? low : j->wanted->low,
                              .high = isnan(j->wanted->high) ? high : j->wanted->high};
    otok_status status = j->heights.low < j->heights.high
                             ? OTOK_OK
                             : otok_scale_refuse(j->heights.low, j->heights.high);
    for (int64_t i = 0; i < n; i++)
        beyond += (double)map[i] < j->heights.low || (double)map[i] > j->heights.high;
    if (status == OTOK_OK && beyond)
        fprintf(stderr, "otok: %lld of %lld points are beyond --low or --high\n", beyond,
                (long long)n);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0] && status == OTOK_OK; i++)
        if (p->formats & formats[i].bit)
            status = write_tiles(j, map, &formats[i], 16, "heights", "m", &j->heights);
    free(map);
    if (status != OTOK_OK) return status;
    printf("%s: %lld x %lld pixels, %.9g x %.9g m a pixel, black %.9g m, white %.9g m",
           cli_plain(j->wanted->folder), (long long)j->nx, (long long)j->ny, j->along, j->down,
           j->heights.low, j->heights.high);
    isfinite(sea) ? printf(", sea %.9g m\n", sea) : printf(", no sea\n");
    if (p->sizes[0]) put_unreal(stdout, j, "scale: %.9g %.9g %.9g; place it at z = %.9g cm\n");
    printf("%s\n", p->hint);
    return OTOK_OK;
}

/* A mask's map, NULL if the state has none, which is told. */
static otok_status find_mask(float **out, const struct mask *m, const otok_snapshot *s)
{
    const int64_t cells = s->grid.nx * s->grid.ny;
    const int field = m->field ? otok_snapshot_find(s, m->field) : -1;
    *out = NULL;
    if (field >= OTOK_FIELDS && otok_snapshot_derived(out, s, field) != OTOK_OK) {
        printf("%s is left out: %s\n", m->name, otok_why());
        return OTOK_OK;
    }
    if (m->field && !*out && !(field >= 0 && field < OTOK_FIELDS && s->maps[field])) {
        printf("%s is left out: the state has no %s\n", m->name, m->field);
        return OTOK_OK;
    }
    if (!*out && !(*out = malloc((size_t)cells * sizeof **out)))
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a mask");
    if (!m->field) return otok_ground_drainage(s->maps[OTOK_TERRAIN], s->grid, s->sea_level, *out);
    if (field < OTOK_FIELDS) memcpy(*out, s->maps[field], (size_t)cells * sizeof **out);
    for (int64_t i = 0; i < cells && m->is_angle; i++)
        (*out)[i] = (float)(atan((double)(*out)[i]) * 180 / M_PI);
    return OTOK_OK;
}

static otok_status write_mask(job *j, const struct mask *m)
{
    const otok_grid g = j->state->grid;
    const double cell = g.spacing * g.spacing;
    const otok_scale scale = {.low = isnan(m->low) ? cell : m->low,
                              .high = isnan(m->high) ? cell * (double)g.nx * (double)g.ny : m->high,
                              .is_log = m->is_log};
    float *map, *sampled = NULL;
    long long beyond = 0;
    otok_status status = find_mask(&map, m, j->state);
    for (int64_t i = 0; map && i < g.nx * g.ny; i++)
        beyond += (double)map[i] > scale.high;
    if (map && status == OTOK_OK) status = sample(j, &sampled, map);
    if (sampled) {
        printf("%s.png: 8 bits%s, black %.9g, white %.9g%s%s", m->name,
               m->is_log ? " by the logarithm" : "", scale.low, scale.high,
               strcmp(m->unit, "1") == 0 ? "" : " ", strcmp(m->unit, "1") == 0 ? "" : m->unit);
        beyond ? printf("; %lld cells are beyond white\n", beyond) : printf("\n");
        status = write_tiles(j, sampled, &formats[0], 8, m->name, m->unit, &scale);
    }
    free(map), free(sampled);
    return status;
}

static otok_status write_all(job *j)
{
    const cli_preset *p = j->wanted->preset;
    const double sea = j->state->sea_level;
    char path[4096];
    fprintf(j->json, "{\n  \"otok\": \"%s\",\n  \"preset\": \"%s\",\n  \"iteration\": %lld,\n",
            otok_version(), p->name, (long long)j->state->iteration);
    fprintf(j->json, "  \"files\": [");
    otok_status status = write_heights(j);
    for (size_t i = 0; i < sizeof masks / sizeof masks[0] && status == OTOK_OK; i++)
        status = write_mask(j, &masks[i]);
    snprintf(path, sizeof path, "%s/terrain.gltf", j->wanted->folder);
    if (status == OTOK_OK && p->formats & GLTF &&
        (status = otok_gltf_write(path, j->state, 1)) == OTOK_USAGE) {
        printf("terrain.gltf is left out: %s\n", otok_why());
        status = OTOK_OK;
    }
    fprintf(j->json,
            "\n  ],\n  \"size\": [%lld, %lld],\n  \"tiles\": %d,\n  \"metres_per_pixel\": [%.17g, "
            "%.17g],\n  \"black\": %.17g,\n  \"white\": %.17g,\n",
            (long long)j->nx, (long long)j->ny, j->wanted->tiles, j->along, j->down, j->heights.low,
            j->heights.high);
    if (p->sizes[0])
        put_unreal(j->json, j, "  \"scale\": [%.17g, %.17g, %.17g],\n  \"z\": %.17g,\n");
    isfinite(sea) ? fprintf(j->json, "  \"sea\": %.17g\n}\n", sea)
                  : fprintf(j->json, "  \"sea\": null\n}\n");
    return status;
}

otok_status cli_preset_write(const cli_preset_wanted *w, const otok_snapshot *s)
{
    const otok_grid g = s->grid;
    const int64_t longest = g.nx > g.ny ? g.nx : g.ny;
    char *text = NULL, path[4096];
    size_t size = 0;
    if (g.nx < 2 || g.ny < 2)
        return OTOK_FAIL(OTOK_USAGE, "%lld x %lld cells are too few", (long long)g.nx,
                         (long long)g.ny);
    job j = {.wanted = w, .state = s, .comma = ""};
    j.nx = side_of(w, g.nx, longest);
    j.ny = side_of(w, g.ny, longest);
    const int64_t wide = (j.nx - 1) * w->tiles + 1, high = (j.ny - 1) * w->tiles + 1;
    if (wide > LONGEST || high > LONGEST)
        return OTOK_FAIL(OTOK_USAGE, "%lld x %lld pixels are too many; at most %d along a side",
                         (long long)wide, (long long)high, LONGEST);
    j.along = (double)(g.nx - 1) * g.spacing / (double)(wide - 1);
    j.down = (double)(g.ny - 1) * g.spacing / (double)(high - 1);
    OTOK_TRY(otok_directory_make(w->folder));
    if (!(j.json = open_memstream(&text, &size)))
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a text");
    const otok_status status = write_all(&j);
    text = otok_text_finish(j.json, &text);
    snprintf(path, sizeof path, "%s/otok.json", w->folder);
    const otok_status put = status != OTOK_OK ? status
                            : text            ? otok_file_replace(path, text)
                                              : OTOK_FAIL(OTOK_NOMEM, "no memory for a text");
    free(text);
    return put;
}
