/* halo.cu: the ring of ghost cells around a patch. A ghost is computed from owned cells, or from
   ghosts that stay as they are. So one kernel does sides and corners, first across y and then
   across x, with the same result as filling x and then y. */
#include "batch.cuh"

#include <math.h>

typedef enum beyond { COPY, WRAP, FIXED, KEPT } beyond;

/* The rule of each side. */
typedef struct rules {
    beyond what[OTOK_SIDES];
    float value[OTOK_SIDES]; /* FIXED */
} rules;

static __device__ inline void fill(float *map, int nx, int ny, int pitch, const rules &r)
{
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int wide = nx + 2, m = n - 2 * wide; /* bottom row, top row, left column, right column */
    if (m >= 2 * ny) return;
    const int i = m < 0 ? n % wide - 1 : m < ny ? -1 : nx;
    const int j = m < 0 ? (n < wide ? -1 : ny) : m % ny;
    int from_i = i, from_j = j;
    float value = 0.0f;
    beyond what = COPY;
    if (j < 0 || j == ny) {
        const int side = j < 0 ? OTOK_BOTTOM : OTOK_TOP;
        what = r.what[side];
        value = r.value[side];
        from_j = what == KEPT ? j : (j < 0) == (what == WRAP) ? ny - 1 : 0;
    }
    if ((i < 0 || i == nx) && what != FIXED) {
        const int side = i < 0 ? OTOK_LEFT : OTOK_RIGHT;
        what = r.what[side];
        value = r.value[side];
        from_i = what == KEPT ? i : (i < 0) == (what == WRAP) ? nx - 1 : 0;
    }
    map[j * pitch + i] = what == FIXED ? value : map[from_j * pitch + from_i];
}

static __global__ void halo(float *map, int nx, int ny, int pitch, rules r)
{
    fill(map, nx, ny, pitch, r);
}

static __global__ void halos(float *map, otok_batch batch, int nx, int ny, int pitch, rules r)
{
    fill(otok_moved(map, otok_batch_bytes(batch)), nx, ny, pitch, r);
}

otok_status otok_cuda_halo(const otok_patch *patch, const otok_batch *batch, int buffer, int mode,
                           cudaStream_t stream)
{
    const otok_view *v = &patch->view;
    rules r;
    for (int side = 0; side < OTOK_SIDES; side++) {
        const int edge = patch->edges[side], along_x = side == OTOK_LEFT || side == OTOK_RIGHT;
        const int along = mode == (along_x ? OTOK_HALO_RIGHTWARD : OTOK_HALO_UPWARD),
                  across = mode == (along_x ? OTOK_HALO_UPWARD : OTOK_HALO_RIGHTWARD);
        r.value[side] = mode == OTOK_HALO_WALL ? INFINITY : 0.0f;
        if (edge == OTOK_PERIODIC)
            r.what[side] = WRAP;
        else if (across || mode == OTOK_HALO_COPY || (mode == OTOK_HALO_DRY && edge != OTOK_OPEN))
            r.what[side] = COPY;
        else
            r.what[side] = along && edge == OTOK_OPEN ? KEPT : FIXED;
    }
    const int blocks = (2 * (v->nx + 2 + v->ny) + OTOK_BLOCK - 1) / OTOK_BLOCK;
    if (batch)
        halos<<<dim3((unsigned)blocks, 1, (unsigned)batch->n), OTOK_BLOCK, 0, stream>>>(
            v->at[buffer], *batch, v->nx, v->ny, (int)v->pitch, r);
    else
        halo<<<blocks, OTOK_BLOCK, 0, stream>>>(v->at[buffer], v->nx, v->ny, (int)v->pitch, r);
    CUDA_TRY(cudaGetLastError());
    return OTOK_OK;
}
