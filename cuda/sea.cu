/* sea.cu: the cells that the sea reaches. All threads join cells at once; see core/sea_reach.h. */
#include "batch.cuh"
#include "core/sea_reach.h"

/* The bodies have no rows; `sides` has bits of otok_ways_in, those that wrap above the open ones.
 */
template <typename CELL> static __device__ inline void walk(const otok_view &v, CELL cell)
{
    const int i = (int)(blockIdx.x * OTOK_TILE_X + threadIdx.x);
    for (int j = (int)(blockIdx.y * OTOK_TILE_Y + threadIdx.y); i < v.nx && j < v.ny;
         j += (int)(gridDim.y * OTOK_TILE_Y))
        cell(i, j, j * v.pitch + i);
}

static __device__ inline void begin(const otok_view &v, int sides)
{
    walk(v, [&](int i, int j, ptrdiff_t at) {
        otok_sea_parents(&v)[at] = otok_sea_first_parent(&v, i, j, sides & ((1 << OTOK_SIDES) - 1));
    });
}

/* Joins the parts of two numbers. */
static __device__ inline void join(int *parents, int a, int b)
{
    for (;;) {
        a = otok_sea_root(parents, a);
        b = otok_sea_root(parents, b);
        if (a == b) return;
        const int root = a > b ? a : b;
        if (atomicCAS(&parents[root - 1], root, a > b ? b : a) == root) return;
    }
}

static __device__ inline void join_cells(const otok_view &v, int sides)
{
    const float sea = v.steps[*v.now].sea;
    walk(v, [&](int i, int j, ptrdiff_t at) {
        for (int way = 0; way < 2 && otok_sea_may_enter(&v, at, sea); way++) {
            const int beside = otok_sea_beside(&v, i, j, way, sea, sides >> OTOK_SIDES);
            if (beside) join(otok_sea_parents(&v), (int)at + 1, beside);
        }
    });
}

static __device__ inline void end(const otok_view &v, int)
{
    const float sea = v.steps[*v.now].sea;
    walk(v, [&](int, int, ptrdiff_t at) { v.at[OTOK_REACHED][at] = otok_sea_is_in(&v, at, sea); });
}

/* Ways to a root depend on the order of threads, so nothing is left of them. */
static __device__ inline void clear(const otok_view &v, int)
{
    walk(v, [&](int, int, ptrdiff_t at) { v.at[OTOK_SEA_PARENT][at] = 0.0f; });
}

/* The bodies look at walls themselves. */
static cudaError_t reaches(const otok_launch *launch)
{
    const otok_ways_in sides = otok_ways_in_of(launch->patch->edges);
    otok_launch l = *launch;
    l.walled = NULL;
    l.rows = sides.open | sides.wraps << OTOK_SIDES;
    cudaError_t error = otok_start<begin>(&l);
    if (error == cudaSuccess) error = otok_start<join_cells>(&l);
    if (error == cudaSuccess) error = otok_start<end>(&l);
    return error == cudaSuccess ? otok_start<clear>(&l) : error;
}

otok_launcher *const otok_cuda_sea_reaches = reaches;
