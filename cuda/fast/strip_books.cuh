/* strip_books.cuh: sums over the grid that fused kernels keep (see strip.cuh). */
#ifndef OTOK_STRIP_BOOKS_CUH
#define OTOK_STRIP_BOOKS_CUH

#include "strip.cuh"

/* What is booked of a move of the ground: less the ground before, the ground after. */
enum { OTOK_BOOKS_BEFORE = 1, OTOK_BOOKS_AFTER = 2 };

/* The ends of iteration n of nsteps that are booked: both, but only those of the whole run if the
   program has no other stage. */
static inline int otok_booked_ends(const otok_fused_pass *pass, int n, int nsteps, int joins)
{
    if (!pass->alone) return OTOK_BOOKS_BEFORE | OTOK_BOOKS_AFTER;
    return (n == 0 && !(joins & OTOK_JOINS_BEFORE) ? (int)OTOK_BOOKS_BEFORE : 0) |
           (n == nsteps - 1 && !(joins & OTOK_JOINS_AFTER) ? (int)OTOK_BOOKS_AFTER : 0);
}

/* What a kernel books of the ground: nothing; rounding; rises, too. */
enum { OTOK_BOOKS_NOTHING, OTOK_BOOKS_ROUNDING, OTOK_BOOKS_RISES };

/* Adds the rises of a row of four cells, which count so many times. */
static __device__ inline void otok_rises(otok_booking &risen, const float (&was)[OTOK_LANE],
                                         const float (&is)[OTOK_LANE], int counts,
                                         const otok_frame &g, const otok_strip &s)
{
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        if (s.i + c < g.nx) otok_booking_risen(risen, was[c], is[c], counts);
}

/* Books a row of a lane, which was `given`: its rounding, at the ends that a.books says, and its
   rises, which count a.counts times. */
template <int BOOKS, class A>
static __device__ inline void otok_book_row(otok_booking &rounded, otok_booking &risen,
                                            float (&given)[OTOK_LANE], float (&next)[OTOK_LANE],
                                            const A &a, const otok_frame &g, const otok_strip &s)
{
    bool moved = false;
    if (BOOKS == OTOK_BOOKS_RISES) otok_rises(risen, given, next, a.counts, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const bool books = s.i + c < g.nx;
        given[c] = books && a.books & OTOK_BOOKS_BEFORE ? given[c] : 0.0f;
        next[c] = books && a.books & OTOK_BOOKS_AFTER ? next[c] : 0.0f;
        moved |= next[c] != given[c];
    }
    if (!moved) return;
    const otok_booking more = otok_booking_change(next, given);
    rounded.hi += more.hi;
    rounded.lo += more.lo;
}

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

/* Adds the bookings that all threads of a block have in `books`, of the n-th kind to sums[n]. All
   must call it, and the books are of no use afterwards. */
template <int KINDS>
static __device__ inline void otok_strip_book_all(otok_sum *const (&sums)[KINDS],
                                                  otok_booking (*books)[OTOK_STRIP_BLOCK],
                                                  const otok_strip &s)
{
    const int thread = (int)threadIdx.x, lane = thread % 32;
    uint64_t hi[KINDS], lo[KINDS]; /* wrap around */
#pragma unroll
    for (int n = 0; n < KINDS; n++) {
        const bool counts = s.owned && s.books;
        hi[n] = counts ? (uint64_t)books[n][s.index].hi : 0;
        lo[n] = counts ? (uint64_t)books[n][s.index].lo : 0;
    }
    for (int distance = 16; distance > 0; distance /= 2)
#pragma unroll
        for (int n = 0; n < KINDS; n++) {
            hi[n] += __shfl_down_sync(0xffffffffu, hi[n], distance);
            lo[n] += __shfl_down_sync(0xffffffffu, lo[n], distance);
        }
    __syncwarp(); /* every lane has read its bookings */
#pragma unroll
    for (int n = 0; n < KINDS; n++)
        if (lane == 0) books[n][thread] = {(int64_t)hi[n], (int64_t)lo[n]};
    __syncthreads();
#pragma unroll
    for (int n = 0; n < KINDS; n++) {
        if (n != thread) continue;
        uint64_t sum[2] = {0, 0};
        for (int w = 0; w < OTOK_STRIP_WARPS; w++)
            sum[0] += (uint64_t)books[n][32 * w].hi, sum[1] += (uint64_t)books[n][32 * w].lo;
        if (sum[0]) atomicAdd((unsigned long long *)&sums[n]->hi, (unsigned long long)sum[0]);
        if (sum[1]) atomicAdd((unsigned long long *)&sums[n]->lo, (unsigned long long)sum[1]);
    }
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
