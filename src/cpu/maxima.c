/* maxima.c: running maxima of the water. A row goes in blocks. Most are dry, or past their peak:
   loops that the compiler vectorises look for a wet cell, then for anything new, and only then a
   block is stored. The maxima of rows that come soon are fetched meanwhile: half of the time would
   be waiting for them. */
#include "../core/cell.h"
#include "cpu.h"

enum { BLOCK = 64, LINE = 16 }; /* cells of a block, and of a line of the cache */

static inline int any_above(const float *d, ptrdiff_t n, float least)
{
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t i = 0; i < n; i++)
        any |= d[i] > least;
    return any;
}

/* The same block of some buffers in a row that comes two boxes of the fused strategy later. */
static inline void fetch(const otok_view *v, int first, int last, ptrdiff_t at, ptrdiff_t later)
{
    for (int b = first; b <= last; b++)
        for (int i = 0; i < BLOCK; i += LINE)
            __builtin_prefetch(v->at[b] + at + later + i, 1);
}

/* Walks the blocks of a box in which a cell is wet: n cells from `at` on. */
#define WET_BLOCKS(v, b)                                                                           \
    const ptrdiff_t later = (b.y1 - b.y0 < 8 ? b.y1 - b.y0 : 8) * 2 * v->pitch;                    \
    for (ptrdiff_t j = b.y0; j < b.y1; j++)                                                        \
        for (ptrdiff_t i = b.x0, n, at; i < b.x1; i += n)                                          \
            if (n = b.x1 - i < BLOCK ? b.x1 - i : BLOCK, at = j * v->pitch + i,                    \
                any_above(v->at[OTOK_WATER] + at, n, 0.0f))

/* Does depth or level of a cell rise? */
static inline int rises(const otok_view *v, ptrdiff_t at, ptrdiff_t n)
{
    const float *d = v->at[OTOK_WATER] + at, *most = v->at[OTOK_MAX_DEPTH] + at,
                *level = v->at[OTOK_PEAK_LEVEL] + at;
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t i = 0; i < n; i++)
        any |= (d[i] > 0.0f) & ((d[i] > most[i]) | (otok_height_at(v, at + i) + d[i] > level[i]));
    return any;
}

static inline void keep_peaks(const otok_view *v, ptrdiff_t at, ptrdiff_t n)
{
    const float *d = v->at[OTOK_WATER] + at;
    float *restrict most = v->at[OTOK_MAX_DEPTH] + at, *restrict level =
                                                           v->at[OTOK_PEAK_LEVEL] + at;
#pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++) {
        const otok_peak before = {most[i], level[i]},
                        after = otok_peak_after(before, d[i], otok_height_at(v, at + i));
        most[i] = d[i] > 0.0f ? after.depth : before.depth;
        level[i] = d[i] > 0.0f ? after.level : before.level;
    }
}

/* Before the greatest depths are kept. */
static inline void keep_dates(const otok_view *v, ptrdiff_t at, ptrdiff_t n, float end,
                              otok_maxima_coefficients k)
{
    const float *d = v->at[OTOK_WATER] + at, *most = v->at[OTOK_MAX_DEPTH] + at;
    float *restrict peaked = v->at[OTOK_PEAKED] + at, *restrict arrived = v->at[OTOK_ARRIVED] + at;
#pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++) {
        peaked[i] = ((d[i] > 0.0f) & (d[i] > most[i])) ? end : peaked[i];
        arrived[i] = (d[i] > 0.0f) & otok_arrives(most[i], d[i], k) ? end : arrived[i];
    }
}

static inline void keep_duration(const otok_view *v, ptrdiff_t at, ptrdiff_t n, float begin,
                                 float end, otok_maxima_coefficients k)
{
    const float *d = v->at[OTOK_WATER] + at;
    float *restrict duration = v->at[OTOK_DURATION] + at;
#pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++)
        duration[i] = otok_flooded(duration[i], d[i], begin, end, k);
}

void cpu_maxima(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no store can change */
    (void)k;
    WET_BLOCKS(v, b)
    {
        fetch(v, OTOK_MAX_DEPTH, OTOK_PEAK_LEVEL, at, later);
        if (rises(v, at, n)) keep_peaks(v, at, n);
    }
}

/* A duration_depth is above 0, so what it counts is wet. */
void cpu_maxima_times(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view;
    const otok_step *step = &v->steps[*v->now];
    const float begin = step->begin, end = step->end;
    const otok_maxima_coefficients least = k->maxima;
    WET_BLOCKS(v, b)
    {
        fetch(v, OTOK_MAX_DEPTH, OTOK_PEAK_LEVEL, at, later);
        fetch(v, OTOK_DURATION, OTOK_DURATION, at, later);
        if (rises(v, at, n)) {
            keep_dates(v, at, n, end, least);
            keep_peaks(v, at, n);
        }
        keep_duration(v, at, n, begin, end, least);
    }
}

void cpu_maxima_speed(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view;
    (void)k;
    WET_BLOCKS(v, b)
    {
        const float *d = v->at[OTOK_WATER] + at;
        float *restrict most = v->at[OTOK_MAX_SPEED] + at,
                        *restrict hazard = v->at[OTOK_MAX_DEPTH_SPEED] + at, speed[BLOCK];
        int any = 0;
        fetch(v, OTOK_MAX_SPEED, OTOK_MAX_DEPTH_SPEED, at, later);
#pragma omp simd reduction(| : any)
        for (ptrdiff_t c = 0; c < n; c++) {
            speed[c] =
                otok_water_speed(v->at[OTOK_VELOCITY_X][at + c], v->at[OTOK_VELOCITY_Y][at + c]);
            any |= (d[c] > 0.0f) & ((speed[c] > most[c]) | (speed[c] * d[c] > hazard[c]));
        }
        if (!any) continue;
#pragma omp simd
        for (ptrdiff_t c = 0; c < n; c++) {
            most[c] = ((d[c] > 0.0f) & (speed[c] > most[c])) ? speed[c] : most[c];
            hazard[c] =
                ((d[c] > 0.0f) & (speed[c] * d[c] > hazard[c])) ? speed[c] * d[c] : hazard[c];
        }
    }
}
