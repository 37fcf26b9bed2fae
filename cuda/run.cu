/* run.cu: runs a program by the fastest strategy, or by the one that was requested. It launches no
   kernel itself. */
#include "cuda.h"

#include <string.h>

/* The strategies among which `cuda` chooses, the fastest first. The last can run everything. */
static const otok_cuda_strategy *const strategies[] = {
    &otok_cuda_strategy_resident, &otok_cuda_strategy_fused, &otok_cuda_strategy_plain};

/* Buffers that only stages in no family read, or in one that knows them: over layers, stages that
   move the ground are others than without. */
static bool is_apart(int b)
{
    return (b >= OTOK_LAYER_BOTTOM && b <= OTOK_LAYER_BOTTOM_LAST) || b == OTOK_EXPOSURE ||
           b == OTOK_MAP_UPLIFT;
}

/* Flows, and what a program makes of them and of steps of the bed: all kernels know these. */
static bool is_made(int b)
{
    return (b >= OTOK_OUTFLOW_LEFT && b <= OTOK_OUTFLOW_TOP) || b == OTOK_FACE_RIGHT ||
           b == OTOK_FACE_TOP || b == OTOK_SLOPE_RIGHT || b == OTOK_SLOPE_TOP;
}

bool otok_cuda_only_plain(const otok_view *v, const otok_program *program)
{
    otok_set given = {{0}};
    for (int n = 0; n < program->nops; n++)
        if (program->ops[n].kind == otok_op::OTOK_OP_STAGE)
            given = otok_set_or(given, otok_stage_infos[program->ops[n].a].given);
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (!is_made(b) && !is_apart(b) && otok_set_has(given, b) && v->at[b]) return true;
    return false;
}

/* Walls are known to the fused strategy and to the plain one. */
static bool is_able(const otok_cuda_strategy *strategy, const otok_patch *patch,
                    const otok_program *program, const otok_coefficients *k)
{
    const bool knows =
        strategy == &otok_cuda_strategy_fused || strategy == &otok_cuda_strategy_plain;
    return (knows || !patch->view.at[OTOK_WALLS]) && strategy->can(patch, program, k);
}

static const otok_cuda_strategy *strategy_for(const otok_patch *patch, const otok_program *program,
                                              const otok_coefficients *k)
{
    const otok_cuda_own *own = otok_cuda_own_of(patch);
    const otok_cuda_strategy *asked = own->asked;
    if (otok_cuda_only_plain(&patch->view, program)) return &otok_cuda_strategy_plain;
    if (asked) return is_able(asked, patch, program, k) ? asked : &otok_cuda_strategy_plain;
    const otok_cuda_strategy *const *w = strategies;
    while (!(*w)->pays(patch, program, k) || !is_able(*w, patch, program, k))
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

otok_status otok_cuda_upload(otok_patch *patch, int nsteps)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const size_t bytes = sizeof *own->started * (size_t)nsteps;
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
    if (strategy->on_device) OTOK_TRY(otok_cuda_upload(patch, nsteps));
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
