/* run.cu: runs a program by the fastest strategy, or by the one that was requested. It launches no
   kernel itself. */
#include "cuda.h"

#include <string.h>

/* The strategies among which `cuda` chooses, the fastest first. The last can run everything. */
static const otok_cuda_strategy *const strategies[] = {
    &otok_cuda_strategy_resident, &otok_cuda_strategy_fused, &otok_cuda_strategy_plain};

static const otok_cuda_strategy *strategy_for(const otok_patch *patch, const otok_program *program,
                                              const otok_coefficients *k)
{
    const otok_cuda_strategy *asked = otok_cuda_own_of(patch)->asked;
    if (asked) return asked->can(patch, program, k) ? asked : &otok_cuda_strategy_plain;
    const otok_cuda_strategy *const *w = strategies;
    while (!(*w)->pays(patch, program, k) || !(*w)->can(patch, program, k))
        w++;
    return *w;
}

const char *otok_cuda_strategy_name(const otok_patch *patch, const otok_program *program,
                                    const otok_coefficients *k)
{
    return strategy_for(patch, program, k)->name;
}

int otok_cuda_strategy_bytes(const otok_patch *patch, const otok_program *program,
                             const otok_coefficients *k)
{
    const otok_cuda_strategy *strategy = strategy_for(patch, program, k);
    return strategy->bytes ? strategy->bytes(program) : 0;
}

static otok_status upload(otok_cuda_own *own, size_t bytes)
{
    CUDA_TRY(cudaMemcpyAsync(own->steps, own->started, bytes, cudaMemcpyHostToDevice, own->stream));
    CUDA_TRY(cudaMemsetAsync(own->now, 0, sizeof *own->now, own->stream));
    return OTOK_OK;
}

otok_status otok_cuda_start(otok_patch *patch, const otok_program *program,
                            const otok_coefficients *k, const otok_step *steps, int at, int nsteps,
                            int joins)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const otok_cuda_strategy *strategy = strategy_for(patch, program, k);
    const size_t bytes = sizeof *steps * (size_t)nsteps;
    if (at + nsteps > own->max_steps)
        return OTOK_FAIL(OTOK_INTERNAL,
                         "cuda: a run of %d steps on a patch made for %d; please report it",
                         at + nsteps, own->max_steps);
    memcpy(own->staging + at, steps + at, bytes);
    own->started = own->staging + at;
    own->joins = joins;
    if (strategy->on_device) OTOK_TRY(upload(own, bytes));
    OTOK_TRY(strategy->start(patch, program, k, nsteps));
    CUDA_TRY(cudaEventRecord(own->done, own->stream));
    return OTOK_OK;
}

int otok_cuda_busy(const otok_patch *patch)
{
    const int is_busy = cudaEventQuery(otok_cuda_own_of(patch)->done) == cudaErrorNotReady;
    if (is_busy) cudaGetLastError(); /* it is an answer, not a failure */
    return is_busy;
}

otok_status otok_cuda_wait(otok_patch *patch)
{
    CUDA_TRY(cudaStreamSynchronize(otok_cuda_own_of(patch)->stream));
    return OTOK_OK;
}

/* Waits for the end, so that `staging` is free again, and a failure shows in the run that caused
   it. */
otok_status otok_cuda_run(otok_patch *patch, const otok_program *program,
                          const otok_coefficients *k, const otok_step *steps, int nsteps)
{
    OTOK_TRY(otok_cuda_start(patch, program, k, steps, 0, nsteps, 0));
    return otok_cuda_wait(patch);
}
