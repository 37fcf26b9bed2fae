/* base.cu: the base terrain of every cell; the generators are in model/base.h, their code comes from base/compile.c. */
#include "cells.cuh"

#include <stdlib.h>

static __global__ void base(otok_view v, int rows, const otok_base_code *code)
{
    const otok_walk w = otok_walk_of(v, rows);
    int j = w.j;
    for (int at = w.first; at < w.end; at += w.step, j += OTOK_TILE_Y)
        v.at[OTOK_TERRAIN_BASE][at] = otok_base_cell(code, v.x0 + w.i, v.y0 + j);
}

/* The code's rasters on the device, and the code that points to them. */
typedef struct base_copy {
    otok_base_code *code, *host;
    float *maps[OTOK_BASE_MAPS];
} base_copy;

static otok_status fill(otok_patch *patch, const otok_base_code *code, base_copy *there)
{
    const otok_launch l = otok_cuda_launch(patch, NULL);
    const size_t bytes = (size_t)code->width * (size_t)code->height * sizeof(float);
    *there->host = *code;
    for (int m = 0; m < code->nmaps; m++) {
        CUDA_TRY(cudaMalloc((void **)&there->maps[m], bytes));
        CUDA_TRY(cudaMemcpyAsync(there->maps[m], code->maps[m], bytes, cudaMemcpyHostToDevice, l.stream));
        there->host->maps[m] = there->maps[m];
    }
    CUDA_TRY(cudaMalloc((void **)&there->code, sizeof *there->code));
    CUDA_TRY(cudaMemcpyAsync(there->code, there->host, sizeof *there->code, cudaMemcpyHostToDevice, l.stream));
    base<<<l.grid, l.block, 0, l.stream>>>(patch->view, l.rows, there->code);
    CUDA_TRY(cudaGetLastError());
    OTOK_TRY(otok_cuda_halo(patch, OTOK_TERRAIN_BASE, OTOK_HALO_COPY, l.stream));
    CUDA_TRY(cudaStreamSynchronize(l.stream));
    return OTOK_OK;
}

otok_status otok_cuda_base(otok_patch *patch, const otok_base_code *code)
{
    base_copy there = {};
    there.host = (otok_base_code *)malloc(sizeof *there.host);
    if (!there.host) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for the base terrain");
    const otok_status status = fill(patch, code, &there);
    for (int m = 0; m < OTOK_BASE_MAPS; m++)
        cudaFree(there.maps[m]);
    cudaFree(there.code);
    free(there.host);
    return status;
}
