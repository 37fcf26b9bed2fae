/* seabed.cu: one sweep of seabed smoothing; the physics is in model/seabed.h. */
#include "batch.cuh"
#include "core/ground.h"
#include "model/seabed.h"

static __device__ inline void seabed(const otok_view &v, int rows)
{
    const float sea = v.steps[*v.now].sea;
    otok_walk_booked<OTOK_TERRAIN_CHANGE>(v, rows, OTOK_SUM_SMOOTHED, 1, [&](int at) {
        return v.at[OTOK_CHANGE_NEXT][at] = otok_seabed_smooth(v.at[OTOK_TERRAIN_CHANGE][at],
                                                               otok_ground_around(&v, at), sea);
    });
}

otok_launcher *const otok_cuda_seabed = otok_start<seabed>;
