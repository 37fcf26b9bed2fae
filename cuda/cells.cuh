/* cells.cuh: how a thread finds its cells, and how a block adds to a sum over the grid. No
   physics. */
#ifndef OTOK_CELLS_CUH
#define OTOK_CELLS_CUH

#include "core/neighbours.h"
#include "cuda.h"
#include "model/dither.h"
#include "model/fixed.h"
#include "model/layers.h"
#include "scenario/scenario.h"

/* The cells of a thread, among the patch's own rows: column i, rows j, j + OTOK_TILE_Y, ... With
   rows < 0 the patch is one cell, which is the thread's. Their index in every buffer runs through
   `for (int at = w.first; at < w.end; at += w.step)`. */
typedef struct otok_walk {
    int first, end, step;
    int i, j;
} otok_walk;

static __device__ inline otok_walk otok_walk_of(const otok_view &v, int rows)
{
    otok_walk w = {0, 1, 1, 0, 0};
    const int pitch = (int)v.pitch;
    if (rows < 0) return w;
    const int end = v.ny - v.shared[1];
    const int bottom = v.shared[0] + (int)blockIdx.y * rows,
              top = bottom + rows < end ? bottom + rows : end;
    w.i = (int)(blockIdx.x * OTOK_TILE_X + threadIdx.x);
    w.j = bottom + (int)threadIdx.y;
    w.first = w.j * pitch + w.i;
    w.end = w.i < v.nx ? top * pitch : 0; /* i < pitch, so that at < top*pitch means row < top */
    w.step = OTOK_TILE_Y * pitch;
    return w;
}

/* Calls `cell` with the index of every cell of the thread. */
template <typename CELL>
static __device__ inline void otok_walk_cells(const otok_view &v, int rows, CELL cell)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step)
        cell(at);
}

/* The phase of the dither in the walk's present cell and iteration. */
static __device__ inline uint32_t otok_walk_phase(const otok_view &v, const otok_walk &w, int cell)
{
    const int j = (cell - w.i) / (int)v.pitch;
    return otok_dither_phase(v.steps[*v.now].phase, otok_dither_distance(v.x0 + w.i, v.global_nx),
                             otok_dither_distance(otok_row_of(&v, j), v.global_ny));
}

/* A kernel with few bytes a cell loads this many rows before it uses the first; otherwise it would
   not keep the memory busy. */
enum { OTOK_AHEAD = 4 };

/* The cell n steps further, or `at` itself if that cell is past the end. */
static __device__ inline int otok_walk_ahead(const otok_walk &w, int at, int n)
{
    return at + n * w.step < w.end ? at + n * w.step : at;
}

/* A count of what a block or a device has given to another, in memory that both see: who has read
   it may read what was stored before it was raised. */
#ifndef OTOK_CUDA_EMULATED
static __device__ inline unsigned otok_taken(const unsigned *count)
{
    unsigned n;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(n) : "l"(count) : "memory");
    return n;
}

static __device__ inline void otok_give(unsigned *count, unsigned rows)
{
    asm volatile("red.release.sys.global.add.u32 [%0], %1;" ::"l"(count), "r"(rows) : "memory");
}
#endif

/* Adds the value of every thread to *total. Integers modulo 2^64, so that the order does not
   matter. All THREADS of a block must call it. */
template <int THREADS = OTOK_BLOCK>
static __device__ inline void otok_block_add(void *total, int64_t value)
{
    __shared__ uint64_t warps[THREADS / 32];
    const int thread = (int)(threadIdx.y * blockDim.x + threadIdx.x);
    uint64_t sum = (uint64_t)value; /* wraps around */
    if (!__syncthreads_or(value != 0)) return;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (thread % 32 == 0) warps[thread / 32] = sum;
    __syncthreads();
    if (thread != 0) return;
    for (int w = 1; w < THREADS / 32; w++)
        sum += warps[w];
    if (sum != 0) atomicAdd((unsigned long long *)total, (unsigned long long)sum);
}

/* The part of a booking that one thread sums. */
typedef struct otok_booking {
    int64_t hi, lo;
} otok_booking;

/* booking += sign * value */
static __device__ inline void otok_booking_add(otok_booking &booking, float value, int sign = 1)
{
    const otok_fixed f = otok_fixed_from(value);
    booking.hi += sign * (int64_t)f.hi;
    booking.lo += sign * (int64_t)f.lo;
}

static __device__ inline void otok_book(otok_sum *sum, otok_booking booking)
{
    otok_block_add(&sum->hi, booking.hi);
    otok_block_add(&sum->lo, booking.lo);
}

/* Calls `cell` for every cell of the thread. It returns a new value, and `sum` grows by sign times
   how much that is more than the buffer held before. */
template <int BUFFER, typename CELL>
static __device__ inline void otok_walk_booked(const otok_view &v, int rows, int sum, int sign,
                                               CELL cell)
{
    otok_booking moved = {0, 0};
    otok_walk_cells(v, rows, [&](int at) {
        const float was = v.at[BUFFER][at], is = cell(at);
        otok_booking_add(moved, is, sign);
        otok_booking_add(moved, was, -sign);
    });
    otok_book(v.sums + sum, moved);
}

/* Adds the rise of a cell, if it rose, as many times as it counts (otok_moves_count). */
static __device__ inline void otok_booking_risen(otok_booking &booking, float was, float is,
                                                 int counts)
{
    if (!counts || !(is > was)) return;
    otok_booking_add(booking, is, counts);
    otok_booking_add(booking, was, -counts);
}

/* Adds the sums of the warps to that of the grid: seldom, so that it needs no slots. */
static __device__ inline void otok_warps_add(otok_sum *sum, otok_booking b)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        b.hi += __shfl_down_sync(0xffffffffu, b.hi, distance);
        b.lo += __shfl_down_sync(0xffffffffu, b.lo, distance);
    }
    if (threadIdx.x % 32) return;
    if (b.hi) atomicAdd((unsigned long long *)&sum->hi, (unsigned long long)b.hi);
    if (b.lo) atomicAdd((unsigned long long *)&sum->lo, (unsigned long long)b.lo);
}

/* For cells between which solid moves: `cell` returns the new change of the ground. Books rounding
   and rises. */
template <typename CELL>
static __device__ inline void otok_walk_flux(const otok_view &v, int rows, CELL cell)
{
    const int counts = otok_moves_count(v.steps[*v.now].iteration);
    otok_booking rounded = {0, 0}, risen = {0, 0};
    otok_walk_cells(v, rows, [&](int at) {
        const float was = v.at[OTOK_TERRAIN_CHANGE][at], is = cell(at);
        if (is == was) return;
        otok_booking_add(rounded, is);
        otok_booking_add(rounded, was, -1);
        otok_booking_risen(risen, was, is, counts);
    });
    otok_book(v.sums + OTOK_SUM_GROUND_ROUNDED, rounded);
    otok_book(v.sums + OTOK_SUM_GROUND_MOVED, risen);
}

/* Bookings of N values of any sign: the new value less the old one. For most values, which are
   small enough, two conversions each are sufficient. */
template <int N>
static __device__ inline otok_booking otok_booking_change(const float (&now)[N],
                                                          const float (&before)[N])
{
    static_assert(N <= 8, "hi < 2^31");
    unsigned greatest = 0; /* NaN counts as great, too */
#pragma unroll
    for (int n = 0; n < N; n++)
        greatest =
            max(greatest, max(__float_as_uint(fabsf(now[n])), __float_as_uint(fabsf(before[n]))));
    otok_booking b = {0, 0};
    if (greatest < __float_as_uint(524288.0f)) {
        int hi = 0;
        int64_t all = 0; /* in units of 2^-39 m */
#pragma unroll
        for (int n = 0; n < N; n++) {
            hi += __float2int_rz(now[n] * 256.0f) - __float2int_rz(before[n] * 256.0f);
            all += __float2ll_rz(now[n] * 0x1p39f) - __float2ll_rz(before[n] * 0x1p39f);
        }
        b.hi = hi;
        b.lo = all + hi * -(int64_t)0x80000000;
    } else {
#pragma unroll
        for (int n = 0; n < N; n++) {
            otok_booking_add(b, now[n]);
            otok_booking_add(b, before[n], -1);
        }
    }
    return b;
}

/* v[c], where c is known only when the code runs and v is in registers. */
static __device__ inline float otok_chosen(const float (&v)[4], int c)
{
    const float low = c == 1 ? v[1] : v[0], high = c == 3 ? v[3] : v[2];
    return c < 2 ? low : high;
}

/* Sums of COUNT rows of four values that are not negative. Values below 2^11 m, almost all, take
   fewer instructions than in otok_fixed_from and give the same integers: 2^23 + n, rounded towards
   0, has the integer n in its low bits, and keeps it while four values are added. The same holds
   for 2^52 + n. */
template <int COUNT>
static __device__ inline void otok_bookings_of(otok_booking (&out)[COUNT],
                                               const float (&v)[COUNT][4])
{
    unsigned greatest = 0;
#pragma unroll
    for (int n = 0; n < COUNT; n++)
#pragma unroll
        for (int c = 0; c < 4; c++)
            greatest = max(greatest, __float_as_uint(v[n][c]));
    if (__builtin_expect(greatest < __float_as_uint(2048.0f), 1)) {
#pragma unroll
        for (int n = 0; n < COUNT; n++) {
            float steps = 8388608.0f;
            double fine = 0x1p52;
#pragma unroll
            for (int c = 0; c < 4; c++) {
                steps = __fmaf_rz(v[n][c], 256.0f, steps);
                fine = __fma_rz((double)v[n][c], 0x1p39, fine);
            }
            const int hi = __float_as_int(steps) - __float_as_int(8388608.0f);
            out[n].hi = hi;
            out[n].lo = __double_as_longlong(fine) - __double_as_longlong(0x1p52) +
                        hi * -(int64_t)0x80000000;
        }
    } else { /* short code, so that it is not in the way of the rest */
#pragma unroll
        for (int n = 0; n < COUNT; n++)
            out[n] = {0, 0};
#pragma unroll 1
        for (int c = 0; c < 4; c++)
#pragma unroll
            for (int n = 0; n < COUNT; n++)
                otok_booking_add(out[n], otok_chosen(v[n], c));
    }
}

/* Adds what was laid down and the losses of n layers, all sums of a block at once. Every index is
   known when the code is compiled, so that the books stay in registers. */
static __device__ inline void otok_book_layers(const otok_view &v, const otok_layer_books &books,
                                               int n)
{
    enum { WARPS = OTOK_BLOCK / 32, BOOKS = 1 + OTOK_LAYERS };
    __shared__ uint64_t warps[2 * BOOKS][WARPS];
    const int thread = (int)(threadIdx.y * blockDim.x + threadIdx.x);
    uint64_t some = 0, sum = 0;
#pragma unroll
    for (int k = 0; k < BOOKS; k++)
        some |= (uint64_t)(books.hi[k] | books.lo[k]);
    if (!__syncthreads_or(some != 0)) return;
#pragma unroll
    for (int k = 0; k < BOOKS; k++) {
        if (k > n) break;
        uint64_t hi = (uint64_t)books.hi[k], lo = (uint64_t)books.lo[k];
        for (int distance = __any_sync(0xffffffffu, (hi | lo) != 0) ? 16 : 0; distance > 0;
             distance /= 2) {
            hi += __shfl_down_sync(0xffffffffu, hi, distance);
            lo += __shfl_down_sync(0xffffffffu, lo, distance);
        }
        if (thread % 32 == 0) warps[2 * k][thread / 32] = hi, warps[2 * k + 1][thread / 32] = lo;
    }
    __syncthreads();
    if (thread >= 2 * (n + 1)) return;
    for (int w = 0; w < WARPS; w++)
        sum += warps[thread][w];
    otok_sum *const total = v.sums + OTOK_SUM_DEPOSITED + thread / 2;
    if (sum != 0)
        atomicAdd((unsigned long long *)(thread % 2 ? &total->lo : &total->hi),
                  (unsigned long long)sum);
}

#endif
