/* uplift.cu: a ground that rises; the physics is in model/uplift.h. */
#include "batch.cuh"
#include "core/ground.h"

static __device__ inline void uplift(const otok_view &v, int rows, otok_uplift_coefficients k,
                                     otok_layer_coefficients layers)
{
    const otok_step step = v.steps[*v.now];
    const otok_lift same = otok_lift_of(k.rate, &step);
    otok_walk_booked<OTOK_TERRAIN_CHANGE>(v, rows, OTOK_SUM_UPLIFT, 1, [&](int at) {
        const otok_lift lift = otok_lift_at(&v, at, k.rate, same, &step);
        otok_column_rise(&v, at, layers.n, otok_column_uplift(&v, at, layers.n, lift));
        return v.at[OTOK_TERRAIN_CHANGE][at];
    });
}

otok_launcher *const otok_cuda_uplift =
    otok_start<uplift, otok_uplift_coefficients, otok_layer_coefficients>;
