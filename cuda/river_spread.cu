/* river_spread.cu: see core/river_spread.h. Sums stand in RIVER_LOW and RIVER_ROUND, the cells that
   have not given yet in RIVER_PASS. */
#include "core/river_spread.h"
#include "river_areas.cuh"

static __device__ inline void begin_spread(const otok_view &v, int, otok_incision_coefficients k)
{
    walk(v, [&](otok_spot, ptrdiff_t at) {
        rain::put(v, rain::HERE, at, rain::own(v, at, k));
        otok_numbers(&v, OTOK_RIVER_PASS)[at] = otok_numbers(&v, OTOK_RIVER_HOOK)[at] = 0;
    });
}

static __device__ inline void count_givers(const otok_view &v, int rows)
{
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        const uint32_t ways = otok_naturals(&v, OTOK_RIVER_AREA)[at];
        for (int q = 0; ways >> q; q++)
            if (ways >> q & 1)
                atomicAdd(otok_numbers(&v, OTOK_RIVER_PASS) + otok_way_to(&v, s, q, rows & WRAPS),
                          1);
    });
}

/* Those to which none gives, in another buffer, because numbers fall meanwhile. */
static __device__ inline void mark_first(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) {
        otok_numbers(&v, OTOK_RIVER_EXIT)[at] = !otok_numbers(&v, OTOK_RIVER_PASS)[at];
    });
}

/* From these down. Who gives last to a cell goes on there, with those that wait in a list of its
   own: places + 1 in RIVER_HOOK. */
static __device__ inline void spread_down(const otok_view &v, int rows,
                                          otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    int *left = otok_numbers(&v, OTOK_RIVER_PASS), *after = otok_numbers(&v, OTOK_RIVER_HOOK);
    walk(v, [&](otok_spot, ptrdiff_t at) {
        for (int first = otok_numbers(&v, OTOK_RIVER_EXIT)[at] ? (int)at + 1 : 0; first;) {
            const ptrdiff_t from = first - 1;
            const otok_spread parts =
                otok_spread_of(&v, from, rain::get(v, rain::HERE, from), r, k.spread);
            first = after[from];
            for (int q = 0; parts.ways >> q; q++) {
                if (!(parts.ways >> q & 1)) continue;
                const ptrdiff_t to = otok_way_to(&v, otok_spot_of(&v, from), q, r.wraps);
                rain::add(v, rain::HERE, to, parts.parts[q]);
                __threadfence();
                if (atomicAdd(left + to, -1) != 1) continue;
                __threadfence();
                after[to] = first;
                first = (int)to + 1;
            }
        }
    });
}

static __device__ inline void end_spread(const otok_view &v, int, otok_incision_coefficients k)
{
    walk(v, [&](otok_spot, ptrdiff_t at) { rain::end(v, at, rain::get(v, rain::HERE, at), k); });
}

struct spreads {
    enum { SIDES = OTOK_PERIODIC };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        typedef otok_incision_coefficients part;
        run.template by_tiles<begin_spread, part>();
        run.template by_tiles<count_givers>();
        run.template by_tiles<mark_first>();
        run.template by_tiles<spread_down, part>();
        run.template by_tiles<end_spread, part>();
        run.template by_tiles<clear<false>>();
    }
};

otok_launcher *const otok_cuda_river_spreads = go<spreads>;
