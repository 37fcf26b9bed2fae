/* river_spread.cu: see core/river_spread.h. Sums are those of `wide` (river_areas.cuh), and cells
   that have not given yet count themselves. */
#include "core/river_spread.h"
#include "river_areas.cuh"

static RIVER_CELLS(begin_spread, {
    rain::begin(v, at, rain::own(v, at, k));
    otok_numbers(&v, OTOK_RIVER_HOOK)[at] = 0;
});

static RIVER_CELLS(count_givers, {
    const uint32_t ways = otok_naturals(&v, OTOK_RIVER_AREA)[at];
    for (int q = 0; ways >> q; q++)
        if (ways >> q & 1) rain::wait(v, otok_way_to(&v, s, q, r.wraps));
});

/* From each down, if it is the last to give to itself. Who gives last to a cell goes on there,
   with those that wait in a list of its own: places + 1 in RIVER_HOOK. */
static RIVER_CELLS(spread_down, {
    int *left = rain::left(v), *after = otok_numbers(&v, OTOK_RIVER_HOOK);
    int first = atomicAdd(left + at, -1) == 1 ? (int)at + 1 : 0;
    __threadfence();
    while (first) {
        const ptrdiff_t from = first - 1;
        const otok_spread parts = otok_spread_of(&v, from, rain::gathered(v, from), r, k.spread);
        first = after[from];
        for (int q = 0; parts.ways >> q; q++) {
            if (!(parts.ways >> q & 1)) continue;
            const ptrdiff_t to = otok_way_to(&v, otok_spot_of(&v, from), q, r.wraps);
            rain::add(v, to, parts.parts[q]);
            __threadfence();
            if (atomicAdd(left + to, -1) != 1) continue;
            __threadfence();
            after[to] = first;
            first = (int)to + 1;
        }
    }
});

static RIVER_CELLS(end_spread, rain::end(v, at, rain::gathered(v, at), k));

struct spreads {
    enum { SIDES = OTOK_PERIODIC };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        run.template by_tiles<begin_spread, law>();
        run.template by_tiles<count_givers, law>();
        run.template by_tiles<spread_down, law>();
        run.template by_tiles<end_spread, law>();
        run.template by_tiles<clear<false>>();
    }
};

otok_launcher *const otok_cuda_river_spreads = go<spreads>;
