/* thermal.cu: the outflows of thermal erosion to eight pipes. The physics is in model/thermal.h. */
#include "batch.cuh"
#include "core/cell.h"

static __device__ inline void thermal_outflow(const otok_view &v, int rows,
                                              otok_thermal_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) { otok_cell_slide(&v, at, k); });
}

otok_launcher *const otok_cuda_thermal_outflow =
    otok_start<thermal_outflow, otok_thermal_coefficients>;
