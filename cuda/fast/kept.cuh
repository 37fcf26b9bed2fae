/* kept.cuh: running maxima within a pass of a hydraulic family, whose rows are at hand: 8 bytes a
   wet cell are read for depth and level, where a kernel after the pass reads 20. The kernels that
   keep them are others than those that do not, and only for single patches. */
#ifndef OTOK_FAST_KEPT_CUH
#define OTOK_FAST_KEPT_CUH

#include "hydraulic.cuh"

#include "model/derived.h"
#include "model/maxima.h"

/* What a pass keeps; max_speed or peaked NULL: not that group. */
typedef struct otok_kept {
    float *max_depth, *peak_level, *peaked, *arrived, *duration, *max_speed, *max_depth_speed;
    float begin, end;
    otok_maxima_coefficients k;
} otok_kept;

static inline otok_kept otok_kept_of(const otok_view *v, const otok_fused_pass *pass,
                                     const otok_coefficients *k, const otok_step *step)
{
    const bool times = pass->keeps & OTOK_KEEPS_TIMES, speed = pass->keeps & OTOK_KEEPS_SPEED;
    otok_kept out;
    out.max_depth = v->at[OTOK_MAX_DEPTH];
    out.peak_level = v->at[OTOK_PEAK_LEVEL];
    out.peaked = times ? v->at[OTOK_PEAKED] : NULL;
    out.arrived = v->at[OTOK_ARRIVED];
    out.duration = v->at[OTOK_DURATION];
    out.max_speed = speed ? v->at[OTOK_MAX_SPEED] : NULL;
    out.max_depth_speed = v->at[OTOK_MAX_DEPTH_SPEED];
    out.begin = step->begin, out.end = step->end;
    out.k = k->maxima;
    return out;
}

/* A lane's columns of a row that starts at `at`; those beyond the grid get 0. */
static __device__ __forceinline__ void load_lane(float (&out)[OTOK_LANE], const float *map, int at,
                                                 const otok_frame &g, const otok_strip &s)
{
    if (s.full) {
        const float4 v = *(const float4 *)(map + at);
        out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
        return;
    }
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        out[c] = s.i + c < g.nx ? map[at + c] : 0.0f;
}

static __device__ __forceinline__ bool any_wet(const float (&d)[OTOK_LANE])
{
    return d[0] > 0.0f || d[1] > 0.0f || d[2] > 0.0f || d[3] > 0.0f;
}

/* The times of a lane with the depths d, after greatest depths of `most`. */
static __device__ __forceinline__ void
keep_times(const otok_kept &k, int at, const float (&d)[OTOK_LANE], const float (&most)[OTOK_LANE])
{
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        if (d[c] > most[c]) k.peaked[at + c] = k.end;
        if (d[c] > 0.0f && otok_arrives(most[c], d[c], k.k)) k.arrived[at + c] = k.end;
        if (d[c] > 0.0f && d[c] >= k.k.duration)
            k.duration[at + c] = otok_flooded(k.duration[at + c], d[c], k.begin, k.end, k.k);
    }
}

/* Depth and level of row j, whose water is stored and whose ground has moved by `change`. */
static __device__ __forceinline__ void keep_peaks(const otok_kept &k, const otok_flow &a, int j,
                                                  const float (&change)[OTOK_LANE],
                                                  const otok_frame &g, const otok_strip &s)
{
    if (j < s.bottom || j >= s.top || !s.owned) return;
    const int row = j * g.pitch, at = row + s.i;
    float d[OTOK_LANE], h[OTOK_LANE], most[OTOK_LANE], level[OTOK_LANE];
    bool deeper = false, higher = false;
    load_lane(d, a.water_next, at, g, s);
    if (!any_wet(d)) return;
    load_lane(h, a.in[BASE], at, g, s);
    load_lane(most, k.max_depth, at, g, s);
    load_lane(level, k.peak_level, at, g, s);
    if (k.peaked) keep_times(k, at, d, most);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const otok_peak before = {most[c], level[c]},
                        after = otok_peak_after(before, d[c], h[c] + change[c]);
        if (!(d[c] > 0.0f)) continue;
        deeper |= after.depth != most[c], higher |= after.level != level[c];
        most[c] = after.depth, level[c] = after.level;
    }
    if (deeper) otok_strip_store(k.max_depth, row, most, g, s);
    if (higher) otok_strip_store(k.peak_level, row, level, g, s);
}

/* Speeds of row j, with the depth d and the velocity u, w. */
static __device__ __forceinline__ void
keep_speeds(const otok_kept &k, int j, const float (&d)[OTOK_LANE], const float (&u)[OTOK_LANE],
            const float (&w)[OTOK_LANE], const otok_frame &g, const otok_strip &s)
{
    const int row = j * g.pitch, at = row + s.i;
    float fastest[OTOK_LANE], strongest[OTOK_LANE];
    bool faster = false, stronger = false;
    if (!s.owned || !any_wet(d)) return;
    load_lane(fastest, k.max_speed, at, g, s);
    load_lane(strongest, k.max_depth_speed, at, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const float speed = otok_water_speed(u[c], w[c]), product = speed * d[c];
        if (!(d[c] > 0.0f)) continue;
        if (speed > fastest[c]) fastest[c] = speed, faster = true;
        if (product > strongest[c]) strongest[c] = product, stronger = true;
    }
    if (faster) otok_strip_store(k.max_speed, row, fastest, g, s);
    if (stronger) otok_strip_store(k.max_depth_speed, row, strongest, g, s);
}

#endif
