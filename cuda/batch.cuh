/* batch.cuh: turns the body of a stage, a device function of a view, into two kernels: one for a
   single patch, whose view and coefficients travel with the launch, and one for a batch. Block z of
   a batch's kernel works on the z-th member. Its view is that of slot 0 moved to the member's slot,
   which also holds the member's coefficients. There is one body, so one physics, and a single patch
   pays nothing for batches. */
#ifndef OTOK_BATCH_CUH
#define OTOK_BATCH_CUH

#include "cells.cuh"

template <typename T> static __host__ __device__ inline T *otok_moved(T *pointer, ptrdiff_t bytes)
{
    return pointer ? (T *)((char *)pointer + bytes) : pointer;
}

/* The same view in another slot. */
static __host__ __device__ inline otok_view otok_view_moved(otok_view v, ptrdiff_t bytes)
{
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int b = 0; b < OTOK_BUFFERS; b++)
        v.at[b] = otok_moved(v.at[b], bytes);
    v.wetness = otok_moved(v.wetness, bytes);
    v.steps = otok_moved(v.steps, bytes);
    v.now = otok_moved(v.now, bytes);
    v.sums = otok_moved(v.sums, bytes);
    return v;
}

/* The distance from slot 0 to the slot of the block's member [bytes]. */
static __device__ inline ptrdiff_t otok_batch_bytes(const otok_batch &batch)
{
    return batch.slots[blockIdx.z] * batch.stride;
}

/* The part of the coefficients with the requested type; each part has a type of its own. (Pointers
   to members would be simpler, but nvcc 13.0 registers kernels with such template arguments under
   another name, and their launches fail.) */
#define OTOK_PART(type, member)                                                                    \
    static __host__ __device__ inline const type &otok_part(const otok_coefficients &k,            \
                                                            const type *)                          \
    {                                                                                              \
        return k.member;                                                                           \
    }
OTOK_COEFFICIENTS(OTOK_PART)

template <auto BODY, typename... PARTS>
static __global__ void otok_alone(otok_view v, int rows, PARTS... parts)
{
    BODY(v, rows, parts...);
}

template <auto BODY, typename... PARTS>
static __global__ void otok_together(otok_view first, otok_batch batch, int rows)
{
    const ptrdiff_t bytes = otok_batch_bytes(batch);
    [[maybe_unused]] const otok_coefficients *k = otok_moved(batch.k, bytes);
    BODY(otok_view_moved(first, bytes), rows, otok_part(*k, (const PARTS *)nullptr)...);
}

template <auto BODY, typename... PARTS>
static inline void otok_start_alone(const otok_launch *l, const PARTS &...parts)
{
    const auto kernel = otok_alone<BODY, PARTS...>;
    kernel<<<l->grid, l->block, 0, l->stream>>>(l->patch->view, l->rows, parts...);
}

template <auto BODY, typename... PARTS> static inline void otok_start_together(const otok_launch *l)
{
    const dim3 grid(l->grid.x, l->grid.y, (unsigned)l->batch->n);
    const auto kernel = otok_together<BODY, PARTS...>;
    kernel<<<grid, l->block, 0, l->stream>>>(l->patch->view, *l->batch, l->rows);
}

/* ---- patches with walls: a thread has one cell. First the cells that are not beside a wall, then,
   by blocks that have some, those beside a wall. ---- */

template <auto BODY, typename... PARTS>
static __device__ inline void otok_between_walls(const otok_view &v, const otok_walled &stage,
                                                 bool beside, const PARTS &...parts)
{
    const otok_walk w = otok_walk_of(v, OTOK_TILE_Y);
    const float here = w.first < w.end ? v.at[OTOK_WALLS][w.first] : OTOK_IN_WALL;
    const bool alone = stage.n > 0 && here == OTOK_BY_WALL;
    if (!beside) {
        BODY(v, alone || here == OTOK_IN_WALL ? 0 : OTOK_TILE_Y, parts...);
        return;
    }
    if (!__syncthreads_or(alone)) return;
    float room[OTOK_WALLED_READS * OTOK_AROUND];
    otok_view cell = v;
    if (alone) otok_walled_cell(&cell, room, &v, w.first, &stage);
    BODY(cell, alone ? -1 : 0, parts...);
    if (alone) otok_walled_seal(&v, w.first, &stage);
}

template <auto BODY, typename... PARTS>
static __global__ void otok_alone_between(otok_view v, otok_walled stage, bool beside,
                                          PARTS... parts)
{
    otok_between_walls<BODY, PARTS...>(v, stage, beside, parts...);
}

template <auto BODY, typename... PARTS>
static __global__ void otok_together_between(otok_view first, otok_batch batch, otok_walled stage,
                                             bool beside)
{
    const ptrdiff_t bytes = otok_batch_bytes(batch);
    [[maybe_unused]] const otok_coefficients *k = otok_moved(batch.k, bytes);
    otok_between_walls<BODY, PARTS...>(otok_view_moved(first, bytes), stage, beside,
                                       otok_part(*k, (const PARTS *)nullptr)...);
}

template <auto BODY, typename... PARTS>
static inline void otok_start_piece(const otok_launch *l, const otok_view &v, dim3 grid)
{
    for (int beside = 0; beside < (l->walled->n ? 2 : 1); beside++)
        if (l->batch) {
            const auto kernel = otok_together_between<BODY, PARTS...>;
            kernel<<<grid, l->block, 0, l->stream>>>(v, *l->batch, *l->walled, beside != 0);
        } else {
            const auto kernel = otok_alone_between<BODY, PARTS...>;
            kernel<<<grid, l->block, 0, l->stream>>>(v, *l->walled, beside != 0,
                                                     otok_part(*l->k, (const PARTS *)nullptr)...);
        }
}

/* In pieces of as many rows as a grid of blocks may have. */
template <auto BODY, typename... PARTS> static inline void otok_start_between(const otok_launch *l)
{
    enum { MOST = 65535 * OTOK_TILE_Y };
    const otok_view *all = &l->patch->view;
    const int end = all->ny - all->shared[1];
    for (int from = all->shared[0]; from < end; from += MOST) {
        const int rows = end - from < MOST ? end - from : MOST;
        otok_view v = *all;
        v.shared[0] = from;
        v.shared[1] = all->ny - from - rows;
        otok_start_piece<BODY, PARTS...>(l, v,
                                         dim3(l->grid.x,
                                              (unsigned)(rows + OTOK_TILE_Y - 1) / OTOK_TILE_Y,
                                              l->batch ? (unsigned)l->batch->n : 1));
    }
}

/* Calls a body with the parts of the coefficients that it needs. */
template <auto BODY, typename... PARTS> static inline cudaError_t otok_start(const otok_launch *l)
{
    if (l->walled)
        otok_start_between<BODY, PARTS...>(l);
    else if (l->batch)
        otok_start_together<BODY, PARTS...>(l);
    else
        otok_start_alone<BODY, PARTS...>(l, otok_part(*l->k, (const PARTS *)nullptr)...);
    return cudaGetLastError();
}

/* For a body that works along sides: one thread per cell, corners included; blockIdx.y < SIDES
   selects the side, or the direction of a line. In place of rows it gets the edges of the patch,
   two bits per side. */
template <int SIDES, auto BODY, typename... PARTS>
static inline cudaError_t otok_start_along(const otok_launch *l)
{
    const otok_view *v = &l->patch->view;
    otok_launch along = *l;
    along.grid =
        dim3((unsigned)((v->nx > v->ny ? v->nx : v->ny) + 2 + OTOK_BLOCK - 1) / OTOK_BLOCK, SIDES);
    along.block = dim3(OTOK_BLOCK);
    along.rows = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        along.rows |= l->patch->edges[side] << 2 * side;
    return otok_start<BODY, PARTS...>(&along);
}

static __device__ inline int otok_edge_of(int edges, int side)
{
    return edges >> 2 * side & 3;
}

#endif
