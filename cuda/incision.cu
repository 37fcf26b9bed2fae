/* incision.cu: how strong rivers are, and what they take; sides that are a base level. */
#include "batch.cuh"
#include "core/rivers.h"

static __device__ inline void hold_sides(const otok_view &v, int rows, otok_uplift_coefficients k,
                                         otok_layer_coefficients layers)
{
    const otok_step step = v.steps[*v.now];
    const otok_lift same = otok_lift_of(k.rate, &step);
    otok_booking out = {0, 0};
    otok_walk_cells(v, rows, [&](int at) {
        const int pitch = (int)v.pitch;
        const float was = v.at[OTOK_TERRAIN_CHANGE][at];
        otok_cell_hold(&v, at % pitch, at / pitch, k.rate, same, &step, layers.n);
        otok_booking_add(out, was);
        otok_booking_add(out, v.at[OTOK_TERRAIN_CHANGE][at], -1);
    });
    otok_book(v.sums + OTOK_SUM_RIVER_OUT, out);
    if (layers.n > 0) otok_book(v.sums + OTOK_SUM_ERODED + layers.n - 1, out);
}

static __device__ inline void stay_sides(const otok_view &v, int rows,
                                         otok_layer_coefficients layers)
{
    const otok_step step = v.steps[*v.now];
    otok_booking out = {0, 0};
    otok_walk_cells(v, rows, [&](int at) {
        const int pitch = (int)v.pitch;
        const float was = v.at[OTOK_CHANGE_NEXT][at];
        otok_cell_stay(&v, at % pitch, at / pitch, &step);
        otok_booking_add(out, was);
        otok_booking_add(out, v.at[OTOK_CHANGE_NEXT][at], -1);
    });
    otok_book(v.sums + OTOK_SUM_RIVER_OUT, out);
    if (layers.n > 0) otok_book(v.sums + OTOK_SUM_ERODED, out);
}

static __device__ inline void river_rates(const otok_view &v, int rows,
                                          otok_incision_coefficients k,
                                          otok_layer_coefficients layers)
{
    otok_walk_cells(v, rows, [&](int at) { otok_cell_river(&v, at, k, &layers); });
}

static __device__ inline void incision(const otok_view &v, int rows)
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

otok_launcher *const otok_cuda_hold_sides =
    otok_start<hold_sides, otok_uplift_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_stay_sides = otok_start<stay_sides, otok_layer_coefficients>;
otok_launcher *const otok_cuda_river_rates =
    otok_start<river_rates, otok_incision_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_incision = otok_start<incision>;
otok_launcher *const otok_cuda_river_moves = otok_start<incision>;
