/* sides.cu: what leaves and enters over open sides of a kind of their own. */
#include "batch.cuh"
#include "core/side_flows.h"

/* One thread a cell along a side, which blockIdx.y selects. With the corners, if asked for and the
   sides across are joined. */
template <void (*SIDE)(const otok_view *, int, ptrdiff_t, otok_side_coefficients), int CORNERS>
static __device__ inline void along_side(const otok_view &v, int edges, otok_side_coefficients k)
{
    const int side = (int)blockIdx.y, upright = side == OTOK_LEFT || side == OTOK_RIGHT;
    const int joined = otok_edge_of(edges, upright ? OTOK_BOTTOM : OTOK_LEFT) == OTOK_PERIODIC,
              more = CORNERS && joined;
    const int along = (int)(blockIdx.x * blockDim.x + threadIdx.x) - more;
    const int i = side == OTOK_LEFT ? 0 : side == OTOK_RIGHT ? v.nx - 1 : along;
    const int j = side == OTOK_BOTTOM ? 0 : side == OTOK_TOP ? v.ny - 1 : along;
    if (otok_edge_of(edges, side) == OTOK_OPEN && along < (upright ? v.ny : v.nx) + more)
        SIDE(&v, side, j * v.pitch + i, k);
}

otok_launcher *const otok_cuda_side_flow =
    otok_start_along<OTOK_SIDES, along_side<otok_side_flow, 0>, otok_side_coefficients>;
otok_launcher *const otok_cuda_side_rest =
    otok_start_along<OTOK_SIDES, along_side<otok_side_rest, 0>, otok_side_coefficients>;
otok_launcher *const otok_cuda_side_level =
    otok_start_along<OTOK_SIDES, along_side<otok_side_level, 1>, otok_side_coefficients>;
