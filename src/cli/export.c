/* export.c: `otok export`: maps of checkpoints as pictures, grids and meshes for other
 * programs. */
#include "../core/status.h"
#include "../io/checkpoint.h"
#include "../io/file.h"
#include "../io/image.h"
#include "../io/mesh.h"
#include "../io/netcdf.h"
#include "../io/raster.h"
#include "../sim/dated.h"
#include "../sim/derived.h"
#include "cli.h"
#include "options.h"
#include "preset.h"
#include "text.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *output, *field;
    double low, high, sea, sphere, exaggerate; /* NAN: not given */
    int bits, scale;                           /* 0: not given   */
    int water;
    int kind;
    cli_preset_wanted preset;
} request;

static otok_status read_preset(void *to, const char *name, const char *value)
{
    const cli_preset **preset = to;
    return (*preset = cli_preset_find(value))
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--%s %s: known are %s", name, value, cli_preset_names);
}

static otok_status read_bits(void *to, const char *name, const char *value)
{
    int *bits = to;
    return cli_whole(value, 8, 16, bits) && (*bits == 8 || *bits == 16)
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--%s %s: neither 8 nor 16", name, value);
}

static otok_status read_positive(void *to, const char *name, const char *value)
{
    OTOK_TRY(cli_number(to, name, value, -HUGE_VAL, HUGE_VAL));
    return *(double *)to > 0 ? OTOK_OK : OTOK_FAIL(OTOK_USAGE, "--%s %s: not above 0", name, value);
}

enum {
    PNG = 1,
    ASC = 2,
    TIF = 4,
    EXR = 8,
    PLY = 16,
    R32 = 32,
    CSV = 64,
    NC = 128,
    GLTF = 256,
    VTI = 512
};

static const struct kind {
    const char *ending;
    int bit;
} kinds[] = {{".png", PNG}, {".asc", ASC},   {".tif", TIF}, {".tiff", TIF},
             {".ply", PLY}, {".r32", R32},   {".nc", NC},   {".csv", CSV},
             {".exr", EXR}, {".gltf", GLTF}, {".vti", VTI}};

static int kind_of(const char *path)
{
    int kind = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (cli_ends(path, kinds[i].ending)) kind = kinds[i].bit;
    return kind;
}

/* Refuses contradictory options before anything is read. */
static otok_status check_preset(request *r)
{
    r->kind = kind_of(r->output);
    if (r->kind)
        return OTOK_FAIL(OTOK_USAGE, "%s: --preset fills a folder; give one with -o", r->output);
    if (r->field || r->bits || r->scale || r->water || !isnan(r->sea) || !isnan(r->sphere) ||
        !isnan(r->exaggerate))
        return OTOK_FAIL(OTOK_USAGE, "with --preset only --size, --tiles, --low and --high count");
    r->preset.folder = r->output, r->preset.low = r->low, r->preset.high = r->high;
    if (!r->preset.tiles) r->preset.tiles = 1;
    return cli_preset_check(&r->preset);
}

static otok_status check(request *r)
{
    r->kind = kind_of(r->output);
    if (r->preset.size || r->preset.tiles)
        return OTOK_FAIL(OTOK_USAGE, "--size and --tiles need --preset");
    if (!r->kind)
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: unknown kind of file; known are .png, .asc, .tif, .exr, .r32, .nc, "
                         ".csv, .ply, .gltf and .vti; ParaView plays the .vtkhdf.series of a run",
                         r->output);
    const int gray = !isnan(r->low) || !isnan(r->high) || r->bits,
              relief = r->scale || r->water || !isnan(r->sea);
    if (r->kind != PNG && (gray || relief))
        return OTOK_FAIL(
            OTOK_USAGE,
            "%s: options of pictures (--low, --high, --bits, --scale, --water, --sea) need a .png",
            r->output);
    if ((!(r->kind & PLY) && !isnan(r->sphere)) ||
        (!(r->kind & (PLY | GLTF)) && !isnan(r->exaggerate)))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: --sphere and --exaggerate are for meshes; write .ply, or, without "
                         "--sphere, .gltf",
                         r->output);
    if (r->field && r->kind & (NC | CSV | PLY | GLTF))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: leave out --field: .nc and .ply have all fields, .csv has the "
                         "gauges, and the shape of a mesh is the terrain",
                         r->output);
    if ((gray || r->field) && relief)
        return OTOK_FAIL(OTOK_USAGE, "--field, --low, --high and --bits are for a gray picture; "
                                     "--scale, --water and --sea for a relief");
    return OTOK_OK;
}

/* " m", and nothing for plain numbers. */
static const char *unit_of(const otok_field_info *info, char out[40])
{
    const int pure = strcmp(info->unit, "1") == 0;
    snprintf(out, 40, "%s%s", pure ? "" : " ", pure ? "" : info->unit);
    return out;
}

/* Prints what the import dialogues of terrain tools ask for. */
static otok_status raw(const request *r, const otok_snapshot *s, int field, const float *map)
{
    float low = INFINITY, high = -INFINITY; /* NaN counts for nothing */
    char unit[40];
    for (int64_t i = 0; i < s->grid.nx * s->grid.ny; i++) {
        low = fminf(low, map[i]);
        high = fmaxf(high, map[i]);
    }
    OTOK_TRY(otok_raw_write(r->output, map, s->grid, NULL));
    printf("%s: %lld x %lld float32, little-endian, north row first, %.9g m a cell, from %.9g to "
           "%.9g%s\n",
           cli_plain(r->output), (long long)s->grid.nx, (long long)s->grid.ny, s->grid.spacing,
           (double)low, (double)high, unit_of(otok_snapshot_info(s, field), unit));
    return OTOK_OK;
}

/* Copies the checkpoint byte by byte, but with its cells without data. */
static otok_status copy(const char *output, const char *path, const otok_snapshot *s)
{
    FILE *file;
    char *bytes = NULL;
    OTOK_TRY(otok_file_open(&file, path));
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    otok_status status = OTOK_OK;
    if (size < 0 || !(bytes = malloc((size_t)size + 1)))
        status = OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a copy of %ld bytes", path, size);
    else if (fread(bytes, 1, (size_t)size, file) != (size_t)size)
        status = otok_file_failed(path, "read", errno ? errno : EIO);
    fclose(file);
    if (status == OTOK_OK && s->holes.n)
        status = otok_netcdf_write(output, s, bytes, (size_t)size);
    else if (status == OTOK_OK)
        status = otok_file_put(output, bytes, (size_t)size);
    free(bytes);
    return status;
}

/* Says how many cells have the black or the white of an end that they are beyond. */
static void warn_beyond(const float *map, int64_t cells, const otok_scale *scale)
{
    long long n = 0;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < cells; i++) { /* NaN counts for nothing */
        n += map[i] < scale->low || map[i] > scale->high;
        low = fmin(low, map[i]), high = fmax(high, map[i]);
    }
    if (n)
        fprintf(stderr,
                "otok: %lld of %lld cells are beyond black, %.9g, or white, %.9g; --low %.9g "
                "--high %.9g hold all\n",
                n, (long long)cells, scale->low, scale->high, low, high);
}

static otok_status gray(const request *r, const otok_snapshot *s, int field, const float *map)
{
    otok_scale scale;
    char text[OTOK_NAME_SIZE];
    const otok_field_info *info = otok_snapshot_info(s, field);
    const int64_t cells = s->grid.nx * s->grid.ny;
    OTOK_TRY(otok_scale_find(&scale, info->look, map, s->maps[OTOK_WATER], cells, s->sea_level,
                             r->low, r->high));
    if (isnan(r->low) && isnan(r->high)) warn_beyond(map, cells, &scale);
    const int bits = r->bits ? r->bits : 16;
    OTOK_TRY(otok_image_gray(r->output, map, s->grid, otok_snapshot_name(s, field, text),
                             info->unit, &scale, bits));
    char unit[40];
    unit_of(info, unit);
    printf("%s: %lld x %lld, %d bits, %.9g m a pixel, black %.9g%s, white %.9g%s%s",
           cli_plain(r->output), (long long)s->grid.nx, (long long)s->grid.ny, bits,
           s->grid.spacing, scale.low, unit, scale.high, unit,
           scale.is_log ? ", by the logarithm" : "");
    isfinite(s->sea_level) ? printf(", sea %.9g m\n", s->sea_level) : printf("\n");
    return OTOK_OK;
}

static otok_status relief(const request *r, const otok_snapshot *s)
{
    unsigned char *clear = s->holes.n ? calloc((size_t)(s->grid.nx * s->grid.ny), 1) : NULL;
    if (s->holes.n && !clear)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a picture", r->output);
    if (clear) otok_holes_mark(&s->holes, clear);
    const otok_relief relief = {s->grid,
                                s->maps[OTOK_TERRAIN],
                                r->water ? s->maps[OTOK_WATER] : NULL,
                                isnan(r->sea) ? s->sea_level : r->sea,
                                r->scale ? r->scale : 1,
                                s->maps[OTOK_ROAD],
                                clear};
    const otok_status status = otok_image_relief(r->output, &relief);
    free(clear);
    return status;
}

/* A field, whose map is without data (NaN) where the rasters of the base had none. */
static otok_status export_map(const request *r, const otok_snapshot *s, int field, const float *map)
{
    char text[OTOK_NAME_SIZE];
    switch (r->kind) {
    case R32: return raw(r, s, field, map);
    case EXR:
        return otok_exr_write(r->output, map, s->grid, otok_snapshot_name(s, field, text),
                              otok_snapshot_info(s, field)->unit);
    case VTI: return otok_vti_write(r->output, s, field, map);
    case ASC: return otok_ascii_write(r->output, map, s->grid, &s->georeference);
    case TIF:
        return otok_geotiff_write(r->output, map, s->grid, &s->georeference,
                                  otok_snapshot_info(s, field));
    default: return gray(r, s, field, map);
    }
}

static otok_status gauges(const request *r, const char *path, const otok_snapshot *s)
{
    if (s->gauge_samples) return otok_gauges_write(r->output, s);
    return OTOK_FAIL(OTOK_DATA,
                     "%s: has no series of gauges; add `gauges: [{name: ..., x: ..., y: ...}]` to "
                     "the scenario, and run it",
                     path);
}

static otok_status export_derived(const request *r, const char *path, const otok_snapshot *s,
                                  int field)
{
    float *map;
    otok_status status = otok_snapshot_derived(&map, s, field);
    if (status != OTOK_OK) return otok_fail_in(status, "%s", path);
    status = export_map(r, s, field, map);
    free(map);
    return status;
}

static otok_status export(const request *r, const char *path, const otok_snapshot *s)
{
    const int field = r->field ? otok_snapshot_find(s, r->field) : OTOK_TERRAIN;
    if (r->preset.preset && s->maps[OTOK_TERRAIN]) return cli_preset_write(&r->preset, s);
    if (field < 0 || (field < OTOK_FIELDS && !s->maps[field]))
        return cli_no_field(path, r->field ? r->field : "terrain");
    const otok_mesh_options mesh = {isnan(r->sphere) ? 0 : r->sphere,
                                    isnan(r->exaggerate) ? 1 : r->exaggerate};
    if (field >= OTOK_FIELDS) return export_derived(r, path, s, field);
    switch (r->kind) {
    case R32: return raw(r, s, field, s->maps[field]);
    case NC: return copy(r->output, path, s);
    case CSV: return gauges(r, path, s);
    case PLY: return otok_ply_write(r->output, s, &mesh);
    case GLTF: return otok_gltf_write(r->output, s, mesh.exaggerate);
    case VTI: return otok_vti_write(r->output, s, r->field ? field : -1, s->maps[field]);
    case PNG:
        if (!r->field && !r->bits && isnan(r->low) && isnan(r->high)) return relief(r, s);
        break;
    default: break;
    }
    float *holed = NULL;
    if (s->holes.n)
        OTOK_TRY(otok_holes_put(&holed, s->maps[field], s->grid.nx * s->grid.ny, &s->holes));
    const otok_status status = export_map(r, s, field, holed ? holed : s->maps[field]);
    free(holed);
    return status;
}

static otok_status export_checkpoint(const request *r, const char *path)
{
    otok_snapshot s;
    if (cli_ends(path, ".series"))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: a series is for otok movie; export writes one state: name one of its "
                         ".vtkhdf files",
                         path);
    otok_status status = cli_checkpoint_read(&s, path);
    if (status == OTOK_OK) status = export(r, path, &s);
    otok_snapshot_destroy(&s); /* empty if it could not be read */
    return status;
}

int cli_export(int argc, char **argv)
{
    request r = {.low = NAN, .high = NAN, .sea = NAN, .sphere = NAN, .exaggerate = NAN};
    const cli_option table[] = {
        CLI_OUTPUT("OUT", "the file to write; its ending is its format", &r.output),
        CLI_OPTION("field", 'f', "NAME", cli_field_help, CLI_TEXT, &r.field),
        CLI_OPTION("low", 'L', "VALUE",
                   "value of black (png; default: the first colour of otok render)", CLI_REAL,
                   &r.low, -HUGE_VAL, HUGE_VAL),
        CLI_OPTION("high", 'H', "VALUE",
                   "value of white (png; default: the last colour of otok render)", CLI_REAL,
                   &r.high, -HUGE_VAL, HUGE_VAL),
        CLI_OPTION("bits", 'b', "8|16", "bits of a gray picture (default: 16)", CLI_READ, &r.bits,
                   .read = read_bits),
        CLI_OPTION("scale", 's', "N", "pixels along a cell of a relief, 1..16 (default: 1)",
                   CLI_WHOLE, &r.scale, 1, 16),
        CLI_OPTION("water", 'w', NULL, "show rivers and lakes in a relief", CLI_FLAG, &r.water),
        CLI_OPTION("sea", 'S', "LEVEL",
                   "level of the sea in a relief (default: that of the checkpoint)", CLI_REAL,
                   &r.sea, -HUGE_VAL, HUGE_VAL),
        CLI_OPTION(
            "sphere", 'R', "RADIUS",
            "make a planet (ply): the equirectangular map around a sphere of this radius [m]",
            CLI_READ, &r.sphere, .read = read_positive),
        CLI_OPTION("exaggerate", 'x', "N", "multiply heights by N (ply, gltf)", CLI_READ,
                   &r.exaggerate, .read = read_positive),
        CLI_OPTION("preset", 'p', "PROGRAM",
                   "fill the folder OUT for unreal, houdini, blender or gaea", CLI_READ,
                   &r.preset.preset, .read = read_preset),
        CLI_OPTION("size", 0, "N",
                   "pixels along the longer side (preset; default: the nearest size that the "
                   "program reads)",
                   CLI_WHOLE, &r.preset.size, 2, 32768),
        CLI_OPTION("tiles", 0, "N", "N x N tiles of this size, which share their edges (preset)",
                   CLI_WHOLE, &r.preset.tiles, 1, 64),
        {0}};
    const cli_command command = {
        .name = "export",
        .operands = "FILE -o OUT.(png|asc|tif|exr|r32|nc|csv|ply|gltf|vti) [options]\n"
                    "FILE -o FOLDER --preset PROGRAM [--size N] [--tiles N]",
        .about =
            "Write a checkpoint for other programs: its terrain as a shaded relief with sea "
            "and roads (png) or as triangles (ply; gltf with water and colours, beside it .bin "
            "and .png); a field, by default the terrain, as a "
            "gray picture (png), an Esri ASCII grid (asc), a GeoTIFF with its georeference "
            "(tif), float32 as OpenEXR (exr), or bare (r32: little-endian, north row first). "
            "A checkpoint is NetCDF-4 already: nc copies it under a name that CF tools know; "
            "csv has the series of the scenario's gauges. Cells without data are empty in "
            "asc, tif, exr and nc, missing in gltf, and transparent in png. In r32 and ply they "
            "have the height of "
            "the nearest cell; derived fields are NaN there. ParaView 5.12 plays the "
            ".vtkhdf.series of a run; vti is for older ones, with all fields or one. otok movie "
            "makes videos. --preset writes heights and, "
            "as 8-bit "
            "masks, flow over the bare ground, wear, deposits, wetness, reef and slope, with "
            "all scales in otok.json.",
        .examples = "out/island_00003930.vtkhdf -o island.png --scale 2\n"
                    "out/island_00003930.vtkhdf -o water.png --field water --low 0 --high 0.5\n"
                    "out/island_00003930.vtkhdf -o landscape --preset unreal",
        .needs = "a checkpoint",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    otok_status status = !r.output ? OTOK_FAIL(OTOK_USAGE, "needs -o OUT; see otok export --help")
                         : r.preset.preset ? check_preset(&r)
                                           : check(&r);
    if (status == OTOK_OK) status = export_checkpoint(&r, argv[optind]);
    return status == OTOK_OK ? 0 : cli_fail(argv[0], status);
}
