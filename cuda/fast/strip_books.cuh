/* strip_books.cuh: sums over the grid that fused kernels keep (see strip.cuh). */
#ifndef OTOK_STRIP_BOOKS_CUH
#define OTOK_STRIP_BOOKS_CUH

#include "strip.cuh"

/* Converts the values of a row of COUNT fields to integers and adds them. */
template <int COUNT>
static __device__ inline void otok_count(otok_booking (&out)[COUNT],
                                         const float (&v)[COUNT][OTOK_LANE], const otok_frame &g,
                                         const otok_strip &s)
{
    otok_bookings_of(out, v);
    if (g.nx % OTOK_LANE != 0 && s.owned && !s.full) /* not those beyond the edge */
#pragma unroll
        for (int n = 0; n < COUNT; n++)
            for (int c = 0; c < OTOK_LANE; c++)
                if (s.i + c >= g.nx) otok_booking_add(out[n], v[n][c], -1);
}

static __device__ inline void otok_tally(otok_booking &sum, const float (&v)[OTOK_LANE],
                                         const otok_frame &g, const otok_strip &s)
{
    const float all[1][OTOK_LANE] = {{v[0], v[1], v[2], v[3]}};
    otok_booking one[1];
    otok_count(one, all, g, s);
    sum = {sum.hi + one[0].hi, sum.lo + one[0].lo};
}

/* Adds the values of the lanes of each part, or of a whole warp. */
template <int WHOLE> static __device__ inline void otok_part_add(void *total, int64_t value)
{
    uint64_t sum = (uint64_t)value; /* wraps around */
    if (!__any_sync(0xffffffffu, value != 0)) return;
    for (int distance = otok_part_lanes<WHOLE>() / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % otok_part_lanes<WHOLE>() == 0 && sum != 0)
        atomicAdd((unsigned long long *)total, (unsigned long long)sum);
}

/* All threads of a block must call it. */
template <int WHOLE = 0>
static __device__ inline void otok_strip_book(otok_sum *sum, otok_booking b, const otok_strip &s)
{
    if constexpr (WHOLE < 0) {
        otok_part_add<WHOLE>(&sum->hi, s.owned ? b.hi : 0);
        otok_part_add<WHOLE>(&sum->lo, s.owned ? b.lo : 0);
        return;
    }
    otok_block_add<OTOK_STRIP_BLOCK>(&sum->hi, s.owned && s.books ? b.hi : 0);
    otok_block_add<OTOK_STRIP_BLOCK>(&sum->lo, s.owned && s.books ? b.lo : 0);
}

#endif
