/* river_cuts.cu: how rivers cut: the change of each cell follows from that of its receiver. Maps
   are composed in tiles, then from gate to gate; see core/river_tiles.h. */
#include "rivers.cuh"

static __device__ inline void compose_in_tiles(const otok_view &v, int rows,
                                               otok_incision_coefficients k)
{
    __shared__ short up[OTOK_RIVER_CELLS];
    __shared__ otok_incision_map maps[OTOK_RIVER_CELLS];
    const otok_routing r = routing_of(v, rows, k);
    walk_tiles(v, [&](otok_tile t) {
        otok_incision_map mine[CELLS];
        begin_ways(v, t, up);
        walk_cells(t, [&](int, int n, otok_spot s) { maps[n] = otok_cell_map(&v, s, r.sea); });
        __syncthreads();
        follow(
            up, [&](int q, int n, int to) { mine[q] = otok_incision_joined(maps[n], maps[to]); },
            [&](int q, int n, int) { maps[n] = mine[q]; });
        walk_cells(t,
                   [&](int, int n, otok_spot s) { otok_cell_composed(&v, t, s, ~up[n], maps[n]); });
    });
}

static __device__ inline void begin_gates(const otok_view &v, int)
{
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

static __device__ inline void incise(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) { otok_cell_incise(&v, at); });
}

static cudaError_t cut(const otok_launch *launch)
{
    launches all = begin(launch);
    start<compose_in_tiles, otok_incision_coefficients>(&all, all.tiles, 0);
    start<begin_gates>(&all, all.tiles, 0);
    for (int pair = 0; pair <= all.rounds / 2; pair++) {
        start<double_gates<0>>(&all, all.list, pair);
        start<double_gates<1>>(&all, all.list, pair);
    }
    start<incise>(&all, all.tiles, 0);
    start<clear<false>>(&all, all.tiles, 0);
    return all.error;
}

otok_launcher *const otok_cuda_river_cuts = cut;
