/* resident_books.cuh: sums over the grid that a resident kernel keeps while it runs. */
#ifndef OTOK_RESIDENT_BOOKS_CUH
#define OTOK_RESIDENT_BOOKS_CUH

#include "resident.cuh"

/* Bookings: each thread has a slot in shared memory, which is added to the patch's sums when the
   run ends. During the run `lo` holds the whole value in units of 2^-39 m, which is hi 2^31 + lo of
   fixed.h, modulo 2^64. */
static __device__ inline void otok_slot_add(otok_booking *slot, otok_booking b)
{
    slot->hi += b.hi;
    slot->lo += b.lo;
}

/* otok_fixed_from of the values of a row's cells. The `scale` of a column is 0
   if its cell is not booked. */
static __device__ inline otok_booking otok_booking_any(const float (&value)[OTOK_COLUMNS],
                                                       const float (&scale)[OTOK_COLUMNS])
{
    otok_booking b = {0, 0};
#pragma unroll
    for (int c = 0; c < OTOK_COLUMNS; c++) {
        const otok_fixed f = otok_fixed_from(scale[c] != 0.0f ? value[c] : 0.0f);
        b.hi += f.hi;
        b.lo += (int64_t)f.hi * INT64_C(2147483648) + f.lo;
    }
    return b;
}

/* Adds to N sums otok_fixed_from of N values of a row's own cells, in one conversion each if all
   are 0 <= v < 2^22. */
template <int R, int N>
static __device__ inline void otok_booking_rows(otok_booking (&sums)[N],
                                                const float (&value)[N][OTOK_COLUMNS],
                                                const otok_cells<R> &p, int r)
{
    unsigned greatest = 0; /* negative values and NaN count as great, too */
    float scale[OTOK_COLUMNS];
#pragma unroll
    for (int c = 0; c < OTOK_COLUMNS; c++) {
        scale[c] = otok_is(p, OTOK_OWN, r * OTOK_COLUMNS + c) ? 549755813888.0f : 0.0f;
#pragma unroll
        for (int n = 0; n < N; n++)
            greatest = max(greatest, __float_as_uint(value[n][c]));
    }
    if (greatest < __float_as_uint(4194304.0f)) {
#pragma unroll
        for (int n = 0; n < N; n++) {
            unsigned hi = 0; /* < OTOK_COLUMNS * 2^30 */
            int64_t all = 0;
#pragma unroll
            for (int c = 0; c < OTOK_COLUMNS; c++) {
                const int64_t both = __float2ll_rz(value[n][c] * scale[c]);
                hi += (unsigned)(both >> 31);
                all += both;
            }
            otok_slot_add(&sums[n], otok_booking{(int64_t)hi, all});
        }
    } else {
#pragma unroll
        for (int n = 0; n < N; n++)
            otok_slot_add(&sums[n], otok_booking_any(value[n], scale));
    }
}

static __device__ inline otok_booking otok_booking_less(otok_booking a, otok_booking b)
{
    return otok_booking{a.hi - b.hi, a.lo - b.lo};
}

static __device__ inline void otok_settle_slots(otok_sum *sum, const otok_booking *slots)
{
    otok_booking b = slots[threadIdx.x];
    b.lo -= (int64_t)((uint64_t)b.hi << 31);
    otok_warps_add(sum, b);
}

#endif
