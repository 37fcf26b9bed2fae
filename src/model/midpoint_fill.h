/* midpoint_fill.h: finds the neighbours of a point of a lattice and makes its height from them. The
   lattice is filled depth by depth: first all square centres (u and v odd), then all other points
   with u or v odd. Each reads only points that are finished. */
#ifndef OTOK_MIDPOINT_FILL_H
#define OTOK_MIDPOINT_FILL_H

#include "plan.h"

#include <stddef.h>

/* The sown height of this point, or NaN. */
OTOK_FN float otok_midpoint_sown(const float *table, const otok_midpoint_fill *l, int depth, int u,
                                 int v)
{
    const int finer = l->sown_depth - depth;
    if (finer < 0) return NAN;
    return table[l->sown + (ptrdiff_t)(v << finer) * ((1 << l->sown_depth) + 1) + (u << finer)];
}

/* The height of point (u, v) of this depth: the mean of its neighbours plus a random part. The four
   corners are depth 0. A sown point keeps its sown height. */
OTOK_FN float otok_midpoint_height(const uint32_t seed[2], const float *table,
                                   const otok_midpoint_fill *l, int depth, int u, int v, float mean)
{
    const float sown = otok_midpoint_sown(table, l, depth, u, v);
    const int wrap = l->tile ? (1 << depth) - 1 : -1; /* opposite borders are the same points */
    const float random = otok_midpoint_random(seed, l->stream, depth, u & wrap, v & wrap,
                                              l->low[depth], l->span[depth]);
    return (sown == sown ? sown : mean + random) + 0.0f;
}

/* The positions of the neighbours of a point, as offsets from it. */
typedef struct otok_midpoint_neighbours {
    ptrdiff_t left, right, bottom, top;
} otok_midpoint_neighbours;

/* The mean of the neighbours of the centre of a diamond (M13 section 3.1). A neighbour outside the
   lattice is left out. */
OTOK_FN float otok_midpoint_diamond_mean(const otok_midpoint_fill *l, const float *at,
                                         otok_midpoint_neighbours to, int depth, int u, int v)
{
    const int last = 1 << depth;
    if (l->midpoint)
        return u % 2 ? 0.5f * (at[to.left] + at[to.right]) : 0.5f * (at[to.bottom] + at[to.top]);
    otok_four f;
    f.left = u > 0 || l->tile ? at[to.left] : 0.0f;
    f.right = u < last || l->tile ? at[to.right] : 0.0f;
    f.bottom = v > 0 || l->tile ? at[to.bottom] : 0.0f;
    f.top = v < last || l->tile ? at[to.top] : 0.0f;
    const int inside = u > 0 && u < last && v > 0 && v < last;
    return otok_midpoint_diamond(f, inside || l->tile ? 4 : 3);
}

/* The mean of the neighbours of point (u, v) of this depth, in the map of the finest depth. */
OTOK_FN float otok_midpoint_mean(const otok_midpoint_fill *l, const float *map, int depth, int u,
                                 int v)
{
    const int step = 1 << (l->levels - depth), last = 1 << depth;
    const ptrdiff_t side = ((ptrdiff_t)1 << l->levels) + 1;
    const float *at = map + (ptrdiff_t)v * step * side + (ptrdiff_t)u * step;
    const ptrdiff_t x = step, y = step * side,
                    back =
                        last - 1; /* from a border to the last point before the opposite border */
    if (u % 2 && v % 2) return otok_midpoint_square(at[-y - x], at[-y + x], at[y - x], at[y + x]);
    otok_midpoint_neighbours to;
    to.left = u > 0 ? -x : back * x;
    to.right = u < last ? x : -back * x;
    to.bottom = v > 0 ? -y : back * y;
    to.top = v < last ? y : -back * y;
    return otok_midpoint_diamond_mean(l, at, to, depth, u, v);
}

/* The steps of a lattice: its corners, then for every depth from 1 all square centres and all
   diamond centres. The points of a step do not depend on each other. They are numbered (a, b) with
   a < nx, b < ny; a few of these numbers have no point. */
typedef struct otok_midpoint_step {
    int depth, squares, nx, ny;
} otok_midpoint_step;

OTOK_FN otok_midpoint_step otok_midpoint_step_at(int n)
{
    otok_midpoint_step s;
    s.depth = (n + 1) / 2;
    s.squares = n % 2;
    const int half = s.depth ? 1 << (s.depth - 1) : 1;
    s.nx = s.squares ? half : half + 1;
    s.ny = s.squares ? half : 2 * half + 1 - (s.depth == 0);
    return s;
}

OTOK_FN void otok_midpoint_make(const otok_base_plan *plan, const otok_midpoint_fill *l, float *map,
                                otok_midpoint_step s, int a, int b)
{
    const int u = s.depth ? 2 * a + (s.squares || b % 2 == 0) : a, v = s.squares ? 2 * b + 1 : b;
    const ptrdiff_t side = ((ptrdiff_t)1 << l->levels) + 1;
    const int shift = l->levels - s.depth;
    if (u > 1 << s.depth) return;
    map[((ptrdiff_t)v << shift) * side + ((ptrdiff_t)u << shift)] =
        otok_midpoint_height(plan->seed, plan->table, l, s.depth, u, v,
                             s.depth ? otok_midpoint_mean(l, map, s.depth, u, v) : 0.0f);
}

#endif
