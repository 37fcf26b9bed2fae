/* maxima.cu: running maxima of the water; what a cell does is in model/maxima.h. */
#include "batch.cuh"
#include "core/cell.h"

static __device__ inline void maxima(const otok_view &v, int rows)
{
    otok_walk_cells(v, rows, [&](int at) { otok_cell_maxima(&v, at); });
}

static __device__ inline void maxima_times(const otok_view &v, int rows, otok_maxima_coefficients k)
{
    const float begin = v.steps[*v.now].begin, end = v.steps[*v.now].end;
    otok_walk_cells(v, rows, [&](int at) { otok_cell_maxima_times(&v, at, begin, end, k); });
}

static __device__ inline void maxima_speed(const otok_view &v, int rows)
{
    otok_walk_cells(v, rows, [&](int at) { otok_cell_maxima_speed(&v, at); });
}

otok_launcher *const otok_cuda_maxima = otok_start<maxima>;
otok_launcher *const otok_cuda_maxima_times = otok_start<maxima_times, otok_maxima_coefficients>;
otok_launcher *const otok_cuda_maxima_speed = otok_start<maxima_speed>;
