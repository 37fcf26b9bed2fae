/* base.cu: carries out a plan of the base terrain: evaluates maps cell by cell, and fills lattices
   level by level. The cell functions are in model/base.h; the plan comes from base/compile.c. */
#include "clock.cuh"
#include "cuda.h"
#include "model/base.h"

#include <stdlib.h>

static __global__ void evaluate(const otok_base_plan *plan, const otok_base_pass *pass,
                                otok_base_map to, int pitch)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x),
              step = (int)(gridDim.y * blockDim.y);
    if (i >= to.nx) return;
    for (int j = (int)(blockIdx.y * blockDim.y + threadIdx.y); j < to.ny; j += step)
        to.at[(ptrdiff_t)j * pitch + i] = otok_base_cell(plan, pass, to.x0 + i, to.y0 + j);
}

static __global__ void fill(const otok_base_plan *plan, const otok_midpoint_fill *l, float *map,
                            otok_midpoint_step s)
{
    const int a = (int)(blockIdx.x * blockDim.x + threadIdx.x),
              step = (int)(gridDim.y * blockDim.y);
    if (a >= s.nx) return;
    for (int b = (int)(blockIdx.y * blockDim.y + threadIdx.y); b < s.ny; b += step)
        otok_midpoint_make(plan, l, map, s, a, b);
}

/* What the device needs of a plan. */
typedef struct workspace {
    otok_base_plan *plan; /* on the device, with pointers of the device */
    otok_base_plan *host; /* the same plan, on the host */
    float *memory;        /* table and maps */
    otok_events events;
} workspace;

/* The number of floats of a map, rounded up to 128 bytes. */
static size_t size_of(const otok_base_map *map)
{
    return ((size_t)map->nx * (size_t)map->ny + 31) / 32 * 32;
}

static otok_status bring(workspace *w, const otok_base_plan *plan, cudaStream_t stream)
{
    size_t table = ((size_t)plan->ntable + 31) / 32 * 32, all = table;
    cudaFuncAttributes
        loaded; /* CUDA loads a kernel at its first use; these load them before the clock runs */
    CUDA_TRY(cudaFuncGetAttributes(&loaded, evaluate));
    CUDA_TRY(cudaFuncGetAttributes(&loaded, fill));
    OTOK_TRY(otok_events_create(&w->events));
    for (int m = 0; m < plan->nmaps; m++)
        all += size_of(&plan->maps[m]);
    if (all) CUDA_TRY(cudaMalloc((void **)&w->memory, all * sizeof(float)));
    CUDA_TRY(cudaMalloc((void **)&w->plan, sizeof *w->plan));
    w->host = (otok_base_plan *)malloc(sizeof *w->host);
    if (!w->host) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for the base terrain");
    *w->host = *plan;
    w->host->table = w->memory;
    float *at = w->memory + table;
    for (int m = 0; m < plan->nmaps; at += size_of(&plan->maps[m]), m++)
        w->host->maps[m].at = at;
    if (plan->ntable)
        CUDA_TRY(cudaMemcpyAsync(w->memory, plan->table, (size_t)plan->ntable * sizeof(float),
                                 cudaMemcpyHostToDevice, stream));
    CUDA_TRY(cudaMemcpyAsync(w->plan, w->host, sizeof *w->plan, cudaMemcpyHostToDevice, stream));
    return OTOK_OK;
}

static dim3 blocks(int nx, int ny)
{
    const int up = (ny + OTOK_TILE_Y - 1) / OTOK_TILE_Y;
    return dim3((unsigned)((nx + OTOK_TILE_X - 1) / OTOK_TILE_X),
                (unsigned)(up < 65535 ? up : 65535));
}

/* The destination of a pass: a map, or the terrain. */
typedef struct target {
    otok_base_map map;
    int pitch;
} target;

static target target_of(const otok_base_plan *plan, const otok_view *v, int pass)
{
    const int m = plan->passes[pass].map;
    const int from = otok_own_from(v);
    const otok_base_map terrain = {v->x0, otok_row_of(v, from), v->nx, otok_own_rows(v),
                                   v->at[OTOK_TERRAIN_BASE] + from * v->pitch};
    const target own = {terrain, (int)v->pitch},
                 map = {plan->maps[m < 0 ? 0 : m], plan->maps[m < 0 ? 0 : m].nx};
    return m < 0 ? own : map;
}

static otok_status carry_out(const otok_patch *patch, const workspace *w, cudaStream_t stream)
{
    const otok_base_plan *plan = w->host;
    const dim3 block(OTOK_TILE_X, OTOK_TILE_Y);
    for (int n = 0; n < plan->npasses; n++) {
        if (patch->stop) { /* this waits for the earlier passes */
            CUDA_TRY(cudaStreamSynchronize(stream));
            if (patch->stop(patch->user)) return OTOK_STOPPED;
        }
        const target to = target_of(plan, &patch->view, n);
        if (plan->passes[n].kind == OTOK_BASE_EVALUATE) {
            evaluate<<<blocks(to.map.nx, to.map.ny), block, 0, stream>>>(
                w->plan, &w->plan->passes[n], to.map, to.pitch);
            CUDA_TRY(cudaGetLastError());
            continue;
        }
        for (int k = 0; k <= 2 * plan->passes[n].fill.levels; k++) {
            const otok_midpoint_step step = otok_midpoint_step_at(k);
            fill<<<blocks(step.nx, step.ny), block, 0, stream>>>(w->plan, &w->plan->passes[n].fill,
                                                                 to.map.at, step);
        }
        CUDA_TRY(cudaGetLastError());
    }
    return otok_cuda_halo(patch, NULL, OTOK_TERRAIN_BASE, OTOK_HALO_COPY, stream);
}

static otok_status make(otok_patch *patch, const otok_base_plan *plan, workspace *w,
                        double *seconds)
{
    const cudaStream_t stream = otok_cuda_own_of(patch)->stream;
    OTOK_TRY(bring(w, plan, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    CUDA_TRY(cudaEventRecord(w->events.before, stream));
    OTOK_TRY(carry_out(patch, w, stream));
    CUDA_TRY(cudaEventRecord(w->events.after, stream));
    return otok_events_elapsed(&w->events, seconds);
}

otok_status otok_cuda_base(otok_patch *patch, const otok_base_plan *plan, double *seconds)
{
    workspace w = workspace();
    const otok_status status = make(patch, plan, &w, seconds);
    if (status != OTOK_OK)
        cudaStreamSynchronize(
            otok_cuda_own_of(patch)->stream); /* memory must not be freed under a running kernel */
    cudaFree(w.memory);
    cudaFree(w.plan);
    free(w.host);
    return status;
}
