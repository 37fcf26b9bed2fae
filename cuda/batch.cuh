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

/* Calls a body with the parts of the coefficients that it needs. */
template <auto BODY, typename... PARTS> static inline cudaError_t otok_start(const otok_launch *l)
{
    if (l->batch)
        otok_start_together<BODY, PARTS...>(l);
    else
        otok_start_alone<BODY, PARTS...>(l, otok_part(*l->k, (const PARTS *)nullptr)...);
    return cudaGetLastError();
}

/* For a body that works along sides: one thread a cell; blockIdx.y < count selects the side. The
   parameter for rows holds a bit for each open side instead. */
static inline otok_launch otok_along_sides(const otok_launch *l, int count)
{
    const otok_view *v = &l->patch->view;
    otok_launch along = *l;
    along.grid = dim3((unsigned)((v->nx > v->ny ? v->nx : v->ny) + OTOK_BLOCK - 1) / OTOK_BLOCK,
                      (unsigned)count);
    along.block = dim3(OTOK_BLOCK);
    along.rows = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        along.rows |= (l->patch->edges[side] == OTOK_OPEN) << side;
    return along;
}

#endif
