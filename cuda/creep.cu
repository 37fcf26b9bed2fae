/* creep.cu: linear creep of the ground; the physics is in model/creep.h. */
#include "batch.cuh"
#include "model/creep.h"

static __device__ inline void creep(const otok_view &v, int rows, otok_creep_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking rounded = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const float change = v.at[OTOK_TERRAIN_CHANGE][at];
        const otok_cross h = otok_ground_cross(v.at[OTOK_TERRAIN_BASE] + at,
                                               v.at[OTOK_TERRAIN_CHANGE] + at, v.pitch);
        const float next = otok_creep_next(change, h, k);
        v.at[OTOK_CHANGE_NEXT][at] = next;
        otok_booking_add(rounded, next);
        otok_booking_add(rounded, change, -1);
    }
    otok_book(v.sums + OTOK_SUM_GROUND_ROUNDED, rounded);
}

otok_launcher *const otok_cuda_creep = otok_start<creep, otok_creep_coefficients>;
