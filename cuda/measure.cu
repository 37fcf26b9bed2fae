/* measure.cu: the summary of one buffer: its sum, its fingerprint, and the number of values that
   are not finite; and the speed of signals in the water. */
#include "ensemble.cuh"
#include "model/detect.h"
#include "model/fingerprint.h"

#include <string.h>

/* The fingerprint of the wetness is over its bytes, and it has no sum. */
static __global__ void summary(otok_view v, int rows, int buffer, otok_field_summary *out)
{
    const otok_walk w = otok_walk_of(v, rows);
    uint64_t index =
                 (uint64_t)otok_row_of(&v, w.j) * (uint64_t)v.global_nx + (uint64_t)(v.x0 + w.i),
             print = 0;
    otok_booking sum = {0, 0};
    int64_t bad = 0;
    for (int at = w.first; at < w.end; at += w.step) {
        uint32_t bits;
        if (buffer == OTOK_WETNESS) {
            bits = v.wetness[at];
        } else {
            const float value = v.at[buffer][at];
            bits = __float_as_uint(value);
            bad += !(fabsf(value) < INFINITY);
            if (!v.at[OTOK_WALLS] || v.at[OTOK_WALLS][at] != OTOK_IN_WALL)
                otok_booking_add(sum, value);
        }
        print += otok_fingerprint_cell(bits, (uint32_t)buffer, index);
        index += (uint64_t)OTOK_TILE_Y * (uint64_t)v.global_nx;
    }
    otok_book(&out->sum, sum);
    otok_block_add(&out->fingerprint, (int64_t)print);
    otok_block_add(&out->not_finite, bad);
}

otok_status otok_cuda_measure(otok_patch *patch, int buffer, otok_field_summary *out)
{
    const otok_cuda_own *own = otok_cuda_own_of(patch);
    const otok_launch l = otok_cuda_launch(patch, NULL, NULL);
    CUDA_TRY(cudaMemsetAsync(own->summary, 0, sizeof *own->summary, l.stream));
    summary<<<l.grid, l.block, 0, l.stream>>>(patch->view, l.rows, buffer, own->summary);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpyAsync(out, own->summary, sizeof *out, cudaMemcpyDeviceToHost, l.stream));
    CUDA_TRY(cudaStreamSynchronize(l.stream));
    return OTOK_OK;
}

/* The largest speed of signals. Numbers from 0 on are ordered as their bits are. */
static __device__ inline void race(const otok_view &v, int rows, const float *water, const float *u,
                                   const float *w, float wave, unsigned *out)
{
    const otok_walk walk = otok_walk_of(v, rows);
    float most = 0.0f;
    for (int at = walk.first; at < walk.end; at += walk.step) {
        const float speed = otok_signal_speed(water[at], u[at], w[at], wave);
        most = speed > most ? speed : most;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other = __shfl_down_sync(0xffffffffu, most, distance);
        most = other > most ? other : most;
    }
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0 && most > 0.0f)
        atomicMax(out, __float_as_uint(most));
}

static __global__ void race_alone(otok_view v, int rows, float wave, unsigned *out)
{
    race(v, rows, v.at[OTOK_WATER], v.at[OTOK_VELOCITY_X], v.at[OTOK_VELOCITY_Y], wave, out);
}

static __global__ void race_together(otok_view like, int rows, otok_racer *of)
{
    otok_racer *r = &of[blockIdx.z];
    race(like, rows, r->water, r->u, r->w, r->wave, &r->speed);
}

otok_status otok_cuda_fastest(otok_patch *patch, float wave, float *out)
{
    const otok_cuda_own *own = otok_cuda_own_of(patch);
    const otok_launch l = otok_cuda_launch(patch, NULL, NULL);
    CUDA_TRY(cudaMemsetAsync(own->summary, 0, sizeof *out, l.stream));
    race_alone<<<l.grid, l.block, 0, l.stream>>>(patch->view, l.rows, wave,
                                                 (unsigned *)own->summary);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpyAsync(out, own->summary, sizeof *out, cudaMemcpyDeviceToHost, l.stream));
    CUDA_TRY(cudaStreamSynchronize(l.stream));
    return OTOK_OK;
}

otok_status otok_cuda_ensemble_fastest(void *ensemble, otok_patch *const *patches,
                                       const float *waves, int n, float *out)
{
    otok_cuda_ensemble *e = (otok_cuda_ensemble *)ensemble;
    const size_t bytes = (size_t)n * sizeof *e->racers;
    const otok_batch all = otok_batch_of(e, 0, n);
    const otok_launch l = otok_cuda_launch(patches[0], &all, NULL);
    for (int m = 0; m < n; m++) {
        const otok_view *v = &patches[m]->view;
        e->racers_here[m] = {v->at[OTOK_WATER], v->at[OTOK_VELOCITY_X], v->at[OTOK_VELOCITY_Y],
                             waves[m], 0};
    }
    OTOK_TRY(otok_cycle_copy(e, e->racers, 0, e->racers_here, 0, bytes, 1));
    race_together<<<dim3(l.grid.x, l.grid.y, (unsigned)n), l.block, 0, l.stream>>>(e->first, l.rows,
                                                                                   e->racers);
    CUDA_TRY(cudaGetLastError());
    OTOK_TRY(otok_cycle_copy(e, e->racers_here, 0, e->racers, 0, bytes, 1));
    OTOK_TRY(otok_cycle_wait(e));
    for (int m = 0; m < n; m++)
        memcpy(&out[m], &e->racers_here[m].speed, sizeof out[m]);
    return OTOK_OK;
}
