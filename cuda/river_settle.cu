/* river_settle.cu: how rivers cut; in rounds, see core/river_settle.h. How many rounds there are
   shows on the device alone, so as many are launched as there may be, and those after the last one
   return at once. */
#include "river_areas.cuh"
#include "river_maps.cuh"

static RIVER_CELLS(incise, v.at[OTOK_RIVER_CUT][at] = otok_cell_change(&v, at));

struct cuts {
    enum { SIDES = OTOK_PERIODIC };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        compose<false>(run);
        run.template by_tiles<incise, law>();
        run.template by_tiles<clear<false>>();
    }
};

struct load : wide {
    enum { AGAIN = 1 };
    static __device__ sum own(const otok_view &v, ptrdiff_t at, law k)
    {
        return otok_load_units(&v, at, k.lakes);
    }
    static __device__ void end(const otok_view &v, ptrdiff_t at, sum all, law k)
    {
        otok_load_put(&v, at, all, k.lakes);
    }
};

static __device__ inline void begin_rounds(const otok_view &v, int)
{
    if (blockIdx.x == 0 && thread_of() < 3) totals_of(v)[thread_of()] = 0;
    if (blockIdx.x == 0 && thread_of() == 0) clear_rounds(v);
    walk(v, [&](otok_spot, ptrdiff_t at) { otok_settle_begin(&v, at); });
}

static __device__ inline void settle(const otok_view &v, int)
{
    uint64_t all = 0, more = 0;
    if (has_ended<true>(v)) return;
    walk(v, [&](otok_spot, ptrdiff_t at) { more += otok_cell_settle(&v, at, &all); });
    otok_block_add(totals_of(v), (int64_t)more);
    otok_block_add(totals_of(v) + 1, (int64_t)all);
}

/* By one thread: are rounds at their end? */
static __device__ inline void end_round(const otok_view &v, int rows)
{
    uint64_t *totals = totals_of(v);
    if (thread_of() || blockIdx.x || has_ended<true>(v)) return;
    const otok_sum last = otok_settle_book(totals[0]);
    totals[2] =
        otok_is_settled(totals[0], totals[1]) || rows >> ROUND_SHIFT == OTOK_SETTLE_ROUNDS - 1;
    totals[0] = totals[1] = 0;
    clear_rounds(v);
    if (!totals[2]) return;
    v.sums[OTOK_SUM_RIVER_UNSETTLED].hi += last.hi;
    v.sums[OTOK_SUM_RIVER_UNSETTLED].lo += last.lo;
}

static RIVER_CELLS(end_rounds, v.at[OTOK_RIVER_CUT][at] = v.at[OTOK_CHANGE_NEXT][at]);

/* Members of a batch may have no deposition: then their load is 0, or does not count. */
struct settles {
    enum { SIDES = OTOK_PERIODIC };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        const bool lays = !run.same() || run.same()->deposition > 0.0f;
        run.template by_tiles<begin_rounds>();
        for (int round = 0; round < OTOK_SETTLE_ROUNDS; round++) {
            if (round > 0 && lays) add_areas<load>(run);
            compose<true>(run);
            run.template by_tiles<settle>();
            run.template by_lists<end_round>(round);
        }
        run.template by_tiles<end_rounds, law>();
        run.template by_tiles<clear<false>>();
    }
};

otok_launcher *const otok_cuda_river_cuts = go<cuts>, *const otok_cuda_river_settles = go<settles>;
