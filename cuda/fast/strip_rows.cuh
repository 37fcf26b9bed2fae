/* strip_rows.cuh: the rows of a strip (strip.cuh) between memory and the lanes of its warp: fetched
   by asynchronous copies, put into shared memory, stored. */
#ifndef OTOK_STRIP_ROWS_CUH
#define OTOK_STRIP_ROWS_CUH

#include "strip.cuh"

#include <cuda_pipeline.h>

/* A row of one field on its way from memory to the lanes. It is in shared memory, so that no
   register waits for it. A lane reads only what it has fetched itself, after otok_fetched. Columns
   beyond an edge get the values that stand for them there. */
typedef float4 otok_slot[OTOK_STRIP_BLOCK];

typedef struct alignas(128) otok_line { /* the element of shared memory that holds slots */
    float4 part[8];
} otok_line;

static __device__ inline void otok_fetch(otok_slot &slot, const float *map, int row,
                                         const otok_strip &s)
{
    __pipeline_memcpy_async(&slot[s.index], map + (row + s.at), sizeof(float4));
}

static __device__ inline void otok_fetch_scattered(otok_slot &slot, const float *map, int row,
                                                   const otok_strip &s)
{
#pragma unroll 1
    for (int c = 0; c < OTOK_LANE; c++)
        __pipeline_memcpy_async(&slot[s.index].x + c, map + (row + otok_wrapped(s.i + c, s.nx, 1)),
                                sizeof(float));
}

/* Waits for everything that the lane has fetched. */
static __device__ inline void otok_fetched(void)
{
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

static __device__ inline void otok_take(float (&out)[OTOK_LANE], const otok_slot &slot,
                                        const otok_strip &s)
{
    const float4 v = slot[s.index];
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
}

static __device__ inline void otok_put(otok_slot &slot, const float (&v)[OTOK_LANE],
                                       const otok_strip &s)
{
    slot[s.index] = make_float4(v[0], v[1], v[2], v[3]);
}

/* The same in registers. */
static __device__ inline void otok_spread(float (&row)[OTOK_LANE], const otok_frame &g,
                                          const otok_strip &s)
{
    if (g.wrap_x) return;
    const int last = (g.nx - 1) % OTOK_LANE;
    const float end = last == 3   ? row[3]
                      : last == 2 ? row[2]
                      : last == 1 ? row[1]
                                  : row[0],
                edge = s.i < 0 ? row[0] : end;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        if ((unsigned)(s.i + c) >= (unsigned)g.nx) row[c] = edge;
}

/* Stores a row of `COUNT` fields: only columns that are the warp's own, never a ghost. */
template <int COUNT>
static __device__ inline void otok_strip_store(float *const (&maps)[COUNT], int row,
                                               const float (&v)[COUNT][OTOK_LANE],
                                               const otok_frame &g, const otok_strip &s)
{
    const int at = row + s.i;
    if (s.full)
#pragma unroll
        for (int n = 0; n < COUNT; n++)
            *(float4 *)(maps[n] + at) = make_float4(v[n][0], v[n][1], v[n][2], v[n][3]);
    if (g.nx % OTOK_LANE != 0 && s.owned && !s.full)
#pragma unroll
        for (int c = 0; c < OTOK_LANE - 1; c++)
#pragma unroll
            for (int n = 0; n < COUNT; n++)
                if (s.i + c < g.nx) maps[n][at + c] = v[n][c];
}

static __device__ inline void otok_strip_store(float *map, int row, const float (&v)[OTOK_LANE],
                                               const otok_frame &g, const otok_strip &s)
{
    const float all[1][OTOK_LANE] = {{v[0], v[1], v[2], v[3]}};
    float *const maps[] = {map};
    otok_strip_store(maps, row, all, g, s);
}

/* The phase of the dithers of an iteration, and the position of the patch in the whole grid, as in
   otok_view. */
typedef struct otok_dithers {
    uint32_t now;
    int first_x, first_y, all_nx, all_ny, origin, period;
} otok_dithers;

static inline otok_dithers otok_dithers_of(const otok_view *v, uint32_t now)
{
    return {now, v->x0, v->y0, v->global_nx, v->global_ny, v->origin, v->period};
}

/* The phases of the dithers of the lane's columns as they were fetched, in row j or in the row that
   stands for it. */
static __device__ inline void otok_strip_phases(uint32_t (&out)[OTOK_LANE], const otok_dithers &a,
                                                int j, const otok_frame &g, const otok_strip &s)
{
    int x = s.at + (s.scattered ? s.from & 3 : 0);
    while (j < 0)
        j = g.wrap_y ? j + g.ny : 0;
    while (j >= g.ny)
        j = g.wrap_y ? j - g.ny : g.ny - 1;
    int up = a.first_y + j;
    if (a.period && up >= a.origin + a.period) up = a.origin + (up - a.origin) % a.period;
    const uint32_t distance = otok_dither_distance(up, a.all_ny);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        out[c] = otok_dither_phase(a.now, otok_dither_distance(a.first_x + x, a.all_nx), distance);
        x = x + 1 == g.nx ? 0 : x + 1;
    }
}

#endif
