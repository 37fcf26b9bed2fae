/* river_settle.cu: see core/river_settle.h. How many rounds there are shows on the device alone, so
   as many are launched as there may be, and those after the last one return at once. */
#include "river_areas.cuh"
#include "river_maps.cuh"

struct load : wide {
    static __device__ bool ended(const otok_view &v)
    {
        return has_ended<true>(v);
    }
    static __device__ sum own(const otok_view &v, ptrdiff_t at, otok_incision_coefficients k)
    {
        return otok_load_units(&v, at, k.lakes);
    }
    static __device__ void end(const otok_view &v, ptrdiff_t at, sum all,
                               otok_incision_coefficients k)
    {
        otok_load_put(&v, at, all, k.lakes);
    }
};

static __device__ inline void begin_rounds(const otok_view &v, int)
{
    if (blockIdx.x == 0 && thread_of() < 5) totals_of(v)[thread_of()] = 0;
    if (blockIdx.x == 0 && thread_of() == 0) clear_rounds(v);
    walk(v, [&](otok_spot, ptrdiff_t at) { otok_settle_begin(&v, at); });
}

static __device__ inline void settle(const otok_view &v, int)
{
    __shared__ unsigned long long sums[2];
    uint64_t all = 0, more = 0;
    if (has_ended<true>(v)) return;
    if (thread_of() < 2) sums[thread_of()] = 0;
    walk(v, [&](otok_spot, ptrdiff_t at) { more += otok_cell_settle(&v, at, &all); });
    __syncthreads();
    atomicAdd(sums, (unsigned long long)more);
    atomicAdd(sums + 1, (unsigned long long)all);
    __syncthreads();
    if (thread_of() < 2) {
        uint32_t *words = totals_of(v) + 2 * thread_of();
        add_words(words, words + 1, sums[thread_of()]);
    }
}

/* By one thread: are rounds at their end? */
static __device__ inline void end_round(const otok_view &v, int rows)
{
    uint32_t *words = totals_of(v);
    if (thread_of() || has_ended<true>(v)) return;
    const uint64_t more = (uint64_t)words[1] << 32 | words[0],
                   all = (uint64_t)words[3] << 32 | words[2];
    words[4] = otok_is_settled(more, all) || rows >> ROUND_SHIFT == OTOK_SETTLE_ROUNDS - 1;
    words[0] = words[1] = words[2] = words[3] = 0;
    clear_rounds(v);
    if (!words[4]) return;
    const otok_sum last = otok_settle_book(more);
    v.sums[OTOK_SUM_RIVER_UNSETTLED].hi += last.hi;
    v.sums[OTOK_SUM_RIVER_UNSETTLED].lo += last.lo;
}

static __device__ inline void end_rounds(const otok_view &v, int)
{
    walk(v,
         [&](otok_spot, ptrdiff_t at) { v.at[OTOK_RIVER_CUT][at] = v.at[OTOK_CHANGE_NEXT][at]; });
}

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
            run.template by_one<end_round>(round);
        }
        run.template by_tiles<end_rounds>();
        run.template by_tiles<clear<false>>();
    }
};

static __device__ inline void river_moves(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking out = {0, 0}, laid = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        otok_cell_cut(&v, at, otok_walk_phase(v, w, at));
        const float was = v.at[OTOK_TERRAIN_CHANGE][at], is = v.at[OTOK_CHANGE_NEXT][at];
        otok_booking_add(out, was);
        otok_booking_add(out, is, -1);
        otok_booking_risen(laid, was, is, 1);
    }
    otok_book(v.sums + OTOK_SUM_RIVER_OUT, out);
    otok_book(v.sums + OTOK_SUM_RIVER_LAID, laid);
}

otok_launcher *const otok_cuda_river_settles = go<settles>;
otok_launcher *const otok_cuda_river_moves = otok_start<river_moves>;
