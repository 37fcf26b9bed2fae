/* creep.cu: linear creep of the ground; the physics is in model/creep.h. */
#include "batch.cuh"
#include "core/ground.h"
#include "model/creep.h"

static __device__ inline void creep(const otok_view &v, int rows, otok_creep_coefficients k)
{
    otok_walk_booked<OTOK_TERRAIN_CHANGE>(v, rows, OTOK_SUM_GROUND_ROUNDED, 1, [&](int at) {
        return v.at[OTOK_CHANGE_NEXT][at] =
                   otok_creep_next(v.at[OTOK_TERRAIN_CHANGE][at], otok_ground_around(&v, at), k);
    });
}

otok_launcher *const otok_cuda_creep = otok_start<creep, otok_creep_coefficients>;
