/* arrange.h: defaults of a shot, found from the maps: camera, sea and horizon, colours of values,
   legend. They are the same for checkpoints and for simulations. It draws nothing. */
#ifndef OTOK_ARRANGE_H
#define OTOK_ARRANGE_H

#include "scene.h"

/* The field that a style of values shows, `field` being that of the style `field`; -1: it shows
 * none. Speed has a second one. */
int otok_style_field(otok_style style, int field);
int otok_style_second(otok_style style);

/* What the maps of the style's field and its second one (or NULL) hold: in the style `field` least
   and greatest value, in those of water what 99.5 % of cells stay below. */
void otok_arrange_range(otok_style style, const float *x, const float *y, int64_t cells,
                        double range[2]);

/* Its parts, for those who have no map on the host: every `step`th cell, from cell 0, is in the
   sample, and the value that so many of them are below is the percentile; the range that this gives
   in the styles of water. */
void otok_arrange_sample(int64_t cells, int64_t *step, int64_t *rank);
void otok_arrange_percentile(otok_style style, double high, double range[2]);

/* The colours of a range: the middle of diverging maps is 0, that of maps of sea and land the sea's
   level, where the range holds it. low and high replace what was found; NAN: not given. OTOK_USAGE:
   low is not below high. */
otok_status otok_arrange_colours(otok_shot *shot, const double range[2], double sea, double low,
                                 double high);

enum { OTOK_LEGEND = 400 };

/* "water [m]"; name: of the style `field`. */
void otok_arrange_legend(char out[OTOK_LEGEND], otok_style style, const char *name,
                         const char *unit);

/* Of the style `layers`, whose range is 0..n: their names, top down. */
void otok_arrange_layers(char out[OTOK_LEGEND], const char *const *names, int n);

/* The highest cell of the map's border [m]. */
double otok_arrange_border(const float *terrain, otok_grid grid);

/* Sea, and whether the map is cut out: it is where its border is not all under the sea, and where
 * the shot says so already. */
void otok_arrange_sea(otok_shot *shot, const float *terrain, otok_grid grid, double sea);

/* Target and distance of the camera: land and reefs in a sea that reaches the horizon, else the
 * whole map, fill the picture. */
void otok_arrange_camera(otok_shot *shot, const float *terrain, otok_grid grid, double sea,
                         int width, int height);

/* The same for a camera that turns around it by so many degrees: all of that is in the picture from
 * all sides. */
void otok_arrange_turn(otok_shot *shot, const float *terrain, otok_grid grid, double sea, int width,
                       int height, double turn);

#endif
