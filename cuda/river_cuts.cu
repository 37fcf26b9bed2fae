/* river_cuts.cu: how rivers cut. */
#include "river_maps.cuh"

static __device__ inline void incise(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) { v.at[OTOK_RIVER_CUT][at] = otok_cell_change(&v, at); });
}

struct cuts {
    enum { SIDES = OTOK_PERIODIC };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        compose<false>(run);
        run.template by_tiles<incise>();
        run.template by_tiles<clear<false>>();
    }
};

otok_launcher *const otok_cuda_river_cuts = go<cuts>;
