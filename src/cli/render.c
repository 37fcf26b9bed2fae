/* render.c: `otok render`: a checkpoint as one sees it, drawn by OpenGL without a display. */
#include "../core/status.h"
#include "cli.h"
#include "shot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: otok render CHECKPOINT -o OUT.png [options]\n"
    "\n"
    "Draws a checkpoint in three dimensions, by a GPU if EGL finds one, else by Mesa on the CPU. "
    "No display is needed.\n"
    "\n"
    "  -o, --output OUT.png     the file to write\n"
    "  -n, --samples N          samples per pixel, 1..256 (default: 8); the time is "
    "proportional\n" CLI_SHOT_USAGE "      --poster             a sheet: picture, map, legend, "
    "parameters, verdict, ledger (default size: 2100x1485)\n"
    "  -h, --help               prints this\n"
    "\n"
    "example: otok render out/island_00003930.vtkhdf -o island.png --elevation 20\n"
    "         otok render out/island_00003930.vtkhdf -o reef.png --field reef\n";

#ifdef OTOK_WITH_VIZ
#include "../io/image.h"
#include "poster.h"
#include "viz/arrange.h"

static otok_status draw(const cli_shot *r, const char *path, const otok_checkpoint *c,
                        const char *output, unsigned char *rgb)
{
    otok_shot view = r->view;
    otok_renderer renderer;
    double range[2];
    OTOK_TRY(cli_shot_range(r, path, c, range));
    OTOK_TRY(otok_arrange_colours(&view, range, cli_shot_sea(r, c), r->low, r->high));
    cli_shot_arrange(r, c, 0, &view);
    OTOK_TRY(
        otok_renderer_create(&renderer, otok_checkpoint_grid(c), r->width, r->height, r->samples));
    char legend[OTOK_LEGEND];
    otok_status status = cli_shot_upload(r, path, c, renderer.scene, legend);
    if (status == OTOK_OK) status = otok_renderer_draw(&renderer, &view, legend, r->map, rgb);
    otok_renderer_destroy(&renderer);
    if (status == OTOK_OK) status = cli_shot_chart(r, path, &view, rgb);
    if (status != OTOK_OK) return status;
    const char *words[] = {"Title", otok_checkpoint_title(c), "Software", "otok", NULL};
    const otok_picture picture = {r->width, r->height, 3, 8, rgb};
    return otok_png_write(output, &picture, words);
}

static otok_status render(const cli_shot *r, const char *path, const char *output)
{
    otok_checkpoint *checkpoint = NULL;
    unsigned char *rgb = malloc((size_t)r->width * (size_t)r->height * 3);
    otok_status status = rgb ? otok_checkpoint_load(&checkpoint, path)
                             : OTOK_FAIL(OTOK_NOMEM, "no memory for the picture");
    if (status == OTOK_OK) status = draw(r, path, checkpoint, output, rgb);
    otok_checkpoint_destroy(checkpoint);
    free(rgb);
    return status;
}

static otok_status work(int argc, char **argv, int *help)
{
    enum { POSTER = CLI_OPTIONS };
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"poster", no_argument, NULL, POSTER},
                                            {"help", no_argument, NULL, 'h'},
                                            CLI_SHOT_OPTIONS,
                                            {0}};
    const char *output = NULL;
    int poster = 0;
    cli_shot r;
    cli_shot_defaults(&r);
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h" CLI_SHOT_LETTERS, options, NULL)) != -1;) {
        if ((*help = c == 'h')) return OTOK_OK;
        if (c == '?')
            return OTOK_FAIL(OTOK_USAGE, "unknown option %s; see otok render --help",
                             argv[optind - 1]);
        if (c == ':')
            return OTOK_FAIL(OTOK_USAGE, "option %s needs a value; see otok render --help",
                             argv[optind - 1]);
        if (c == 'o')
            output = optarg;
        else if (c == POSTER)
            poster = 1;
        else
            OTOK_TRY(cli_shot_option(&r, c));
    }
    const char *ending = output ? strrchr(output, '.') : NULL;
    if (!output) return OTOK_FAIL(OTOK_USAGE, "needs -o OUT.png; see otok render --help");
    if (!ending || strcmp(ending, ".png") != 0)
        return OTOK_FAIL(OTOK_USAGE, "%s: only .png is drawn; otok movie makes movies", output);
    if (argc - optind != 1)
        return OTOK_FAIL(OTOK_USAGE, "needs one checkpoint; see otok render --help");
    OTOK_TRY(cli_shot_check(&r));
    return poster ? cli_poster(&r, argv[optind], output) : render(&r, argv[optind], output);
}

#else

static otok_status work(int argc, char **argv, int *help)
{
    *help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (*help) return OTOK_OK;
    return OTOK_FAIL(OTOK_DEVICE, "this build cannot draw views; install libepoxy-dev, libegl-dev "
                                  "and libstb-dev and build again, or "
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
