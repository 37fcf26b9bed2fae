/* thermal.cu: thermal erosion in two kernels: outflows to eight pipes, then their collection. The
   physics is in model/thermal.h. */
#include "batch.cuh"
#include "model/thermal.h"

static __device__ inline void thermal_outflow(const otok_view &v, int rows,
                                              otok_thermal_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_moore h = otok_ground_moore(v.at[OTOK_TERRAIN_BASE] + at,
                                               v.at[OTOK_TERRAIN_CHANGE] + at, v.pitch);
        const otok_slide s = otok_thermal_outflow(h, v.at[OTOK_TERRAIN_CHANGE][at], k);
        v.at[OTOK_CHANGE_NEXT][at] = s.change;
        v.at[OTOK_PIPE_LEFT][at] = s.pipe.left;
        v.at[OTOK_PIPE_RIGHT][at] = s.pipe.right;
        v.at[OTOK_PIPE_BOTTOM][at] = s.pipe.bottom;
        v.at[OTOK_PIPE_TOP][at] = s.pipe.top;
        v.at[OTOK_PIPE_BOTTOM_LEFT][at] = s.pipe.bottom_left;
        v.at[OTOK_PIPE_BOTTOM_RIGHT][at] = s.pipe.bottom_right;
        v.at[OTOK_PIPE_TOP_LEFT][at] = s.pipe.top_left;
        v.at[OTOK_PIPE_TOP_RIGHT][at] = s.pipe.top_right;
    }
}

static __device__ inline void thermal_collect(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    const ptrdiff_t up = v.pitch;
    otok_booking rounded = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        otok_eight in;
        in.left = v.at[OTOK_PIPE_RIGHT][at - 1];
        in.right = v.at[OTOK_PIPE_LEFT][at + 1];
        in.bottom = v.at[OTOK_PIPE_TOP][at - up];
        in.top = v.at[OTOK_PIPE_BOTTOM][at + up];
        in.bottom_left = v.at[OTOK_PIPE_TOP_RIGHT][at - up - 1];
        in.bottom_right = v.at[OTOK_PIPE_TOP_LEFT][at - up + 1];
        in.top_left = v.at[OTOK_PIPE_BOTTOM_RIGHT][at + up - 1];
        in.top_right = v.at[OTOK_PIPE_BOTTOM_LEFT][at + up + 1];
        const float old = v.at[OTOK_TERRAIN_CHANGE][at],
                    next = otok_thermal_collect(v.at[OTOK_CHANGE_NEXT][at], in);
        v.at[OTOK_CHANGE_NEXT][at] = next;
        if (next == old) continue;
        otok_booking_add(rounded, next);
        otok_booking_add(rounded, old, -1);
    }
    otok_book(v.sums + OTOK_SUM_GROUND_ROUNDED, rounded);
}

otok_launcher *const otok_cuda_thermal_outflow =
    otok_start<thermal_outflow, otok_thermal_coefficients>;
otok_launcher *const otok_cuda_thermal_collect = otok_start<thermal_collect>;
