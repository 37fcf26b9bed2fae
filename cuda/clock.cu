/* clock.cu: how long a run takes by the device's own clock, and how fast the device copies. */
#include "cuda.h"

namespace
{
struct events {
    cudaEvent_t before, after;

    events() : before(NULL), after(NULL)
    {
    }
    ~events()
    {
        if (before) cudaEventDestroy(before);
        if (after) cudaEventDestroy(after);
    }
};
} // namespace

static otok_status create(events *e)
{
    CUDA_TRY(cudaEventCreate(&e->before));
    CUDA_TRY(cudaEventCreate(&e->after));
    return OTOK_OK;
}

static otok_status elapsed(const events *e, double *seconds)
{
    float ms;
    CUDA_TRY(cudaEventSynchronize(e->after));
    CUDA_TRY(cudaEventElapsedTime(&ms, e->before, e->after));
    *seconds = 1e-3 * (double)ms;
    return OTOK_OK;
}

otok_status otok_cuda_time(otok_patch *patch, const otok_program *program, const otok_coefficients *k, const otok_step *steps,
                           int nsteps, double *seconds)
{
    const cudaStream_t stream = otok_cuda_own_of(patch)->stream;
    events e;
    OTOK_TRY(create(&e));
    CUDA_TRY(cudaEventRecord(e.before, stream));
    OTOK_TRY(otok_cuda_run(patch, program, k, steps, nsteps));
    CUDA_TRY(cudaEventRecord(e.after, stream));
    return elapsed(&e, seconds);
}

static otok_status copies(char *from, char *to, size_t bytes, double *rate)
{
    events e;
    double best = 0, seconds = 0;
    OTOK_TRY(create(&e));
    for (int repeat = 0; repeat < 9; repeat++) {
        CUDA_TRY(cudaEventRecord(e.before));
        CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice));
        CUDA_TRY(cudaEventRecord(e.after));
        OTOK_TRY(elapsed(&e, &seconds));
        best = seconds < best || best == 0 ? seconds : best;
    }
    *rate = 2.0 * (double)bytes / best;
    return OTOK_OK;
}

otok_status otok_cuda_copy_rate(size_t bytes, double *rate)
{
    char *memory = NULL;
    CUDA_TRY(cudaMalloc((void **)&memory, 2 * bytes));
    const cudaError_t cleared = cudaMemset(memory, 1, 2 * bytes);
    const otok_status status =
        cleared == cudaSuccess ? copies(memory, memory + bytes, bytes, rate) : otok_cuda_fail(cleared, "cudaMemset");
    cudaFree(memory);
    return status;
}
