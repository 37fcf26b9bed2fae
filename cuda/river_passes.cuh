/* river_passes.cuh: passes between basins, and the lowest of each part of their tree: first in
   tiles, in shared memory, then, in rounds, along the rim; see core/routing.h and core/river_rim.h.
   Where a tile has too many pairs of basins, the rim has its cells. */
#ifndef OTOK_RIVER_PASSES_CUH
#define OTOK_RIVER_PASSES_CUH

#include "core/river_rim.h"
#include "river_work.cuh"

enum { PROBES = 8 };

/* Notes a pass between two basins in a table of so many slots. 0: there is no room. */
static __device__ inline int note_pass(unsigned long long *pairs, unsigned long long *keys,
                                       unsigned slots, int a, int b, unsigned long long key)
{
    const unsigned long long pair =
        a < b ? (unsigned long long)a << 32 | b : (unsigned long long)b << 32 | a;
    const uint32_t mixed = otok_mixed((uint32_t)pair ^ (uint32_t)(pair >> 32) * 0x9e3779b9u);
    unsigned slot = (unsigned)((uint64_t)mixed * slots >> 32);
    for (int probe = 0; probe < PROBES; probe++, slot = slot + 1 < slots ? slot + 1 : 0) {
        const unsigned long long was = atomicCAS(pairs + slot, 0ull, pair);
        if (was && was != pair) continue;
        if (key < keys[slot]) atomicMin(keys + slot, key);
        return 1;
    }
    return 0;
}

/* What is known of the cells of a tile, and of those around it: basins, or that there is no cell or
   a wall, and the orders of their heights. */
enum { AROUND = OTOK_RIVER_TILE + 2, NO_CELL = -1, IN_WALL = -2 };
struct surroundings {
    int basins[AROUND * AROUND];
    uint32_t orders[AROUND * AROUND];
};

static __device__ inline void look_at_tile(surroundings &near, const otok_view &v, otok_tile t,
                                           otok_routing r)
{
    for (int n = thread_of(); n < AROUND * AROUND; n += BLOCK) {
        const int i = t.x0 + n % AROUND - 1, j = t.y0 + n / AROUND - 1;
        if (i > t.x0 + t.nx || j > t.y0 + t.ny) continue;
        const otok_spot s = {otok_beside(i, v.nx, 1), otok_beside(j, v.ny, 1)};
        const ptrdiff_t at = s.j * v.pitch + s.i;
        const bool none = (s.i != i && !(r.wraps >> OTOK_LEFT & 1)) ||
                          (s.j != j && !(r.wraps >> OTOK_BOTTOM & 1));
        near.basins[n] = none                   ? NO_CELL
                         : otok_is_wall(&v, at) ? IN_WALL
                                                : otok_numbers(&v, OTOK_RIVER_BASIN)[at];
        near.orders[n] = otok_height_order(otok_river_height(&v, at, r.sea));
    }
    __syncthreads();
}

/* Notes the passes of a cell that lead to later cells or out of the tile, so that the tile has each
   of its cells' once. 0: there is no room. */
static __device__ inline int note_passes(const surroundings &near, const otok_view &v, otok_tile t,
                                         otok_routing r, otok_spot s, unsigned long long *pairs,
                                         unsigned long long *keys)
{
    const int at = (s.j - t.y0 + 1) * AROUND + s.i - t.x0 + 1, basin = near.basins[at];
    for (int q = 0; q < OTOK_WAYS && basin >= 0; q++) {
        const int x = otok_way_x(q), y = otok_way_y(q), to = at + y * AROUND + x,
                  other = near.basins[to];
        if (other == basin || other < 0 || (q < 4 && otok_tile_has(t, s.i + x, s.j + y)) ||
            (near.basins[at + x] == IN_WALL && near.basins[at + y * AROUND] == IN_WALL))
            continue;
        const uint32_t order =
                           near.orders[at] > near.orders[to] ? near.orders[at] : near.orders[to],
                       hash = otok_pass_of(&v, s, q, q > 3 ? 0 : otok_way_to(&v, s, q, r.wraps),
                                           r.draw);
        if (!note_pass(pairs, keys, (unsigned)(t.nx * t.ny), basin, other,
                       (uint64_t)order << 32 | hash))
            return 0;
    }
    return 1;
}

static __device__ inline void look_everywhere(const otok_view &v, int rows, law k)
{
    __shared__ unsigned long long pairs[OTOK_RIVER_CELLS], keys[OTOK_RIVER_CELLS];
    __shared__ surroundings near;
    const otok_routing r = routing_of(v, rows, k);
    if (!rounds_of(v)[0]) return;
    walk_tiles(v, [&](otok_tile t) {
        const int slots = t.nx * t.ny; /* no more numbers than cells */
        int rim[CELLS], n = 0, full = 0;
        for (int slot = thread_of(); slot < slots; slot += BLOCK) {
            pairs[slot] = 0;
            keys[slot] = UINT64_MAX;
        }
        look_at_tile(near, v, t, r);
        walk_cells(
            t, [&](int, int, otok_spot s) { full |= !note_passes(near, v, t, r, s, pairs, keys); });
        if (__syncthreads_or(full))
            walk_cells(t, [&](int, int, otok_spot s) { n += otok_rim_look(&v, s, 1, r, rim + n); });
        else
            for (int slot = thread_of(); slot < slots; slot += BLOCK) {
                if (!pairs[slot]) continue;
                const uint32_t face = otok_unmixed((uint32_t)keys[slot]) ^ r.draw;
                otok_pass_lower(&v, (int)(pairs[slot] >> 32), keys[slot]);
                otok_pass_lower(&v, (int)(uint32_t)pairs[slot], keys[slot]);
                rim[n++] = (int)(face / 4 * 16 + OTOK_RIM_PAIR + face % 4);
            }
        append(rim_of(v, 1), lengths_of(v) + 1, rim, n);
    });
}

static __device__ inline void look_along_rim(const otok_view &v, int rows, law k)
{
    const otok_routing r = routing_of(v, rows, k);
    const int round = rows >> ROUND_SHIFT;
    if (!rounds_of(v)[round - 1]) return;
    const int length = lengths_of(v)[round - 1];
    for (int n = (int)blockIdx.x * BLOCK; n < length; n += (int)gridDim.x * BLOCK) {
        const int at = n + thread_of();
        int rim = at < length ? rim_of(v, round - 1)[at] : 0;
        const int stays = at < length && otok_rim_again(&v, round, r, &rim);
        append(rim_of(v, round), lengths_of(v) + round, &rim, stays);
    }
}

#endif
