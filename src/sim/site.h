/* site.h: what site.c and courant.c need of hollows.c. */
#ifndef OTOK_SITE_H
#define OTOK_SITE_H

#include "../core/state.h"
#include "../otok.h"

/* The deepest hollow of a map of nx x ny heights: its depth below its outlet [m], and the mean
   depth of water over all ground that drains into it that fills it [m]. Water leaves by the sides
   that are open; ground that none of them drains is no hollow but a basin, of depth INFINITY.
   `walls`: OTOK_WALLS, or NULL. Returns 0 without memory. */
int otok_hollow_find(double *depth, double *rain, const float *heights, const float *walls,
                     int64_t nx, int64_t ny, const int *edges);

/* otok_site_read of the scenario of a simulation: from its maps while it has done no iteration. */
void otok_site_of_sim(otok_site *out, otok_sim *sim);

/* The lowest ground at each side, without walls (OTOK_WALLS, or NULL: there are none). */
void otok_site_sides(double lowest[OTOK_SIDES], const float *heights, const float *walls,
                     int64_t nx, int64_t ny);

#endif
