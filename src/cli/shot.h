/* shot.h: what `otok render` and `otok movie` share: the options of the view, and a checkpoint
 * drawn by them. */
#ifndef OTOK_CLI_SHOT_H
#define OTOK_CLI_SHOT_H

#define CLI_SHOT_USAGE                                                                             \
    "  -y, --style STYLE        island (default), water, sediment, speed, velocity_x, "            \
    "velocity_y, field, phong,\n"                                                                  \
    "                           wireframe, layers (the layer at the surface)\n"                    \
    "  -f, --field NAME         the field to show, also layer_NAME or bottom_NAME; implies "       \
    "--style field\n"                                                                              \
    "  -L, --low VALUE          least value of the colours (default: the field's; 0 in styles of " \
    "water)\n"                                                                                     \
    "  -H, --high VALUE         greatest value (default: the field's; in styles of water the "     \
    "99.5th percentile)\n"                                                                         \
    "      --colours NAME       colour map of the values: otok (default), batlow, lapaz, devon, "  \
    "grayC, thermal, haline, deep,\n"                                                              \
    "                           matter, speed; vik, cork, balance, delta (around 0); oleron, "     \
    "topo (sea and land)\n"                                                                        \
    "      --contours METRES    contours of the ground, every fifth thicker\n"                     \
    "      --hillshade WEIGHT   of light and shade under the values, 0..1 (default: 1)\n"          \
    "      --chart              a scale bar, north, and the time\n"                                \
    "  -s, --size WxH           pixels (default: 1024x768)\n"                                      \
    "  -a, --azimuth DEGREES    direction of the camera, clockwise from the map's top (default: "  \
    "200)\n"                                                                                       \
    "  -e, --elevation DEGREES  height of the camera above the horizon, 1..90 (default: 24)\n"     \
    "  -d, --distance METRES    from the target (default: land and reefs, or the whole map, fill " \
    "the picture)\n"                                                                               \
    "  -t, --target X,Y[,Z]     the middle of the picture, in metres from the lower left corner\n" \
    "  -A, --angle DEGREES      field of view, from bottom to top (default: 32)\n"                 \
    "  -u, --sun AZIMUTH,ELEVATION  direction of the sun (default: 285,38)\n"                      \
    "      --no-shadows         draws no shadows\n"                                                \
    "      --haze VALUE         dust and droplets in the air, 0..20 (default: 1, a clear day)\n"   \
    "      --exposure STOPS     doublings of the light, -10..10 (default: 0)\n"                    \
    "  -S, --sea LEVEL|none     level of the sea in the style island (default: the "               \
    "checkpoint's)\n"                                                                              \
    "      --absorption VALUE   absorption of light by the sea in 1/m (default: the reef's, or "   \
    "0.15)\n"                                                                                      \
    "      --vertical           light falls vertically into the sea, as in the sources\n"          \
    "      --block              draws the map as a block (default where its border is not all "    \
    "under the sea)\n"                                                                             \
    "      --globe              draws the map around a sphere: a planet, twice as wide as high\n"  \
    "      --tessellation N     pieces along the edge of a patch, 1..64 (default: adaptive)\n"     \
    "  -m, --map                draws a small map in a corner, with a dot at the camera\n"         \
    "      --fast               draws fewer details, for slow machines\n"

#ifdef OTOK_WITH_VIZ
#include "viz/arrange.h"
#include "viz/renderer.h"

#include <getopt.h>

typedef struct cli_shot {
    const char *field;
    otok_shot view;
    int width, height, samples, style_given, size_given, map, chart;
    double low, high, sea, distance, target[3]; /* NAN: not given; sea: -INFINITY for none */
} cli_shot;

enum {
    CLI_NO_SHADOWS = 256,
    CLI_HAZE,
    CLI_EXPOSURE,
    CLI_ABSORPTION,
    CLI_VERTICAL,
    CLI_BLOCK,
    CLI_TESSELLATION,
    CLI_FAST,
    CLI_COLOURS,
    CLI_CONTOURS,
    CLI_HILLSHADE,
    CLI_CHART,
    CLI_GLOBE,
    CLI_OPTIONS
};

#define CLI_SHOT_LETTERS "y:f:L:H:s:n:a:e:d:t:A:u:S:m"
#define CLI_SHOT_OPTIONS                                                                           \
    {"style", required_argument, NULL, 'y'}, {"field", required_argument, NULL, 'f'},              \
        {"low", required_argument, NULL, 'L'}, {"high", required_argument, NULL, 'H'},             \
        {"size", required_argument, NULL, 's'}, {"samples", required_argument, NULL, 'n'},         \
        {"azimuth", required_argument, NULL, 'a'}, {"elevation", required_argument, NULL, 'e'},    \
        {"distance", required_argument, NULL, 'd'}, {"target", required_argument, NULL, 't'},      \
        {"angle", required_argument, NULL, 'A'}, {"sun", required_argument, NULL, 'u'},            \
        {"no-shadows", no_argument, NULL, CLI_NO_SHADOWS},                                         \
        {"haze", required_argument, NULL, CLI_HAZE},                                               \
        {"exposure", required_argument, NULL, CLI_EXPOSURE},                                       \
        {"sea", required_argument, NULL, 'S'},                                                     \
        {"absorption", required_argument, NULL, CLI_ABSORPTION},                                   \
        {"vertical", no_argument, NULL, CLI_VERTICAL}, {"block", no_argument, NULL, CLI_BLOCK},    \
        {"tessellation", required_argument, NULL, CLI_TESSELLATION},                               \
        {"map", no_argument, NULL, 'm'}, {"colours", required_argument, NULL, CLI_COLOURS},        \
        {"contours", required_argument, NULL, CLI_CONTOURS},                                       \
        {"hillshade", required_argument, NULL, CLI_HILLSHADE},                                     \
        {"chart", no_argument, NULL, CLI_CHART}, {"globe", no_argument, NULL, CLI_GLOBE},          \
    {                                                                                              \
        "fast", no_argument, NULL, CLI_FAST                                                        \
    }

void cli_shot_defaults(cli_shot *out);

otok_status cli_shot_style(otok_style *out, const char *name);
otok_status cli_shot_colours(int *out, const char *name);

/* Takes one option with its value in optarg. */
otok_status cli_shot_option(cli_shot *shot, int option);

/* One number of an option. */
otok_status cli_shot_number(double *out, const char *name, const char *text, double low,
                            double high);

/* Whether the options go together. */
otok_status cli_shot_check(cli_shot *shot);

/* What the style's field holds in this checkpoint; {0, 0} where the style shows none. OTOK_DATA: it
 * has no such field. */
otok_status cli_shot_range(const cli_shot *shot, const char *path,
                           const otok_checkpoint *checkpoint, double range[2]);

/* Sea, block and camera for this checkpoint, into the view; of a camera that will turn by so many
 * degrees. */
void cli_shot_arrange(const cli_shot *shot, const otok_checkpoint *checkpoint, double turn,
                      otok_shot *view);

/* Onto a picture of `view`, where the options ask for a chart: scale bar, north, iteration and time
 * of the checkpoint. */
otok_status cli_shot_chart(const cli_shot *shot, const char *path, const otok_shot *view,
                           unsigned char *rgb);

/* Gives the checkpoint's maps to the scene, for pictures of it by otok_renderer_draw; "" is no
 * legend. */
otok_status cli_shot_upload(const cli_shot *shot, const char *path,
                            const otok_checkpoint *checkpoint, otok_scene *scene,
                            char legend[OTOK_LEGEND]);

#endif
#endif
