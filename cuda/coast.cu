/* coast.cu: abrasion and drift by waves; the physics is in model/coast.h. */
#include "batch.cuh"
#include "core/cell.h"

static __device__ inline void abrasion(const otok_view &v, int rows, otok_coast_coefficients k,
                                       otok_layer_coefficients layers)
{
    const float sea = v.steps[*v.now].sea;
    const otok_walk w = otok_walk_of(v, rows);
    otok_layer_books books = {};
    if (layers.n < 2) return;
    otok_walk_booked<OTOK_LAYER_BOTTOM>(v, rows, OTOK_SUM_ABRADED, -1, [&](int at) {
        otok_column_abrade(&v, at, sea, k, layers, &books, otok_walk_phase(v, w, at));
        return v.at[OTOK_LAYER_BOTTOM][at];
    });
    otok_book_layers(v, books, layers.n);
}

static __device__ inline void drift_gives(const otok_view &v, int rows, otok_coast_coefficients k)
{
    const float sea = v.steps[*v.now].sea;
    otok_walk_cells(v, rows, [&](int at) { otok_column_drift(&v, at, sea, k); });
}

static __device__ inline void drift_takes(const otok_view &v, int rows, otok_coast_coefficients k)
{
    const float sea = v.steps[*v.now].sea;
    otok_walk_cells(v, rows, [&](int at) { otok_cell_drift_takes(&v, at, sea, k); });
}

otok_launcher *const otok_cuda_abrasion =
    otok_start<abrasion, otok_coast_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_drift_gives = otok_start<drift_gives, otok_coast_coefficients>;
otok_launcher *const otok_cuda_drift_takes = otok_start<drift_takes, otok_coast_coefficients>;
