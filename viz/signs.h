/* signs.h: what makes a window a map: a scale bar, an arrow to the north, time and date; and the
   line between two states, with the iteration of each. */
#ifndef OTOK_SIGNS_H
#define OTOK_SIGNS_H

#include "live.h"
#include "overlay.h"

/* Draws into the lower left corner of a picture of this size, whose view is `room` pixels wide,
   `below` pixels from its lower edge. Small pictures have none. */
void otok_signs_draw(const otok_overlay *overlay, const otok_live *live, const otok_shot *shot,
                     int width, int height, int room, double below);

/* Draws the line at x, and at both sides of its upper end what is there. */
void otok_signs_line(const otok_overlay *overlay, int width, int height, double x, const char *left,
                     const char *right);

#endif
