/* arrange.h: defaults of a shot, found from the maps: camera, sea and horizon, colours of values,
   legend. They are the same for checkpoints and for simulations. It draws nothing. */
#ifndef OTOK_ARRANGE_H
#define OTOK_ARRANGE_H

#include "scene.h"

/* The field that a style of values shows; `field` is that of the style `field`. -1: it shows none.
   Speed has a second field. */
int otok_style_field(otok_style style, int field);
int otok_style_second(otok_style style);

/* The range of the maps of the style's field and its second one (or NULL). In the style `field` it
   goes from the least to the greatest value outside holes, in the styles of water up to what 99.5 %
   of the cells stay below. */
void otok_arrange_range(otok_style style, const float *x, const float *y, int64_t cells,
                        const otok_holes *holes, double range[2]);

/* The parts of otok_arrange_range, for callers without a map on the host. The sample is every
   `step`th cell, from cell 0 on. The percentile is the value that `rank` of its cells stay below.
   From it follows the range in the styles of water. */
void otok_arrange_sample(int64_t cells, int64_t *step, int64_t *rank);
void otok_arrange_percentile(otok_style style, double high, double range[2]);

/* Sets the range of the colours. The middle of a diverging map is 0; that of a map of sea and land
   is the level of the sea, if the range holds it. low and high replace what was found; NAN: not
   given. OTOK_USAGE: low is not below high. */
otok_status otok_arrange_colours(otok_shot *shot, const double range[2], double sea, double low,
                                 double high);

/* The values of a map, or the lengths of two. */
typedef struct otok_spread {
    double low, high;   /* 99 % of the cells are within; `depth`: 99 % of the water */
    double least, most; /* all are within */
    int sign;           /* 1: they have a sign, and colours are symmetric around 0; 3: angles */
} otok_spread;

/* y and depth: NULL, or maps. Cells in holes and without a value (NaN) do not count. */
void otok_arrange_spread(otok_spread *out, const float *x, const float *y, const float *depth,
                         int64_t cells, const otok_holes *holes);
void otok_arrange_join(otok_spread *to, const otok_spread *other);

/* Sets the colours of a picture for print: the map, if the shot's is -1, the range, with round
   ends, and what is beyond it. Otherwise as otok_arrange_colours. */
otok_status otok_arrange_scale(otok_shot *shot, const otok_spread *spread, double sea, double low,
                               double high);

/* OTOK_USAGE: --low is not below --high. */
otok_status otok_arrange_fail_range(double low, double high);

enum { OTOK_LEGEND = 400 };

/* The unit as one prints it: "m/s" for "m s-1". */
void otok_arrange_unit(char out[32], const char *unit);

/* "speed [m/s]". name: that of the field in the style `field`. */
void otok_arrange_legend(char out[OTOK_LEGEND], otok_style style, const char *name,
                         const char *unit);

/* The legend of the style `layers`, whose range is 0..n: their names, top down. */
void otok_arrange_layers(char out[OTOK_LEGEND], const char *const *names, int n);

/* The camera's first side, for otok_arrange_sea and one of the functions after it. */
void otok_arrange_first(otok_shot *shot);

/* The highest cell of the map's border [m]. */
double otok_arrange_border(const float *terrain, otok_grid grid);

/* Sets the sea, and whether the map is cut out. It is cut out if some of its border is not under
   the sea, or if the shot says so already. An elevation of NAN becomes the default, which keeps
   the horizon of an open sea in the picture. */
void otok_arrange_sea(otok_shot *shot, const float *terrain, otok_grid grid, double sea);

/* Is there a sea that reaches the horizon? */
int otok_arrange_is_open(const otok_shot *shot);

/* Sets target and distance of the camera, so that what matters fills the picture: land and reefs in
   a sea that reaches the horizon, else the whole map. */
void otok_arrange_camera(otok_shot *shot, const float *terrain, otok_grid grid, double sea,
                         int width, int height);

/* Looks straight down on the whole map from so far away (a thousand of its sides) that it is a
   plan: a height of a tenth of a side moves nothing by more than a 20,000th of the picture. */
void otok_arrange_plan(otok_shot *shot, const float *terrain, otok_grid grid, int width,
                       int height);

/* Raises a camera that is below the ground, the tops of trees or the sea until it is above. 1: it
   did. */
int otok_arrange_above(otok_shot *shot, const float *terrain, otok_grid grid);

/* The same as otok_arrange_camera for a camera that turns around it by some degrees. All of it is
   in the picture from all sides. */
void otok_arrange_turn(otok_shot *shot, const float *terrain, otok_grid grid, double sea, int width,
                       int height, double turn);

#endif
