/* shot.h: what `otok render` and `otok movie` share: the options of the view, and a checkpoint
 * drawn by them. */
#ifndef OTOK_CLI_SHOT_H
#define OTOK_CLI_SHOT_H

#include "options.h"
#include "viz/arrange.h"
#include "viz/renderer.h"

typedef struct cli_shot {
    const char *field, *minus; /* NULL: none; minus: a file's name */
    float *difference;         /* of the field, from that of `minus` */
    otok_shot view;
    cli_size size;
    int samples, style, map, chart, plan;       /* style: -1 if not given */
    double low, high, sea, distance, target[3]; /* NAN: not given; sea: -INFINITY for no sea */
    double exaggeration;                        /* of heights */
} cli_shot;

#define CLI_STYLE(to)                                                                              \
    CLI_OPTION("style", 'y', "STYLE",                                                              \
               "island (default), water, sediment, speed, velocity_x, velocity_y, field (with "    \
               "--field), phong, wireframe, layers",                                               \
               CLI_READ, to, .read = cli_read_style)

/* How the island's ground looks: an otok_shot. */
#define CLI_GROUND(view)                                                                           \
    CLI_OPTION("rock-slope", 0, "DEGREES",                                                         \
               "slope from which ground is rock, 20..80 (default: 51)", CLI_REAL,                  \
               &(view)->rock_slope, OTOK_ROCK_SLOPE_LEAST, OTOK_ROCK_SLOPE_MOST),                  \
        CLI_OPTION("tiling", 0, "X",                                                               \
                   "how often the textures of the island repeat, relative to the default, "        \
                   "0.25..4 (default: 1)",                                                         \
                   CLI_REAL, &(view)->tiling, OTOK_TILING_LEAST, OTOK_TILING_MOST)

/* Rows of a table of options. */
#define CLI_SHOT(r)                                                                                \
    CLI_STYLE(&(r)->style),                                                                        \
        CLI_OPTION("field", 'f', "NAME", cli_field_help, CLI_TEXT, &(r)->field),                   \
        CLI_OPTION("low", 'L', "VALUE",                                                            \
                   "value of the first colour (default: by the field's meaning, or a round "       \
                   "number with at most 0.5 % of the cells below it)",                             \
                   CLI_REAL, &(r)->low, -1e30, 1e30),                                              \
        CLI_OPTION("high", 'H', "VALUE",                                                           \
                   "value of the last colour (default: likewise, above it; of moving water 0.5 % " \
                   "of its volume)",                                                               \
                   CLI_REAL, &(r)->high, -1e30, 1e30),                                             \
        CLI_OPTION("colours", 0, "NAME",                                                           \
                   "colour map of the values: batlow (default), deep (of depths), otok (of the "   \
                   "style water), lapaz, devon, grayC, thermal, haline, matter, speed; around 0: " \
                   "vik (of values with a sign), cork, balance, delta; sea and land: oleron (of "  \
                   "heights), topo; angles: vikO",                                                 \
                   CLI_READ, &(r)->view.colours, .read = cli_read_colours),                        \
        CLI_OPTION("contours", 0, "METRES", "contours of the ground, every fifth thicker",         \
                   CLI_REAL, &(r)->view.contours, 1e-6, 1e9),                                      \
        CLI_OPTION("hillshade", 0, "WEIGHT",                                                       \
                   "strength of light and shade under the values, 0..1 (default: 0.4)", CLI_REAL,  \
                   &(r)->view.hillshade, 0, 1),                                                    \
        CLI_OPTION("chart", 0, NULL,                                                               \
                   "draw a scale bar, a north arrow and the time; in a picture also heights on "   \
                   "contours",                                                                     \
                   CLI_FLAG, &(r)->chart),                                                         \
        CLI_OPTION("size", 's', "WxH", "size of the picture in pixels (default: 1024x768)",        \
                   CLI_READ, &(r)->size, .read = cli_read_size),                                   \
        CLI_OPTION("ortho", 0, NULL, "look straight down, as on a map: one scale everywhere",      \
                   CLI_FLAG, &(r)->plan),                                                          \
        CLI_OPTION("azimuth", 'a', "DEGREES",                                                      \
                   "direction from the target to the camera, clockwise from the top of the map "   \
                   "(default: 200)",                                                               \
                   CLI_REAL, &(r)->view.camera.azimuth, -360, 360),                                \
        CLI_OPTION("elevation", 'e', "DEGREES",                                                    \
                   "height of the camera above the horizon, 1..90 (default: the horizon of a "     \
                   "sea is in the picture; else 24)",                                              \
                   CLI_REAL, &(r)->view.camera.elevation, 1, 90),                                  \
        CLI_OPTION("distance", 'd', "METRES",                                                      \
                   "distance of the camera from the target (default: land and reefs, or the "      \
                   "whole map, fill the picture)",                                                 \
                   CLI_REAL, &(r)->distance, 1e-6, 1e9),                                           \
        CLI_OPTION("target", 't', "X,Y[,Z]",                                                       \
                   "the middle of the picture, in metres from the lower left corner of the map",   \
                   CLI_READ, (r)->target, .read = cli_read_target),                                \
        CLI_OPTION("exaggeration", 0, "FACTOR",                                                    \
                   "multiply heights by this, 0.01..1000 (default: 1)", CLI_REAL,                  \
                   &(r)->exaggeration, 0.01, 1000),                                                \
        CLI_OPTION("angle", 'A', "DEGREES", "field of view, from bottom to top (default: 32)",     \
                   CLI_REAL, &(r)->view.camera.angle, 1, 120),                                     \
        CLI_OPTION("sun", 'u', "AZIMUTH,ELEVATION", "direction of the sun (default: 285,38)",      \
                   CLI_READ, &(r)->view, .read = cli_read_sun),                                    \
        CLI_OPTION("no-shadows", 0, NULL, "draw no shadows", CLI_OFF, &(r)->view.shadows),         \
        CLI_GROUND(&(r)->view),                                                                    \
        CLI_OPTION("haze", 0, "VALUE",                                                             \
                   "dust and droplets in the air, 0..20 (default: 1, a clear day)", CLI_REAL,      \
                   &(r)->view.haze, 0, 20),                                                        \
        CLI_OPTION("clouds", 0, "SHARE",                                                           \
                   "share of the sky that clouds cover, 0..1; over a block only while the eye is " \
                   "below them (default: 0.35)",                                                   \
                   CLI_REAL, &(r)->view.clouds, 0, 1),                                             \
        CLI_OPTION("exposure", 0, "STOPS", "doublings of the light, -10..10 (default: 0)",         \
                   CLI_REAL, &(r)->view.exposure, -10, 10),                                        \
        CLI_OPTION("sea", 'S', "LEVEL|none",                                                       \
                   "level of the sea in the style island (default: that of the checkpoint)",       \
                   CLI_READ, &(r)->sea, .read = cli_read_sea),                                     \
        CLI_OPTION("absorption", 0, "VALUE",                                                       \
                   "absorption of light by the sea in 1/m (default: that of the reef, or 0.15)",   \
                   CLI_REAL, &(r)->view.absorption, 0, 1e6),                                       \
        CLI_OPTION("vertical", 0, NULL,                                                            \
                   "let light fall vertically into the sea, as in the papers", CLI_FLAG,           \
                   &(r)->view.vertical),                                                           \
        CLI_OPTION("block", 0, NULL,                                                               \
                   "draw the map as a block (default if a part of its border is above the sea)",   \
                   CLI_FLAG, &(r)->view.block),                                                    \
        CLI_OPTION("globe", 0, NULL,                                                               \
                   "draw the map around a sphere: a planet, twice as wide as high", CLI_READ,      \
                   &(r)->view, .read = cli_read_globe),                                            \
        CLI_OPTION("tessellation", 0, "N",                                                         \
                   "pieces along the edge of a patch, 1..64 (default: adaptive)", CLI_READ,        \
                   &(r)->view, .read = cli_read_tessellation),                                     \
        CLI_OPTION("map", 'm', NULL, "draw a small map in a corner, with a dot at the camera",     \
                   CLI_FLAG, &(r)->map),                                                           \
        CLI_OPTION("fast", 0, NULL, "draw fewer details, for slow machines", CLI_FLAG,             \
                   &(r)->view.fast)
#define CLI_SAMPLES(r, standard)                                                                   \
    CLI_OPTION("samples", 'n', "N",                                                                \
               "samples per pixel, 1..256 (default: " standard "); the time grows in proportion",  \
               CLI_WHOLE, &(r)->samples, 1, 256)

otok_status cli_read_style(void *style, const char *name, const char *text);
otok_status cli_read_colours(void *map, const char *name, const char *text);
otok_status cli_read_target(void *xyz, const char *name, const char *text);
otok_status cli_read_sun(void *view, const char *name, const char *text);
otok_status cli_read_globe(void *view, const char *name, const char *text);
otok_status cli_read_sea(void *level, const char *name, const char *text);
otok_status cli_read_tessellation(void *view, const char *name, const char *text);

void cli_shot_defaults(cli_shot *out);

/* The grid that is drawn: heights are exaggerated by narrower cells, so values keep their units. */
otok_grid cli_shot_grid(const cli_shot *r, otok_grid grid);

/* Checks the options against each other. Sets the style and a size if they were not given.
   cli_shot_end is called in any case. */
otok_status cli_shot_check(cli_shot *shot, int width, int height);
void cli_shot_end(cli_shot *shot);

/* The values that the style shows of this checkpoint, 0 if it shows none, their look, or NULL, and
   their legend, "" if there is none. OTOK_DATA: the checkpoint lacks the field. */
otok_status cli_shot_values(const cli_shot *shot, const char *path, otok_checkpoint *checkpoint,
                            const otok_look **look, otok_spread *spread, char legend[OTOK_LEGEND]);

/* otok_chart_page; says on standard error what a small picture leaves out. */
void cli_shot_page(cli_shot *shot, otok_shot *view, char legend[OTOK_LEGEND]);

/* Reads the file `minus` and sets the difference. Nothing without `minus`. OTOK_DATA: the grids
 * differ, or one lacks the field. */
otok_status cli_shot_subtract(cli_shot *shot, const char *path, otok_checkpoint *checkpoint);

/* Writes a PNG with the title and the colours of the values of a view; NULL: it shows none. */
otok_status cli_shot_write(const char *path, cli_size size, unsigned char *rgb, const char *title,
                           const otok_shot *view);

/* The sea level, from the options or from the checkpoint. */
double cli_shot_sea(const cli_shot *shot, const otok_checkpoint *checkpoint);

/* Sets sea, block and camera of the view, which has its page, for this checkpoint. The camera will
   then turn by so many degrees. */
void cli_shot_arrange(const cli_shot *shot, const otok_checkpoint *checkpoint, double turn,
                      otok_shot *view);

/* If the options ask for a chart with contours, writes their heights onto a picture of `view`. */
otok_status cli_shot_contours(const cli_shot *shot, const otok_checkpoint *checkpoint,
                              const otok_shot *view, unsigned char *rgb);

/* If the options ask for a chart, draws scale bar, north arrow, iteration and time of the
   checkpoint onto a picture of `view`. */
otok_status cli_shot_chart(const cli_shot *shot, const char *path, const otok_shot *view,
                           unsigned char *rgb);

/* Uploads the maps of the checkpoint to the scene, which otok_renderer_draw then draws. */
otok_status cli_shot_upload(const cli_shot *shot, const char *path, otok_checkpoint *checkpoint,
                            otok_scene *scene);

#endif
