/* kept.cuh: running maxima within a pass of a hydraulic family. If nothing else moves ground or
   water, depth, level and times are kept in every second pass: it has the state before at hand, and
   looks at both. The maps of a row are asked for a row before, so that the L2 cache has them. The
   kernels that keep maxima are others than those that do not, and only for single patches. */
#ifndef OTOK_FAST_KEPT_CUH
#define OTOK_FAST_KEPT_CUH

#include "hydraulic.cuh"

#include "model/derived.h"
#include "model/maxima.h"

/* What a pass keeps; max_depth, peaked or max_speed NULL: not that group. */
typedef struct otok_kept {
    float *max_depth, *peak_level, *peaked, *arrived, *duration, *max_speed, *max_depth_speed;
    float begin[2], end[2]; /* of the iteration before, and of this one */
    bool both;              /* the state before counts, too */
    otok_maxima_coefficients k;
} otok_kept;

/* `step`: this iteration; with both states, the one before it is there. */
static inline otok_kept otok_kept_of(const otok_view *v, const otok_fused_pass *pass,
                                     const otok_coefficients *k, const otok_step *step)
{
    const bool peaks = pass->keeps & OTOK_KEEPS_PEAKS, times = pass->keeps & OTOK_KEEPS_TIMES,
               speed = pass->keeps & OTOK_KEEPS_SPEED;
    const otok_step *before = pass->both ? step - 1 : step;
    return {peaks ? v->at[OTOK_MAX_DEPTH] : NULL,
            v->at[OTOK_PEAK_LEVEL],
            times ? v->at[OTOK_PEAKED] : NULL,
            v->at[OTOK_ARRIVED],
            v->at[OTOK_DURATION],
            speed ? v->at[OTOK_MAX_SPEED] : NULL,
            v->at[OTOK_MAX_DEPTH_SPEED],
            {before->begin, step->begin},
            {before->end, step->end},
            pass->both,
            k->maxima};
}

/* What a lane's columns of a row are, beside the bits of otok_eroded_row.drying: some are wet, or
   were; some are so deep that the duration counts, or were. */
enum { KEPT_WET = 16, KEPT_FLOODED = 32 };

static __device__ __forceinline__ float deepest_of(const float (&d)[OTOK_LANE])
{
    return fmaxf(fmaxf(d[0], d[1]), fmaxf(d[2], d[3]));
}

/* Of a row with the depths d1 after the rain, and d in the end. */
static __device__ __forceinline__ unsigned kept_is(const otok_kept &k, const float (&d1)[OTOK_LANE],
                                                   const float (&d)[OTOK_LANE])
{
    const float deepest = fmaxf(deepest_of(d1), deepest_of(d));
    return (deepest > 0.0f) * (unsigned)KEPT_WET |
           (deepest >= k.k.duration) * (unsigned)KEPT_FLOODED;
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

static __device__ __forceinline__ void ask_l2(const float *from)
{
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
#else
    (void)from;
#endif
}

/* Asks for the next row of maps, whose row j has its columns at `at`. All lanes of a warp call it,
   and one for each line of the cache asks. */
template <int COUNT>
static __device__ __forceinline__ void ask_ahead(const float *const (&maps)[COUNT], int j, int at,
                                                 bool wet, const otok_frame &g, const otok_strip &s)
{
    if (j + 1 >= s.top || !__any_sync(0xffffffffu, wet)) return;
    if (!s.owned || ((s.i & 28) != 0 && (threadIdx.x & 31) > 1)) return;
#pragma unroll
    for (int n = 0; n < COUNT; n++)
        ask_l2(maps[n] + at + g.pitch);
}

/* What keep_times finds: columns that were never deeper, a bit each; and does a duration grow? */
struct otok_kept_times {
    float peaked[OTOK_LANE], duration[OTOK_LANE];
    unsigned peaks;
    bool longer;
};

/* The times of a lane with the depths d after an iteration (0: the one before, 1: this one), and
   greatest depths of `most` before. */
static __device__ __forceinline__ void keep_times(otok_kept_times &t, const otok_kept &k, int n,
                                                  int at, const float (&d)[OTOK_LANE],
                                                  const float (&most)[OTOK_LANE])
{
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        if (d[c] > most[c]) t.peaked[c] = k.end[n], t.peaks |= 1u << c;
        if (d[c] > 0.0f && otok_arrives(most[c], d[c], k.k)) k.arrived[at + c] = k.end[n];
        if (!(d[c] > 0.0f && d[c] >= k.k.duration)) continue;
        t.duration[c] = otok_flooded(t.duration[c], d[c], k.begin[n], k.end[n], k.k);
        t.longer = true;
    }
}

static __device__ __forceinline__ void store_times(const otok_kept_times &t, const otok_kept &k,
                                                   int row, const otok_frame &g,
                                                   const otok_strip &s)
{
    if (t.longer) otok_strip_store(k.duration, row, t.duration, g, s);
    if (s.full && t.peaks == 15) {
        otok_strip_store(k.peaked, row, t.peaked, g, s);
        return;
    }
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        if (t.peaks >> c & 1) k.peaked[row + s.i + c] = t.peaked[c];
}

/* What a row's erosion knows: the ground before it, and the depth in the end. */
struct otok_kept_row {
    float h[OTOK_LANE], d[OTOK_LANE];

    __device__ __forceinline__ void set(const float (&ground)[OTOK_LANE],
                                        const float (&depth)[OTOK_LANE])
    {
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            h[c] = ground[c], d[c] = depth[c];
    }
};

/* Depth, level and times of row j, whose ground has moved by `change` in all; is: kept_is. All
   lanes of a warp call it. */
static __device__ __forceinline__ void keep_peaks(const otok_kept &k, const otok_flow &a, int j,
                                                  const otok_kept_row &of,
                                                  const float (&change)[OTOK_LANE], unsigned is,
                                                  const otok_frame &g, const otok_strip &s)
{
    if (!k.max_depth || j < s.bottom || j >= s.top) return;
    const int row = j * g.pitch, at = row + s.i;
    const bool floods = k.peaked && is & KEPT_FLOODED;
    ask_ahead({k.max_depth, k.peak_level}, j, at, is & KEPT_WET, g, s);
    if (k.peaked) ask_ahead({k.duration}, j, at, floods, g, s);
    if (!(is & KEPT_WET) || !s.owned) return;
    float d[OTOK_LANE] = {}, bed[OTOK_LANE], most[OTOK_LANE], level[OTOK_LANE];
    otok_kept_times times = {};
    bool deeper = false, higher = false;
    load_lane(most, k.max_depth, at, g, s);
    load_lane(level, k.peak_level, at, g, s);
    load_lane(bed, a.in[BASE], at, g, s);
    if (k.both) load_lane(d, a.in[WATER], at, g, s);
    if (floods) load_lane(times.duration, k.duration, at, g, s);
#pragma unroll
    for (int n = 0; n < 2; n++) {
        if (k.peaked) keep_times(times, k, n, at, d, most);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_peak before = {most[c], level[c]},
                            after = otok_peak_after(before, d[c], n ? bed[c] + change[c] : of.h[c]);
            if (!(d[c] > 0.0f)) continue;
            deeper |= after.depth != most[c], higher |= after.level != level[c];
            most[c] = after.depth, level[c] = after.level;
        }
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            d[c] = s.i + c < g.nx ? of.d[c] : 0.0f;
    }
    if (deeper) otok_strip_store(k.max_depth, row, most, g, s);
    if (higher) otok_strip_store(k.peak_level, row, level, g, s);
    if (k.peaked) store_times(times, k, row, g, s);
}

/* Speeds of row j, with the depth d and the velocity u, w. All lanes of a warp call it. */
static __device__ __forceinline__ void
keep_speeds(const otok_kept &k, int j, const float (&d)[OTOK_LANE], const float (&u)[OTOK_LANE],
            const float (&w)[OTOK_LANE], const otok_frame &g, const otok_strip &s)
{
    if (!k.max_speed) return;
    const int row = j * g.pitch, at = row + s.i;
    const bool wet = deepest_of(d) > 0.0f;
    float fastest[OTOK_LANE], strongest[OTOK_LANE];
    bool faster = false, stronger = false;
    ask_ahead({k.max_speed, k.max_depth_speed}, j, at, wet, g, s);
    if (!s.owned || !wet) return;
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
