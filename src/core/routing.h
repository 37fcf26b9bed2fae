/* routing.h: where each cell drains, for the loops and kernels of the global stage ROUTING.
   A cell drains to a lower neighbour. A cell without one, in a hollow or on a flat, is a pit; the
   cells that drain to it are its basin. Basins are joined over their lowest passes to those beside
   them, until all drain to the sea or over an open side: a minimum spanning tree of the basins,
   with "outside" as one of them (Cordonnier et al. 2019). Each pass has a key of its own, its
   height and then a hash of the face, so there is one such tree, whatever joins it. Then the way
   from each pass to its pit turns round. Basins that nothing joins to the outside drain to the
   lowest of their pits.
   A hollow may be a lake. Its level is that of the highest pass on its way out along the tree, the
   lowest that water finds (a minimum spanning tree has the lowest highest passes). Cells below it
   are its bed; the receivers are the same.
   The tree is found in rounds (Boruvka 1926): each part of it that is not outside hooks on over its
   lowest pass. The pass of a part may be in another of its basins than its root's, so the hooks
   between turn round, from the last round back. */
#ifndef OTOK_ROUTING_H
#define OTOK_ROUTING_H

#include "../model/incision.h"
#include "atomics.h"
#include "neighbours.h"
#include "state.h"
#include "walls.h"

/* Numbers of cells are their places in a buffer + 1; 0: outside. */
enum { OTOK_ROUNDS = 30, OTOK_LAST_ROUND = OTOK_ROUNDS + 1, OTOK_PASSES = 1 << 28 };

/* What routing has to know besides the ground: bits for the sides over which rivers leave and for
   those that wrap. */
typedef struct otok_routing {
    int drains, wraps, random, lakes;
    uint32_t draw;
    float sea;
} otok_routing;

/* The sides of a kind, such as OTOK_OPEN, as bits. */
OTOK_FN int otok_sides_of(const int *edges, int kind)
{
    int sides = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        sides |= (edges[side] == kind) << side;
    return sides;
}

OTOK_FN otok_routing otok_routing_of(const otok_step *step, otok_incision_coefficients k, int wraps)
{
    const otok_routing r = {step->drains, wraps, k.random, k.lakes, step->draw, step->sea};
    return r;
}

/* A cell by its column and row. */
typedef struct otok_spot {
    int i, j;
} otok_spot;

OTOK_FN otok_spot otok_spot_of(const otok_view *v, ptrdiff_t at)
{
    const int pitch = (int)v->pitch;
    const otok_spot s = {(int)at % pitch, (int)at / pitch};
    return s;
}

OTOK_FN int otok_is_wall(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_WALLS] && v->at[OTOK_WALLS][at] == OTOK_IN_WALL;
}

/* The cell that lies that way, which is in the grid if sides wrap. */
OTOK_FN otok_spot otok_spot_to(const otok_view *v, otok_spot s, int q)
{
    const otok_spot to = {otok_beside(s.i + otok_way_x(q), v->nx, 1),
                          otok_beside(s.j + otok_way_y(q), v->ny, 1)};
    return to;
}

/* The place of the cell that lies that way from a cell; -1: there is none. Nothing passes between
   two walls that touch at a corner. */
OTOK_FN ptrdiff_t otok_way_to(const otok_view *v, otok_spot s, int q, int wraps)
{
    if (s.i > 0 && s.j > 0 && s.i < v->nx - 1 && s.j < v->ny - 1 && !v->at[OTOK_WALLS])
        return (s.j + otok_way_y(q)) * v->pitch + s.i + otok_way_x(q);
    const otok_spot to = otok_spot_to(v, s, q);
    const int x = to.i, y = to.j;
    if ((x != s.i + otok_way_x(q) && !(wraps >> OTOK_LEFT & 1)) ||
        (y != s.j + otok_way_y(q) && !(wraps >> OTOK_BOTTOM & 1)))
        return -1;
    const ptrdiff_t at = y * v->pitch + x;
    if (!v->at[OTOK_WALLS]) return at;
    const int corner = otok_is_wall(v, s.j * v->pitch + x) && otok_is_wall(v, y * v->pitch + s.i);
    return otok_is_wall(v, at) || corner ? -1 : at;
}

OTOK_FN float otok_river_ground(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_TERRAIN_BASE][at] + v->at[OTOK_TERRAIN_CHANGE][at];
}

/* The height to which a neighbour drains: the ground, or the sea above it. */
OTOK_FN float otok_river_height(const otok_view *v, ptrdiff_t at, float sea)
{
    const float h = otok_river_ground(v, at);
    return h > sea ? h : sea;
}

/* Is the cell at a side among these bits of the whole grid? */
OTOK_FN int otok_is_at_sides(const otok_view *v, int i, int j, int sides)
{
    const int x = v->x0 + i, y = otok_row_of(v, j);
    return (x == 0 && sides >> OTOK_LEFT & 1) ||
           (x == v->global_nx - 1 && sides >> OTOK_RIGHT & 1) ||
           (y == 0 && sides >> OTOK_BOTTOM & 1) || (y == v->global_ny - 1 && sides >> OTOK_TOP & 1);
}

/* Does what comes to this cell leave? */
OTOK_FN int otok_drains(const otok_view *v, otok_spot s, ptrdiff_t at, otok_routing r)
{
    return !(otok_river_ground(v, at) >= r.sea) || otok_is_at_sides(v, s.i, s.j, r.drains);
}

/* The number of a cell of the whole grid, in rows without gaps, and the way back. */
OTOK_FN uint32_t otok_cell_of(const otok_view *v, otok_spot s)
{
    return (uint32_t)otok_row_of(v, s.j) * (uint32_t)v->global_nx + (uint32_t)(v->x0 + s.i);
}

OTOK_FN otok_spot otok_spot_in(const otok_view *v, uint32_t cell)
{
    const otok_spot s = {(int)(cell % (uint32_t)v->global_nx) - v->x0,
                         (int)(cell / (uint32_t)v->global_nx) - otok_row_of(v, 0)};
    return s;
}

OTOK_FN ptrdiff_t otok_place_of(const otok_view *v, uint32_t cell)
{
    const otok_spot s = otok_spot_in(v, cell);
    return s.j * v->pitch + s.i;
}

/* The way of a cell from the field `receiver`, which has 0 for none, and its new way. */
OTOK_FN int otok_way_of(const otok_view *v, ptrdiff_t at)
{
    const int stored = (int)v->at[OTOK_RECEIVER][at];
    return stored == 0 || otok_is_wall(v, at) ? OTOK_NO_WAY : stored - 1;
}

OTOK_FN void otok_way_put(const otok_view *v, ptrdiff_t at, int way)
{
    v->at[OTOK_RECEIVER][at] = way == OTOK_NO_WAY ? 0.0f : (float)(way + 1);
}

/* The way that a cell drains before basins are joined. What is in walls stays. */
OTOK_FN int otok_first_way(const otok_view *v, otok_spot s, otok_routing r)
{
    const ptrdiff_t at = s.j * v->pitch + s.i;
    float slopes[OTOK_WAYS];
    if (otok_is_wall(v, at) || otok_drains(v, s, at, r)) return OTOK_NO_WAY;
    const float h = otok_river_ground(v, at);
    for (int q = 0; q < OTOK_WAYS; q++) {
        const ptrdiff_t to = otok_way_to(v, s, q, r.wraps);
        const float slope =
            to < 0 ? 0.0f : (h - otok_river_height(v, to, r.sea)) * otok_way_slope(q);
        slopes[q] = slope > 0.0f ? slope : 0.0f;
    }
    return otok_way_down(slopes, r.random,
                         (float)(otok_mixed(~otok_cell_of(v, s) ^ r.draw) >> 8) * 0x1p-24f);
}

/* ---- buffers of integers ---- */

OTOK_FN int *otok_numbers(const otok_view *v, int buffer)
{
    return (int *)v->at[buffer];
}

OTOK_FN uint32_t *otok_naturals(const otok_view *v, int buffer)
{
    return (uint32_t *)v->at[buffer];
}

/* The number of a cell in whose basin or part number n is, by the parents in a buffer. */
OTOK_FN int otok_root_of(const volatile int *parents, int n)
{
    for (int next; n > 0 && n != (next = parents[n - 1]);)
        n = next;
    return n;
}

/* Makes the ways to the roots shorter, while others do the same. One may put back what another had
   made shorter still, so this gives no roots: otok_root_of then has a short way to them. */
OTOK_FN void otok_ways_shorten(volatile int *parents, int n)
{
    int last = n, root = n > 0 ? parents[n - 1] : 0, next;
    if (root == n) return;
    while (root > 0 && root != (next = parents[root - 1])) {
        parents[last - 1] = next;
        last = root;
        root = next;
    }
    parents[n - 1] = root;
}

/* ---- basins ---- */

/* The number that a cell is joined to at first: the place + 1 of its receiver or, in a pit, of
   itself; or outside. When all are joined, pits are numbered from 1 on, in any order, and basins
   have their pits' numbers: what is known of a pit stands in buffers by its number, close together.
 */
OTOK_FN int otok_first_basin(const otok_view *v, otok_spot s, otok_routing r)
{
    const ptrdiff_t at = s.j * v->pitch + s.i;
    const int way = otok_way_of(v, at);
    if (way != OTOK_NO_WAY) return (int)otok_way_to(v, s, way, r.wraps) + 1;
    return otok_is_wall(v, at) || otok_drains(v, s, at, r) ? 0 : (int)at + 1;
}

/* The lowest pass of the part of a pit, found in a round: the order of its height and then its
   hash. Numbers of 64 bits, in RIVER_LOW and, where that ends, in RIVER_PASS. */
OTOK_FN uint64_t *otok_lowest_of(const otok_view *v, ptrdiff_t pit)
{
    const ptrdiff_t half = v->ny * v->pitch / 2, n = pit < half ? pit : pit - half;
    const float *at = pit < half ? v->at[OTOK_RIVER_LOW] : v->at[OTOK_RIVER_PASS];
    return (uint64_t *)((uintptr_t)at & ~(uintptr_t)7) + n;
}

/* A pit becomes a part of its own. */
OTOK_FN void otok_pit_begin(const otok_view *v, ptrdiff_t pit)
{
    otok_numbers(v, OTOK_RIVER_PART)[pit] = (int)pit + 1;
    otok_numbers(v, OTOK_RIVER_ROUND)[pit] = OTOK_LAST_ROUND;
    *otok_lowest_of(v, pit) = UINT64_MAX;
}

/* The part of the tree that a cell belongs to; 0: the outside. */
OTOK_FN int otok_part_of(const otok_view *v, ptrdiff_t at)
{
    const int basin = otok_numbers(v, OTOK_RIVER_BASIN)[at];
    return basin ? otok_numbers(v, OTOK_RIVER_PART)[basin - 1] : 0;
}

/* A cell and a way from it. */
OTOK_FN uint32_t otok_exit_of(const otok_view *v, otok_spot s, int q)
{
    return 16 * otok_cell_of(v, s) + (uint32_t)q;
}

/* The same face from the other side. */
OTOK_FN uint32_t otok_exit_back(const otok_view *v, uint32_t exit, int wraps)
{
    const int q = (int)(exit & 15);
    const otok_spot s = otok_spot_of(v, otok_place_of(v, exit / 16));
    return otok_exit_of(v, otok_spot_of(v, otok_way_to(v, s, q, wraps)), OTOK_WAYS - 1 - q);
}

/* The height of a pass between two cells, in its order. */
OTOK_FN uint32_t otok_pass_order(const otok_view *v, ptrdiff_t at, ptrdiff_t to, float sea)
{
    const uint32_t a = otok_height_order(otok_river_height(v, at, sea)),
                   b = otok_height_order(otok_river_height(v, to, sea));
    return a > b ? a : b;
}

/* After all passes of a round are found: the root of a part hooks on, or stays one. 1: it hooked.
   Of two that have the same pass the smaller one stays. */
OTOK_FN int otok_part_hook(const otok_view *v, ptrdiff_t root, int round, otok_routing r)
{
    const int me = (int)root + 1;
    const uint64_t lowest = *otok_lowest_of(v, root);
    if (otok_numbers(v, OTOK_RIVER_PART)[root] != me || lowest == UINT64_MAX) return 0;
    const uint32_t face = otok_unmixed((uint32_t)lowest) ^ r.draw;
    const otok_spot s = otok_spot_of(v, otok_place_of(v, face / 4));
    uint32_t exit = otok_exit_of(v, s, 4 + (int)(face & 3)),
             back = otok_exit_back(v, exit, r.wraps);
    const int here = otok_part_of(v, otok_place_of(v, exit / 16)),
              there = otok_part_of(v, otok_place_of(v, back / 16)), to = here == me ? there : here;
    if (here != me) exit = back;
    if (to && *otok_lowest_of(v, to - 1) == lowest && me < to) return 0;
    otok_numbers(v, OTOK_RIVER_HOOK)[root] = to;
    otok_naturals(v, OTOK_RIVER_OVER)[root] = otok_naturals(v, OTOK_RIVER_EXIT)[root] = exit;
    otok_numbers(v, OTOK_RIVER_ROUND)[root] = round;
    return 1;
}

/* After the roots of a round have hooked on: the part of a pit, and no pass yet. A root that hooked
   has itself as part until another one is found, so the order of pits does not matter. */
OTOK_FN void otok_part_join(const otok_view *v, ptrdiff_t pit, int round)
{
    volatile int *parts = otok_numbers(v, OTOK_RIVER_PART);
    const int *rounds = otok_numbers(v, OTOK_RIVER_ROUND), *hook = otok_numbers(v, OTOK_RIVER_HOOK);
    int n = (int)pit + 1;
    for (int next; n > 0; n = next) {
        next = parts[n - 1];
        if (next != n) continue;
        if (rounds[n - 1] != round) break;
        next = hook[n - 1];
    }
    parts[pit] = n;
    *otok_lowest_of(v, pit) = UINT64_MAX;
}

/* A pit itself in the order of passes, by which a part that nothing joins to the outside ends in
   its lowest pit. */
OTOK_FN uint64_t otok_pit_order(const otok_view *v, ptrdiff_t place, uint32_t draw)
{
    return (uint64_t)otok_height_order(otok_river_ground(v, place)) << 32 |
           otok_mixed(otok_cell_of(v, otok_spot_of(v, place)) ^ draw);
}

OTOK_FN void otok_part_end(const otok_view *v, ptrdiff_t root, uint32_t draw)
{
    if (otok_numbers(v, OTOK_RIVER_ROUND)[root] == OTOK_LAST_ROUND)
        otok_naturals(v, OTOK_RIVER_EXIT)[root] =
            16 * (otok_unmixed((uint32_t)*otok_lowest_of(v, root)) ^ draw) + OTOK_NO_WAY;
}

/* Turns the hooks of a round round, between the basin that the exit of a part leaves and the root
   of the part, which hooked in a later round. */
OTOK_FN void otok_part_turn(const otok_view *v, ptrdiff_t root, int round, int wraps)
{
    const int *hook = otok_numbers(v, OTOK_RIVER_HOOK), *rounds = otok_numbers(v, OTOK_RIVER_ROUND);
    uint32_t *exits = otok_naturals(v, OTOK_RIVER_EXIT), exit = exits[root];
    if (rounds[root] <= round) return;
    int x = otok_numbers(v, OTOK_RIVER_BASIN)[otok_place_of(v, exit / 16)];
    while (rounds[x - 1] < round)
        x = hook[x - 1];
    while (x - 1 != root) {
        const uint32_t over = otok_naturals(v, OTOK_RIVER_OVER)[x - 1];
        exits[x - 1] = exit;
        exit = otok_exit_back(v, over, wraps);
        x = hook[x - 1];
    }
    exits[root] = exit;
}

/* Turns the way from the exit of a basin to its pit round. */
OTOK_FN void otok_pit_carve(const otok_view *v, ptrdiff_t pit, int wraps)
{
    const uint32_t exit = otok_naturals(v, OTOK_RIVER_EXIT)[pit];
    int way = (int)(exit & 15);
    for (ptrdiff_t at = otok_place_of(v, exit / 16);;) {
        const int was = otok_way_of(v, at);
        otok_way_put(v, at, way);
        if (was == OTOK_NO_WAY) return;
        at = otok_way_to(v, otok_spot_of(v, at), was, wraps);
        way = OTOK_WAYS - 1 - was;
    }
}

/* ---- lakes ---- */

/* Before ways turn round: the pass over which a basin drains, in RIVER_LOW, and the basin behind it
   in RIVER_HOOK; 0: none. A basin that drains nowhere has no lake. */
OTOK_FN void otok_lake_begin(const otok_view *v, ptrdiff_t pit, otok_routing r)
{
    const uint32_t exit = otok_naturals(v, OTOK_RIVER_EXIT)[pit];
    const ptrdiff_t at = otok_place_of(v, exit / 16);
    const int way = (int)(exit & 15), ends = way == OTOK_NO_WAY;
    const ptrdiff_t to = ends ? at : otok_way_to(v, otok_spot_of(v, at), way, r.wraps);
    otok_numbers(v, OTOK_RIVER_HOOK)[pit] = ends ? 0 : otok_numbers(v, OTOK_RIVER_BASIN)[to];
    otok_naturals(v, OTOK_RIVER_LOW)[pit] = otok_pass_order(v, at, to, r.sea);
}

/* The highest pass on the way of a basin, while others do the same: what is read first leads no
   further than what is read then is high. */
OTOK_FN void otok_lake_rise(const otok_view *v, ptrdiff_t pit)
{
    volatile int *next = otok_numbers(v, OTOK_RIVER_HOOK);
    volatile uint32_t *high = otok_naturals(v, OTOK_RIVER_LOW);
    for (int to; (to = next[pit]) > 0;) {
        const int after = next[to - 1];
        otok_fence();
        const uint32_t pass = high[to - 1];
        if (pass > high[pit]) high[pit] = pass;
        otok_fence();
        next[pit] = after;
    }
}

/* When RIVER_LOW has the highest pass of each basin: the depth of the lake over a cell. */
OTOK_FN void otok_lake_put(const otok_view *v, ptrdiff_t at)
{
    const int basin = otok_numbers(v, OTOK_RIVER_BASIN)[at];
    const float level =
        basin ? otok_ordered_height(otok_naturals(v, OTOK_RIVER_LOW)[basin - 1]) : -INFINITY;
    v->at[OTOK_RIVER_LAKE][at] = otok_positive(level - otok_river_ground(v, at));
}

OTOK_FN float otok_lake_depth(const otok_view *v, ptrdiff_t at, int lakes)
{
    return lakes ? v->at[OTOK_RIVER_LAKE][at] : 0.0f;
}

/* The height that a river meets: the ground, or the lake or the sea above it. */
OTOK_FN float otok_river_meets(const otok_view *v, ptrdiff_t at, otok_routing r)
{
    const float h = otok_river_ground(v, at) + otok_lake_depth(v, at, r.lakes);
    return h > r.sea ? h : r.sea;
}

#endif
