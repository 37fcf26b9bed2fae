/* seabed.cu: one sweep of seabed smoothing; the physics is in model/seabed.h. */
#include "batch.cuh"
#include "model/seabed.h"

static __device__ inline void seabed(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    const float sea = v.steps[*v.now].sea;
    otok_booking smoothed = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_cross h = otok_ground_cross(v.at[OTOK_TERRAIN_BASE] + at,
                                               v.at[OTOK_TERRAIN_CHANGE] + at, v.pitch);
        const float change = v.at[OTOK_TERRAIN_CHANGE][at];
        const float next = otok_seabed_smooth(change, h, sea);
        v.at[OTOK_CHANGE_NEXT][at] = next;
        otok_booking_add(smoothed, next);
        otok_booking_add(smoothed, change, -1);
    }
    otok_book(v.sums + OTOK_SUM_SMOOTHED, smoothed);
}

otok_launcher *const otok_cuda_seabed = otok_start<seabed>;
