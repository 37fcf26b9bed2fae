/* contours.h: heights written along the contours of a chart, into the bytes of the picture. */
#ifndef OTOK_CONTOURS_H
#define OTOK_CONTOURS_H

#include "scene.h"

/* What the labels are found from: dense maps [ny][nx]. */
typedef struct otok_contours {
    otok_grid grid;
    const float *terrain, *water; /* water NULL: none hides the ground */
    const otok_holes *holes;
    int map; /* the picture has a small map in its lower right corner */
} otok_contours;

/* Writes onto a picture of `shot` with contours, row 0 at the top. Each fifth contour, or each one
   if fewer than three fifth ones are on the map, has its height [m] where it is straight, seen, and
   far enough from other labels. OTOK_DEVICE: there is no font. */
otok_status otok_contours_label(unsigned char *rgb, int width, int height, const otok_shot *shot,
                                const otok_contours *from);

#endif
