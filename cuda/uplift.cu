/* uplift.cu: a ground that rises; the physics is in model/uplift.h. */
#include "batch.cuh"
#include "core/ground.h"
#include "model/uplift.h"

static __device__ inline void uplift(const otok_view &v, int rows, otok_layer_coefficients layers)
{
    const otok_walk w = otok_walk_of(v, rows);
    const otok_step step = v.steps[*v.now];
    otok_booking risen = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const float change = v.at[OTOK_TERRAIN_CHANGE][at];
        const float size = otok_column_size(&v, at, layers.n);
        const float rise = otok_uplift_rise(step.uplift_from, step.uplift_to, size);
        otok_column_rise(&v, at, layers.n, rise);
        otok_booking_add(risen, v.at[OTOK_TERRAIN_CHANGE][at]);
        otok_booking_add(risen, change, -1);
    }
    otok_book(v.sums + OTOK_SUM_UPLIFT, risen);
}

cudaError_t otok_cuda_uplift(const otok_launch *l)
{
    return otok_start<uplift, otok_layer_coefficients>(l);
}
