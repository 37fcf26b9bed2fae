/* thermal.cu: thermal erosion in two kernels: outflows to eight pipes, then their collection. The
   physics is in model/thermal.h. */
#include "batch.cuh"
#include "core/cell.h"

static __device__ inline void thermal_outflow(const otok_view &v, int rows,
                                              otok_thermal_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) { otok_cell_slide(&v, at, k); });
}

static __device__ inline void thermal_collect(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking rounded = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const float old = v.at[OTOK_TERRAIN_CHANGE][at], next = otok_cell_collect(&v, at);
        v.at[OTOK_CHANGE_NEXT][at] = next;
        if (next == old) continue;
        otok_booking_add(rounded, next);
        otok_booking_add(rounded, old, -1);
    }
    otok_book(v.sums + OTOK_SUM_GROUND_ROUNDED, rounded);
}

otok_launcher *const otok_cuda_thermal_outflow =
    otok_start<thermal_outflow, otok_thermal_coefficients>;
otok_launcher *const otok_cuda_thermal_collect = otok_start<thermal_collect>;
