/* export.c: `otok export`: one map of a checkpoint as a picture or a grid for other programs. */
#include "../core/status.h"
#include "../io/checkpoint.h"
#include "../io/image.h"
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char usage[] =
    "usage: otok export FILE -o OUT.(png|asc) [options]\n"
    "\n"
    "Writes a checkpoint's terrain as a shaded relief with its sea and roads (png), or a field as a gray picture (png) or an Esri\n"
    "ASCII grid (asc).\n"
    "\n"
    "  -o, --output OUT    the file to write; its ending says the kind\n"
    "  -f, --field NAME    the field, in gray (png); terrain unless given\n"
    "  -L, --low VALUE     black (png); the field's least value unless given\n"
    "  -H, --high VALUE    white (png); the field's greatest value unless given\n"
    "  -b, --bits 8|16     of a gray picture; 16 unless given\n"
    "  -r, --relief        shaded relief, what a png is unless --field, --low, --high or --bits is given\n"
    "  -s, --scale N       pixels along a cell of a relief, 1..16; 1 unless given\n"
    "  -w, --water         show rivers and lakes in a relief\n"
    "  -S, --sea LEVEL     level of the sea in a relief; the checkpoint's unless given\n"
    "  -h, --help          print this\n"
    "\n"
    "example: otok export out/island_00000500.vtkhdf -o island.png --scale 2\n"
    "         otok export out/island_00000500.vtkhdf -o water.png --field water --low 0 --high 0.5\n";

typedef struct request {
    const char *output, *field;
    double low, high, sea; /* NAN: not given */
    int bits, scale;       /* 0: not given   */
    int relief, water;
} request;

static otok_status number(double *out, const char *name, const char *text)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    if (end == text || *end || errno == ERANGE || !isfinite(*out))
        return OTOK_FAIL(OTOK_USAGE, "--%s %s: not a number", name, text);
    return OTOK_OK;
}

static otok_status whole(int *out, const char *name, const char *text, int low, int high)
{
    double value;
    OTOK_TRY(number(&value, name, text));
    if (value < low || value > high || value != floor(value))
        return OTOK_FAIL(OTOK_USAGE, "--%s %s: not a whole number of %d..%d", name, text, low, high);
    *out = (int)value;
    return OTOK_OK;
}

static otok_status take(request *r, int c)
{
    switch (c) {
    case 'o': r->output = optarg; return OTOK_OK;
    case 'f': r->field = optarg; return OTOK_OK;
    case 'r': r->relief = 1; return OTOK_OK;
    case 'w': r->water = 1; return OTOK_OK;
    case 'L': return number(&r->low, "low", optarg);
    case 'H': return number(&r->high, "high", optarg);
    case 'S': return number(&r->sea, "sea", optarg);
    case 's': return whole(&r->scale, "scale", optarg, 1, 16);
    default: OTOK_TRY(whole(&r->bits, "bits", optarg, 8, 16));
    }
    return r->bits == 8 || r->bits == 16 ? OTOK_OK : OTOK_FAIL(OTOK_USAGE, "--bits %s: neither 8 nor 16", optarg);
}

static int ends(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);
    return n > m && strcasecmp(name + n - m, ending) == 0;
}

/* Options that make no sense together are refused before anything is read. */
static otok_status check(const request *r)
{
    if (!r->output) return OTOK_FAIL(OTOK_USAGE, "needs -o OUT; see otok export --help");
    const int ascii = ends(r->output, ".asc");
    if (!ascii && !ends(r->output, ".png"))
        return OTOK_FAIL(OTOK_USAGE, "%s: unknown kind of file; known are .png and .asc", r->output);
    const int gray = r->field || !isnan(r->low) || !isnan(r->high) || r->bits,
              relief = r->relief || r->scale || r->water || !isnan(r->sea);
    if (r->field && otok_field_find(r->field) < 0)
        return OTOK_FAIL(OTOK_USAGE, "--field %s: there is no such field; see otok inspect", r->field);
    if (ascii && (relief || !isnan(r->low) || !isnan(r->high) || r->bits))
        return OTOK_FAIL(OTOK_USAGE, "%s: an ASCII grid takes no option but --field", r->output);
    if (gray && relief)
        return OTOK_FAIL(
            OTOK_USAGE,
            "--field, --low, --high and --bits are of a gray picture; --relief, --scale, --water and --sea of a relief");
    return OTOK_OK;
}

static otok_status gray(const request *r, const otok_snapshot *s, int field)
{
    const float *map = s->maps[field];
    double low = map[0], high = map[0];
    for (int64_t i = 0; i < s->grid.nx * s->grid.ny; i++) {
        low = fmin(low, map[i]);
        high = fmax(high, map[i]);
    }
    if (high == low) high = low + 1; /* a flat map is black */
    if (!isnan(r->low)) low = r->low;
    if (!isnan(r->high)) high = r->high;
    return otok_image_gray(r->output, map, s->grid, otok_field_at(field)->name, low, high, r->bits ? r->bits : 16);
}

static otok_status export(const request *r, const char *path, const otok_snapshot *s)
{
    const int field = r->field ? otok_field_find(r->field) : OTOK_TERRAIN;
    if (!s->maps[field]) return OTOK_FAIL(OTOK_DATA, "%s: has no field %s; see otok inspect", path, otok_field_at(field)->name);
    if (ends(r->output, ".asc")) return otok_ascii_write(r->output, s->maps[field], s->grid);
    if (r->field || r->bits || !isnan(r->low) || !isnan(r->high)) return gray(r, s, field);
    const otok_relief relief = {s->grid,
                                s->maps[OTOK_TERRAIN],
                                r->water ? s->maps[OTOK_WATER] : NULL,
                                isnan(r->sea) ? s->sea_level : r->sea,
                                r->scale ? r->scale : 1,
                                s->maps[OTOK_ROAD]};
    return otok_image_relief(r->output, &relief);
}

int cli_export(int argc, char **argv)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"field", required_argument, NULL, 'f'},
                                            {"low", required_argument, NULL, 'L'},
                                            {"high", required_argument, NULL, 'H'},
                                            {"bits", required_argument, NULL, 'b'},
                                            {"relief", no_argument, NULL, 'r'},
                                            {"scale", required_argument, NULL, 's'},
                                            {"water", no_argument, NULL, 'w'},
                                            {"sea", required_argument, NULL, 'S'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    request r = {.low = NAN, .high = NAN, .sea = NAN};
    otok_status status = OTOK_OK;
    optind = 1;
    opterr = 0;
    for (int c; status == OTOK_OK && (c = getopt_long(argc, argv, ":o:f:L:H:b:rs:wS:h", options, NULL)) != -1;) {
        if (c == 'h') return fputs(usage, stdout) < 0;
        if (c == '?')
            status = OTOK_FAIL(OTOK_USAGE, "unknown option %s; see otok export --help", argv[optind - 1]);
        else if (c == ':')
            status = OTOK_FAIL(OTOK_USAGE, "option %s needs a value; see otok export --help", argv[optind - 1]);
        else
            status = take(&r, c);
    }
    if (status == OTOK_OK && argc - optind != 1) status = OTOK_FAIL(OTOK_USAGE, "needs one checkpoint; see otok export --help");
    if (status == OTOK_OK) status = check(&r);
    if (status != OTOK_OK) return cli_fail(argv[0], status);
    otok_snapshot s;
    status = otok_checkpoint_read(&s, argv[optind]);
    if (status == OTOK_OK) status = export(&r, argv[optind], &s);
    otok_snapshot_destroy(&s); /* empty when it could not be read */
    return status == OTOK_OK ? 0 : cli_fail(argv[0], status);
}
