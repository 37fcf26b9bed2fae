/* arrange.h: defaults of a shot, found from the maps: camera, sea and horizon, colours of values,
   legend. They are the same for checkpoints and for simulations. It draws nothing. */
#ifndef OTOK_ARRANGE_H
#define OTOK_ARRANGE_H

#include "core/colours.h"
#include "scene.h"

/* The field that a style of values shows; `field` is that of the style `field`. -1: it shows none.
   Speed has a second field. */
int otok_style_field(otok_style style, int field);
int otok_style_second(otok_style style);

/* Sets the colours of a picture by the look of its values; NULL: they have none, or are layers,
   whose number is the spread's `high`. A shot's own map of colours stays, unless it is -1.
   OTOK_USAGE: low is not below high. */
otok_status otok_arrange_scale(otok_shot *shot, const otok_look *look, const otok_spread *spread,
                               double sea, double low, double high);

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
