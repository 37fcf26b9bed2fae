/* river_rim.h: the rim, a list of the passes between parts of the tree of basins (routing.h) that
   rounds look at; it gets shorter from round to round. It has of each cell the lowest pass or, by
   tiles, of each pair of basins (cuda/river_passes.cuh). What a pass of a cell or a pair is, it
   stays until both sides are of one part, for fewer passes are left then, and no new ones. A number
   of the rim is the exit of a cell, or that of the face of a pair, with its way less 4, and PAIR.
 */
#ifndef OTOK_RIVER_RIM_H
#define OTOK_RIVER_RIM_H

#include "atomics.h"
#include "routing.h"

enum { OTOK_RIM_PAIR = 8 };

/* The face between a cell and its neighbour that way: the same number from both sides, mixed. */
OTOK_FN uint32_t otok_pass_of(const otok_view *v, otok_spot s, int q, ptrdiff_t to, uint32_t draw)
{
    const uint32_t face = q > 3 ? 4 * otok_cell_of(v, s) + (uint32_t)q - 4
                                : 4 * otok_cell_of(v, otok_spot_of(v, to)) + 3 - (uint32_t)q;
    return otok_mixed(face ^ draw);
}

/* The height of a pass in its order, and then its face, as one number: the lowest pass has the
 * least.
 */
OTOK_FN uint64_t otok_pass_key(const otok_view *v, otok_spot s, int q, ptrdiff_t to, otok_routing r)
{
    return (uint64_t)otok_pass_order(v, s.j * v->pitch + s.i, to, r.sea) << 32 |
           otok_pass_of(v, s, q, to, r.draw);
}

/* The part of a cell, which in the first round is its basin. */
OTOK_FN int otok_rim_part(const otok_view *v, int round, ptrdiff_t at)
{
    return round == 1 ? otok_numbers(v, OTOK_RIVER_BASIN)[at] : otok_part_of(v, at);
}

/* Lowers the pass of a part to this one, if it is lower; the outside has none. */
OTOK_FN void otok_pass_lower(const otok_view *v, int part, uint64_t key)
{
    if (part) otok_atomic_lower(otok_lowest_of(v, part - 1), key);
}

/* Looks for the lowest pass of a cell to another part, for the rim. 0: it has none. */
OTOK_FN int otok_rim_look(const otok_view *v, otok_spot s, int round, otok_routing r, int *rim)
{
    const ptrdiff_t at = s.j * v->pitch + s.i;
    const int part = otok_is_wall(v, at) ? 0 : otok_rim_part(v, round, at);
    uint64_t least = UINT64_MAX;
    int way = 0;
    for (int q = 0; part && q < OTOK_WAYS; q++) {
        const ptrdiff_t to = otok_way_to(v, s, q, r.wraps);
        if (to < 0 || otok_rim_part(v, round, to) == part ||
            otok_pass_order(v, at, to, r.sea) > least >> 32)
            continue;
        const uint64_t key = otok_pass_key(v, s, q, to, r);
        way = key < least ? q : way;
        least = key < least ? key : least;
    }
    if (least == UINT64_MAX) return 0;
    otok_pass_lower(v, part, least);
    *rim = (int)otok_exit_of(v, s, way);
    return 1;
}

/* A pass of the rim in a later round. 1: it stays, or another one of the cell. */
OTOK_FN int otok_rim_again(const otok_view *v, int round, otok_routing r, int *rim)
{
    const otok_spot s = otok_spot_in(v, (uint32_t)*rim / 16);
    const int is_pair = *rim & OTOK_RIM_PAIR, way = is_pair ? 4 + (*rim & 3) : *rim & 15;
    const ptrdiff_t to = otok_way_to(v, s, way, r.wraps);
    const int part = otok_part_of(v, s.j * v->pitch + s.i), other = otok_part_of(v, to);
    if (part == other) return is_pair ? 0 : otok_rim_look(v, s, round, r, rim);
    const uint64_t key = otok_pass_key(v, s, way, to, r);
    otok_pass_lower(v, part, key);
    if (is_pair) otok_pass_lower(v, other, key);
    return is_pair || part;
}

#endif
