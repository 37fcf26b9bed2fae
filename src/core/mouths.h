/* mouths.h: what rivers bring to the sea. All that the cells of a river lost in a step is added up
   at its mouth, in whole numbers, so that their order does not matter; then plumes spread it. */
#ifndef OTOK_MOUTHS_H
#define OTOK_MOUTHS_H

#include "../model/plume.h"
#include "ground.h"
#include "routing.h"

enum { OTOK_PLUME_ROUNDS = 2 }; /* of rows and columns */

/* Numbers of cells, as parents of a forest whose roots are where rivers end. */
OTOK_FN int otok_river_parent(const otok_view *v, otok_spot s)
{
    otok_spot to = s;
    otok_spot_drains(v, &to);
    return (int)(to.j * v->pitch + to.i) + 1;
}

OTOK_FN int otok_is_sea(const otok_view *v, ptrdiff_t at, float sea)
{
    return !otok_is_wall(v, at) && !(otok_river_ground(v, at) >= sea);
}

/* What a cell lost between CHANGE and CHANGE_NEXT, in units of 2^-24 m; 0 in walls. Deposits of the
   river are below 0, and their sums are right modulo 2^64. */
OTOK_FN uint64_t otok_river_lost(const otok_view *v, ptrdiff_t at)
{
    const float lost = v->at[OTOK_TERRAIN_CHANGE][at] - v->at[OTOK_CHANGE_NEXT][at];
    return otok_is_wall(v, at) || !(fabsf(lost) < 0x1p30f) ? 0
                                                           : (uint64_t)(int64_t)(lost * 0x1p24f);
}

/* The load of a mouth [m], from the two halves of its sum; 0 of a river that does not end in the
   sea. */
OTOK_FN void otok_river_brings(const otok_view *v, ptrdiff_t at, float sea)
{
    const uint64_t low = otok_naturals(v, OTOK_RIVER_LOW)[at],
                   high = otok_naturals(v, OTOK_RIVER_PASS)[at];
    const float brings = (float)(int64_t)(high << 32 | low) * 0x1p-24f;
    v->at[OTOK_RIVER_SILT][at] = brings > 0.0f && otok_is_sea(v, at, sea) ? brings : 0.0f;
}

OTOK_FN int otok_open_of(const int *edges)
{
    int open = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        open |= (edges[side] == OTOK_OPEN) << side;
    return open;
}

/* A line of `cells` cells, from `first` on, `along` apart; its ends lie at open sides or not. */
typedef struct otok_plume_line {
    ptrdiff_t first, along;
    int cells, open[2];
} otok_plume_line;

/* Row n of a patch, or column n. */
OTOK_FN otok_plume_line otok_plume_line_of(const otok_view *v, int column, int n, int open)
{
    const otok_plume_line row = {n * v->pitch,
                                 1,
                                 v->nx,
                                 {open >> OTOK_LEFT & 1, open >> OTOK_RIGHT & 1}},
                          other = {
                              n, v->pitch, v->ny, {open >> OTOK_BOTTOM & 1, open >> OTOK_TOP & 1}};
    return column ? other : row;
}

/* Spreads the load of cells a to b - 1 of a line, which are sea. */
OTOK_FN void otok_plume_spread(const otok_view *v, otok_plume_line line, int a, int b, float f)
{
    float *load = v->at[OTOK_RIVER_SILT] + line.first, *half = v->at[OTOK_RIVER_PART] + line.first;
    const int open[2] = {a == 0 && line.open[0], b == line.cells && line.open[1]};
    otok_plume_pass p = otok_plume_begin();
    for (int n = a; n < b; n++)
        p = otok_plume_through(p, load[n * line.along], f);
    if (!(p.on > 0.0f)) return; /* nothing is there */
    float on = otok_plume_enters(p, open[0], open[1]);
    for (int n = a; n < b; n++) {
        const float here = fmaf(0.5f, load[n * line.along], on);
        half[n * line.along] = here * (1.0f - f);
        on = here * f;
    }
    on = open[1] ? 0.0f : on;
    for (int n = b - 1; n >= a; n--) {
        const float here = fmaf(0.5f, load[n * line.along], on);
        load[n * line.along] = fmaf(here, 1.0f - f, half[n * line.along]);
        on = here * f;
    }
}

/* Spreads the load of a line, between one coast and the next. */
OTOK_FN void otok_plume_along(const otok_view *v, otok_plume_line line, float sea, float f)
{
    for (int a = 0, b; a < line.cells; a = b + 1) {
        for (b = a; b < line.cells && otok_is_sea(v, line.first + b * line.along, sea);)
            b++;
        if (b > a) otok_plume_spread(v, line, a, b, f);
    }
}

/* The ground under what settled on it. */
OTOK_FN void otok_cell_settled(const otok_view *v, ptrdiff_t at, uint32_t phase)
{
    v->at[OTOK_CHANGE_NEXT][at] = otok_ground_add(v->at[OTOK_TERRAIN_CHANGE][at],
                                                  v->at[OTOK_RIVER_SILT][at], otok_dither(phase));
}

#endif
