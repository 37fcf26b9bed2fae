/* coast.cu: abrasion and drift by waves; the physics is in model/coast.h. */
#include "batch.cuh"
#include "core/ground.h"

static __device__ inline void abrasion(const otok_view &v, int rows, otok_coast_coefficients k,
                                       otok_layer_coefficients layers)
{
    const otok_walk w = otok_walk_of(v, rows);
    const float sea = v.steps[*v.now].sea;
    otok_layer_books books = {};
    otok_booking loosened = {0, 0};
    for (int at = w.first; at < w.end && layers.n > 1; at += w.step) {
        otok_booking_add(loosened, v.at[OTOK_LAYER_BOTTOM][at]);
        otok_column_abrade(&v, at, sea, k, layers, &books);
        otok_booking_add(loosened, v.at[OTOK_LAYER_BOTTOM][at], -1);
    }
    otok_book(v.sums + OTOK_SUM_ABRADED, loosened);
    for (int i = 1; i <= layers.n; i++)
        otok_book(v.sums + OTOK_SUM_DEPOSITED + i, otok_booking{books.hi[i], books.lo[i]});
}

static __device__ inline void drift_gives(const otok_view &v, int rows, otok_coast_coefficients k,
                                          otok_layer_coefficients layers)
{
    const otok_walk w = otok_walk_of(v, rows);
    const float sea = v.steps[*v.now].sea;
    for (int at = w.first; at < w.end; at += w.step)
        otok_column_drift(&v, at, layers.n, sea, k);
}

static __device__ inline void drift_takes(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    const float sea = v.steps[*v.now].sea;
    for (int at = w.first; at < w.end; at += w.step)
        v.at[OTOK_DRIFT_TAKES][at] =
            otok_drift_takes(sea - (v.at[OTOK_TERRAIN_BASE][at] + v.at[OTOK_TERRAIN_CHANGE][at]),
                             otok_drift_into(otok_cross_at(v.at[OTOK_DRIFT_X] + at, v.pitch),
                                             otok_cross_at(v.at[OTOK_DRIFT_Y] + at, v.pitch)));
}

static __device__ inline void drift(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking rounded = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const float change = v.at[OTOK_TERRAIN_CHANGE][at];
        const float next = otok_drift_next(change, otok_cross_at(v.at[OTOK_DRIFT_X] + at, v.pitch),
                                           otok_cross_at(v.at[OTOK_DRIFT_Y] + at, v.pitch),
                                           otok_cross_at(v.at[OTOK_DRIFT_TAKES] + at, v.pitch));
        v.at[OTOK_CHANGE_NEXT][at] = next;
        otok_booking_add(rounded, next);
        otok_booking_add(rounded, change, -1);
    }
    otok_book(v.sums + OTOK_SUM_GROUND_ROUNDED, rounded);
}

otok_launcher *const otok_cuda_abrasion =
    otok_start<abrasion, otok_coast_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_drift_gives =
    otok_start<drift_gives, otok_coast_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_drift_takes = otok_start<drift_takes>;
otok_launcher *const otok_cuda_drift = otok_start<drift>;
