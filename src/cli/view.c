/* view.c: `otok view`: a scenario that runs, or a checkpoint, in a window, or timed without one. */
#include "../core/status.h"
#include "cli.h"
#include "text.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: otok view SCENARIO.yaml|CHECKPOINT|FOLDER [options]\n"
    "       otok view A B [options]\n"
    "\n"
    "Opens a window that shows a running scenario, a checkpoint, or the last checkpoint of a "
    "folder; or two of them side\n"
    "by side, with one camera, one style and one range of colours, at the same iteration. Without "
    "a display: --headless, "
    "which measures how fast\n"
    "drawing and simulation are, or otok render.\n"
    "\n"
    "Keys and mouse\n"
    "  Space                    run while held\n"
    "  Enter                    run, pause\n"
    "  N                        one iteration\n"
    "  X                        flat out, paced\n"
    "  Backspace                restart\n"
    "  Shift                    rain while held\n"
    "  right button             pour water into the circle under the cursor; [ ] change its width\n"
    "  W A S D Q E              move\n"
    "  left button              rotate\n"
    "  middle button            shift\n"
    "  wheel                    nearer, farther\n"
    "  O                        orbit, fly\n"
    "  Home                     show everything\n"
    "  1 .. 9                   styles, in the order of --style\n"
    "  L, G, R                  next style, next field, wireframe\n"
    "  F                        map\n"
    "  B                        globe, of a planet: the left button turns it, the wheel brings it "
    "nearer\n"
    "  I                        values under the cursor\n"
    "  Tab                      panel, if it was built\n"
    "  K, P                     save checkpoint, picture\n"
    "  C                        of two runs: B - A of the field, else of the terrain, in B's "
    "place, and back\n"
    "  M                        video of all that is shown, until M again: .mp4 by ffmpeg, else "
    "numbered PNG\n"
    "  H                        list of keys\n"
    "  Ctrl Q                   close\n"
    "\n"
    "Options\n"
    "      --set path=value     changes a key of the scenario, as for otok run\n"
    "  -b, --backend NAME       auto (default), cpu, cuda\n"
    "  -c, --continue CHECKPOINT  continues from a checkpoint of the same scenario\n"
    "  -o, --output DIR         directory of saved checkpoints and pictures (default: the current "
    "one)\n"
    "  -y, --style STYLE        island (default), water, sediment, speed, velocity_x, velocity_y, "
    "field, phong, wireframe,\n"
    "                           layers (the layer at the surface)\n"
    "  -f, --field NAME         the field to show; implies --style field\n"
    "  -L, --low VALUE          least value of the colours (default: follows the field)\n"
    "  -H, --high VALUE         greatest value of the colours (default: follows the field)\n"
    "      --colours NAME       colour map of the values (otok render --help lists them)\n"
    "      --contours METRES    contours of the ground\n"
    "  -s, --size WxH           initial size of the window (default: 1280x800, larger where the "
    "screen's "
    "pixels are small)\n"
    "  -r, --rate N             frames per second to hold, 1..1000 (default: 60, with --headless "
    "as many as possible)\n"
    "      --run                starts the simulation at once\n"
    "      --flat-out           runs as fast as possible, with a few pictures per second\n"
    "      --upload             copies fields through the host even where the GPU could keep them\n"
    "      --frames N           ends after N frames\n"
    "      --headless           needs no window or display: draws N frames (default: 300) one "
    "after the other, in full detail, or\n"
    "                           with --rate as coarsely as a window must to hold it\n"
    "      --picture OUT.png    saves the state at the end, with --headless\n"
    "  -v, --verbose            prints what happens, and progress and speed once a second\n"
    "  -h, --help               prints this\n"
    "\n"
    "example: otok view experiments/island/island.yaml --set grid.nx=256 --set grid.ny=256 --set "
    "grid.spacing=4\n";

#ifdef OTOK_WITH_VIZ
#include "../io/image.h"
#include "shot.h"
#include "signals.h"
#include "view_input.h"
#include "view_video.h"
#include "viz/headless.h"
#ifdef OTOK_WITH_WINDOW
#include "viz/window.h"
#endif

#include <errno.h>
#include <math.h>

enum {
    SET = 256,
    RUN,
    FLAT_OUT,
    UPLOAD,
    FRAMES,
    HEADLESS,
    PICTURE,
    COLOURS,
    CONTOURS,
    MOST_SETS = 256
};

typedef struct request {
    const char *inputs[2], *output, *field, *picture;
    const char *sets[MOST_SETS];
    int nsets, headless, holds, width, height;
    int frames; /* 0: not given */
} request;

static otok_live live, other; /* large; the other one beside it */
static const char *title = "";

static otok_status write_picture(const char *path, int width, int height, unsigned char *rgb)
{
    const char *words[] = {"Title", title, "Software", "otok", NULL};
    const otok_picture picture = {width, height, 3, 8, rgb};
    return otok_png_write(path, &picture, words);
}

static otok_status number(double *out, const char *name, double low, double high)
{
    char *end;
    errno = 0;
    *out = strtod(optarg, &end);
    if (end == optarg || *end || errno == ERANGE || !(*out >= low && *out <= high))
        return OTOK_FAIL(OTOK_USAGE, "--%s %s: not a number in %g..%g", name, optarg, low, high);
    return OTOK_OK;
}

static otok_status read_option(request *r, int c)
{
    char rest;
    switch (c) {
    case SET:
        if (r->nsets == MOST_SETS) return OTOK_FAIL(OTOK_USAGE, "more than %d --set", MOST_SETS);
        r->sets[r->nsets++] = optarg;
        return OTOK_OK;
    case 'b': live.backend = optarg; return OTOK_OK;
    case 'c': live.resume = optarg; return OTOK_OK;
    case 'o': r->output = optarg; return OTOK_OK;
    case 'f': r->field = optarg; return OTOK_OK;
    case 'y': return cli_shot_style(&live.shot.style, optarg);
    case 'L': return number(&live.low, "low", -1e30, 1e30);
    case 'H': return number(&live.high, "high", -1e30, 1e30);
    case 's':
        if (sscanf(optarg, "%dx%d%c", &r->width, &r->height, &rest) == 2 && r->width > 0 &&
            r->height > 0 && r->width <= 16384 && r->height <= 16384)
            return OTOK_OK;
        return OTOK_FAIL(OTOK_USAGE, "--size %s: not WIDTHxHEIGHT in pixels", optarg);
    case 'r': return number(&live.frame_rate, "rate", 1, 1000);
    case RUN: live.running = 1; return OTOK_OK;
    case FLAT_OUT: live.flat_out = 1; return OTOK_OK;
    case UPLOAD: live.interop = 0; return OTOK_OK;
    case FRAMES:
        return cli_whole(optarg, 1, 1000000000, &r->frames)
                   ? OTOK_OK
                   : OTOK_FAIL(OTOK_USAGE, "--frames %s: not a whole number of 1..1000000000",
                               optarg);
    case HEADLESS: r->headless = 1; return OTOK_OK;
    case PICTURE: r->picture = optarg; return OTOK_OK;
    case COLOURS: return cli_shot_colours(&live.shot.colours, optarg);
    case CONTOURS: return number(&live.shot.contours, "contours", 1e-6, 1e9);
    default: live.verbose = 1; return OTOK_OK;
    }
}

static void print(const otok_headless_report *r)
{
    const double n = (double)r->frames;
    printf("drawn by     %s\n", r->drawer);
    if (r->runner[0])
        printf("run by       %s, to iteration %lld of %lld\n", r->runner, (long long)live.iteration,
               (long long)live.iterations);
    printf("frames       %lld, %.4g a second\n", (long long)r->frames, n / r->seconds);
    printf("drawn        %s, %s\n", r->fine ? "finely" : "with fewer details",
           r->pixel == 1 ? "every pixel" : "in fewer pixels");
    printf("frame time   %.3f ms (median), 99 %% of them below %.3f ms\n", 1e3 * r->median,
           1e3 * r->worst);
    printf("states       %lld, %.4g a second\n", (long long)r->states,
           (double)r->states / r->seconds);
    printf("iterations   %lld, %.4g a second\n", (long long)r->iterations,
           (double)r->iterations / r->seconds);
    printf("host         %.0f bytes of maps a frame\n", (double)r->host_bytes / n);
    if (r->complaint[0]) printf("OpenGL says  %s\n", r->complaint);
}

static otok_status headless(const request *r)
{
    const otok_headless_options options = {r->width ? r->width : 1280, r->height ? r->height : 800,
                                           r->frames ? r->frames : 300, r->holds, r->picture};
    otok_headless_report report;
    OTOK_TRY(otok_headless_run(&live, &options, &report));
    print(&report);
    return OTOK_OK;
}

static otok_status show(const request *r)
{
    if (r->headless) return headless(r);
#ifdef OTOK_WITH_WINDOW
    const otok_window_options options = {r->width,
                                         r->height,
                                         r->frames,
                                         r->inputs[1] ? &other : NULL,
                                         {r->inputs[0], r->inputs[1]},
                                         cli_signals_asked};
    cli_signals_ask(); /* the first signal closes the window, and with it a video */
    return otok_window_run(&live, &options);
#else
    return OTOK_INTERNAL; /* was refused before */
#endif
}

static otok_status view(request *r)
{
    cli_view_input one, two = {0};
    live.write_picture = write_picture;
    live.video = &cli_view_video;
    const int both = r->inputs[1] != NULL;
    if (both) other = live;
    OTOK_TRY(
        cli_view_open(&one, &live, r->inputs[0], r->output, both ? "_a" : "", r->sets, r->nsets));
    otok_status status = OTOK_OK;
    if (both)
        status = cli_view_open(&two, &other, r->inputs[1], r->output, "_b", r->sets, r->nsets);
    if (status == OTOK_OK) {
        title = one.checkpoint ? otok_checkpoint_title(one.checkpoint) : "";
        status = show(r);
    }
    cli_view_close(&one);
    cli_view_close(&two);
    return status;
}

static otok_status work(int argc, char **argv, int *help)
{
    static const struct option options[] = {{"set", required_argument, NULL, SET},
                                            {"backend", required_argument, NULL, 'b'},
                                            {"continue", required_argument, NULL, 'c'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"style", required_argument, NULL, 'y'},
                                            {"field", required_argument, NULL, 'f'},
                                            {"low", required_argument, NULL, 'L'},
                                            {"high", required_argument, NULL, 'H'},
                                            {"size", required_argument, NULL, 's'},
                                            {"rate", required_argument, NULL, 'r'},
                                            {"run", no_argument, NULL, RUN},
                                            {"flat-out", no_argument, NULL, FLAT_OUT},
                                            {"upload", no_argument, NULL, UPLOAD},
                                            {"frames", required_argument, NULL, FRAMES},
                                            {"headless", no_argument, NULL, HEADLESS},
                                            {"picture", required_argument, NULL, PICTURE},
                                            {"colours", required_argument, NULL, COLOURS},
                                            {"contours", required_argument, NULL, CONTOURS},
                                            {"verbose", no_argument, NULL, 'v'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    request r = {.output = "."};
    otok_live_defaults(&live);
    live.frame_rate = 0;
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":b:c:o:y:f:L:H:s:r:vh", options, NULL)) != -1;) {
        if ((*help = c == 'h')) return OTOK_OK;
        if (c == '?')
            return OTOK_FAIL(OTOK_USAGE, "unknown option %s; see otok view --help",
                             argv[optind - 1]);
        if (c == ':')
            return OTOK_FAIL(OTOK_USAGE, "option %s needs a value; see otok view --help",
                             argv[optind - 1]);
        OTOK_TRY(read_option(&r, c));
    }
    if (argc - optind != 1 && argc - optind != 2)
        return OTOK_FAIL(OTOK_USAGE,
                         "needs one scenario, checkpoint or folder, or two; see otok view --help");
    r.inputs[0] = argv[optind];
    r.inputs[1] = argc - optind == 2 ? argv[optind + 1] : NULL;
    if (r.inputs[1] && (r.headless || live.resume))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: two are shown in a window, from their beginning; leave "
                         "out --headless and --continue",
                         r.inputs[1]);
    r.holds = live.frame_rate != 0;
    if (live.frame_rate == 0) live.frame_rate = r.headless ? 1000 : 60;
    if (r.picture && !r.headless)
        return OTOK_FAIL(OTOK_USAGE,
                         "--picture goes with --headless; in a window the key P saves one");
#ifndef OTOK_WITH_WINDOW
    if (!r.headless)
        return OTOK_FAIL(OTOK_DEVICE, "this build has no window; see --headless and otok render, "
                                      "or install libglfw3-dev and build again");
#endif
    if (live.low >= live.high)
        return OTOK_FAIL(OTOK_USAGE, "colours from %g to %g: --low must be below --high", live.low,
                         live.high);
    if (r.field) {
        live.shot.style = OTOK_STYLE_FIELD;
        live.field = otok_field_find(r.field);
        if (live.field < 0)
            return OTOK_FAIL(OTOK_USAGE, "--field %s: no such field; see otok inspect", r.field);
    }
    return view(&r);
}

#else

static otok_status work(int argc, char **argv, int *help)
{
    *help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (*help) return OTOK_OK;
    return OTOK_FAIL(OTOK_DEVICE, "this build cannot draw views; install libglfw3-dev, "
                                  "libepoxy-dev, libegl-dev and libstb-dev and build again");
}

#endif

int cli_view(int argc, char **argv)
{
    int help = 0;
    const otok_status status = work(argc, argv, &help);
    if (help) return fputs(usage, stdout) < 0;
    return status == OTOK_OK ? 0 : cli_fail(argv[0], status);
}
