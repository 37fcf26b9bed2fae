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

/* OTOK_USAGE: --low is not below --high. */
otok_status otok_arrange_fail_range(double low, double high);

enum { OTOK_LEGEND = 400 };

/* "water [m]". name: that of the field in the style `field`. */
void otok_arrange_legend(char out[OTOK_LEGEND], otok_style style, const char *name,
                         const char *unit);

/* The legend of the style `layers`, whose range is 0..n: their names, top down. */
void otok_arrange_layers(char out[OTOK_LEGEND], const char *const *names, int n);

/* The highest cell of the map's border [m]. */
double otok_arrange_border(const float *terrain, otok_grid grid);

/* Sets the sea, and whether the map is cut out. It is cut out if some of its border is not under
   the sea, or if the shot says so already. */
void otok_arrange_sea(otok_shot *shot, const float *terrain, otok_grid grid, double sea);

/* Sets target and distance of the camera, so that what matters fills the picture: land and reefs in
   a sea that reaches the horizon, else the whole map. */
void otok_arrange_camera(otok_shot *shot, const float *terrain, otok_grid grid, double sea,
                         int width, int height);

/* The same for a camera that turns around it by some degrees. All of it is in the picture from all
   sides. */
void otok_arrange_turn(otok_shot *shot, const float *terrain, otok_grid grid, double sea, int width,
                       int height, double turn);

#endif
