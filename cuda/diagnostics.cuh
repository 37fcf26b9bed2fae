/* diagnostics.cuh: how the kernel of diagnostics.cu finds its cells and adds up its sums. A warp
   has a strip of 128 columns, four a lane. The columns beside those of a lane come from the next
   lane, or from memory at the ends of the strip. The detectors are not here. */
#ifndef OTOK_DIAGNOSTICS_CUH
#define OTOK_DIAGNOSTICS_CUH

#include "cells.cuh"

enum { LANE = 4, STRIP = 32 * LANE, WARPS = 4, THREADS = 32 * WARPS };

/* The four columns of a lane begin at i; `inside` of them are in the grid. If `inside` is 0 or
   less, the lane only takes part in shuffles. */
template <bool WHOLE> struct otok_diagnostics_inside;
template <> struct otok_diagnostics_inside<true> {
    static constexpr int inside = LANE; /* the grid is as wide as its strips */
};
template <> struct otok_diagnostics_inside<false> {
    int inside;
};

template <bool WHOLE> struct otok_diagnostics_strip : otok_diagnostics_inside<WHOLE> {
    int i;
    int at;                                      /* the first of the four columns that it loads */
    int left, right;                             /* the columns beside, by the rules of the edges */
    bool at_left, at_right, has_left, has_right; /* whether the lane is the first or the last of the
                                                    strip; whether there is a cell beside it */
    int bottom, top;                             /* rows bottom <= j < top are the warp's */
};

/* The lanes that share a row of a strip. Over narrow grids a warp has several chunks of rows side
   by side. */
static __host__ __device__ inline int otok_diagnostics_lanes(int nx)
{
    int lanes = 32;
    while (lanes > 1 && lanes / 2 * LANE >= nx)
        lanes /= 2;
    return lanes;
}

template <bool WHOLE>
static __device__ inline otok_diagnostics_strip<WHOLE>
otok_diagnostics_strip_of(const otok_diagnostics_maps &m, int rows)
{
    const int lanes = otok_diagnostics_lanes(m.nx), lane = (int)threadIdx.x % lanes;
    const int warp = (int)(blockIdx.x * THREADS + threadIdx.x) /
                     lanes; /* the warp, or the part of a warp that has a chunk */
    const int strips = (m.nx + STRIP - 1) / STRIP, end = (m.nx - 1) / LANE * LANE;
    otok_diagnostics_strip<WHOLE> s;
    s.i = warp % strips * STRIP + LANE * lane;
    if constexpr (!WHOLE) s.inside = m.nx - s.i < LANE ? m.nx - s.i : LANE;
    s.at = WHOLE || s.i < end ? s.i : end;
    s.at_left = lane == 0;
    s.at_right = lane == lanes - 1 || s.i + LANE >= m.nx;
    s.has_left = s.i > 0 || m.wrap_x;
    s.has_right = s.i + LANE < m.nx || m.wrap_x;
    s.left = s.i > 0 ? s.i - 1 : m.wrap_x ? m.nx - 1 : 0;
    s.right = s.i + LANE < m.nx ? s.i + LANE : m.wrap_x ? 0 : m.nx - 1;
    s.bottom = m.from + warp / strips * rows;
    s.top = s.bottom + rows < m.upto ? s.bottom + rows : m.upto;
    return s;
}

/* The index of column 0 of row j, or of the row that stands for it beyond an edge. */
static __device__ inline int otok_diagnostics_row(const otok_diagnostics_maps &m, int j)
{
    const int below = m.wrap_y ? m.ny - 1 : 0, above = m.wrap_y ? 0 : m.ny - 1;
    return (j < 0 ? below : j < m.ny ? j : above) * (int)m.pitch;
}

/* The lane's columns in a row of a map that the kernel does not write; 0 for NULL. */
template <bool WHOLE>
static __device__ inline void otok_diagnostics_take(float (&out)[LANE], const float *map, int row,
                                                    const otok_diagnostics_strip<WHOLE> &s)
{
    const float4 v =
        map ? __ldg((const float4 *)(map + row + s.at)) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
}

/* The columns beside. `before` and `after` are those past the ends of the strip; past the last
   column of the grid `after` counts too. All lanes must call it. */
template <bool WHOLE>
static __device__ inline void otok_diagnostics_beside(float &left, float &right, float (&v)[LANE],
                                                      float before, float after,
                                                      const otok_diagnostics_strip<WHOLE> &s)
{
    left = __shfl_up_sync(0xffffffffu, v[LANE - 1], 1);
    right = __shfl_down_sync(0xffffffffu, v[0], 1);
    left = s.at_left ? before : left;
    right = s.at_right ? after : right;
    if (s.inside < LANE)
#pragma unroll
        for (int c = 0; c < LANE; c++)
            v[c] = c < s.inside ? v[c] : after;
}

/* A row of the strip with the columns beside it. */
typedef struct otok_diagnostics_span {
    float v[LANE], left, right;
} otok_diagnostics_span;

template <bool WHOLE>
static __device__ inline void otok_diagnostics_load(otok_diagnostics_span &r, const float *map,
                                                    int row, const otok_diagnostics_strip<WHOLE> &s)
{
    otok_diagnostics_take(r.v, map, row, s);
    const float before = map && s.at_left ? __ldg(map + row + s.left) : 0.0f,
                after = map && s.at_right ? __ldg(map + row + s.right) : 0.0f;
    otok_diagnostics_beside(r.left, r.right, r.v, before, after, s);
}

/* Column c of the lane, -1 <= c <= LANE. */
static __device__ inline float otok_diagnostics_column(const otok_diagnostics_span &r, int c)
{
    return c < 0 ? r.left : c < LANE ? r.v[c < 0 ? 0 : c % LANE] : r.right;
}

/* ---- sums ---- */

/* A thread's part of a sum, in shared memory. */
typedef otok_booking otok_diagnostics_book[THREADS];

/* A row's values as integers. */
typedef otok_fixed otok_diagnostics_fixed[LANE];

/* 0 past the last column. */
template <bool WHOLE>
static __device__ inline void otok_diagnostics_within(float (&out)[LANE], const float (&v)[LANE],
                                                      const otok_diagnostics_strip<WHOLE> &s)
{
#pragma unroll
    for (int c = 0; c < LANE; c++)
        out[c] = c < s.inside ? v[c] : 0.0f;
}

/* Heights between -2^11 and 2^11 m, almost all, take fewer instructions here than in
   otok_fixed_from, and give the same integers. */
template <int COUNT>
static __device__ inline void otok_diagnostics_convert(otok_diagnostics_fixed (&out)[COUNT],
                                                       const float (&v)[COUNT][LANE])
{
    bool small = true;
#pragma unroll
    for (int n = 0; n < COUNT; n++)
#pragma unroll
        for (int c = 0; c < LANE; c++)
            small &= fabsf(v[n][c]) < 2048.0f;
#pragma unroll
    for (int n = 0; n < COUNT; n++)
#pragma unroll
        for (int c = 0; c < LANE; c++) {
            const float scaled = v[n][c] * 256.0f;
            out[n][c].hi = (int32_t)scaled;
            out[n][c].lo = (int32_t)((scaled - (float)out[n][c].hi) * 2147483648.0f);
        }
    if (small)
        return; /* otherwise again for all; a branch around both would take more registers than
                   there are */
    for (int n = 0; n < COUNT; n++)
        for (int c = 0; c < LANE; c++)
            out[n][c] = otok_fixed_from(v[n][c]);
}

static __device__ inline void otok_diagnostics_add_row(otok_diagnostics_book &book,
                                                       const otok_diagnostics_fixed &f)
{
    otok_booking sum = book[threadIdx.x];
#pragma unroll
    for (int c = 0; c < LANE; c++) {
        sum.hi += f[c].hi;
        sum.lo += f[c].lo;
    }
    book[threadIdx.x] = sum;
}

/* Adds rows of values that are not negative, each to its book. */
template <int COUNT>
static __device__ inline void otok_diagnostics_add_rows(otok_diagnostics_book *books,
                                                        const int (&which)[COUNT],
                                                        const float (&v)[COUNT][LANE])
{
    otok_booking add[COUNT];
    otok_bookings_of(add, v);
#pragma unroll
    for (int n = 0; n < COUNT; n++) {
        otok_booking &sum = books[which[n]][threadIdx.x];
        sum = {sum.hi + add[n].hi, sum.lo + add[n].lo};
    }
}

static __device__ inline unsigned long long *otok_diagnostics_counter(void *total)
{
    return (unsigned long long *)total;
}

/* Adds a warp's values. */
static __device__ inline void otok_diagnostics_sum(void *total, int64_t value)
{
    uint64_t sum = (uint64_t)value; /* wraps around */
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0 && sum != 0)
        atomicAdd(otok_diagnostics_counter(total), (unsigned long long)sum);
}

static __device__ inline void otok_diagnostics_max(void *total, uint64_t value)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint64_t other = __shfl_down_sync(0xffffffffu, value, distance);
        value = other > value ? other : value;
    }
    if (threadIdx.x % 32 == 0 && value != 0)
        atomicMax(otok_diagnostics_counter(total), (unsigned long long)value);
}

/* Adds a book of the block to a sum. One warp calls it. */
static __device__ inline void otok_diagnostics_close(void *hi, void *lo,
                                                     const otok_diagnostics_book &book)
{
    otok_booking sum = {0, 0};
    for (int n = (int)threadIdx.x % 32; n < THREADS; n += 32) {
        sum.hi += book[n].hi;
        sum.lo += book[n].lo;
    }
    otok_diagnostics_sum(hi, sum.hi);
    otok_diagnostics_sum(lo, sum.lo);
}

#endif
