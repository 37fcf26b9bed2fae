/* plain.cu: the plain strategy for a program: one kernel a stage. An iteration becomes a CUDA
   graph, which is kept while program, coefficients and pointers stay the same. Swaps move pointers,
   so a program with a swap has two graphs, used alternately. The kernels are in the files of the
   processes. */
#include "batch.cuh"

#include <string.h>

static otok_launcher *const *const launchers[OTOK_STAGES] = {
#define STAGE(NAME, name, ...) &otok_cuda_##name,
#include "core/stages.def"
#undef STAGE
};

/* Moves the schedule to its next step. */
static __global__ void advance(int *now)
{
    ++*now;
}

static __global__ void advance_all(otok_batch batch, int *now)
{
    ++*otok_moved(now, batch.slots[blockIdx.x] * batch.stride);
}

cudaError_t otok_cuda_has_code(void)
{
    cudaFuncAttributes unused;
    return cudaFuncGetAttributes(&unused, advance);
}

otok_launch otok_cuda_launch(const otok_patch *patch, const otok_batch *batch,
                             const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const int rows = otok_own_rows(v);
    const int across = (v->nx + OTOK_TILE_X - 1) / OTOK_TILE_X,
              up = (rows + OTOK_TILE_Y - 1) / OTOK_TILE_Y;
    /* Small grids: a block for every two rows, to fill the device. Large grids: 16 rows, so that
       there are fewer sums and fewer neighbours are read again. */
    int64_t walk = (int64_t)across * up * (batch ? batch->n : 1) / 4096;
    walk = walk < 1 ? 1 : walk > 8 ? 8 : walk;
    if (walk * 65535 < up) walk = (up + 65534) / 65535; /* limit of CUDA for a grid of blocks */
    otok_launch l;
    l.patch = patch;
    l.batch = batch;
    l.k = k;
    l.stream = otok_cuda_own_of(patch)->stream;
    l.block = dim3(OTOK_TILE_X, OTOK_TILE_Y);
    l.rows = (int)walk * OTOK_TILE_Y;
    l.walled = NULL;
    l.grid = dim3((unsigned)across, (unsigned)((rows + l.rows - 1) / l.rows));
    return l;
}

static void swap(otok_view *view, int a, int b)
{
    float *other = view->at[a];
    view->at[a] = view->at[b];
    view->at[b] = other;
}

/* Starts a stage on the rows that a band shares: first those below, then those above. Its bookings
   there do not count. */
static cudaError_t start_shared(const otok_patch *patch, otok_launcher *launcher,
                                const otok_coefficients *k, const otok_walled *walled)
{
    const int ny = patch->view.ny, below = patch->view.shared[0], above = patch->view.shared[1];
    for (int side = 0; side < 2; side++) {
        otok_patch part = *patch;
        if (!patch->view.shared[side]) continue;
        part.view.shared[0] = side ? ny - above : 0;
        part.view.shared[1] = side ? 0 : ny - below;
        part.view.sums += OTOK_SUMS;
        otok_launch launch = otok_cuda_launch(&part, NULL, k);
        launch.walled = walled;
        const cudaError_t error = launcher(&launch);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

otok_status otok_cuda_ops(otok_patch *patch, const otok_batch *batch, const otok_program *program,
                          const otok_coefficients *k, int from, int upto, const otok_step *step)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    otok_launch launch = otok_cuda_launch(patch, batch, k);
    for (int n = from; n < upto; n++) {
        const otok_op op = program->ops[n];
        if (op.kind == otok_op::OTOK_OP_SWAP) swap(&patch->view, op.a, op.b);
        if (op.kind == otok_op::OTOK_OP_HALO)
            OTOK_TRY(otok_cuda_halo(patch, batch, op.a, op.b, own->stream));
        if (op.kind == otok_op::OTOK_OP_STAGE &&
            (!step || otok_stage_is_due((otok_stage)op.a, step))) {
            const otok_walled walled = otok_walled_of(program, n);
            launch.walled = patch->view.at[OTOK_WALLS] && !walled.along ? &walled : NULL;
            otok_launcher *const launcher = *launchers[op.a];
            cudaError_t error = launcher(&launch);
            if (error == cudaSuccess && !batch)
                error = start_shared(patch, launcher, k, launch.walled);
            if (error != cudaSuccess) return otok_cuda_fail(error, otok_stage_infos[op.a].name);
        }
    }
    return OTOK_OK;
}

otok_status otok_cuda_advance(otok_patch *patch, const otok_batch *batch)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const unsigned n = batch ? (unsigned)batch->n : 1;
    if (batch)
        advance_all<<<n, 1, 0, own->stream>>>(*batch, (int *)patch->view.now);
    else
        advance<<<n, 1, 0, own->stream>>>(own->now);
    CUDA_TRY(cudaGetLastError());
    return OTOK_OK;
}

otok_status otok_cuda_iterate(otok_patch *patch, const otok_batch *batch,
                              const otok_program *program, const otok_coefficients *k,
                              const otok_step *step)
{
    OTOK_TRY(otok_cuda_ops(patch, batch, program, k, 0, program->nops, step));
    return otok_cuda_advance(patch, batch);
}

/* Records one iteration on a copy of the patch, because its pointers may move. */
static otok_status record(cudaGraphExec_t *out, otok_patch copy, const otok_program *program,
                          const otok_coefficients *k)
{
    const cudaStream_t stream = otok_cuda_own_of(&copy)->stream;
    cudaGraph_t graph = NULL;
    CUDA_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    const otok_status status = otok_cuda_iterate(&copy, NULL, program, k, NULL);
    const cudaError_t ended =
        cudaStreamEndCapture(stream, &graph); /* needed after a failure too, to free the stream */
    const cudaError_t made = status == OTOK_OK && ended == cudaSuccess
                                 ? cudaGraphInstantiate(out, graph, 0)
                                 : cudaSuccess;
    if (graph) cudaGraphDestroy(graph);
    if (status != OTOK_OK) return status;
    CUDA_TRY(ended);
    CUDA_TRY(made);
    return OTOK_OK;
}

static bool fits(const otok_cuda_graph *g, const otok_view *view, const otok_program *program,
                 const otok_coefficients *k)
{
    return g->exec && g->program.nops == program->nops &&
           memcmp(g->program.ops, program->ops, sizeof program->ops[0] * (size_t)program->nops) ==
               0 &&
           memcmp(&g->k, k, sizeof *k) == 0 && memcmp(g->at, view->at, sizeof g->at) == 0;
}

static otok_status graph_for(cudaGraphExec_t *out, const otok_patch *patch,
                             const otok_program *program, const otok_coefficients *k)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    for (int n = 0; n < OTOK_CUDA_GRAPHS; n++)
        if (fits(&own->graphs[n], &patch->view, program, k)) {
            *out = own->graphs[n].exec;
            return OTOK_OK;
        }
    otok_cuda_graph *g = &own->graphs[own->oldest];
    own->oldest = (own->oldest + 1) % OTOK_CUDA_GRAPHS;
    if (g->exec) cudaGraphExecDestroy(g->exec);
    g->exec = NULL;
    OTOK_TRY(record(&g->exec, *patch, program, k));
    g->program = *program;
    g->k = *k;
    memcpy(g->at, patch->view.at, sizeof g->at);
    *out = g->exec;
    return OTOK_OK;
}

void otok_cuda_forget_graphs(otok_cuda_own *own)
{
    for (int n = 0; n < OTOK_CUDA_GRAPHS; n++)
        if (own->graphs[n].exec) cudaGraphExecDestroy(own->graphs[n].exec);
}

static otok_status start(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                         int nsteps)
{
    for (int n = 0; n < nsteps; n++) {
        cudaGraphExec_t graph = NULL;
        OTOK_TRY(graph_for(&graph, patch, program, k));
        CUDA_TRY(cudaGraphLaunch(graph, otok_cuda_own_of(patch)->stream));
        for (int op = 0; op < program->nops; op++)
            if (program->ops[op].kind == otok_op::OTOK_OP_SWAP)
                swap(&patch->view, program->ops[op].a, program->ops[op].b);
    }
    return OTOK_OK;
}

static bool always(const otok_patch *, const otok_program *, const otok_coefficients *)
{
    return true;
}

const otok_cuda_strategy otok_cuda_strategy_plain = {"plain", always, always, start, NULL, true};
