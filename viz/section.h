/* section.h: a line on the ground, and the heights of ground, water and sea along it. */
#ifndef OTOK_SECTION_H
#define OTOK_SECTION_H

#include "live.h"
#include "overlay.h"

enum { OTOK_SECTION_POINTS = 512 };

typedef struct otok_profile {
    double length;                      /* [m] */
    float ground[OTOK_SECTION_POINTS];  /* heights, evenly along the line [m] */
    float surface[OTOK_SECTION_POINTS]; /* of the water, or the ground without */
} otok_profile;

/* Begins a line under the cursor, ends it there, takes it away. */
void otok_section_press(otok_live *live);

/* The present profile, interpolated between cells. While the line is drawn its end follows the
   cursor. Fetches the maps of another state, while the simulation rests. 0: there is none. */
int otok_section_profile(otok_live *live, otok_profile *out);
void otok_section_end(otok_live *live);

/* Draws the line on the ground, and the profile into the upper part of a picture whose view is
   `room` pixels wide, from `top` on. */
void otok_section_draw(const otok_overlay *overlay, otok_live *live, const otok_shot *shot,
                       int width, int height, int room, double top);

#endif
