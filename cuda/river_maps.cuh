/* river_maps.cuh: how the change of each cell follows from that of its receiver: maps are composed
   in tiles, then from gate to gate; see core/river_tiles.h. AGAIN: in rounds, of
   core/river_settle.h, until all is settled. */
#ifndef OTOK_RIVER_MAPS_CUH
#define OTOK_RIVER_MAPS_CUH

#include "core/river_settle.h"
#include "river_work.cuh"

template <bool AGAIN>
static __device__ inline void compose_in_tiles(const otok_view &v, int rows, law k)
{
    __shared__ short up[OTOK_RIVER_CELLS];
    __shared__ otok_incision_map maps[OTOK_RIVER_CELLS];
    const otok_routing r = routing_of(v, rows, k);
    if (has_ended<AGAIN>(v)) return;
    walk_tiles(v, [&](otok_tile t) {
        otok_incision_map mine[CELLS];
        begin_ways(v, t, up);
        walk_cells(t, [&](int, int n, otok_spot s) {
            maps[n] = AGAIN ? otok_settle_map(&v, s, r, k) : otok_cell_map(&v, s, r);
        });
        __syncthreads();
        follow(
            up, [&](int q, int n, int to) { mine[q] = otok_incision_joined(maps[n], maps[to]); },
            [&](int q, int n, int) { maps[n] = mine[q]; });
        walk_cells(t,
                   [&](int, int n, otok_spot s) { otok_cell_composed(&v, t, s, ~up[n], maps[n]); });
    });
}

template <bool AGAIN> static __device__ inline void begin_gates(const otok_view &v, int)
{
    if (has_ended<AGAIN>(v)) return;
    walk_gates(v, [&](otok_tile t, int n, ptrdiff_t) {
        if (otok_gate_begin(&v, t, n)) note(rounds_of(v));
    });
}

/* The way of each gate twice, so that its map comes back to where it was; if pair n of rounds did
   not find all ends, there is another one. */
template <int BACK> static __device__ inline void double_gates(const otok_view &v, int rows)
{
    const int pair = rows >> ROUND_SHIFT;
    if (!rounds_of(v)[pair]) return;
    walk_gates(v, [&](otok_tile, int, ptrdiff_t at) {
        if (otok_gate_double(&v, at, BACK) && BACK) note(rounds_of(v) + pair + 1);
    });
}

struct gates_doubled {
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        for (int pair = 0; pair <= run.rounds / 2 && !run.has_ended(pair); pair++) {
            run.template by_lists<double_gates<0>>(pair);
            run.template by_lists<double_gates<1>>(pair);
        }
    }
};

OTOK_ORDER template <bool AGAIN, typename RUN>
static __host__ __device__ inline void compose(RUN &run)
{
    run.template by_tiles<compose_in_tiles<AGAIN>, law>();
    run.template by_tiles<begin_gates<AGAIN>>();
    run.template together<gates_doubled>();
}

#endif
