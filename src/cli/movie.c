/* movie.c: `otok movie`: draws the checkpoints of a run one after the other, into pictures that are
   piped to ffmpeg or saved. */
#include "../io/movie.h"
#include "../core/clock.h"
#include "../core/status.h"
#include "cli.h"
#include "reel.h"
#include "shot.h"
#include "text.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
    cli_shot shot;
    const char *output, *format; /* name and format for ffmpeg; NULL: pictures */
    double rate, turn;
    int copies, quiet;
    int found; /* in a directory, where a run may remove them meanwhile; 0: given by name */
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

/* ---- the pictures ---- */

static otok_status check_grid(otok_grid grid, const char *path, otok_grid first,
                              const char *first_path)
{
    if (grid.nx == first.nx && grid.ny == first.ny && grid.spacing == first.spacing) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: %lld x %lld cells of %g m, %s has %lld x %lld of %g m; all checkpoints "
                     "of a movie need the same grid",
                     path, (long long)grid.nx, (long long)grid.ny, grid.spacing, first_path,
                     (long long)first.nx, (long long)first.ny, first.spacing);
}

/* Finds the colours for the values of all checkpoints, whether any checkpoint needs a block, and
   the camera and absorption of the last one. */
static otok_status scan(request *r, char *const *paths, int n, otok_shot *view, otok_grid *grid,
                        char legend[OTOK_LEGEND])
{
    otok_spread all = {NAN, NAN, NAN, NAN};
    const otok_look *look = NULL;
    double sea = 0;
    for (int i = 0; i < n; i++) {
        otok_checkpoint *c;
        otok_spread here;
        char words[OTOK_LEGEND]; /* as those of the first */
        OTOK_TRY(otok_checkpoint_load(&c, paths[i]));
        const otok_grid g = otok_checkpoint_grid(c);
        otok_status status =
            cli_shot_values(&r->shot, paths[i], c, &look, &here, i ? words : legend);
        if (i == 0) *grid = g;
        if (status == OTOK_OK) status = check_grid(g, paths[i], *grid, paths[0]);
        if (status == OTOK_OK) {
            if (i == 0) cli_shot_page(&r->shot, view, legend);
            otok_shot seen = *view;
            otok_spread_join(&all, &here);
            cli_shot_arrange(&r->shot, c, 0, &seen);
            view->block = seen.block;
            sea = cli_shot_sea(&r->shot, c);
            if (i == n - 1) cli_shot_arrange(&r->shot, c, r->turn, view);
        }
        otok_checkpoint_destroy(c);
        OTOK_TRY(status);
    }
    return otok_arrange_scale(view, look, &all, sea, r->shot.low, r->shot.high);
}

/* Repeats the scan without the checkpoints that a run removed meanwhile. */
static otok_status scan_left(request *r, char **paths, int *n, otok_shot *view, otok_grid *grid,
                             char legend[OTOK_LEGEND])
{
    otok_status status = scan(r, paths, *n, view, grid, legend);
    while (r->found && (status == OTOK_IO || status == OTOK_DATA) &&
           otok_movie_drop_missing(paths, n)) {
        cli_removed("movie", *n);
        *view = r->shot.view;
        status = *n ? scan(r, paths, *n, view, grid, legend)
                    : OTOK_FAIL(OTOK_DATA, "all checkpoints were removed meanwhile");
    }
    return status;
}

/* Leaves out a checkpoint that was removed since the scan. */
static otok_status draw_all(const request *r, cli_reel *m, char *const *paths, int n,
                            const otok_renderer *renderer, const otok_shot *whole,
                            const char *legend, unsigned char *rgb)
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
        cli_shot_arrange(&r->shot, c, 0, &view); /* sets the sea level of this checkpoint */
        status = cli_shot_upload(&r->shot, paths[i], c, renderer->scene);
        for (int k = 0; k < r->copies && status == OTOK_OK; k++) {
            view.camera = whole->camera;
            view.camera.azimuth += r->turn * (double)m->taken / (double)p.of;
            view.moment = (double)m->taken / r->rate;
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

static otok_status movie(request *r, char **paths, int *n)
{
    cli_reel m = {r->output, r->format, r->shot.size.width, r->shot.size.height, r->rate, 0, 0,
                  -1,        NULL};
    otok_shot view = r->shot.view;
    otok_renderer renderer;
    otok_grid grid;
    char legend[OTOK_LEGEND];
    unsigned char *rgb = malloc((size_t)r->shot.size.width * (size_t)r->shot.size.height * 3);
    otok_status status = rgb ? scan_left(r, paths, n, &view, &grid, legend)
                             : OTOK_FAIL(OTOK_NOMEM, "no memory for a picture");
    if (status == OTOK_OK) {
        status = otok_renderer_create(&renderer, cli_shot_grid(&r->shot, grid), r->shot.size.width,
                                      r->shot.size.height, r->shot.samples);
        if (status == OTOK_OK) {
            status = cli_reel_begin(&m);
            if (status == OTOK_OK)
                status = draw_all(r, &m, paths, *n, &renderer, &view, legend, rgb);
            status = cli_reel_end(&m, status);
            otok_renderer_destroy(&renderer);
        }
    }
    free(rgb);
    return status;
}

/* ---- the request ---- */

static otok_status check(request *r)
{
    const char *ending = r->output ? strrchr(r->output, '.') : NULL;
    if (!r->output) return OTOK_FAIL(OTOK_USAGE, "needs -o OUT.mp4; otok movie --help shows how");
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
    OTOK_TRY(cli_shot_check(&r->shot, 1024, 768));
    const cli_size size = r->shot.size;
    return !r->format || (size.width % 2 == 0 && size.height % 2 == 0)
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--size %dx%d: a video needs even numbers", size.width,
                           size.height);
}

/* Sorts checkpoints by their numbers, which have eight digits or more. */
static int by_name(const void *a, const void *b)
{
    const char *const p = *(char *const *)a, *const q = *(char *const *)b;
    const size_t m = strlen(p), n = strlen(q);
    return m == n ? strcmp(p, q) : (m > n) - (m < n);
}

static otok_status run(request *r, char **inputs, int n)
{
    const char *ending = strrchr(inputs[0], '.');
    char **found;
    OTOK_TRY(check(r));
    if (n > 1 || (ending && strcmp(ending, ".vtkhdf") == 0)) return movie(r, inputs, &n);
    OTOK_TRY(otok_movie_find(&found, &n, inputs[0]));
    qsort(found, (size_t)n, sizeof *found, by_name);
    r->found = 1;
    const otok_status status = movie(r, found, &n);
    otok_movie_forget(found, n);
    return status;
}

int cli_movie(int argc, char **argv)
{
    request r = {.rate = 25, .copies = 1};
    cli_shot_defaults(&r.shot);
    r.shot.samples = 4;
    const cli_option table[] = {
        CLI_OUTPUT("OUT", "a video (.mp4, .mkv), or pictures: frames_%05d.png", &r.output),
        CLI_OPTION("rate", 'r', "N", "pictures per second, 1..240 (default: 25)", CLI_REAL, &r.rate,
                   1, 240),
        CLI_OPTION("copies", 'c', "N", "pictures of each checkpoint, 1..100000 (default: 1)",
                   CLI_WHOLE, &r.copies, 1, 100000),
        CLI_OPTION("turn", 'T', "DEGREES",
                   "turn the camera by this angle during the movie; 360 is once around", CLI_REAL,
                   &r.turn, -36000, 36000),
        CLI_QUIET(&r.quiet, "print no progress"),
        CLI_SAMPLES(&r.shot, "4"),
        CLI_SHOT(&r.shot),
        {0}};
    const cli_command command = {
        .name = "movie",
        .operands = "DIRECTORY|SERIES|CHECKPOINT... -o OUT.mp4 [options]",
        .about = "Draw the checkpoints of a run one after the other, like otok render, with one "
                 "camera and one range of colours. ffmpeg (a Debian package) makes the video. "
                 "ParaView plays the .vtkhdf.series of the run itself.",
        .examples = "out -o island.mp4 --size 1280x720 --copies 50 --turn 90\n"
                    "out/island.vtkhdf.series -o water.mp4 --style water",
        .least = 1,
        .most = INT_MAX,
        .needs = "checkpoints, their directory or their .vtkhdf.series",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    const otok_status status = run(&r, argv + optind, argc - optind);
    cli_shot_end(&r.shot);
    return status == OTOK_OK ? 0 : cli_fail("movie", status);
}
