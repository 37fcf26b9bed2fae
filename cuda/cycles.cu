/* cycles.cu: the cycles of ensembles that share a device. A cycle is some iterations, then a
   sample. This file decides the order of cycles and measures their time. */
#include "core/clock.h"
#include "ensemble.cuh"

#include <mutex>
#include <utility>

/* For each device: the end of the latest sample over all ensembles; NULL: no sample yet. */
static std::mutex lock;
static cudaEvent_t last[OTOK_DEVICES];

/* Runs begin in the order in which they were started. Otherwise one ensemble could fall behind and
   finally run alone, while the device waits for the host. Several runs go at a time: one fills the
   device where the kernels of another end. There are fewer of them than ensembles: if all ran
   together, they would stay in step, and the host would judge them all at the same time. */
enum { AT_A_TIME = 6 };

/* A run of at least so many iterations starts at once, outside this order: the work of the host
   between such runs is small beside them, and many of them together fill the device better. */
enum { LONG_RUN = 64 };

/* For each device. */
static struct {
    std::mutex order;
    cudaEvent_t ends[AT_A_TIME]; /* of the runs that were started last */
    unsigned started;
} runs[OTOK_DEVICES];

otok_status otok_cycle_create(otok_cycle *cycle)
{
    CUDA_TRY(cudaEventCreate(&cycle->began));
    CUDA_TRY(cudaEventCreate(&cycle->ran));
    CUDA_TRY(cudaEventCreate(&cycle->diagnosed));
    CUDA_TRY(cudaEventCreateWithFlags(&cycle->passed, cudaEventDisableTiming));
    return OTOK_OK;
}

static void forget(cudaEvent_t *event)
{
    if (*event) cudaEventDestroy(*event);
    *event = NULL;
}

void otok_cycle_destroy(otok_cycle *cycle, int device)
{
    forget(&cycle->began);
    forget(&cycle->ran);
    forget(&cycle->diagnosed);
    for (int n = 0; n < AT_A_TIME; n++)
        if (runs[device].ends[n] == cycle->passed) runs[device].ends[n] = NULL;
    forget(&cycle->passed);
    const std::lock_guard<std::mutex> hold(lock);
    if (otok_cuda_ensembles_living[device] == 0) forget(&last[device]);
}

otok_status otok_order_enter(otok_cuda_ensemble *e, int iterations)
{
    auto &of = runs[e->device];
    of.order.lock();
    const int others = otok_cuda_ensembles_living[e->device] - 1, back = others > AT_A_TIME
                                                                             ? AT_A_TIME
                                                                         : others > 1 ? others
                                                                                      : 1;
    const cudaEvent_t end = of.ends[(of.started + AT_A_TIME - (unsigned)back) % AT_A_TIME];
    if (end && iterations < LONG_RUN) CUDA_TRY(cudaStreamWaitEvent(e->stream, end, 0));
    return OTOK_OK;
}

otok_status otok_order_leave(otok_cuda_ensemble *e)
{
    const cudaError_t error = cudaEventRecord(e->cycle.passed, e->stream);
    auto &of = runs[e->device];
    of.ends[of.started++ % AT_A_TIME] = e->cycle.passed;
    of.order.unlock();
    CUDA_TRY(error);
    return OTOK_OK;
}

static __global__ void copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch,
                                 unsigned words, unsigned rows)
{
    const unsigned n = blockIdx.x * blockDim.x + threadIdx.x, row = n / words, word = n % words;
    if (row < rows)
        ((uint32_t *)(to + row * to_pitch))[word] =
            ((const uint32_t *)(from + row * from_pitch))[word];
}

/* Copies by a kernel. The device's copy engines have queues that all streams share; a copy that
   waits for the kernels of its stream would hold up the copies behind it. */
otok_status otok_cycle_copy(const otok_cuda_ensemble *e, void *to, size_t to_pitch,
                            const void *from, size_t from_pitch, size_t width, size_t rows)
{
    enum { BLOCK = 256 };
    const size_t words = width / sizeof(uint32_t), all = words * rows;
    copy_rows<<<(unsigned)((all + BLOCK - 1) / BLOCK), BLOCK, 0, e->stream>>>(
        (char *)to, to_pitch, (const char *)from, from_pitch, (unsigned)words, (unsigned)rows);
    CUDA_TRY(cudaGetLastError());
    return OTOK_OK;
}

otok_status otok_cycle_begin(otok_cuda_ensemble *e)
{
    if (e->cycle.open) return OTOK_OK;
    CUDA_TRY(cudaEventRecord(e->cycle.began, e->stream));
    e->cycle.open = true;
    return OTOK_OK;
}

otok_status otok_cycle_diagnose(otok_cuda_ensemble *e)
{
    if (e->cycle.open) CUDA_TRY(cudaEventRecord(e->cycle.ran, e->stream));
    return OTOK_OK;
}

/* The time from `from` to `to` [s]; it may be negative. */
static otok_status between(double *seconds, cudaEvent_t from, cudaEvent_t to)
{
    float ms;
    CUDA_TRY(cudaEventElapsedTime(&ms, from, to));
    *seconds = 1e-3 * (double)ms;
    return OTOK_OK;
}

static otok_status count(otok_cycle *r, int device)
{
    cudaEvent_t &before = last[device];
    double ran = 0.0, diagnosed = 0.0, gap = 0.0, later = 1.0;
    const std::lock_guard<std::mutex> hold(lock);
    OTOK_TRY(between(&ran, r->began, r->ran));
    OTOK_TRY(between(&diagnosed, r->ran, r->diagnosed));
    if (before) OTOK_TRY(between(&gap, before, r->began));
    if (before) OTOK_TRY(between(&later, before, r->diagnosed));
    r->times.cycles++;
    r->times.ran += ran;
    r->times.diagnosed += diagnosed;
    r->times.idle += gap > 0.0 ? gap : 0.0;
    if (later > 0.0) std::swap(before, r->diagnosed);
    if (!r->diagnosed) CUDA_TRY(cudaEventCreate(&r->diagnosed));
    return OTOK_OK;
}

otok_status otok_cycle_wait(otok_cuda_ensemble *e)
{
    const double began = otok_clock();
    CUDA_TRY(cudaStreamSynchronize(e->stream));
    e->running = false;
    e->cycle.times.waited += otok_clock() - began;
    return OTOK_OK;
}

otok_status otok_cycle_end(otok_cuda_ensemble *e)
{
    const bool open = e->cycle.open;
    e->cycle.open = false;
    if (open) CUDA_TRY(cudaEventRecord(e->cycle.diagnosed, e->stream));
    OTOK_TRY(otok_cycle_wait(e));
    return open ? count(&e->cycle, e->device) : OTOK_OK;
}
