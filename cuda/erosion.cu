/* erosion.cu: stage 4 and the settling of stage 6; the physics is in model/erosion.h. */
#include "batch.cuh"
#include "model/erosion.h"

static __device__ inline void erosion(const otok_view &v, int rows, otok_erosion_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking displaced = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_cross h = otok_ground_cross(v.at[OTOK_TERRAIN_BASE] + at,
                                               v.at[OTOK_TERRAIN_CHANGE] + at, v.pitch);
        const float d2 = v.at[OTOK_WATER][at];
        const float capacity = otok_capacity(otok_gradient2(h, k), d2, v.at[OTOK_VELOCITY_X][at],
                                             v.at[OTOK_VELOCITY_Y][at], k);
        const otok_eroded e =
            otok_erosion(v.at[OTOK_TERRAIN_CHANGE][at], v.at[OTOK_SEDIMENT][at], d2, capacity, k);
        v.at[OTOK_CHANGE_NEXT][at] = e.change;
        v.at[OTOK_SEDIMENT][at] = e.s;
        if (k.displace_water) {
            v.at[OTOK_WATER][at] = e.d2;
            otok_booking_add(displaced, e.d2);
            otok_booking_add(displaced, d2, -1);
        }
    }
    if (k.displace_water) otok_book(v.sums + OTOK_SUM_DISPLACED, displaced);
}

static __device__ inline void settle(const otok_view &v, int rows, otok_transport_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += OTOK_AHEAD * w.step) {
        float d[OTOK_AHEAD], s[OTOK_AHEAD];
#pragma unroll
        for (int n = 0; n < OTOK_AHEAD; n++)
            d[n] = v.at[OTOK_WATER][otok_walk_ahead(w, at, n)];
#pragma unroll
        for (int n = 0; n < OTOK_AHEAD; n++)
            s[n] = d[n] <= k.dry ? v.at[OTOK_SEDIMENT][otok_walk_ahead(w, at, n)] : 0.0f;
#pragma unroll
        for (int n = 0; n < OTOK_AHEAD; n++) {
            const int cell = at + n * w.step;
            if (cell >= w.end) break;
            if (!(s[n] > 0.0f)) continue;
            const otok_exchange e = otok_settle(v.at[OTOK_TERRAIN_CHANGE][cell], s[n]);
            v.at[OTOK_TERRAIN_CHANGE][cell] = e.ground;
            v.at[OTOK_SEDIMENT][cell] = e.other;
        }
    }
}

static __device__ inline void sea(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    const float level = v.steps[*v.now].sea;
    otok_booking gone = {0, 0}, settled = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const float d = v.at[OTOK_WATER][at], change = v.at[OTOK_TERRAIN_CHANGE][at];
        const otok_shore is = {change, v.at[OTOK_SEDIMENT][at], d, v.at[OTOK_VELOCITY_X][at],
                               v.at[OTOK_VELOCITY_Y][at]};
        const otok_shore end = otok_meet_sea(v.at[OTOK_TERRAIN_BASE][at], is, level);
        v.at[OTOK_TERRAIN_CHANGE][at] = end.change;
        v.at[OTOK_SEDIMENT][at] = end.s;
        v.at[OTOK_WATER][at] = end.d;
        v.at[OTOK_VELOCITY_X][at] = end.u;
        v.at[OTOK_VELOCITY_Y][at] = end.w;
        otok_booking_add(gone, d);
        otok_booking_add(gone, end.d, -1);
        otok_booking_add(settled, end.change);
        otok_booking_add(settled, change, -1);
    }
    otok_book(v.sums + OTOK_SUM_TO_SEA, gone);
    otok_book(v.sums + OTOK_SUM_DEPOSITED, settled);
}

otok_launcher *const otok_cuda_sea = otok_start<sea>;
otok_launcher *const otok_cuda_erosion = otok_start<erosion, otok_erosion_coefficients>;
otok_launcher *const otok_cuda_settle = otok_start<settle, otok_transport_coefficients>;
