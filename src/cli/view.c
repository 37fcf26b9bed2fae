/* view.c: `otok view`: shows a running scenario or a checkpoint in a window, or measures the speed
   without one. */
#include "../core/status.h"
#include "cli.h"
#include "shot.h"
#include "signals.h"
#include "view_input.h"
#include "viz/headless.h"
#include "viz/keys.h"
#include "viz/known.h"
#ifdef OTOK_WITH_WINDOW
#include "viz/window.h"
#endif

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct request {
    char **inputs;
    int ninputs;
    int member; /* -1: not given */
    const char *output, *field, *picture;
    cli_sets sets;
    cli_size size;
    int headless, holds, style;
    int frames; /* 0: not given */
} request;

static otok_live live; /* static, because it is large */

static otok_status write_picture(const char *path, int width, int height, unsigned char *rgb)
{
    const char *title = live.checkpoint ? otok_checkpoint_title(live.checkpoint) : "";
    return cli_shot_write(path, (cli_size){width, height}, rgb, title,
                          otok_style_is_data(live.shot.style) ? &live.shot : NULL);
}

static void print(const otok_headless_report *r)
{
    const double n = (double)r->frames;
    printf("drawn by     %s\n", r->drawer);
    if (r->runner[0])
        printf("simulated by %s, to iteration %lld of %lld\n", r->runner, (long long)live.iteration,
               (long long)live.iterations);
    printf("frames       %lld, %.4g a second\n", (long long)r->frames, n / r->seconds);
    printf("drawn        %s, %s", r->fine ? "finely" : "with fewer details",
           r->pixel == 1 ? "every pixel\n" : "one pixel in ");
    if (r->pixel != 1) printf("%d\n", r->pixel * r->pixel);
    printf("frame time   %.3f ms (median), 99 %% of them below %.3f ms\n", 1e3 * r->median,
           1e3 * r->worst);
    printf("states       %lld, %.4g a second\n", (long long)r->states,
           (double)r->states / r->seconds);
    printf("iterations   %lld, %.4g a second\n", (long long)r->iterations,
           (double)r->iterations / r->seconds);
    printf("host         %.0f bytes of maps a frame%s%s\n", (double)r->host_bytes / n,
           live.apart[0] ? ": " : "", live.apart);
    if (r->complaint[0]) printf("OpenGL says  %s\n", r->complaint);
}

static otok_status headless(const request *r)
{
    const otok_headless_options options = {r->size.width ? r->size.width : 1280,
                                           r->size.height ? r->size.height : 800,
                                           r->frames ? r->frames : 300, r->holds, r->picture};
    otok_headless_report report;
    OTOK_TRY(otok_headless_run(&live, &options, &report));
    print(&report);
    return OTOK_OK;
}

static otok_status run_view(const request *r)
{
    if (r->headless) return headless(r);
#ifdef OTOK_WITH_WINDOW
    const otok_window_options options = {r->size.width, r->size.height, r->frames,
                                         cli_signals_asked};
    cli_signals_ask(); /* the first signal closes the window */
    return otok_window_run(&live, &options);
#else
    return OTOK_INTERNAL; /* was refused before */
#endif
}

static otok_status view(request *r)
{
    cli_view_input in;
    live.write_picture = write_picture;
    const cli_view_asked asked = {r->inputs,  r->ninputs, r->output,
                                  r->sets.at, r->sets.n,  r->member};
    OTOK_TRY(cli_view_open(&in, &live, &asked));
    const otok_status status = run_view(r);
    cli_view_close(&in);
    return status;
}

/* Checks the options against each other, and passes them to the live view. */
static otok_status check_options(request *r)
{
    r->holds = live.frame_rate != 0;
    if (live.frame_rate == 0) live.frame_rate = r->headless && !live.fast ? 1000 : 60;
    if (r->picture && !r->headless)
        return OTOK_FAIL(OTOK_USAGE,
                         "--picture goes with --headless; in a window the key P saves a picture");
#ifndef OTOK_WITH_WINDOW
    if (!r->headless)
        return OTOK_FAIL(OTOK_DEVICE, "this build has no window; see --headless and otok render, "
                                      "or install libglfw3-dev and build again");
#endif
    if (live.low >= live.high) return otok_scale_refuse(live.low, live.high);
    live.shot.style = r->field ? OTOK_STYLE_FIELD : (otok_style)r->style;
    if (!r->field) return OTOK_OK;
    live.field = otok_known_find(r->field);
    return live.field >= 0
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--field %s: no such field; see otok inspect", r->field);
}

static const char about[] =
    "Open a window that shows a running scenario, or states that were computed: checkpoints, the "
    "folder of a run or its .vtkhdf.series, a member of a study (study.h5). Without a display, "
    "--headless measures how fast drawing and simulation are, and otok render draws pictures.";
/* The keys as a table. */
static const char *keys(void)
{
    static char out[2 * sizeof otok_keys + 2048];
    size_t used = (size_t)snprintf(out, sizeof out, "Keys and mouse");
    for (const char *at = otok_keys; *at && used < sizeof out;) {
        const int key = (int)strcspn(at, "\t"), line = (int)strcspn(at, "\n");
        used += (size_t)snprintf(out + used, sizeof out - used, "\n  %-25.*s%.*s", key, at,
                                 line - key - 1, at + key + 1);
        at += line + 1;
    }
    return out;
}

static int options(request *r, int argc, char **argv)
{
    const cli_option table[] = {
        CLI_SETS(&r->sets),
        CLI_OPTION("backend", 'b', "NAME", "auto (default), cpu or cuda", CLI_TEXT, &live.backend),
        CLI_OPTION("continue", 'c', "CHECKPOINT", "continue from a checkpoint of the same scenario",
                   CLI_TEXT, &live.resume),
        CLI_OPTION("member", 0, "N", "the member of a study.h5 whose kept maps are shown",
                   CLI_WHOLE, &r->member, 0, INT_MAX),
        CLI_OUTPUT("DIR", "directory of saved checkpoints and pictures (default: the current one)",
                   &r->output),
        CLI_STYLE(&r->style),
        CLI_OPTION("field", 'f', "NAME", "the field to show; implies --style field", CLI_TEXT,
                   &r->field),
        CLI_OPTION("low", 'L', "VALUE", "least value of the colours (default: follows the field)",
                   CLI_REAL, &live.low, -1e30, 1e30),
        CLI_OPTION("high", 'H', "VALUE",
                   "greatest value of the colours (default: follows the field)", CLI_REAL,
                   &live.high, -1e30, 1e30),
        CLI_OPTION("colours", 0, "NAME", "colour map of the values; otok render --help lists them",
                   CLI_READ, &live.colours, .read = cli_read_colours),
        CLI_OPTION("contours", 0, "METRES", "contours of the ground", CLI_REAL, &live.shot.contours,
                   1e-6, 1e9),
        CLI_GROUND(&live.shot),
        CLI_OPTION(
            "size", 's', "WxH",
            "initial size of the window (default: 1280x800, larger on screens with small pixels)",
            CLI_READ, &r->size, .read = cli_read_size),
        CLI_OPTION(
            "rate", 'r', "N",
            "frames per second to hold, 1..1000 (default: 60; with --headless as many as possible)",
            CLI_REAL, &live.frame_rate, 1, 1000),
        CLI_OPTION("fast", 0, NULL,
                   "draw fewer details and pixels while something moves or runs, and all once it "
                   "is still; for a computer without a GPU",
                   CLI_FLAG, &live.fast),
        CLI_OPTION("speed", 0, "N",
                   "iterations, or computed states, per second at most (default: the run lasts 20 "
                   "s; with --headless as many as possible)",
                   CLI_REAL, &live.speed, 1e-3, 1e9),
        CLI_OPTION("run", 0, NULL, "start the simulation at once, or play", CLI_FLAG,
                   &live.running),
        CLI_OPTION("flat-out", 0, NULL, "run as fast as possible, with a few pictures per second",
                   CLI_FLAG, &live.flat_out),
        CLI_OPTION("upload", 0, NULL,
                   "copy fields through the host even if the GPU could keep them", CLI_OFF,
                   &live.interop),
        CLI_OPTION("frames", 0, "N", "end after N frames (default with --headless: 300)", CLI_WHOLE,
                   &r->frames, 1, 1000000000),
        CLI_OPTION("headless", 0, NULL,
                   "draw the frames without a window, one after the other and in full detail; with "
                   "--rate, in the detail of a window that holds the rate",
                   CLI_FLAG, &r->headless),
        CLI_OPTION("picture", 0, "OUT.png", "save the state at the end, with --headless", CLI_TEXT,
                   &r->picture),
        CLI_OPTION("verbose", 'v', NULL, "print events, and once per second progress and speed",
                   CLI_FLAG, &live.verbose),
        {0}};
    const cli_command command = {.name = "view",
                                 .operands = "SCENARIO.yaml|CHECKPOINT...|FOLDER|SERIES|STUDY.h5 "
                                             "[options]",
                                 .about = about,
                                 .notes = keys(),
                                 .examples = "experiments/island/island.yaml --set grid.nx=256 "
                                             "--set grid.ny=256 --set grid.spacing=4\n"
                                             "out\nedges/study.h5 --member 3",
                                 .needs = "a scenario, checkpoints, a folder or a study",
                                 .least = 1,
                                 .most = INT_MAX,
                                 .options = table};
    return cli_options(&command, argc, argv);
}

int cli_view(int argc, char **argv)
{
    request r = {.member = -1, .output = ".", .style = OTOK_STYLE_ISLAND};
    otok_live_defaults(&live);
    live.frame_rate = 0;
    const int code = options(&r, argc, argv);
    if (code >= 0) return code;
    r.inputs = argv + optind, r.ninputs = argc - optind;
    otok_status status = check_options(&r);
    if (status == OTOK_OK) status = view(&r);
    return status == OTOK_OK ? 0 : cli_fail("view", status);
}
