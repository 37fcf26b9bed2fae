/* river_tiles.h: rivers in tiles of 32 x 32 cells, which begin at the first cell of a patch. Within
   a tile a river is followed to its last cell there; from tile to tile it is followed from gate to
   gate. A gate is a cell at the border of a tile. What is known of a gate stands in the first cells
   of its tile, so it lies together in memory and needs no buffer of its own. (Barnes 2017 routes in
   tiles.) The solution of incision is composed in this order, so tiles are part of its bits. */
#ifndef OTOK_RIVER_TILES_H
#define OTOK_RIVER_TILES_H

#include "routing.h"

enum { OTOK_RIVER_TILE = 32, OTOK_RIVER_CELLS = OTOK_RIVER_TILE * OTOK_RIVER_TILE };

/* Goes on to the receiver of a cell; 0: it has none. */
OTOK_FN int otok_spot_drains(const otok_view *v, otok_spot *s)
{
    const int way = otok_way_of(v, s->j * v->pitch + s->i);
    if (way == OTOK_NO_WAY) return 0;
    *s = otok_spot_to(v, *s, way);
    return 1;
}

/* Is it the last cell of a lake? */
OTOK_FN int otok_is_outlet(const otok_view *v, otok_spot s, int lakes)
{
    otok_spot to = s;
    return otok_lake_depth(v, s.j * v->pitch + s.i, lakes) > 0.0f && otok_spot_drains(v, &to) &&
           !(otok_lake_depth(v, to.j * v->pitch + to.i, lakes) > 0.0f);
}

/* The first cell of a tile, its columns and its rows. */
typedef struct otok_tile {
    int x0, y0, nx, ny;
} otok_tile;

/* The tile in which a cell is. */
OTOK_FN otok_tile otok_tile_of(const otok_view *v, otok_spot s)
{
    otok_tile t = {s.i & -OTOK_RIVER_TILE, s.j & -OTOK_RIVER_TILE, OTOK_RIVER_TILE,
                   OTOK_RIVER_TILE};
    if (v->nx - t.x0 < t.nx) t.nx = v->nx - t.x0;
    if (v->ny - t.y0 < t.ny) t.ny = v->ny - t.y0;
    return t;
}

/* Cell n of a tile, in rows of OTOK_RIVER_TILE; those beyond the patch are not in it. */
OTOK_FN otok_spot otok_tile_spot(otok_tile t, int n)
{
    const otok_spot s = {t.x0 + n % OTOK_RIVER_TILE, t.y0 + n / OTOK_RIVER_TILE};
    return s;
}

OTOK_FN int otok_tile_has(otok_tile t, int i, int j)
{
    return i >= t.x0 && j >= t.y0 && i < t.x0 + t.nx && j < t.y0 + t.ny;
}

OTOK_FN int otok_tile_index(otok_tile t, int i, int j)
{
    return (j - t.y0) * OTOK_RIVER_TILE + i - t.x0;
}

/* The receiver of a cell in its tile, or ~n of the cell itself, n, if its river ends or leaves the
   tile there. Ways that wrap leave it. */
OTOK_FN int otok_tile_next(const otok_view *v, otok_tile t, otok_spot s)
{
    const int way = otok_way_of(v, s.j * v->pitch + s.i);
    const int i = s.i + otok_way_x(way), j = s.j + otok_way_y(way);
    return way != OTOK_NO_WAY && otok_tile_has(t, i, j) ? otok_tile_index(t, i, j)
                                                        : ~otok_tile_index(t, s.i, s.j);
}

/* ---- gates ---- */

OTOK_FN int otok_gates_of(otok_tile t)
{
    return t.nx < 2 || t.ny < 2 ? t.nx * t.ny : 2 * (t.nx + t.ny) - 4;
}

/* Gate n of a tile: along the bottom, along the top, then up the left and the right side. */
OTOK_FN otok_spot otok_gate_spot(otok_tile t, int n)
{
    const int up = n - 2 * t.nx, right = up >= t.ny - 2;
    const otok_spot along = {t.x0 + (n < t.nx ? n : n - t.nx), t.y0 + (n < t.nx ? 0 : t.ny - 1)},
                    beside = {right ? t.x0 + t.nx - 1 : t.x0,
                              t.y0 + 1 + (right ? up - (t.ny - 2) : up)};
    return up < 0 ? along : beside;
}

OTOK_FN int otok_is_gate(otok_tile t, otok_spot s)
{
    return s.i == t.x0 || s.j == t.y0 || s.i == t.x0 + t.nx - 1 || s.j == t.y0 + t.ny - 1;
}

/* Where it stands what is known of gate n. */
OTOK_FN ptrdiff_t otok_gate_place(const otok_view *v, otok_tile t, int n)
{
    const int row = t.nx == OTOK_RIVER_TILE ? n / OTOK_RIVER_TILE : n / t.nx;
    return (t.y0 + row) * v->pitch + t.x0 + n - row * t.nx;
}

/* The same of a cell that is a gate. */
OTOK_FN ptrdiff_t otok_gate_of(const otok_view *v, otok_spot s)
{
    const otok_tile t = otok_tile_of(v, s);
    const int x = s.i - t.x0, y = s.j - t.y0;
    const int n = y == 0          ? x
                  : y == t.ny - 1 ? t.nx + x
                                  : 2 * t.nx + (x == 0 ? 0 : t.ny - 2) + y - 1;
    return otok_gate_place(v, t, n);
}

/* Does a river leave the tile here? Then `to` is the gate by which it enters another one, or the
   same one if it wraps. */
OTOK_FN int otok_gate_leaves(const otok_view *v, otok_tile t, otok_spot s, otok_spot *to)
{
    *to = s;
    return otok_tile_next(v, t, s) < 0 && otok_spot_drains(v, to);
}

/* What a cell has to know of the last one of its river in the tile: the gate by which it leaves, as
   its place + 1; 0: it does not leave. */
OTOK_FN int otok_gate_after(const otok_view *v, otok_tile t, int last)
{
    const otok_spot s = otok_tile_spot(t, last);
    return otok_way_of(v, s.j * v->pitch + s.i) == OTOK_NO_WAY ? 0 : (int)otok_gate_of(v, s) + 1;
}

/* ---- incision ---- */

/* Does a river of the cell cut? Then `to` is its receiver. The bed of a lake stays. */
OTOK_FN int otok_cell_cuts(const otok_view *v, otok_spot s, int lakes, otok_spot *to)
{
    *to = s;
    return !(otok_lake_depth(v, s.j * v->pitch + s.i, lakes) > 0.0f) && otok_spot_drains(v, to);
}

/* How the change of a cell follows from that of its receiver, with its rate in RIVER_CUT. */
OTOK_FN otok_incision_map otok_cell_map(const otok_view *v, otok_spot s, otok_routing r)
{
    const ptrdiff_t at = s.j * v->pitch + s.i;
    otok_spot to;
    if (!otok_cell_cuts(v, s, r.lakes, &to)) return otok_incision_still();
    return otok_incised(otok_river_ground(v, at), otok_river_meets(v, to.j * v->pitch + to.i, r),
                        v->at[OTOK_RIVER_CUT][at]);
}

/* Of the cells that a stage of cuts knows: the map to the cell by which the river leaves the tile,
   in RIVER_CUT and RIVER_LOW; of the gates by which it does, the map on from the cell behind, in
   RIVER_PASS and RIVER_PART, or, of every second round, in RIVER_EXIT and RIVER_ROUND. */
OTOK_FN otok_incision_map otok_map_get(const otok_view *v, int a, int b, ptrdiff_t at)
{
    const otok_incision_map m = {v->at[a][at], v->at[b][at]};
    return m;
}

OTOK_FN void otok_map_put(const otok_view *v, int a, int b, ptrdiff_t at, otok_incision_map m)
{
    v->at[a][at] = m.a;
    v->at[b][at] = m.b;
}

/* What is known of a cell, with the last cell of its river in the tile. */
OTOK_FN void otok_cell_composed(const otok_view *v, otok_tile t, otok_spot s, int last,
                                otok_incision_map m)
{
    const int gate = otok_gate_after(v, t, last);
    const ptrdiff_t at = s.j * v->pitch + s.i;
    otok_map_put(v, OTOK_RIVER_CUT, OTOK_RIVER_LOW, at, m);
    otok_numbers(v, OTOK_RIVER_BASIN)[at] = gate;
    if (otok_is_gate(t, s)) otok_numbers(v, OTOK_RIVER_HOOK)[otok_gate_of(v, s)] = gate;
}

/* A gate, before the rounds: the map of the cell behind it, and the gate after that. 1: there is
   one. */
OTOK_FN int otok_gate_begin(const otok_view *v, otok_tile t, int n)
{
    const ptrdiff_t at = otok_gate_place(v, t, n);
    otok_spot to;
    const int leaves = otok_gate_leaves(v, t, otok_gate_spot(t, n), &to);
    const int next = leaves ? otok_numbers(v, OTOK_RIVER_HOOK)[otok_gate_of(v, to)] : 0;
    otok_numbers(v, OTOK_RIVER_OVER)[at] = next;
    otok_map_put(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, at,
                 leaves ? otok_map_get(v, OTOK_RIVER_CUT, OTOK_RIVER_LOW, to.j * v->pitch + to.i)
                        : otok_incision_still());
    return next > 0;
}

/* A round: the map of each gate, from one set of buffers to the other, goes on by that of the gate
   after it. 1: there is one after that. A gate without one, whose map both sets have, has -1. */
OTOK_FN int otok_gate_double(const otok_view *v, ptrdiff_t at, int back)
{
    const int a = back ? OTOK_RIVER_EXIT : OTOK_RIVER_PASS,
              b = back ? OTOK_RIVER_ROUND : OTOK_RIVER_PART;
    int *next = otok_numbers(v, back ? OTOK_RIVER_HOOK : OTOK_RIVER_OVER),
        *then = otok_numbers(v, back ? OTOK_RIVER_OVER : OTOK_RIVER_HOOK);
    const int to = next[at], after = to > 0 ? next[to - 1] : -1;
    if (to < 0) return 0;
    otok_incision_map m = otok_map_get(v, a, b, at);
    if (to) m = otok_incision_joined(m, otok_map_get(v, a, b, to - 1));
    if (!to) next[at] = -1;
    then[at] = to && after < 0 ? 0 : after;
    otok_map_put(v, back ? OTOK_RIVER_PASS : OTOK_RIVER_EXIT,
                 back ? OTOK_RIVER_PART : OTOK_RIVER_ROUND, at, m);
    return after > 0;
}

/* The change of a cell, when the maps of the gates lead to where rivers end. */
OTOK_FN float otok_cell_change(const otok_view *v, ptrdiff_t at)
{
    const int gate = otok_numbers(v, OTOK_RIVER_BASIN)[at];
    const otok_incision_map m = otok_map_get(v, OTOK_RIVER_CUT, OTOK_RIVER_LOW, at);
    return gate ? otok_incision_moves(m, v->at[OTOK_RIVER_PART][gate - 1]) : m.b;
}

#endif
