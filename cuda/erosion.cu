/* erosion.cu: stage 4 and the settling of stage 6; the physics is in model/erosion.h. */
#include "batch.cuh"
#include "core/cell.h"

static __device__ inline void erosion(const otok_view &v, int rows, otok_erosion_coefficients k)
{
    k = otok_erosion_now(&v, k);
    otok_booking displaced = {0, 0};
    otok_walk_cells(v, rows, [&](int at) {
        const float d2 = v.at[OTOK_WATER][at];
        const otok_eroded e = otok_cell_erosion(&v, at, k);
        v.at[OTOK_CHANGE_NEXT][at] = e.change;
        v.at[OTOK_SEDIMENT][at] = e.s;
        if (!k.displace_water) return;
        v.at[OTOK_WATER][at] = e.d2;
        otok_booking_add(displaced, e.d2);
        otok_booking_add(displaced, d2, -1);
    });
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

/* The sea everywhere, or in the cells that it reaches. */
template <bool REACHED> static __device__ inline void meet_sea(const otok_view &v, int rows)
{
    const float level = v.steps[*v.now].sea;
    otok_booking settled = {0, 0};
    otok_walk_booked<OTOK_WATER>(v, rows, OTOK_SUM_TO_SEA, -1, [&](int at) {
        const float change = v.at[OTOK_TERRAIN_CHANGE][at];
        otok_cell_meet_sea(&v, at, !REACHED || v.at[OTOK_REACHED][at] > 0.0f ? level : -INFINITY);
        otok_booking_add(settled, v.at[OTOK_TERRAIN_CHANGE][at]);
        otok_booking_add(settled, change, -1);
        return v.at[OTOK_WATER][at];
    });
    otok_book(v.sums + OTOK_SUM_DEPOSITED, settled);
}

otok_launcher *const otok_cuda_sea = otok_start<meet_sea<false>>;
otok_launcher *const otok_cuda_sea_reached = otok_start<meet_sea<true>>;
otok_launcher *const otok_cuda_erosion = otok_start<erosion, otok_erosion_coefficients>;
otok_launcher *const otok_cuda_settle = otok_start<settle, otok_transport_coefficients>;
