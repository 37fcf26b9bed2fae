/* snapshot.cu: copies fields to the host while the simulation goes on. First they are copied within
   the device, on the simulation's stream, which takes a millisecond; then over the bus, on another
   stream. If the device has not enough memory, the simulation waits for the bus. src/io compresses
   and writes. */
#include "cells.cuh"

/* The bytes of the wetness as dense floats. */
static __global__ void wetness_map(otok_view v, int rows, float *map)
{
    const otok_walk w = otok_walk_of(v, rows);
    int cell = (w.j - v.shared[0]) * v.nx + w.i;
    for (int at = w.first; at < w.end; at += w.step) {
        map[cell] = v.wetness[at];
        cell += OTOK_TILE_Y * v.nx;
    }
}

static size_t map_cells(const otok_patch *patch)
{
    return (size_t)patch->view.nx * (size_t)otok_own_rows(&patch->view);
}

/* Prepares streams, events and memory for these fields. Lack of memory is not a failure. A
   sixteenth of the device's memory stays free for others. */
static otok_status prepare(const otok_patch *patch, otok_cuda_sending *s, uint64_t which)
{
    size_t left = 0, all = 0, bytes = 0;
    if (!s->stream) CUDA_TRY(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));
    if (!s->taken) CUDA_TRY(cudaEventCreateWithFlags(&s->taken, cudaEventDisableTiming));
    if (!s->sent) CUDA_TRY(cudaEventCreateWithFlags(&s->sent, cudaEventDisableTiming));
    if (s->fields == which) return OTOK_OK;
    CUDA_TRY(cudaStreamSynchronize(s->stream));
    cudaFree(s->maps);
    s->maps = NULL;
    s->fields = which;
    for (int b = 0; b < OTOK_STORED; b++)
        bytes += (which >> b & 1) * map_cells(patch) * sizeof(float);
    CUDA_TRY(cudaMemGetInfo(&left, &all));
    if (left < bytes + all / 16) return OTOK_OK;
    if (cudaMalloc((void **)&s->maps, bytes) == cudaSuccess) return OTOK_OK;
    cudaGetLastError();
    s->maps = NULL;
    return OTOK_OK;
}

/* Copies one field into its dense map on the device. */
static otok_status copy_dense(const otok_patch *patch, int buffer, float *map)
{
    const otok_view *v = &patch->view;
    const otok_launch l = otok_cuda_launch(patch, NULL, NULL);
    const size_t width = (size_t)v->nx * sizeof *map;
    if (buffer == OTOK_WETNESS) {
        wetness_map<<<l.grid, l.block, 0, l.stream>>>(*v, l.rows, map);
        CUDA_TRY(cudaGetLastError());
    } else {
        CUDA_TRY(cudaMemcpy2DAsync(map, width, v->at[buffer] + otok_own_from(v) * v->pitch,
                                   (size_t)v->pitch * sizeof *map, width, (size_t)otok_own_rows(v),
                                   cudaMemcpyDeviceToDevice, l.stream));
    }
    return OTOK_OK;
}

static otok_status arrived(void *ticket)
{
    const cudaEvent_t event = (cudaEvent_t)ticket;
    const cudaError_t error = cudaEventSynchronize(event);
    cudaEventDestroy(event);
    return error == cudaSuccess ? OTOK_OK : otok_cuda_fail(error, "a copy to the host");
}

/* Here the simulation's stream waits until the maps of the previous snapshot have left, and the
   other stream waits until the new maps are complete. */
static otok_status send(const otok_patch *patch, const otok_cuda_sending *s, uint64_t which,
                        float *const *maps, cudaEvent_t event)
{
    const cudaStream_t running = otok_cuda_own_of(patch)->stream;
    float *map = s->maps;
    CUDA_TRY(cudaStreamWaitEvent(running, s->sent, 0));
    for (int b = 0; b < OTOK_STORED; b++) {
        if (!(which >> b & 1)) continue;
        OTOK_TRY(copy_dense(patch, b, map));
        map += map_cells(patch);
    }
    CUDA_TRY(cudaEventRecord(s->taken, running));
    CUDA_TRY(cudaStreamWaitEvent(s->stream, s->taken, 0));
    map = s->maps;
    for (int b = 0; b < OTOK_STORED; b++) {
        if (!(which >> b & 1)) continue;
        CUDA_TRY(cudaMemcpyAsync(maps[b], map, map_cells(patch) * sizeof *map,
                                 cudaMemcpyDeviceToHost, s->stream));
        map += map_cells(patch);
    }
    CUDA_TRY(cudaEventRecord(s->sent, s->stream));
    CUDA_TRY(cudaEventRecord(event, s->stream));
    return OTOK_OK;
}

otok_status otok_cuda_snapshot(otok_patch *patch, uint64_t which, float *const *maps,
                               otok_arrival *out)
{
    otok_cuda_sending *s = &otok_cuda_own_of(patch)->sending;
    out->wait = NULL;
    out->ticket = NULL;
    OTOK_TRY(prepare(patch, s, which));
    if (!s->maps) {
        for (int b = 0; b < OTOK_STORED; b++)
            if (which >> b & 1) OTOK_TRY(otok_backend_cuda.get(patch, b, maps[b]));
        return OTOK_OK;
    }
    cudaEvent_t event = NULL;
    CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync));
    const otok_status status = send(patch, s, which, maps, event);
    if (status != OTOK_OK) {
        cudaStreamSynchronize(s->stream); /* because the caller may free the maps */
        cudaEventDestroy(event);
        return status;
    }
    out->wait = arrived;
    out->ticket = event;
    return OTOK_OK;
}

void otok_cuda_end_sending(otok_cuda_own *own)
{
    otok_cuda_sending *s = &own->sending;
    if (s->stream) cudaStreamSynchronize(s->stream);
    cudaFree(s->maps);
    if (s->taken) cudaEventDestroy(s->taken);
    if (s->sent) cudaEventDestroy(s->sent);
    if (s->stream) cudaStreamDestroy(s->stream);
}
