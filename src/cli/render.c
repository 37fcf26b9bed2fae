/* render.c: `otok render`: a checkpoint as one sees it, drawn by OpenGL without a display. */
#include "../core/status.h"
#include "cli.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: otok render CHECKPOINT -o OUT.png [options]\n"
    "\n"
    "Draws a checkpoint in three dimensions: by a GPU where EGL finds one, else by Mesa on the CPU. It needs no display.\n"
    "\n"
    "  -o, --output OUT.png     the file to write\n"
    "  -l, --look LOOK          island (unless given), water, sediment, speed, velocity_x, velocity_y, field, phong, wireframe\n"
    "  -f, --field NAME         the field of the look `field`, which it implies\n"
    "  -L, --low VALUE          of the colours; the field's least value unless given, 0 in the looks of water\n"
    "  -H, --high VALUE         the field's greatest value unless given; in the looks of water, what 99.5 % of cells stay below\n"
    "  -s, --size WxH           pixels; 1024x768 unless given\n"
    "  -n, --samples N          samples a pixel, 1..256; 8 unless given, each of which takes the time of one\n"
    "  -a, --azimuth DEGREES    where the eye is, clockwise from the map's top; 200 unless given\n"
    "  -e, --elevation DEGREES  how high above the horizon, 1..90; 24 unless given\n"
    "  -d, --distance METRES    from the target; unless given, so that land and reefs, or the whole map, fill the picture\n"
    "  -t, --target X,Y[,Z]     what is in the middle of the picture, in metres from the lower left corner\n"
    "  -A, --angle DEGREES      of view, from bottom to top; 32 unless given\n"
    "  -u, --sun AZIMUTH,ELEVATION  direction of the sun; 285,38 unless given\n"
    "      --no-shadows         the sun casts none\n"
    "  -S, --sea LEVEL|none     level of the sea of the look island; the checkpoint's unless given\n"
    "      --absorption VALUE   of light by the sea in 1/m; unless given, that of the scenario's reef, or 0.15\n"
    "      --vertical           light goes straight down in the sea, as the sources had it\n"
    "      --block              cut the map out; so it is where its border is not all under the sea\n"
    "      --tessellation N     pieces along the edge of a patch, 1..64; adaptive unless given\n"
    "  -h, --help               print this\n"
    "\n"
    "example: otok render out/island_00003930.vtkhdf -o island.png --elevation 20\n"
    "         otok render out/island_00003930.vtkhdf -o reef.png --field reef\n";

#ifdef OTOK_WITH_VIZ
#include "../io/image.h"
#include "viz/arrange.h"
#include "viz/picture.h"

#include <errno.h>
#include <math.h>

typedef struct request {
    const char *output, *field;
    otok_shot view;
    int width, height, samples, look_given;
    double low, high, sea, distance, target[3]; /* NAN: not given; sea: -INFINITY for none */
} request;

enum { NO_SHADOWS = 256, ABSORPTION, VERTICAL, BLOCK, TESSELLATION };

static otok_status number(double *out, const char *name, const char *text, double low, double high)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    if (end == text || *end || errno == ERANGE || !isfinite(*out))
        return OTOK_FAIL(OTOK_USAGE, "--%s %s: not a number", name, text);
    return *out >= low && *out <= high ? OTOK_OK : OTOK_FAIL(OTOK_USAGE, "--%s %s: not in %g..%g", name, text, low, high);
}

/* Two or three numbers with commas; the third stays NAN where it is missing. */
static otok_status numbers(double *out, int least, int most, const char *name, const char *text)
{
    char *end;
    int n = 0;
    for (const char *at = text; n < most; at = end + 1) {
        out[n++] = strtod(at, &end);
        if (end == at || !isfinite(out[n - 1])) n = -1;
        if (n < 0 || *end != ',') break;
    }
    return n >= least && !*end ? OTOK_OK
                               : OTOK_FAIL(OTOK_USAGE, "--%s %s: needs %d%s numbers with commas between them", name, text, least,
                                           most > least ? " or 3" : "");
}

static otok_status take(request *r, int c)
{
    const double most = 1e9;
    otok_shot *v = &r->view;
    double x[3] = {0};
    switch (c) {
    case 'o': r->output = optarg; return OTOK_OK;
    case 'f': r->field = optarg; return OTOK_OK;
    case 'l':
        r->look_given = 1;
        v->look = (otok_look)otok_look_find(optarg);
        return (int)v->look >= 0 ? OTOK_OK : OTOK_FAIL(OTOK_USAGE, "--look %s: no such look; see otok render --help", optarg);
    case 'L': return number(&r->low, "low", optarg, -1e30, 1e30);
    case 'H': return number(&r->high, "high", optarg, -1e30, 1e30);
    case 's': {
        char rest;
        const int n = sscanf(optarg, "%dx%d%c", &r->width, &r->height, &rest);
        return n == 2 && r->width > 0 && r->height > 0 && r->width <= 65536 && r->height <= 65536
                   ? OTOK_OK
                   : OTOK_FAIL(OTOK_USAGE, "--size %s: not WIDTHxHEIGHT in pixels", optarg);
    }
    case 'n':
        OTOK_TRY(number(x, "samples", optarg, 1, 256));
        r->samples = (int)x[0];
        return OTOK_OK;
    case 'a': return number(&v->camera.azimuth, "azimuth", optarg, -360, 360);
    case 'e': return number(&v->camera.elevation, "elevation", optarg, 1, 90);
    case 'd': return number(&r->distance, "distance", optarg, 1e-6, most);
    case 't': return numbers(r->target, 2, 3, "target", optarg);
    case 'A': return number(&v->camera.angle, "angle", optarg, 1, 120);
    case 'u':
        OTOK_TRY(numbers(x, 2, 2, "sun", optarg));
        v->sun_azimuth = x[0];
        v->sun_elevation = x[1];
        return x[1] >= 1 && x[1] <= 90 ? OTOK_OK : OTOK_FAIL(OTOK_USAGE, "--sun %s: its elevation is not in 1..90", optarg);
    case 'S': r->sea = -INFINITY; return strcmp(optarg, "none") == 0 ? OTOK_OK : number(&r->sea, "sea", optarg, -most, most);
    case NO_SHADOWS: v->shadows = 0; return OTOK_OK;
    case ABSORPTION: return number(&v->absorption, "absorption", optarg, 0, 1e6);
    case VERTICAL: v->vertical = 1; return OTOK_OK;
    case BLOCK: v->block = 1; return OTOK_OK;
    default: v->screen_error = 0; return number(&v->level, "tessellation", optarg, 1, 64);
    }
}

static otok_status check(request *r, int inputs)
{
    const char *ending = r->output ? strrchr(r->output, '.') : NULL;
    if (!r->output) return OTOK_FAIL(OTOK_USAGE, "needs -o OUT.png; see otok render --help");
    if (!ending || strcmp(ending, ".png") != 0) return OTOK_FAIL(OTOK_USAGE, "%s: only .png is drawn", r->output);
    if (inputs != 1) return OTOK_FAIL(OTOK_USAGE, "needs one checkpoint; see otok render --help");
    if (r->field && r->look_given && r->view.look != OTOK_LOOK_FIELD)
        return OTOK_FAIL(OTOK_USAGE, "--field goes with --look field alone");
    if (r->field) r->view.look = OTOK_LOOK_FIELD;
    if (r->view.look == OTOK_LOOK_FIELD && !r->field) return OTOK_FAIL(OTOK_USAGE, "--look field needs --field NAME");
    return OTOK_OK;
}

/* Uploads what the look shows, finds its range, and writes the legend's words; an empty legend means none. */
static otok_status values(const request *r, const char *path, const otok_checkpoint *c, otok_scene *s, otok_shot *v,
                          char legend[128])
{
    legend[0] = 0;
    const int field = otok_look_field(v->look, r->field ? otok_checkpoint_find(c, r->field) : -1),
              second = otok_look_second(v->look);
    if (field < 0 && !r->field) return OTOK_OK;
    const float *x = field < 0 ? NULL : otok_checkpoint_map(c, field), *y = second < 0 ? NULL : otok_checkpoint_map(c, second);
    const char *name = r->field ? r->field : otok_field_at(field)->name;
    if (!x || (second >= 0 && !y)) return OTOK_FAIL(OTOK_DATA, "%s: has no field %s; see otok inspect", path, name);
    const otok_grid g = otok_checkpoint_grid(c);
    otok_scene_upload(s, OTOK_SLOT_VALUE_X, x);
    otok_scene_upload(s, OTOK_SLOT_VALUE_Y, y);
    otok_arrange_legend(legend, v->look, name, otok_field_at(field)->unit);
    return otok_arrange_values(v, x, y, g.nx * g.ny, r->low, r->high);
}

/* Sea, horizon and camera, from what the checkpoint holds and the user said. */
static void arrange(const request *r, const otok_checkpoint *c, otok_shot *v)
{
    const otok_grid g = otok_checkpoint_grid(c);
    const float *h = otok_checkpoint_map(c, OTOK_TERRAIN);
    const double w = isnan(r->sea) ? otok_checkpoint_sea_level(c) : r->sea;
    otok_arrange_sea(v, h, g, w);
    otok_arrange_camera(v, h, g, w, r->width, r->height);
    if (!isnan(r->target[0])) {
        const int64_t x = (int64_t)fmin(fmax(r->target[0] / g.spacing, 0), (double)(g.nx - 1));
        const int64_t y = (int64_t)fmin(fmax(r->target[1] / g.spacing, 0), (double)(g.ny - 1));
        memcpy(v->camera.target, r->target, sizeof r->target);
        if (isnan(r->target[2])) v->camera.target[2] = fmax(h[y * g.nx + x], isnan(v->sea_level) ? -INFINITY : w);
    }
    if (!isnan(r->distance)) v->camera.distance = r->distance;
}

static otok_status draw(const request *r, const char *path, const otok_checkpoint *c, otok_scene *s, const otok_canvas *canvas,
                        unsigned char *rgb)
{
    static const int fields[OTOK_SLOTS] = {OTOK_TERRAIN, OTOK_WETNESS, OTOK_REEF, OTOK_ROAD, -1, -1};
    otok_shot view = r->view;
    char legend[128];
    for (int i = 0; i < OTOK_SLOT_VALUE_X; i++)
        otok_scene_upload(s, (otok_slot)i, otok_checkpoint_map(c, fields[i]));
    OTOK_TRY(values(r, path, c, s, &view, legend));
    if (isnan(view.absorption)) view.absorption = otok_checkpoint_absorption(c);
    if (isnan(view.absorption)) view.absorption = 0.15;
    arrange(r, c, &view);
    OTOK_TRY(otok_picture_draw(s, canvas, &view, r->width, r->height, r->samples, legend[0] ? legend : NULL, rgb));
    const char *words[] = {"Title", otok_checkpoint_title(c), "Software", "otok", NULL};
    const otok_picture picture = {r->width, r->height, 3, 8, rgb};
    return otok_png_write(r->output, &picture, words);
}

static otok_status render(const request *r, const char *path)
{
    otok_checkpoint *checkpoint = NULL;
    otok_gl *gl = NULL;
    otok_canvas *canvas = NULL;
    otok_scene *scene = NULL;
    unsigned char *rgb = malloc((size_t)r->width * (size_t)r->height * 3);
    otok_status status = rgb ? otok_checkpoint_load(&checkpoint, path) : OTOK_FAIL(OTOK_NOMEM, "no memory for the picture");
    if (status == OTOK_OK) status = otok_gl_create(&gl);
    if (status == OTOK_OK) status = otok_canvas_create(&canvas, r->width, r->height, 1);
    if (status == OTOK_OK) status = otok_scene_create(&scene, otok_checkpoint_grid(checkpoint));
    if (status == OTOK_OK) status = draw(r, path, checkpoint, scene, canvas, rgb);
    otok_scene_destroy(scene);
    otok_canvas_destroy(canvas);
    otok_gl_destroy(gl);
    otok_checkpoint_destroy(checkpoint);
    free(rgb);
    return status;
}

static otok_status work(int argc, char **argv, int *help)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"look", required_argument, NULL, 'l'},
                                            {"field", required_argument, NULL, 'f'},
                                            {"low", required_argument, NULL, 'L'},
                                            {"high", required_argument, NULL, 'H'},
                                            {"size", required_argument, NULL, 's'},
                                            {"samples", required_argument, NULL, 'n'},
                                            {"azimuth", required_argument, NULL, 'a'},
                                            {"elevation", required_argument, NULL, 'e'},
                                            {"distance", required_argument, NULL, 'd'},
                                            {"target", required_argument, NULL, 't'},
                                            {"angle", required_argument, NULL, 'A'},
                                            {"sun", required_argument, NULL, 'u'},
                                            {"no-shadows", no_argument, NULL, NO_SHADOWS},
                                            {"sea", required_argument, NULL, 'S'},
                                            {"absorption", required_argument, NULL, ABSORPTION},
                                            {"vertical", no_argument, NULL, VERTICAL},
                                            {"block", no_argument, NULL, BLOCK},
                                            {"tessellation", required_argument, NULL, TESSELLATION},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    request r = {.width = 1024,
                 .height = 768,
                 .samples = 8,
                 .low = NAN,
                 .high = NAN,
                 .sea = NAN,
                 .distance = NAN,
                 .target = {NAN, NAN, NAN}};
    otok_shot_defaults(&r.view);
    r.view.absorption = NAN;
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:l:f:L:H:s:n:a:e:d:t:A:u:S:h", options, NULL)) != -1;) {
        if ((*help = c == 'h')) return OTOK_OK;
        if (c == '?') return OTOK_FAIL(OTOK_USAGE, "unknown option %s; see otok render --help", argv[optind - 1]);
        if (c == ':') return OTOK_FAIL(OTOK_USAGE, "option %s needs a value; see otok render --help", argv[optind - 1]);
        OTOK_TRY(take(&r, c));
    }
    OTOK_TRY(check(&r, argc - optind));
    return render(&r, argv[optind]);
}

#else

static otok_status work(int argc, char **argv, int *help)
{
    *help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (*help) return OTOK_OK;
    return OTOK_FAIL(OTOK_DEVICE,
                     "this build cannot draw views; install libepoxy-dev, libegl-dev and libstb-dev and build again, or "
                     "see otok export");
}

#endif

int cli_render(int argc, char **argv)
{
    int help = 0;
    const otok_status status = work(argc, argv, &help);
    if (help) return fputs(usage, stdout) < 0;
    return status == OTOK_OK ? 0 : cli_fail(argv[0], status);
}
