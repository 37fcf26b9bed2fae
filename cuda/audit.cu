/* audit.cu: pairs of a run and its twin (sim/audit.h): the twin gets the run's state; then, how far
   the two are apart. One launch does all pairs. */
#include "cells.cuh"
#include "ensemble.cuh"

#include <string.h>

/* Buffers with their ghosts, as one stretch of memory. */
static __global__ void part(const otok_audit_pair *pairs, ptrdiff_t first, ptrdiff_t end)
{
    const otok_audit_pair &p = pairs[blockIdx.z];
    const ptrdiff_t step = (ptrdiff_t)gridDim.x * blockDim.x,
                    begin = first + (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (int b = 0; b <= OTOK_STORED; b++)
        for (ptrdiff_t at = begin; p.from[b] && at < end; at += step)
            p.to[b][at] = p.from[b][at];
    for (ptrdiff_t at = begin; p.wetness_from && at < end; at += step)
        p.wetness_to[at] = p.wetness_from[at];
}

static __global__ void compare(const otok_audit_pair *pairs, otok_view like, int rows,
                               otok_audit_sums *out)
{
    const otok_walk w = otok_walk_of(like, rows);
    const otok_audit_maps maps = pairs[blockIdx.z].maps;
    const unsigned wanted = pairs[blockIdx.z].wanted;
    otok_booking sums[OTOK_TWINS_SUMS] = {};
    for (int at = w.first, j = w.j; at < w.end; at += w.step, j += OTOK_TILE_Y) {
        const otok_audit_terms t = otok_audit_at(&maps, &like, w.i, j);
#pragma unroll
        for (int s = 0; s < OTOK_TWINS_SUMS; s++)
            if (wanted >> s & 1) otok_booking_add(sums[s], t.of[s]);
    }
    for (int s = 0; s < OTOK_TWINS_SUMS; s++)
        if (wanted >> s & 1) otok_book(&out[blockIdx.z].of[s], sums[s]);
}

static otok_audit_pair pair_of(const otok_twins *pair)
{
    const otok_view *from = &pair->run->view, *to = &pair->twin->view;
    otok_audit_pair p;
    memset(&p, 0, sizeof p);
    for (int b = 0; b < OTOK_STORED; b++) {
        if (b == OTOK_WETNESS || !from->at[b]) continue;
        p.from[b] = from->at[b];
        p.to[b] = to->at[b];
    }
    p.from[OTOK_STORED] = from->at[OTOK_TERRAIN_CHANGE];
    p.to[OTOK_STORED] = to->at[OTOK_CHANGE_START];
    p.wetness_from = from->wetness;
    p.wetness_to = to->wetness;
    p.maps = otok_audit_maps_of(pair);
    p.wanted = pair->run == pair->twin ? OTOK_TWINS_OWN : ~0u;
    return p;
}

/* For n pairs on the device. `out`, there too: how far they are apart; NULL: they part. */
static otok_status start(const otok_audit_pair *pairs, int n, otok_audit_sums *out,
                         const otok_launch *l)
{
    enum { BLOCK = 256, EACH = 8 };
    const otok_view *v = &l->patch->view;
    const ptrdiff_t first = -v->pitch - 1, end = (ptrdiff_t)v->ny * v->pitch + v->nx + 1,
                    blocks = (end - first + BLOCK * EACH - 1) / (BLOCK * EACH);
    if (out) {
        CUDA_TRY(cudaMemsetAsync(out, 0, (size_t)n * sizeof *out, l->stream));
        compare<<<dim3(l->grid.x, l->grid.y, (unsigned)n), l->block, 0, l->stream>>>(pairs, *v,
                                                                                     l->rows, out);
    } else
        part<<<dim3((unsigned)blocks, 1, (unsigned)n), BLOCK, 0, l->stream>>>(pairs, first, end);
    CUDA_TRY(cudaGetLastError());
    return OTOK_OK;
}

/* ---- one pair, both patches on the device in use: the run goes on in a stream of its own ---- */

static otok_status do_pair(const otok_twins *pair, otok_audit_sums *out)
{
    const otok_launch l = otok_cuda_launch(pair->twin, NULL, NULL);
    otok_cuda_own *own = otok_cuda_own_of(pair->twin);
    const otok_audit_pair p = pair_of(pair);
    if (!own->pair) CUDA_TRY(cudaMalloc((void **)&own->pair, sizeof *own->pair));
    if (!own->apart) CUDA_TRY(cudaMalloc((void **)&own->apart, sizeof *own->apart));
    CUDA_TRY(cudaStreamSynchronize(otok_cuda_own_of(pair->run)->stream));
    CUDA_TRY(cudaMemcpyAsync(own->pair, &p, sizeof p, cudaMemcpyHostToDevice, l.stream));
    OTOK_TRY(start(own->pair, 1, out ? own->apart : NULL, &l));
    if (out)
        CUDA_TRY(cudaMemcpyAsync(out, own->apart, sizeof *out, cudaMemcpyDeviceToHost, l.stream));
    CUDA_TRY(cudaStreamSynchronize(l.stream));
    return OTOK_OK;
}

otok_status otok_cuda_part(const otok_twins *pair)
{
    return do_pair(pair, NULL);
}

otok_status otok_cuda_compare(const otok_twins *pair, otok_audit_sums *out)
{
    return do_pair(pair, out);
}

/* ---- many pairs of an ensemble ---- */

static otok_status do_pairs(otok_cuda_ensemble *e, const otok_twins *pairs, int n, int compares)
{
    if (n == 0) return OTOK_OK;
    const otok_launch l = otok_cuda_launch(pairs[0].twin, NULL, NULL);
    for (int p = 0; p < n; p++)
        e->pairs_here[p] = pair_of(&pairs[p]);
    OTOK_TRY(otok_cycle_copy(e, e->pairs, 0, e->pairs_here, 0, (size_t)n * sizeof *e->pairs, 1));
    OTOK_TRY(start(e->pairs, n, compares ? e->apart : NULL, &l));
    if (compares)
        OTOK_TRY(
            otok_cycle_copy(e, e->apart_here, 0, e->apart, 0, (size_t)n * sizeof *e->apart, 1));
    return otok_cycle_wait(e); /* the device has read the pairs */
}

otok_status otok_cuda_ensemble_part(void *ensemble, const otok_twins *pairs, int n)
{
    return do_pairs((otok_cuda_ensemble *)ensemble, pairs, n, 0);
}

otok_status otok_cuda_ensemble_compare(void *ensemble, const otok_twins *pairs, int n,
                                       otok_audit_sums *out)
{
    otok_cuda_ensemble *e = (otok_cuda_ensemble *)ensemble;
    OTOK_TRY(do_pairs(e, pairs, n, 1));
    for (int p = 0; p < n; p++)
        out[p] = e->apart_here[p];
    return OTOK_OK;
}

otok_status otok_cuda_left(uint64_t *bytes)
{
    size_t left = 0, all = 0;
    CUDA_TRY(cudaMemGetInfo(&left, &all));
    *bytes = left;
    return OTOK_OK;
}
