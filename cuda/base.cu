/* base.cu: the base terrain of every cell; the generators are in model/base.h, their code comes from base/compile.c. */
#include "cells.cuh"

static __global__ void base(otok_view v, int rows, const otok_base_code *code)
{
    const otok_walk w = otok_walk_of(v, rows);
    int j = w.j;
    for (int at = w.first; at < w.end; at += w.step, j += OTOK_TILE_Y)
        v.at[OTOK_TERRAIN_BASE][at] = otok_base_cell(code, v.x0 + w.i, v.y0 + j);
}

static otok_status fill(otok_patch *patch, const otok_base_code *code, otok_base_code *there)
{
    const otok_launch l = otok_cuda_launch(patch, NULL);
    CUDA_TRY(cudaMemcpyAsync(there, code, sizeof *there, cudaMemcpyHostToDevice, l.stream));
    base<<<l.grid, l.block, 0, l.stream>>>(patch->view, l.rows, there);
    CUDA_TRY(cudaGetLastError());
    OTOK_TRY(otok_cuda_halo(patch, OTOK_TERRAIN_BASE, OTOK_HALO_COPY, l.stream));
    CUDA_TRY(cudaStreamSynchronize(l.stream));
    return OTOK_OK;
}

otok_status otok_cuda_base(otok_patch *patch, const otok_base_code *code)
{
    otok_base_code *there = NULL;
    CUDA_TRY(cudaMalloc((void **)&there, sizeof *there));
    const otok_status status = fill(patch, code, there);
    cudaFree(there);
    return status;
}
