/* movie.c: `otok movie`: the checkpoints of a run, drawn one after the other: pictures piped to
 * ffmpeg, or files. */
#include "../core/clock.h"
#include "../core/status.h"
#include "cli.h"
#include "reel.h"
#include "shot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: otok movie DIRECTORY|SERIES|CHECKPOINT... -o OUT.mp4 [options]\n"
    "\n"
    "Draws the checkpoints of a run one after the other as otok render does; ffmpeg (a Debian "
    "package) makes the video.\n"
    "Camera and colours stay the same. A movie for ParaView: otok export OUT -o MOVIE.vtkhdf.\n"
    "\n"
    "  -o, --output OUT         a video (.mp4, .mkv), or pictures: frames_%05d.png\n"
    "  -r, --rate N             pictures per second, 1..240 (default: 25)\n"
    "  -c, --copies N           pictures of every checkpoint, 1..100000 (default: 1)\n"
    "  -T, --turn DEGREES       rotates the camera by so much in all; 360: once around\n"
    "  -q, --quiet              prints no progress\n"
    "  -n, --samples N          samples per pixel, 1..256 (default: 4); the time is "
    "proportional\n" CLI_SHOT_USAGE "  -h, --help               prints this\n"
    "\n"
    "example: otok movie out -o island.mp4 --size 1280x720 --copies 50 --turn 90\n"
    "         otok movie out/island.vtkhdf.series -o water.mp4 --style water\n";

#ifdef OTOK_WITH_VIZ
#include "../io/movie.h"
#include "text.h"
#include "viz/arrange.h"

#include <math.h>
#include <unistd.h>

typedef struct request {
    cli_shot shot;
    const char *output, *format; /* of ffmpeg; NULL: pictures */
    double rate, turn;
    int copies, quiet;
    int found; /* a run's checkpoints, which it may remove meanwhile; not those that were named one
                  by one */
} request;

typedef struct progress {
    int64_t of;
    double began, printed;
} progress;

static void print_progress(const cli_reel *m, progress *p, int quiet)
{
    const int terminal = isatty(STDERR_FILENO);
    const double t = otok_clock(), each = (t - p->began) / (double)m->taken;
    char left[32], bar[25];
    if (quiet || (t - p->printed < (terminal ? 0.2 : 10) && m->taken < p->of)) return;
    p->printed = t;
    cli_time(left, sizeof left, each * (double)(p->of - m->taken));
    memset(bar, '.', 24);
    memset(bar, '#', (size_t)(24 * m->taken / p->of));
    bar[24] = 0;
    if (terminal)
        fprintf(stderr, "\r[%s] picture %lld/%lld  ETA %s\033[K%s", bar, (long long)m->taken,
                (long long)p->of, left, m->taken == p->of ? "\n" : "");
    else
        fprintf(stderr, "picture %lld of %lld, %.2g s each, ETA %s\n", (long long)m->taken,
                (long long)p->of, each, left);
}

/* ---- what is seen
 * ------------------------------------------------------------------------------------------------------------
 */

/* Colours that hold all checkpoints; the map is cut out where one of them must be; camera and
 * absorption by the last. */
static otok_status scan(const request *r, char *const *paths, int n, otok_shot *view,
                        otok_grid *grid)
{
    double range[2] = {INFINITY, -INFINITY};
    for (int i = 0; i < n; i++) {
        otok_checkpoint *c;
        double here[2];
        OTOK_TRY(otok_checkpoint_load(&c, paths[i]));
        const otok_grid g = otok_checkpoint_grid(c);
        otok_status status = cli_shot_range(&r->shot, paths[i], c, here);
        if (i == 0) *grid = g;
        if (status == OTOK_OK &&
            (g.nx != grid->nx || g.ny != grid->ny || g.spacing != grid->spacing))
            status = OTOK_FAIL(
                OTOK_DATA,
                "%s: %lld x %lld cells of %g m, %s has %lld x %lld of %g m; a movie is of one grid",
                paths[i], (long long)g.nx, (long long)g.ny, g.spacing, paths[0],
                (long long)grid->nx, (long long)grid->ny, grid->spacing);
        if (status == OTOK_OK) {
            otok_shot seen = *view;
            range[0] = fmin(range[0], here[0]);
            range[1] = fmax(range[1], here[1]);
            cli_shot_arrange(&r->shot, c, 0, &seen);
            view->block = seen.block;
            if (i == n - 1) cli_shot_arrange(&r->shot, c, r->turn, view);
        }
        otok_checkpoint_destroy(c);
        OTOK_TRY(status);
    }
    return otok_arrange_colours(view, range, r->shot.low, r->shot.high);
}

/* The same, with those that are left where a run removes some meanwhile. */
static otok_status scan_left(const request *r, char **paths, int *n, otok_shot *view,
                             otok_grid *grid)
{
    otok_status status = scan(r, paths, *n, view, grid);
    while (r->found && (status == OTOK_IO || status == OTOK_DATA) && otok_movie_drop(paths, n)) {
        cli_removed("movie", *n);
        *view = r->shot.view;
        status = *n ? scan(r, paths, *n, view, grid)
                    : OTOK_FAIL(OTOK_DATA, "none of the checkpoints is left");
    }
    return status;
}

/* One that is gone since the scan is left out. */
static otok_status draw_all(const request *r, cli_reel *m, char *const *paths, int n,
                            const otok_renderer *renderer, const otok_shot *whole,
                            unsigned char *rgb)
{
    otok_status status = OTOK_OK;
    const double start = otok_clock();
    progress p = {(int64_t)n * r->copies, start, start};
    for (int i = 0; i < n && status == OTOK_OK; i++) {
        otok_checkpoint *c;
        status = otok_checkpoint_load(&c, paths[i]);
        if (status != OTOK_OK && r->found && otok_movie_is_gone(paths[i])) {
            p.of -= r->copies;
            cli_removed("movie", (int)(p.of / r->copies));
            status = p.of ? OTOK_OK : status;
            continue;
        }
        OTOK_TRY(status);
        otok_shot view = *whole;
        char legend[OTOK_LEGEND];
        cli_shot_arrange(&r->shot, c, 0, &view); /* the level of the sea */
        status = cli_shot_upload(&r->shot, paths[i], c, renderer->scene, legend);
        for (int k = 0; k < r->copies && status == OTOK_OK; k++) {
            view.camera = whole->camera;
            view.camera.azimuth += r->turn * (double)m->taken / (double)p.of;
            if (k == 0 || r->turn != 0)
                status = otok_renderer_draw(renderer, &view, legend, r->shot.map, rgb);
            if (status == OTOK_OK && (k == 0 || r->turn != 0))
                status = cli_shot_chart(&r->shot, paths[i], &view, rgb);
            if (status == OTOK_OK) status = cli_reel_put(m, otok_checkpoint_title(c), rgb);
            m->taken++;
            if (status == OTOK_OK) print_progress(m, &p, r->quiet);
        }
        otok_checkpoint_destroy(c);
    }
    return status;
}

static otok_status movie(const request *r, char **paths, int *n)
{
    cli_reel m = {r->output, r->format, r->shot.width, r->shot.height, r->rate, 0, 0, -1, NULL};
    otok_shot view = r->shot.view;
    otok_renderer renderer;
    otok_grid grid;
    unsigned char *rgb = malloc((size_t)r->shot.width * (size_t)r->shot.height * 3);
    otok_status status = rgb ? scan_left(r, paths, n, &view, &grid)
                             : OTOK_FAIL(OTOK_NOMEM, "no memory for a picture");
    if (status == OTOK_OK) {
        status =
            otok_renderer_create(&renderer, grid, r->shot.width, r->shot.height, r->shot.samples);
        if (status == OTOK_OK) {
            status = cli_reel_begin(&m);
            if (status == OTOK_OK) status = draw_all(r, &m, paths, *n, &renderer, &view, rgb);
            status = cli_reel_end(&m, status);
            otok_renderer_destroy(&renderer);
        }
    }
    free(rgb);
    return status;
}

/* ---- the request
 * -------------------------------------------------------------------------------------------------------------
 */

static otok_status check(request *r, int inputs)
{
    const char *ending = r->output ? strrchr(r->output, '.') : NULL;
    if (!r->output) return OTOK_FAIL(OTOK_USAGE, "needs -o OUT.mp4; see otok movie --help");
    if (!inputs)
        return OTOK_FAIL(
            OTOK_USAGE,
            "needs checkpoints, their directory or their .vtkhdf.series; see otok movie --help");
    if (ending && strcmp(ending, ".mp4") == 0) r->format = "mp4";
    if (ending && strcmp(ending, ".mkv") == 0) r->format = "matroska";
    if (!r->format && (!ending || strcmp(ending, ".png") != 0))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: only .mp4, .mkv and .png are made; for ParaView see otok export",
                         r->output);
    if (!r->format && !cli_reel_is_pattern(r->output))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: pictures need one place for their number: frames_%%05d.png",
                         r->output);
    if (r->format && (r->shot.width % 2 || r->shot.height % 2))
        return OTOK_FAIL(OTOK_USAGE, "--size %dx%d: a video needs even numbers", r->shot.width,
                         r->shot.height);
    return cli_shot_check(&r->shot);
}

static otok_status read_option(request *r, int c)
{
    switch (c) {
    case 'o': r->output = optarg; return OTOK_OK;
    case 'q': r->quiet = 1; return OTOK_OK;
    case 'r': return cli_shot_number(&r->rate, "rate", optarg, 1, 240);
    case 'T': return cli_shot_number(&r->turn, "turn", optarg, -36000, 36000);
    case 'c':
        return cli_whole(optarg, 1, 100000, &r->copies)
                   ? OTOK_OK
                   : OTOK_FAIL(OTOK_USAGE, "--copies %s: not a whole number of 1..100000", optarg);
    default: return cli_shot_option(&r->shot, c);
    }
}

/* By their numbers, which have eight digits or more. */
static int by_name(const void *a, const void *b)
{
    const char *const p = *(char *const *)a, *const q = *(char *const *)b;
    const size_t m = strlen(p), n = strlen(q);
    return m == n ? strcmp(p, q) : (m > n) - (m < n);
}

static otok_status work(int argc, char **argv, int *help)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"rate", required_argument, NULL, 'r'},
                                            {"copies", required_argument, NULL, 'c'},
                                            {"turn", required_argument, NULL, 'T'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            CLI_SHOT_OPTIONS,
                                            {0}};
    request r = {.rate = 25, .copies = 1};
    cli_shot_defaults(&r.shot);
    r.shot.samples = 4;
    optind = 1;
    opterr = 0;
    for (int c;
         (c = getopt_long(argc, argv, ":o:r:c:T:qh" CLI_SHOT_LETTERS, options, NULL)) != -1;) {
        if ((*help = c == 'h')) return OTOK_OK;
        if (c == '?')
            return OTOK_FAIL(OTOK_USAGE, "unknown option %s; see otok movie --help",
                             argv[optind - 1]);
        if (c == ':')
            return OTOK_FAIL(OTOK_USAGE, "option %s needs a value; see otok movie --help",
                             argv[optind - 1]);
        OTOK_TRY(read_option(&r, c));
    }
    OTOK_TRY(check(&r, argc - optind));
    const char *first = argv[optind], *ending = strrchr(first, '.');
    char **found;
    int n = argc - optind;
    if (n > 1 || (ending && strcmp(ending, ".vtkhdf") == 0)) return movie(&r, argv + optind, &n);
    OTOK_TRY(otok_movie_find(&found, &n, first));
    qsort(found, (size_t)n, sizeof *found, by_name);
    r.found = 1;
    const otok_status status = movie(&r, found, &n);
    otok_movie_forget(found, n);
    return status;
}

#else

static otok_status work(int argc, char **argv, int *help)
{
    *help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (*help) return OTOK_OK;
    return OTOK_FAIL(OTOK_DEVICE, "this build draws nothing; install libepoxy-dev, libegl-dev and "
                                  "libstb-dev and build again");
}

#endif

int cli_movie(int argc, char **argv)
{
    int help = 0;
    const otok_status status = work(argc, argv, &help);
    if (help) return fputs(usage, stdout) < 0;
    return status == OTOK_OK ? 0 : cli_fail(argv[0], status);
}
