/* river_cuts.cu: how rivers cut. */
#include "river_maps.cuh"

static __device__ inline void incise(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) { v.at[OTOK_RIVER_CUT][at] = otok_cell_change(&v, at); });
}

static cudaError_t cut(const otok_launch *launch)
{
    launches all = begin(launch);
    compose<false>(&all);
    start<incise>(&all, all.tiles, 0);
    start<clear<false>>(&all, all.tiles, 0);
    return all.error;
}

otok_launcher *const otok_cuda_river_cuts = cut;
