/* kept.cuh: running maxima within a pass of a hydraulic family, whose rows are at hand. The maps
   are read and written where a cell stops rising, and in the last iteration of a run: a bit says
   that the state of the iteration before may be the greatest. So no run leaves anything behind, and
   the maps are those of the plain kernels to the bit. The kernels that keep maxima are others than
   those that do not, and only for single patches. */
#ifndef OTOK_FAST_KEPT_CUH
#define OTOK_FAST_KEPT_CUH

#include "hydraulic_stages.cuh"

#include "model/derived.h"
#include "model/maxima.h"

/* What a pass keeps; max_speed or peaked NULL: not that group. */
typedef struct otok_kept {
    float *max_depth, *peak_level, *peaked, *arrived, *duration, *max_speed, *max_depth_speed;
    otok_notes notes;
    float before, begin, end; /* before: end of the iteration before */
    bool first, last;         /* of the run */
    otok_maxima_coefficients k;
} otok_kept;

static inline otok_kept otok_kept_of(const otok_patch *patch, const otok_fused_pass *pass,
                                     const otok_coefficients *k, const otok_step *steps, int n,
                                     int nsteps)
{
    const otok_view *v = &patch->view;
    const bool times = pass->keeps & OTOK_KEEPS_TIMES, speed = pass->keeps & OTOK_KEEPS_SPEED;
    otok_kept out;
    out.notes = ((otok_fused_kept *)otok_cuda_own_of(patch)->frames)->notes;
    out.first = n == 0, out.last = n + 1 == nsteps;
    out.before = n > 0 ? steps[n - 1].end : 0.0f;
    out.max_depth = v->at[OTOK_MAX_DEPTH];
    out.peak_level = v->at[OTOK_PEAK_LEVEL];
    out.peaked = times ? v->at[OTOK_PEAKED] : NULL;
    out.arrived = v->at[OTOK_ARRIVED];
    out.duration = v->at[OTOK_DURATION];
    out.max_speed = speed ? v->at[OTOK_MAX_SPEED] : NULL;
    out.max_depth_speed = v->at[OTOK_MAX_DEPTH_SPEED];
    out.begin = steps[n].begin, out.end = steps[n].end;
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

/* What is looked for in the next row comes meanwhile. */
static __device__ __forceinline__ void fetch_soon(const void *next)
{
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(next));
#else
    (void)next;
#endif
}

/* Notes of a lane, two bits a column: its depth rose in the last iteration; its level may be the
   highest. Or its speed, and the product of speed and depth, may be the greatest. */
enum { OTOK_NOTE_SHIFT = OTOK_LANE, OTOK_NOTE_MASK = (1 << OTOK_LANE) - 1 };

/* The depths of a lane's columns of row j before, and now; 0 beyond the grid. False: all are and
   were dry, and so no note is to be made but the first. */
static __device__ __forceinline__ bool lane_depths(float (&old)[OTOK_LANE], float (&d)[OTOK_LANE],
                                                   const otok_flow &a, int j,
                                                   const otok_eroded_row &e, const otok_frame &g,
                                                   const otok_strip &s)
{
    load_lane(old, a.in[WATER], j * g.pitch + s.i, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        d[c] = s.full || s.i + c < g.nx ? e.d3[c] : 0.0f;
    return any_wet(d) || any_wet(old);
}

/* Counts what the iteration before left in the columns `ends` of row j: the depth `old`, on ground
   that had changed by `change`. The columns `reach` reach k.k.arrival now, with the depth d. */
static __device__ __forceinline__ void
keep_old(const otok_kept &k, const otok_flow &a, int row, unsigned ends, unsigned reach,
         const float (&old)[OTOK_LANE], const float (&change)[OTOK_LANE],
         const float (&d)[OTOK_LANE], const otok_frame &g, const otok_strip &s)
{
    const int at = row + s.i;
    float base[OTOK_LANE], most[OTOK_LANE], level[OTOK_LANE];
    bool deeper = false, higher = false;
    load_lane(most, k.max_depth, at, g, s);
    load_lane(level, k.peak_level, at, g, s);
    load_lane(base, a.in[BASE], at, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const otok_peak before = {most[c], level[c]},
                        after = otok_peak_after(before, old[c], base[c] + change[c]);
        if (reach >> c & 1 && otok_arrives(most[c], d[c], k.k)) k.arrived[at + c] = k.end;
        if (!(ends >> c & 1) || !(old[c] > 0.0f)) continue;
        if (k.peaked && old[c] > most[c]) k.peaked[at + c] = k.before;
        deeper |= after.depth != most[c], higher |= after.level != level[c];
        most[c] = after.depth, level[c] = after.level;
    }
    if (deeper) otok_strip_store(k.max_depth, row, most, g, s);
    if (higher) otok_strip_store(k.peak_level, row, level, g, s);
}

/* Depth and level of row j. `settles`: thin water may still move the ground. Whether the level fell
   or rose follows from differences with a margin for their rounding, or from the levels. All that
   the first iteration leaves may be the greatest. */
static __device__ __forceinline__ void keep_rising(const otok_kept &k, const otok_flow &a, int j,
                                                   const otok_eroded_row &e,
                                                   const otok_ground_row &from, bool settles,
                                                   const otok_frame &g, const otok_strip &s)
{
    if (!s.owned) return;
    const int row = j * g.pitch, at = row + s.i;
    float d[OTOK_LANE], old[OTOK_LANE], change[OTOK_LANE];
    if (!lane_depths(old, d, a, j, e, g, s) && !k.first) return;
    load_lane(change, a.change, at, g, s);
    uint8_t *const note = k.notes.rising + at / OTOK_LANE;
    const unsigned notes = k.first ? 0u : *note, deep = notes & OTOK_NOTE_MASK,
                   high = notes >> OTOK_NOTE_SHIFT;
    unsigned up = 0, higher = 0, unsure = 0, reach = 0;
    if (j + 1 < s.top) fetch_soon(note + g.pitch / OTOK_LANE);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const float rise = d[c] - old[c], moved = e.ground[c] - change[c], way = rise + moved,
                    sum = d[c] + old[c], margin = 3e-7f * (fabsf(from.h[c]) + fabsf(moved) + sum);
        if (rise > 0.0f) up |= 1u << c;
        if (way > margin) higher |= 1u << c;
        if (sum > 0.0f && !(fabsf(way) > margin && fminf(d[c], old[c]) > 0.0f)) unsure |= 1u << c;
    }
    unsigned lower = ~(higher | unsure);
    if (unsure) {
        float base[OTOK_LANE];
        load_lane(base, a.in[BASE], at, g, s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const float level = base[c] + e.ground[c] + d[c], before = base[c] + change[c] + old[c];
            const unsigned bit = unsure & 1u << c;
            if (level > before || !(old[c] > 0.0f)) higher |= bit;
            if (level < before || !(d[c] > 0.0f)) lower |= bit;
        }
    }
    if (k.first || (settles && e.drying))
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            if (d[c] > 0.0f) higher |= (k.first ? ~0u : e.drying) & 1u << c;
            if (k.first && d[c] > 0.0f) up |= 1u << c;
        }
    if (k.peaked)
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const bool reached = !k.first && old[c] >= k.k.arrival;
            if (d[c] >= k.k.arrival && !reached) reach |= 1u << c;
            if (d[c] >= k.k.duration)
                k.duration[at + c] = otok_flooded(k.duration[at + c], d[c], k.begin, k.end, k.k);
        }
    const unsigned ends = (deep & ~up) | (high & lower), next = up | ((high & ~lower) | higher)
                                                                         << OTOK_NOTE_SHIFT;
    if (ends | reach) keep_old(k, a, row, ends, reach, old, change, d, g, s);
    if (k.first || next != notes) *note = (uint8_t)next;
}

/* The same at the end of a run: counts what may be the greatest. The water of row j and its notes
   are stored, and its ground has moved by `change`. */
static __device__ __forceinline__ void keep_last(const otok_kept &k, const otok_flow &a, int j,
                                                 const float (&change)[OTOK_LANE],
                                                 const otok_frame &g, const otok_strip &s)
{
    if (!k.last || j < s.bottom || j >= s.top || !s.owned) return;
    const int row = j * g.pitch, at = row + s.i;
    const unsigned notes = k.notes.rising[at / OTOK_LANE];
    float d[OTOK_LANE], base[OTOK_LANE], most[OTOK_LANE], level[OTOK_LANE];
    load_lane(d, a.water_next, at, g, s);
    if (!notes || !any_wet(d)) return;
    load_lane(base, a.in[BASE], at, g, s);
    load_lane(most, k.max_depth, at, g, s);
    load_lane(level, k.peak_level, at, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const otok_peak before = {most[c], level[c]},
                        after = otok_peak_after(before, d[c], base[c] + change[c]);
        if (!(d[c] > 0.0f)) continue;
        if (k.peaked && d[c] > most[c]) k.peaked[at + c] = k.end;
        most[c] = after.depth, level[c] = after.level;
    }
    otok_strip_store(k.max_depth, row, most, g, s);
    otok_strip_store(k.peak_level, row, level, g, s);
}

/* Counts the speeds v in the columns `which`; PRODUCT: times the depths d. */
template <bool PRODUCT>
static __device__ __forceinline__ void
keep_speed(float *map, int row, unsigned which, const float (&v)[OTOK_LANE],
           const float (&d)[OTOK_LANE], const otok_frame &g, const otok_strip &s)
{
    float most[OTOK_LANE];
    bool more = false;
    if (!which) return;
    load_lane(most, map, row + s.i, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const float now = PRODUCT ? v[c] * d[c] : v[c];
        if (which >> c & 1 && now > most[c]) most[c] = now, more = true;
    }
    if (more) otok_strip_store(map, row, most, g, s);
}

/* Speeds of row j. */
static __device__ __forceinline__ void keep_speeds(const otok_kept &k, const otok_flow &a, int j,
                                                   const otok_eroded_row &e, const otok_frame &g,
                                                   const otok_strip &s)
{
    if (!s.owned) return;
    const int row = j * g.pitch, at = row + s.i;
    float d[OTOK_LANE], old[OTOK_LANE], v[OTOK_LANE], was[OTOK_LANE] = {};
    if (!lane_depths(old, d, a, j, e, g, s) && !k.first) return;
    uint8_t *const note = k.notes.racing + at / OTOK_LANE;
    const unsigned notes = k.first ? 0u : *note;
    unsigned slower = 0, faster = 0;
    if (!k.first) load_lane(was, k.notes.speed, at, g, s);
    if (j + 1 < s.top) fetch_soon(note + g.pitch / OTOK_LANE);
    if (j + 1 < s.top) fetch_soon(k.notes.speed + at + g.pitch);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        v[c] = d[c] > 0.0f ? otok_water_speed(e.u[c], e.w[c]) : 0.0f;
        const float product = v[c] * d[c], before = was[c] * old[c];
        const unsigned bit = 1u << c, high = bit << OTOK_NOTE_SHIFT;
        if (v[c] > was[c]) faster |= bit;
        if (v[c] < was[c]) slower |= bit;
        if (product > before) faster |= high;
        if (product < before) slower |= high;
    }
    const unsigned ends = notes & slower, next = (notes & ~slower) | faster;
    keep_speed<false>(k.max_speed, row, ends & OTOK_NOTE_MASK, was, old, g, s);
    keep_speed<true>(k.max_depth_speed, row, ends >> OTOK_NOTE_SHIFT, was, old, g, s);
    if (k.last) {
        keep_speed<false>(k.max_speed, row, next & OTOK_NOTE_MASK, v, d, g, s);
        keep_speed<true>(k.max_depth_speed, row, next >> OTOK_NOTE_SHIFT, v, d, g, s);
        return;
    }
    otok_strip_store(k.notes.speed, row, v, g, s);
    if (k.first || next != notes) *note = (uint8_t)next;
}

#endif
