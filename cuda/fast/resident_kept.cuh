/* resident_kept.cuh: running maxima of kernels on chip. They are in memory, which for such grids is
   the L2 cache; what a kernel keeps on the chip is full. */
#ifndef OTOK_RESIDENT_KEPT_CUH
#define OTOK_RESIDENT_KEPT_CUH

#include "resident_hydraulic.cuh"

#include "model/derived.h"
#include "model/maxima.h"

namespace
{
/* Of a thread's columns from the cell `at` on; 0: not its own, or dry. */
__device__ inline void read_row(float (&out)[C], const float *map, int at, const float (&depth)[C])
{
#pragma unroll
    for (int c = 0; c < C; c++)
        out[c] = depth[c] > 0.0f ? map[at + c] : 0.0f;
}

__device__ inline void keep_times(const otok_resident &a, const otok_maxima_coefficients &k, int n,
                                  int at, const float (&depth)[C], const float (&most)[C])
{
    const otok_step &step = a.v.steps[n];
#pragma unroll
    for (int c = 0; c < C; c++) {
        if (!(depth[c] > 0.0f)) continue;
        if (depth[c] > most[c]) a.v.at[OTOK_PEAKED][at + c] = step.end;
        if (otok_arrives(most[c], depth[c], k)) a.v.at[OTOK_ARRIVED][at + c] = step.end;
        if (depth[c] >= k.duration) {
            float *const duration = a.v.at[OTOK_DURATION] + at + c;
            *duration = otok_flooded(*duration, depth[c], step.begin, step.end, k);
        }
    }
}

/* The velocities of this iteration are in memory. */
__device__ inline void keep_speeds(const otok_resident &a, int at, const float (&depth)[C])
{
    float u[C], w[C], fastest[C], strongest[C];
    read_row(u, a.v.at[OTOK_VELOCITY_X], at, depth);
    read_row(w, a.v.at[OTOK_VELOCITY_Y], at, depth);
    read_row(fastest, a.v.at[OTOK_MAX_SPEED], at, depth);
    read_row(strongest, a.v.at[OTOK_MAX_DEPTH_SPEED], at, depth);
#pragma unroll
    for (int c = 0; c < C; c++) {
        const float speed = otok_water_speed(u[c], w[c]), product = speed * depth[c];
        if (!(depth[c] > 0.0f)) continue;
        if (speed > fastest[c]) a.v.at[OTOK_MAX_SPEED][at + c] = speed;
        if (product > strongest[c]) a.v.at[OTOK_MAX_DEPTH_SPEED][at + c] = product;
    }
}

/* Of columns with these depths, on ground of the heights h, after iteration n. */
__device__ inline void keep_row(const otok_resident &a, const otok_maxima_coefficients &k, int n,
                                int at, const float (&depth)[C], const float (&h)[C])
{
    float most[C], level[C];
    if (!(depth[0] > 0.0f || depth[1] > 0.0f || depth[2] > 0.0f)) return;
    read_row(most, a.v.at[OTOK_MAX_DEPTH], at, depth);
    read_row(level, a.v.at[OTOK_PEAK_LEVEL], at, depth);
    if (a.keeps & OTOK_KEEPS_TIMES) keep_times(a, k, n, at, depth, most);
#pragma unroll
    for (int c = 0; c < C; c++) {
        const otok_peak before = {most[c], level[c]},
                        after = otok_peak_after(before, depth[c], h[c]);
        if (!(depth[c] > 0.0f)) continue;
        if (after.depth != most[c]) a.v.at[OTOK_MAX_DEPTH][at + c] = after.depth;
        if (after.level != level[c]) a.v.at[OTOK_PEAK_LEVEL][at + c] = after.level;
    }
    if (a.keeps & OTOK_KEEPS_SPEED) keep_speeds(a, at, depth);
}
} // namespace

#endif
