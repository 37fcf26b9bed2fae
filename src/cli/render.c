/* render.c: `otok render`: a view of a checkpoint, drawn by OpenGL without a display. */
#include "../core/status.h"
#include "../io/image.h"
#include "cli.h"
#include "shot.h"
#include "text.h"

#include <getopt.h>
#include <stdlib.h>

static otok_status draw(cli_shot *r, const char *path, otok_checkpoint *c, const char *output,
                        unsigned char *rgb)
{
    otok_shot view = r->view;
    otok_renderer renderer;
    otok_spread spread;
    const otok_look *look;
    char legend[OTOK_LEGEND];
    OTOK_TRY(cli_shot_values(r, path, c, &look, &spread, legend));
    OTOK_TRY(otok_arrange_scale(&view, look, &spread, cli_shot_sea(r, c), r->low, r->high));
    cli_shot_page(r, &view, legend);
    cli_shot_arrange(r, c, 0, &view);
    OTOK_TRY(otok_renderer_create(&renderer, cli_shot_grid(r, otok_checkpoint_grid(c)),
                                  r->size.width, r->size.height, r->samples));
    otok_status status = cli_shot_upload(r, path, c, renderer.scene);
    if (status == OTOK_OK) status = otok_renderer_draw(&renderer, &view, legend, r->map, rgb);
    otok_renderer_destroy(&renderer);
    if (status == OTOK_OK) status = cli_shot_contours(r, c, &view, rgb);
    if (status == OTOK_OK) status = cli_shot_chart(r, path, &view, rgb);
    if (status != OTOK_OK) return status;
    char low[32], high[32];
    snprintf(low, sizeof low, "%.9g", view.low);
    snprintf(high, sizeof high, "%.9g", view.high);
    const char *words[] = {"Title",
                           otok_checkpoint_title(c),
                           "Software",
                           "otok",
                           look ? "otok_from" : NULL,
                           low,
                           "otok_to",
                           high,
                           "otok_map",
                           otok_colours_name(view.colours),
                           NULL};
    const otok_picture picture = {r->size.width, r->size.height, 3, 8, rgb};
    return otok_png_write(output, &picture, words);
}

static otok_status render(cli_shot *r, const char *path, const char *output)
{
    otok_checkpoint *checkpoint = NULL;
    unsigned char *rgb = malloc((size_t)r->size.width * (size_t)r->size.height * 3);
    otok_status status = rgb ? otok_checkpoint_load(&checkpoint, path)
                             : OTOK_FAIL(OTOK_NOMEM, "no memory for the picture");
    if (status == OTOK_OK) status = cli_shot_subtract(r, path, checkpoint);
    if (status == OTOK_OK) status = draw(r, path, checkpoint, output, rgb);
    otok_checkpoint_destroy(checkpoint);
    free(rgb);
    return status;
}

int cli_render(int argc, char **argv)
{
    const char *output = NULL;
    cli_shot r;
    cli_shot_defaults(&r);
    const cli_option table[] = {
        CLI_OUTPUT("OUT.png", "the file to write", &output),
        CLI_SAMPLES(&r, "8"),
        CLI_SHOT(&r),
        CLI_OPTION("minus", 0, "CHECKPOINT",
                   "subtract the field of this one (default: the terrain), in colours on both "
                   "sides of 0",
                   CLI_TEXT, &r.minus),
        {0}};
    const cli_command command = {
        .name = "render",
        .operands = "CHECKPOINT -o OUT.png [options]",
        .about = "Draw a checkpoint in three dimensions, on a GPU if EGL finds one, else with Mesa "
                 "on the CPU. No display is needed.",
        .examples = "out/island_00003930.vtkhdf -o island.png --elevation 20\n"
                    "out/island_00003930.vtkhdf -o reef.png --field reef\n"
                    "b.vtkhdf -o change.png --minus a.vtkhdf --field water",
        .needs = "one checkpoint",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    if (!output || !cli_ends(output, ".png"))
        return cli_usage("render", "%s%swrites PNG alone: -o OUT.png; otok movie makes movies",
                         output ? cli_plain(output) : "", output ? ": otok render " : "");
    otok_status status = cli_shot_check(&r, 1024, 768);
    if (status == OTOK_OK) status = render(&r, argv[optind], output);
    cli_shot_end(&r);
    return status == OTOK_OK ? 0 : cli_fail("render", status);
}
