/* movie.c: `otok movie`: the checkpoints of a run, drawn one after the other: pictures piped to ffmpeg, or files. */
#include "../core/status.h"
#include "cli.h"
#include "shot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: otok movie DIRECTORY|SERIES|CHECKPOINT... -o OUT.mp4 [options]\n"
    "\n"
    "Draws the checkpoints of a run one after the other as otok render does, and has ffmpeg (a Debian package) make a video of "
    "them.\n"
    "Camera and colours are the same from the first to the last. For ParaView: otok export OUT -o MOVIE.vtkhdf.\n"
    "\n"
    "  -o, --output OUT         a video (.mp4, .mkv), whole or not at all; or pictures: frames_%05d.png\n"
    "  -r, --rate N             pictures a second, 1..240; 25 unless given\n"
    "  -c, --copies N           pictures of every checkpoint, 1..100000; 1 unless given\n"
    "  -T, --turn DEGREES       the eye goes around so far from the first to the last; 360: once around\n"
    "  -q, --quiet              no progress\n"
    "  -n, --samples N          samples a pixel, 1..256; 4 unless given, each of which takes the time of one\n" CLI_SHOT_USAGE
    "  -h, --help               print this\n"
    "\n"
    "example: otok movie out -o island.mp4 --size 1280x720 --copies 50 --turn 90\n"
    "         otok movie out/island.vtkhdf.series -o water.mp4 --look water\n";

#ifdef OTOK_WITH_VIZ
#include "../io/file.h"
#include "../io/image.h"
#include "../io/movie.h"
#include "text.h"
#include "viz/arrange.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef struct request {
    cli_shot shot;
    const char *output, *format; /* of ffmpeg; NULL: pictures */
    double rate, turn;
    int copies, quiet;
} request;

/* What goes to ffmpeg, or into files. */
typedef struct reel {
    const request *r;
    pid_t ffmpeg;
    int to;
    char *temporary;
    int64_t taken, of;
    double began, said;
} reel;

/* By a signal that ends the program. */
static char *volatile to_remove;
static volatile pid_t to_end;

static void on_signal(int number)
{
    if (to_end) {
        kill(to_end, SIGKILL);
        waitpid(to_end, NULL, 0);
    }
    if (to_remove) unlink(to_remove);
    signal(number, SIG_DFL);
    raise(number);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the output -------------------------------------------------------------------------------------------------------------- */

/* One %d, %5d or %05d and nothing else that printf would take. */
static int is_pattern(const char *name)
{
    const char *at = strchr(name, '%');
    if (!at || strchr(at + 1, '%')) return 0;
    at += 1 + (at[1] == '0');
    return at[strspn(at, "123456789")] == 'd' && strspn(at, "123456789") <= 1;
}

static otok_status start_ffmpeg(reel *m, const sigset_t *usual)
{
    const cli_shot *s = &m->r->shot;
    char size[32], rate[32];
    int ends[2];
    snprintf(size, sizeof size, "%dx%d", s->width, s->height);
    snprintf(rate, sizeof rate, "%.10g", m->r->rate);
    const char *const words[] = {"ffmpeg",
                                 "-nostdin",
                                 "-loglevel",
                                 "error",
                                 "-y",
                                 "-f",
                                 "rawvideo",
                                 "-pixel_format",
                                 "rgb24",
                                 "-video_size",
                                 size,
                                 "-framerate",
                                 rate,
                                 "-i",
                                 "pipe:0",
                                 "-vf",
                                 "scale=out_color_matrix=bt709:out_range=tv",
                                 "-c:v",
                                 "libx264",
                                 "-crf",
                                 "17",
                                 "-pix_fmt",
                                 "yuv420p",
                                 "-colorspace",
                                 "bt709",
                                 "-color_primaries",
                                 "bt709",
                                 "-color_trc",
                                 "bt709",
                                 "-movflags",
                                 "+faststart",
                                 "-f",
                                 m->r->format,
                                 m->temporary,
                                 NULL};
    if (pipe(ends) != 0) return otok_file_failed("a pipe to ffmpeg", "open", errno);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&how, usual);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    const int error = posix_spawnp(&m->ffmpeg, "ffmpeg", &actions, &how, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&how);
    close(ends[0]);
    m->to = ends[1];
    to_end = error ? 0 : m->ffmpeg;
    if (error == 0) return OTOK_OK;
    close(ends[1]);
    m->ffmpeg = 0;
    if (error == ENOENT)
        return OTOK_FAIL(OTOK_DEVICE,
                         "no ffmpeg here, which makes %s; install it (Debian: ffmpeg), or write pictures: -o frames_%%05d.png",
                         m->r->output);
    return otok_file_failed("ffmpeg", "start", error);
}

static otok_status end_ffmpeg(reel *m)
{
    int state = 0;
    if (!m->ffmpeg) return OTOK_OK;
    close(m->to);
    while (waitpid(m->ffmpeg, &state, 0) < 0 && errno == EINTR) {}
    to_end = m->ffmpeg = 0;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return OTOK_OK;
    return OTOK_FAIL(OTOK_IO,
                     "%s: ffmpeg could not write it (%s %d); its own words are above. Check the disk, and that `ffmpeg "
                     "-encoders` lists libx264",
                     m->r->output, WIFEXITED(state) ? "exit" : "signal", WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
}

static otok_status begin(reel *m)
{
    if (!m->r->format) return OTOK_OK;
    sigset_t ends, usual; /* wait until it is known what they must remove */
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, &usual);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    otok_status status = otok_file_begin(&m->temporary, m->r->output);
    to_remove = m->temporary;
    if (status == OTOK_OK) status = start_ffmpeg(m, &usual);
    sigprocmask(SIG_SETMASK, &usual, NULL);
    return status;
}

/* After this the video is there, or nothing is. */
static otok_status end(reel *m, otok_status status)
{
    const otok_status last = end_ffmpeg(m);
    to_remove = NULL;
    if (status == OTOK_OK) status = last;
    if (status == OTOK_OK && m->temporary) return otok_file_commit(m->temporary, m->r->output);
    otok_file_abandon(m->temporary);
    return status;
}

static otok_status put(reel *m, const otok_checkpoint *c, unsigned char *rgb)
{
    const cli_shot *s = &m->r->shot;
    if (!m->r->format) {
        char path[4096];
        const char *words[] = {"Title", otok_checkpoint_title(c), "Software", "otok", NULL};
        const otok_picture picture = {s->width, s->height, 3, 8, rgb};
        const char *at = strchr(m->r->output, '%'), *after = strchr(at, 'd') + 1;
        const int wide = atoi(at + 1);
        snprintf(path, sizeof path, at[1] == '0' ? "%.*s%0*lld%s" : "%.*s%*lld%s", (int)(at - m->r->output), m->r->output, wide,
                 (long long)m->taken, after);
        return otok_png_write(path, &picture, words);
    }
    const size_t size = (size_t)s->width * (size_t)s->height * 3;
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(m->to, rgb + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EPIPE ? end_ffmpeg(m) : otok_file_failed("the pipe to ffmpeg", "write", errno);
        done += (size_t)n;
    }
    return OTOK_OK;
}

static void tell(reel *m)
{
    const int terminal = isatty(STDERR_FILENO);
    const double t = now(), each = (t - m->began) / (double)m->taken;
    char left[32], bar[25];
    if (m->r->quiet || (t - m->said < (terminal ? 0.2 : 10) && m->taken < m->of)) return;
    m->said = t;
    cli_time(left, sizeof left, each * (double)(m->of - m->taken));
    memset(bar, '.', 24);
    memset(bar, '#', (size_t)(24 * m->taken / m->of));
    bar[24] = 0;
    if (terminal)
        fprintf(stderr, "\r[%s] picture %lld/%lld  ETA %s\033[K%s", bar, (long long)m->taken, (long long)m->of, left,
                m->taken == m->of ? "\n" : "");
    else
        fprintf(stderr, "picture %lld of %lld, %.2g s each, ETA %s\n", (long long)m->taken, (long long)m->of, each, left);
}

/* ---- what is seen ------------------------------------------------------------------------------------------------------------ */

/* A camera that has everything in view from all sides that the turn brings. */
static void fit(const request *r, const otok_checkpoint *last, otok_shot *view)
{
    enum { SIDES = 24 };
    double target[3] = {0}, distance = 0;
    const double azimuth = view->camera.azimuth;
    const int n = r->turn != 0 ? SIDES : 1;
    for (int i = 0; i < n; i++) {
        view->camera.azimuth = azimuth + r->turn * i / n;
        cli_shot_arrange(&r->shot, last, view);
        distance = fmax(distance, view->camera.distance);
        for (int k = 0; k < 3; k++)
            target[k] += view->camera.target[k] / n;
    }
    view->camera.azimuth = azimuth;
    view->camera.distance = distance;
    memcpy(view->camera.target, target, sizeof target);
}

/* Colours that hold all checkpoints; the map is cut out where one of them must be; camera and absorption by the last. */
static otok_status survey(const request *r, char *const *paths, int n, otok_shot *view, otok_grid *grid)
{
    double range[2] = {INFINITY, -INFINITY};
    for (int i = 0; i < n; i++) {
        otok_checkpoint *c;
        double here[2];
        OTOK_TRY(otok_checkpoint_load(&c, paths[i]));
        const otok_grid g = otok_checkpoint_grid(c);
        otok_status status = cli_shot_range(&r->shot, paths[i], c, here);
        if (i == 0) *grid = g;
        if (status == OTOK_OK && (g.nx != grid->nx || g.ny != grid->ny || g.spacing != grid->spacing))
            status = OTOK_FAIL(OTOK_DATA, "%s: %lld x %lld cells of %g m, %s has %lld x %lld of %g m; a movie is of one grid",
                               paths[i], (long long)g.nx, (long long)g.ny, g.spacing, paths[0], (long long)grid->nx,
                               (long long)grid->ny, grid->spacing);
        if (status == OTOK_OK) {
            otok_shot seen = *view;
            range[0] = fmin(range[0], here[0]);
            range[1] = fmax(range[1], here[1]);
            cli_shot_arrange(&r->shot, c, &seen);
            view->block = seen.block;
            if (i == n - 1) fit(r, c, view);
        }
        otok_checkpoint_destroy(c);
        OTOK_TRY(status);
    }
    return otok_arrange_colours(view, range, r->shot.low, r->shot.high);
}

static otok_status take_all(reel *m, char *const *paths, int n, const otok_easel *easel, const otok_shot *whole, unsigned char *rgb)
{
    const request *r = m->r;
    otok_status status = OTOK_OK;
    m->began = m->said = now();
    for (int i = 0; i < n && status == OTOK_OK; i++) {
        otok_checkpoint *c;
        OTOK_TRY(otok_checkpoint_load(&c, paths[i]));
        otok_shot view = *whole;
        char legend[CLI_LEGEND];
        cli_shot_arrange(&r->shot, c, &view); /* the level of the sea */
        status = cli_shot_upload(&r->shot, paths[i], c, easel->scene, legend);
        for (int k = 0; k < r->copies && status == OTOK_OK; k++) {
            view.camera = whole->camera;
            view.camera.azimuth += r->turn * (double)m->taken / (double)m->of;
            if (k == 0 || r->turn != 0) status = otok_easel_draw(easel, &view, legend, r->shot.map, rgb);
            if (status == OTOK_OK) status = put(m, c, rgb);
            m->taken++;
            if (status == OTOK_OK) tell(m);
        }
        otok_checkpoint_destroy(c);
    }
    return status;
}

static otok_status movie(const request *r, char *const *paths, int n)
{
    reel m = {.r = r, .of = (int64_t)n * r->copies};
    otok_shot view = r->shot.view;
    otok_easel easel;
    otok_grid grid;
    unsigned char *rgb = malloc((size_t)r->shot.width * (size_t)r->shot.height * 3);
    otok_status status = rgb ? survey(r, paths, n, &view, &grid) : OTOK_FAIL(OTOK_NOMEM, "no memory for a picture");
    if (status == OTOK_OK) {
        status = otok_easel_create(&easel, grid, r->shot.width, r->shot.height, r->shot.samples);
        if (status == OTOK_OK) {
            status = begin(&m);
            if (status == OTOK_OK) status = take_all(&m, paths, n, &easel, &view, rgb);
            status = end(&m, status);
            otok_easel_destroy(&easel);
        }
    }
    free(rgb);
    return status;
}

/* ---- the request ------------------------------------------------------------------------------------------------------------- */

static otok_status check(request *r, int inputs)
{
    const char *ending = r->output ? strrchr(r->output, '.') : NULL;
    if (!r->output) return OTOK_FAIL(OTOK_USAGE, "needs -o OUT.mp4; see otok movie --help");
    if (!inputs) return OTOK_FAIL(OTOK_USAGE, "needs checkpoints, their directory or their .vtkhdf.series; see otok movie --help");
    if (ending && strcmp(ending, ".mp4") == 0) r->format = "mp4";
    if (ending && strcmp(ending, ".mkv") == 0) r->format = "matroska";
    if (!r->format && (!ending || strcmp(ending, ".png") != 0))
        return OTOK_FAIL(OTOK_USAGE, "%s: only .mp4, .mkv and .png are made; for ParaView see otok export", r->output);
    if (!r->format && !is_pattern(r->output))
        return OTOK_FAIL(OTOK_USAGE, "%s: pictures need one place for their number: frames_%%05d.png", r->output);
    if (r->format && (r->shot.width % 2 || r->shot.height % 2))
        return OTOK_FAIL(OTOK_USAGE, "--size %dx%d: a video needs even numbers", r->shot.width, r->shot.height);
    return cli_shot_check(&r->shot);
}

static otok_status take(request *r, int c)
{
    double x;
    switch (c) {
    case 'o': r->output = optarg; return OTOK_OK;
    case 'q': r->quiet = 1; return OTOK_OK;
    case 'r': return cli_shot_number(&r->rate, "rate", optarg, 1, 240);
    case 'T': return cli_shot_number(&r->turn, "turn", optarg, -36000, 36000);
    case 'c':
        OTOK_TRY(cli_shot_number(&x, "copies", optarg, 1, 100000));
        r->copies = (int)x;
        return OTOK_OK;
    default: return cli_shot_take(&r->shot, c);
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
    for (int c; (c = getopt_long(argc, argv, ":o:r:c:T:qh" CLI_SHOT_LETTERS, options, NULL)) != -1;) {
        if ((*help = c == 'h')) return OTOK_OK;
        if (c == '?') return OTOK_FAIL(OTOK_USAGE, "unknown option %s; see otok movie --help", argv[optind - 1]);
        if (c == ':') return OTOK_FAIL(OTOK_USAGE, "option %s needs a value; see otok movie --help", argv[optind - 1]);
        OTOK_TRY(take(&r, c));
    }
    OTOK_TRY(check(&r, argc - optind));
    const char *first = argv[optind], *ending = strrchr(first, '.');
    if (argc - optind > 1 || (ending && strcmp(ending, ".vtkhdf") == 0)) return movie(&r, argv + optind, argc - optind);
    char **found;
    int n;
    OTOK_TRY(otok_movie_find(&found, &n, first));
    qsort(found, (size_t)n, sizeof *found, by_name);
    const otok_status status = movie(&r, found, n);
    otok_movie_forget(found, n);
    return status;
}

#else

static otok_status work(int argc, char **argv, int *help)
{
    *help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (*help) return OTOK_OK;
    return OTOK_FAIL(OTOK_DEVICE, "this build draws nothing; install libepoxy-dev, libegl-dev and libstb-dev and build again");
}

#endif

int cli_movie(int argc, char **argv)
{
    int help = 0;
    const otok_status status = work(argc, argv, &help);
    if (help) return fputs(usage, stdout) < 0;
    return status == OTOK_OK ? 0 : cli_fail(argv[0], status);
}
