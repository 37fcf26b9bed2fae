/* clock.cu: measures the time of a run by the clock of the device, and the rate at which the device
   copies. */
#include "clock.cuh"

otok_status otok_cuda_time(otok_patch *patch, const otok_program *program,
                           const otok_coefficients *k, const otok_step *steps, int nsteps,
                           double *seconds)
{
    const cudaStream_t stream = otok_cuda_own_of(patch)->stream;
    otok_events e;
    OTOK_TRY(otok_events_create(&e));
    CUDA_TRY(cudaEventRecord(e.before, stream));
    OTOK_TRY(otok_cuda_run(patch, program, k, steps, nsteps));
    CUDA_TRY(cudaEventRecord(e.after, stream));
    return otok_events_elapsed(&e, seconds);
}

static otok_status copies(char *from, char *to, size_t bytes, double *rate)
{
    otok_events e;
    double best = 0, seconds = 0;
    OTOK_TRY(otok_events_create(&e));
    for (int repeat = 0; repeat < 9; repeat++) {
        CUDA_TRY(cudaEventRecord(e.before));
        CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice));
        CUDA_TRY(cudaEventRecord(e.after));
        OTOK_TRY(otok_events_elapsed(&e, &seconds));
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
    const otok_status status = cleared == cudaSuccess ? copies(memory, memory + bytes, bytes, rate)
                                                      : otok_cuda_fail(cleared, "cudaMemset");
    cudaFree(memory);
    return status;
}
