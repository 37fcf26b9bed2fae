/* base.cuh: the lattice of a base terrain, for base.cu. */
#ifndef OTOK_BASE_CUH
#define OTOK_BASE_CUH

#include "cuda.h"

/* Writes those points of a lattice that the map has cells for. Cell (0, 0) is point (map.x0,
   map.y0). `plan` is on the device. */
cudaError_t otok_cuda_midpoint_fill(const otok_base_plan *plan, const otok_midpoint_fill *l,
                                    otok_base_map map, int pitch, float *scratch,
                                    cudaStream_t stream);

/* The number of floats that it needs on the device meanwhile. */
size_t otok_cuda_midpoint_scratch(const otok_midpoint_fill *l);

/* Loads its kernel, which CUDA would otherwise do at the first use. */
cudaError_t otok_cuda_midpoint_load(void);

#endif
