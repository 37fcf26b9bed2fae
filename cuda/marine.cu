/* marine.cu: diffusion of the sea bed; the physics is in model/marine.h. */
#include "batch.cuh"
#include "model/marine.h"

/* The share of a cell's outflow that it can give is 1 unless the ground has layers. */
template <bool LAYERED>
static __device__ inline void shares(const otok_view &v, int rows, otok_marine_coefficients k,
                                     otok_layer_coefficients layers)
{
    const otok_walk w = otok_walk_of(v, rows);
    const float sea = v.steps[*v.now].sea;
    for (int at = w.first; at < w.end; at += w.step) {
        const float change = v.at[OTOK_TERRAIN_CHANGE][at];
        float gives = 1.0f;
        if (LAYERED && layers.n > 1) {
            const otok_cross h = otok_ground_cross(v.at[OTOK_TERRAIN_BASE] + at,
                                                   v.at[OTOK_TERRAIN_CHANGE] + at, v.pitch);
            gives = otok_marine_gives(h, otok_marine_shares(h, sea, k),
                                      change - v.at[OTOK_LAYER_BOTTOM][at]);
        }
        v.at[OTOK_MARINE_SHARE][at] =
            otok_marine_share(sea - (v.at[OTOK_TERRAIN_BASE][at] + change), k);
        v.at[OTOK_MARINE_GIVES][at] = gives;
    }
}

static __device__ inline void marine_diffusion(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking rounded = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const float change = v.at[OTOK_TERRAIN_CHANGE][at];
        const otok_cross h = otok_ground_cross(v.at[OTOK_TERRAIN_BASE] + at,
                                               v.at[OTOK_TERRAIN_CHANGE] + at, v.pitch);
        const float next =
            otok_marine_next(change, h, otok_cross_at(v.at[OTOK_MARINE_SHARE] + at, v.pitch),
                             otok_cross_at(v.at[OTOK_MARINE_GIVES] + at, v.pitch));
        v.at[OTOK_CHANGE_NEXT][at] = next;
        otok_booking_add(rounded, next);
        otok_booking_add(rounded, change, -1);
    }
    otok_book(v.sums + OTOK_SUM_GROUND_ROUNDED, rounded);
}

otok_launcher *const otok_cuda_marine_shares =
    otok_start<shares<false>, otok_marine_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_marine_shares_layered =
    otok_start<shares<true>, otok_marine_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_marine_diffusion = otok_start<marine_diffusion>;
