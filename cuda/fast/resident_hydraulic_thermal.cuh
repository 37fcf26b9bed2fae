/* resident_hydraulic_thermal.cuh: the iteration of thermal erosion that follows hydraulic erosion
   in resident_hydraulic.cu. Its pipes use the rows in which hydraulic erosion keeps loads. The
   physics is in model/. */
#ifndef OTOK_RESIDENT_HYDRAULIC_THERMAL_CUH
#define OTOK_RESIDENT_HYDRAULIC_THERMAL_CUH

#include "resident_hydraulic.cuh"

#include "model/thermal.h"

#include <math.h>

namespace
{
/* `mine`: the thread's cells in array 0. `change`: the change of their ground; its rounding is
   booked in `slot`. What moves counts so many times, in `sums`. */
template <class S, int R>
__device__ inline void slide(float *mine, const otok_cells<R> &p, float (&change)[R][C],
                             const otok_thermal_coefficients &k, otok_booking *slot, int counts,
                             otok_sum *sums)
{
    auto row = [&](int array, int r) { return mine + array * S::size + r * W; };
    float wall[C]; /* a wall gives nothing: no slope is steep enough */
#pragma unroll
    for (int c = 0; c < C; c++)
        wall[c] = otok_is(p, OTOK_OUTSIDE, c) ? INFINITY : 0.0f;
    if (p.far)
#pragma unroll
        for (int c = 0; c < C; c++)
            row(GROUND, 0)[p.far + c] += row(BASE, 0)[p.far + c] + wall[c];
#pragma unroll
    for (int r = 0; r < R; r++) {
        if (p.ring[r] == 1000) continue;
#pragma unroll
        for (int c = 0; c < C; c++) {
            row(GROUND, r)[c] = row(BASE, r)[c] + change[r][c] + wall[c];
            if (otok_is(p, OTOK_LAST, r)) row(GROUND, r + 1)[c] = INFINITY;
            if (otok_is(p, OTOK_FIRST, r)) row(GROUND, r - 1)[c] = INFINITY;
        }
    }
    __syncthreads();
    float pipe_left[R][C], pipe_right[R][C];
#pragma unroll
    for (int r = 0; r < R; r++) {
        if (p.ring[r] == 1000) continue;
        const float *const h = row(GROUND, r);
#pragma unroll
        for (int c = 0; c < C; c++) {
            row(ETA, r)[c] = change[r][c]; /* for the booking; the surface is no longer needed */
            otok_thermal_coefficients t = k;
            t.talus += wall[c];
            t.talus_diagonal += wall[c];
            const otok_moore m = {h[c],         h[c - 1],     h[c + 1],     h[c - W],    h[c + W],
                                  h[c - W - 1], h[c - W + 1], h[c + W - 1], h[c + W + 1]};
            const otok_slide s = otok_thermal_outflow(m, change[r][c], t);
            change[r][c] = s.change;
            pipe_left[r][c] = s.pipe.left;
            pipe_right[r][c] = s.pipe.right;
            row(PIPE_TOP, r)[c] = s.pipe.top;
            row(PIPE_BOTTOM, r)[c] = s.pipe.bottom;
            row(PIPE_TOP_LEFT, r)[c] = s.pipe.top_left;
            row(PIPE_TOP_RIGHT, r)[c] = s.pipe.top_right;
            row(PIPE_BOTTOM_LEFT, r)[c] = s.pipe.bottom_left;
            row(PIPE_BOTTOM_RIGHT, r)[c] = s.pipe.bottom_right;
        }
    }
    __syncthreads();
    otok_booking risen = {0, 0};
#pragma unroll
    for (int r = 0; r < R; r++) {
        if (p.ring[r] > S::halo - 2) continue;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_eight in = {otok_beside_left(pipe_right[r], c),
                                   otok_beside_right(pipe_left[r], c),
                                   row(PIPE_TOP, r - 1)[c],
                                   row(PIPE_BOTTOM, r + 1)[c],
                                   row(PIPE_TOP_RIGHT, r - 1)[c - 1],
                                   row(PIPE_TOP_LEFT, r - 1)[c + 1],
                                   row(PIPE_BOTTOM_RIGHT, r + 1)[c - 1],
                                   row(PIPE_BOTTOM_LEFT, r + 1)[c + 1]};
            change[r][c] = otok_thermal_collect(change[r][c], in);
        }
        if (p.ring[r] > 0) continue;
        float now[C], before[C];
        bool moved = false;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const bool own = otok_is(p, OTOK_OWN, r * C + c);
            now[c] = own ? change[r][c] : 0.0f;
            before[c] = own ? row(ETA, r)[c] : 0.0f;
            moved |= now[c] != before[c];
        }
        if (!moved) continue;
        if (counts)
            for (int c = 0; c < C; c++)
                otok_booking_risen(risen, before[c], now[c], counts);
        otok_booking more = otok_booking_change(now, before);
        more.lo += more.hi * INT64_C(2147483648); /* slots count so */
        otok_slot_add(slot, more);
    }
    if (counts) otok_warps_add(sums + OTOK_SUM_GROUND_MOVED, risen);
}
} // namespace

#endif
