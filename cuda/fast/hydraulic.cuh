/* hydraulic.cuh: what hydraulic.cu loads, stores and books, and where it keeps rows meanwhile. The
   stages of erosion are elsewhere. */
#ifndef OTOK_FAST_HYDRAULIC_CUH
#define OTOK_FAST_HYDRAULIC_CUH

#include "../batch.cuh"
#include "strip_books.cuh"
#include "strip_rows.cuh"

#include "model/erosion.h"
#include "model/transport.h"
#include "model/water.h"

#include <string.h>

/* The fields that are fetched, besides the change. */
enum { BASE, WATER, OUTFLOW, SEDIMENT = OUTFLOW + OTOK_SIDES, FETCHED };

typedef struct otok_flow {
    const float *change, *walls, *in[FETCHED]; /* walls: NULL: none */
    float *change_next, *water_next, *sediment_next, *outflow_next[OTOK_SIDES], *velocity_x,
        *velocity_y;
    uint8_t *wetness;
    otok_sum *sums;
    float rain, coarse;
    otok_dithers dithers;
    bool rains, first, rains_next; /* rain in this iteration; for the first time in this run; in the
                                      next iteration */
    bool races; /* velocities are stored: in the last iteration of the run, or in each
                   (otok_fused_pass.races) */
} otok_flow;

/* Books sums of differences: rain is F(d1) - F(d), evaporation F(d2) - F(d3), and the d of an
   iteration is the d3 of the one before. So three sums do instead of four, and each value is
   converted to an integer once. */
static __device__ inline void book(otok_booking &sum, otok_booking more, otok_booking less)
{
    sum = {sum.hi + more.hi - less.hi, sum.lo + more.lo - less.lo};
}

/* Stage 1 of a row. It computes dithers only if a cell of the lane needs one. */
static __device__ inline void rain_on(float (&d)[OTOK_LANE], const otok_flow &a, int j,
                                      const otok_frame &g, const otok_strip &s)
{
    const float deepest = fmaxf(fmaxf(d[0], d[1]), fmaxf(d[2], d[3]));
    if (deepest < a.coarse) {
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            d[c] = otok_water_in_coarse(d[c], a.rain);
    } else {
        uint32_t phase[OTOK_LANE];
        otok_strip_phases(phase, a.dithers, j, g, s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            d[c] = otok_water_in(d[c], a.rain, a.coarse, otok_dither(phase[c]));
    }
}

/* Stage 7 of a row. */
static __device__ inline void dry_up(float (&d3)[OTOK_LANE], const float (&d2)[OTOK_LANE],
                                     const otok_water_coefficients &k, const otok_flow &a, int j,
                                     const otok_frame &g, const otok_strip &s)
{
    if (k.part == 0.0f) {
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            d3[c] = otok_evaporation(d2[c], k);
    } else {
        uint32_t phase[OTOK_LANE];
        otok_strip_phases(phase, a.dithers, j, g, s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            d3[c] = otok_evaporation_fine(d2[c], k, otok_dither(phase[c]));
    }
}

static __device__ inline void store_outflows(const otok_flow &a, int row,
                                             const otok_four (&f)[OTOK_LANE], const otok_frame &g,
                                             const otok_strip &s)
{
    const float all[OTOK_SIDES][OTOK_LANE] = {{f[0].left, f[1].left, f[2].left, f[3].left},
                                              {f[0].right, f[1].right, f[2].right, f[3].right},
                                              {f[0].bottom, f[1].bottom, f[2].bottom, f[3].bottom},
                                              {f[0].top, f[1].top, f[2].top, f[3].top}};
    otok_strip_store(a.outflow_next, row, all, g, s);
}

static __device__ inline void store_wetness(const otok_flow &a, int row, uint32_t counts,
                                            const float (&d)[OTOK_LANE], const otok_frame &g,
                                            const otok_strip &s, const otok_water_coefficients &k)
{
    uint32_t next = 0;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        next |= (uint32_t)otok_wetness((int)(counts >> 8 * c & 255u), d[c], k) << 8 * c;
    if (s.full) *(uint32_t *)(a.wetness + (row + s.i)) = next;
    if (g.nx % OTOK_LANE != 0 && s.owned && !s.full)
        for (int c = 0; s.i + c < g.nx; c++)
            a.wetness[row + s.i + c] = (uint8_t)(next >> 8 * c);
}

/* Books what leaves over open edges. */
static __device__ inline void book_edges(otok_booking &water, otok_booking &sediment,
                                         const otok_four (&f)[OTOK_LANE],
                                         const float (&load)[OTOK_LANE], int j, const otok_frame &g,
                                         const otok_strip &s, const otok_transport_coefficients &k)
{
    if (!s.owned) return;
    const float out[OTOK_SIDES][OTOK_LANE] = {{f[0].left, f[1].left, f[2].left, f[3].left},
                                              {f[0].right, f[1].right, f[2].right, f[3].right},
                                              {f[0].bottom, f[1].bottom, f[2].bottom, f[3].bottom},
                                              {f[0].top, f[1].top, f[2].top, f[3].top}};
#pragma unroll 1
    for (int c = 0; c < OTOK_LANE && s.i + c < g.nx; c++) { /* short code, as it seldom runs */
        const int i = s.i + c;
        const int at = (i == 0) << OTOK_LEFT | (i == g.nx - 1) << OTOK_RIGHT |
                       (j == 0) << OTOK_BOTTOM | (j == g.ny - 1) << OTOK_TOP;
        const float all[OTOK_SIDES] = {otok_chosen(out[0], c), otok_chosen(out[1], c),
                                       otok_chosen(out[2], c), otok_chosen(out[3], c)};
#pragma unroll 1
        for (int side = 0; side < OTOK_SIDES; side++) {
            if (!(at & g.open & 1 << side)) continue;
            const float flow = otok_chosen(all, side);
            otok_booking_add(water, k.dt_l2 * flow);
            if (k.conservative) otok_booking_add(sediment, otok_chosen(load, c) * flow);
        }
    }
}

/* Sets the rain of iteration n of nsteps, and the flags that depend on its position in the run. */
static __host__ __device__ inline void otok_flow_when(otok_flow &a, const otok_step *steps, int n,
                                                      int nsteps)
{
    a.rain = steps[n].rain;
    a.coarse = otok_coarse(steps[n].rain);
    a.dithers.now = steps[n].phase;
    a.rains = steps[n].rain != 0.0f;
    a.first = a.rains && n == 0;
    a.rains_next = n + 1 < nsteps && steps[n + 1].rain != 0.0f;
    a.races |= n + 1 == nsteps;
}

/* The pointers of an iteration. Afterwards the view has the pointers of the new fields; of the
   outflows only those of the sides in `exchanged`. */
static inline otok_flow otok_flow_of(otok_view *v, float **spare, unsigned exchanged)
{
    otok_flow a;
    memset(&a, 0, sizeof a);
    a.in[BASE] = v->at[OTOK_TERRAIN_BASE];
    a.change = v->at[OTOK_TERRAIN_CHANGE];
    a.walls = v->at[OTOK_WALLS];
    a.in[WATER] = v->at[OTOK_WATER];
    a.in[SEDIMENT] = v->at[OTOK_SEDIMENT];
    a.change_next = v->at[OTOK_CHANGE_NEXT];
    a.water_next = v->at[OTOK_WATER_NEXT];
    a.sediment_next = v->at[OTOK_SEDIMENT_NEXT];
    a.velocity_x = v->at[OTOK_VELOCITY_X];
    a.velocity_y = v->at[OTOK_VELOCITY_Y];
    a.wetness = v->wetness;
    a.sums = v->sums;
    a.dithers = otok_dithers_of(v, 0);
    for (int side = 0; side < OTOK_SIDES; side++) {
        a.in[OUTFLOW + side] = v->at[OTOK_OUTFLOW_LEFT + side];
        a.outflow_next[side] = spare[side];
        if (exchanged >> side & 1)
            otok_exchange_pointers(&v->at[OTOK_OUTFLOW_LEFT + side], &spare[side]);
    }
    otok_exchange_pointers(&v->at[OTOK_TERRAIN_CHANGE], &v->at[OTOK_CHANGE_NEXT]);
    otok_exchange_pointers(&v->at[OTOK_WATER], &v->at[OTOK_WATER_NEXT]);
    otok_exchange_pointers(&v->at[OTOK_SEDIMENT], &v->at[OTOK_SEDIMENT_NEXT]);
    return a;
}

/* The flow of member m of a batch, if that of slot 0 is `first`, in iteration n of nsteps. Returns
   the member's coefficients. */
static __device__ inline const otok_coefficients *
otok_flow_of_member(otok_flow &a, int m, const otok_flow &first, const otok_batch &batch,
                    const otok_step *steps, int n, int nsteps)
{
    const ptrdiff_t bytes = batch.slots[m] * batch.stride;
    a = first;
    a.change = otok_moved(a.change, bytes);
    a.walls = otok_moved(a.walls, bytes);
    for (int field = 0; field < FETCHED; field++)
        a.in[field] = otok_moved(a.in[field], bytes);
    a.change_next = otok_moved(a.change_next, bytes);
    a.water_next = otok_moved(a.water_next, bytes);
    a.sediment_next = otok_moved(a.sediment_next, bytes);
    for (int side = 0; side < OTOK_SIDES; side++)
        a.outflow_next[side] = otok_moved(a.outflow_next[side], bytes);
    a.velocity_x = otok_moved(a.velocity_x, bytes);
    a.velocity_y = otok_moved(a.velocity_y, bytes);
    a.wetness = otok_moved(a.wetness, bytes);
    a.sums = otok_moved(a.sums, bytes);
    otok_flow_when(a, otok_moved(steps, bytes), n, nsteps);
    return otok_moved(batch.k, bytes);
}

/* Starts a pass of a batch. */
static inline cudaError_t otok_flow_batch(otok_patch *leader, float **spare,
                                          const otok_batch *batch, const otok_fused_pass *pass,
                                          unsigned exchanged, int n, int nsteps)
{
    typedef void batch_kernel(otok_frame, otok_flow, otok_batch, const otok_step *, int, int);
    const otok_step *steps = leader->view.steps;
    otok_flow first = otok_flow_of(&leader->view, spare, exchanged);
    first.races = pass->races;
    const dim3 grid((unsigned)pass->frame.blocks, 1, (unsigned)otok_fused_groups(pass, batch));
    batch_kernel *const kernel = (batch_kernel *)pass->code;
    kernel<<<grid, OTOK_STRIP_BLOCK, pass->shared, otok_cuda_own_of(leader)->stream>>>(
        pass->frame, first, *batch, steps, n, nsteps);
    return cudaGetLastError();
}

/* Entries of a program. */
#define STAGE(name)                                                                                \
    {                                                                                              \
        otok_op::OTOK_OP_STAGE, OTOK_STAGE_##name, 0                                               \
    }
#define SWAP(name)                                                                                 \
    {                                                                                              \
        otok_op::OTOK_OP_SWAP, OTOK_##name, OTOK_##name##_NEXT                                     \
    }
#define SWAP_GROUND                                                                                \
    {                                                                                              \
        otok_op::OTOK_OP_SWAP, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT                               \
    }

#endif
