/* sides.cu: what leaves and enters over open sides of a kind of their own. */
#include "batch.cuh"
#include "core/side_flows.h"

/* One thread a cell along a side, which blockIdx.y selects; `edges` has two bits a side. With the
   corners, if asked for and the sides across are joined. */
template <void (*SIDE)(const otok_view *, int, ptrdiff_t, otok_side_coefficients), int CORNERS>
static __device__ inline void along_side(const otok_view &v, int edges, otok_side_coefficients k)
{
    const int side = (int)blockIdx.y, upright = side == OTOK_LEFT || side == OTOK_RIGHT;
    const int joined = (edges >> (upright ? 2 * OTOK_BOTTOM : 2 * OTOK_LEFT) & 3) == OTOK_PERIODIC,
              more = CORNERS && joined;
    const int along = (int)(blockIdx.x * blockDim.x + threadIdx.x) - more;
    const int i = side == OTOK_LEFT ? 0 : side == OTOK_RIGHT ? v.nx - 1 : along;
    const int j = side == OTOK_BOTTOM ? 0 : side == OTOK_TOP ? v.ny - 1 : along;
    if ((edges >> 2 * side & 3) == OTOK_OPEN && along < (upright ? v.ny : v.nx) + more)
        SIDE(&v, side, j * v.pitch + i, k);
}

static __device__ inline void side_flow(const otok_view &v, int edges, otok_side_coefficients k)
{
    along_side<otok_side_flow, 0>(v, edges, k);
}

static __device__ inline void side_level(const otok_view &v, int edges, otok_side_coefficients k)
{
    along_side<otok_side_level, 1>(v, edges, k);
}

static otok_launch along_sides(const otok_launch *l)
{
    otok_launch along = otok_along_sides(l, OTOK_SIDES);
    along.grid.x++; /* for the corners */
    along.rows = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        along.rows |= l->patch->edges[side] << 2 * side;
    return along;
}

cudaError_t otok_cuda_side_flow(const otok_launch *l)
{
    const otok_launch along = along_sides(l);
    return otok_start<side_flow, otok_side_coefficients>(&along);
}

cudaError_t otok_cuda_side_level(const otok_launch *l)
{
    const otok_launch along = along_sides(l);
    return otok_start<side_level, otok_side_coefficients>(&along);
}
