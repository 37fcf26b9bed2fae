/* resident.cu: the resident strategy: which programs and grids it can run, how it cuts a grid into
   tiles, and the memory through which tiles exchange cells. The kernels are in resident_*.cu. At
   512² of one H200 an iteration of water takes 4.9 µs, by fused kernels 19.7. */
#include "resident.cuh"
#include "resident.h"

#include <stdlib.h>
#include <string.h>

/* The memory for packets. It stays with the patch. */
typedef struct memory {
    uint4 *packets;
    size_t cells;
    unsigned tag;
} memory;

typedef struct plan {
    const otok_resident_kernel *kernel;
    otok_stages stages;
    int tiles_x, tiles_y, rows, warps;
} plan;

static otok_stages stages_of(const otok_program *program)
{
    otok_stages s = {0, {0}, 0};
    for (int n = 0; n < program->nops; n++) {
        const otok_op op = program->ops[n];
        if (op.kind != otok_op::OTOK_OP_STAGE) continue;
        const int keeps = otok_stage_keeps(op.a);
        s.keeps |= keeps;
        /* over steps no side may be open */
        if (op.a == OTOK_STAGE_FLUX_STEPS_SIDES || op.a == OTOK_STAGE_SHALLOW_SLOPES_SIDES)
            return {};
        if (keeps || otok_stage_is_of_sides(op.a)) continue;
        if (s.n == (int)(sizeof s.stage / sizeof s.stage[0]) || s.keeps) return {};
        s.stage[s.n++] = op.a;
    }
    return s;
}

static int ceiling(int a, int b)
{
    return (a + b - 1) / b;
}

/* Cuts nx x ny cells into at most `blocks` tiles with as few rows as possible. The length of its
   rows does not matter to a warp. */
static bool cut(plan *p, int nx, int ny, int blocks)
{
    const otok_resident_kernel *k = p->kernel;
    const int widest = OTOK_SLOTS - 2 * k->halo,
              most = ceiling(ny, k->halo); /* tiles lower than that would be mostly halo */
    p->tiles_x = ceiling(nx, widest);
    if (p->tiles_x > blocks) return false;
    p->tiles_y = blocks / p->tiles_x < most ? blocks / p->tiles_x : most;
    p->rows = ceiling(ceiling(ny, k->together), p->tiles_y) * k->together + 2 * k->halo;
    p->warps = ceiling(p->rows - (k->outermost ? 0 : 2), k->rows);
    return p->warps <= k->warps;
}

/* Does a multiprocessor have room for a block? Each thread keeps the answer for its last plan: the
   query takes longer than an iteration, too long for a run of ten. */
static bool fits(const plan *p, int device)
{
    static thread_local struct {
        const void *entry;
        int warps, device;
        bool fits;
    } last;
    int blocks = 0;
    if (last.entry == p->kernel->entry && last.warps == p->warps && last.device == device)
        return last.fits;
    last.fits = cudaFuncSetAttribute(p->kernel->entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)p->kernel->shared) == cudaSuccess &&
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                    &blocks, p->kernel->entry, 32 * p->warps, p->kernel->shared) == cudaSuccess &&
                blocks >= 1;
    last.entry = p->kernel->entry;
    last.warps = p->warps;
    last.device = device;
    return last.fits;
}

static const otok_resident_kernel *kernel_for(const otok_stages *stages, const otok_coefficients *k,
                                              int at)
{
    static otok_resident_family *const families[] = {
        otok_resident_hydraulic, otok_resident_signed,
        otok_resident_shallow, /* those after it keep no maxima */
        otok_resident_thermal, otok_resident_reef};
    const otok_resident_kernel *kernel = NULL;
    for (int f = 0; !kernel && f < (stages->keeps ? 3 : 5); f++)
        kernel = families[f](stages, k, at);
    return kernel;
}

/* Does the patch allow this kernel? It has no row of another band, and if rows belong together, no
   tile beyond a periodic side begins between them. */
static bool rows_allow(const otok_patch *patch, const otok_resident_kernel *kernel)
{
    const otok_view *v = &patch->view;
    const bool meets = patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    return !(meets && v->ny % kernel->together) && !v->shared[0] && !v->shared[1];
}

static bool find(plan *p, const otok_patch *patch, const otok_program *program,
                 const otok_coefficients *k)
{
    int device = 0, processors = 0, together = 0, most = 0;
    p->stages = stages_of(program);
    if (!kernel_for(&p->stages, k, 0)) return false;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess)
        return false;
    for (int at = 0; together && (p->kernel = kernel_for(&p->stages, k, at)); at++)
        if (rows_allow(patch, p->kernel) && cut(p, patch->view.nx, patch->view.ny, processors) &&
            p->kernel->shared <= (size_t)most && fits(p, device))
            return true;
    return false;
}

static bool can(const otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    plan p;
    const bool found = find(&p, patch, program, k);
    cudaGetLastError(); /* clears the error: "no" is an answer, not a failure */
    return found;
}

static bool pays(const otok_patch *, const otok_program *, const otok_coefficients *)
{
    return true; /* what fits on the chip is faster there */
}

static int bytes(const otok_program *)
{
    return -1; /* fields move once a run, and the borders of tiles stay in the cache */
}

void otok_resident_forget(void *own)
{
    memory *m = (memory *)own;
    if (m) cudaFree(m->packets);
    free(m);
}

/* Allocates packets for iterations of both parities, with tags that were never used. */
static otok_status prepare(memory **out, otok_cuda_own *own, size_t cells, int nsteps)
{
    memory *m = (memory *)own->resident;
    if (!m) own->resident = m = (memory *)calloc(1, sizeof *m);
    if (!m) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for a run on chip");
    *out = m;
    if (cells > m->cells) {
        cudaFree(m->packets);
        m->packets = NULL;
        m->cells = 0;
        CUDA_TRY(cudaMalloc((void **)&m->packets, cells * sizeof *m->packets));
        m->cells = cells;
        m->tag = UINT32_MAX;
    }
    if (m->tag > UINT32_MAX - (unsigned)nsteps - 2) {
        CUDA_TRY(cudaMemsetAsync(m->packets, 0, m->cells * sizeof *m->packets, own->stream));
        m->tag = 0;
    }
    return OTOK_OK;
}

/* The packets of a plane: a cell each, with its halo. */
static size_t plane_of(const otok_view *v, int halo)
{
    return ((size_t)v->nx + 2 * (size_t)halo) * ((size_t)v->ny + 2 * (size_t)halo);
}

/* All packets: those of both parities. */
static size_t packets_of(const otok_view *v, const otok_resident_kernel *kernel)
{
    return 2 * (size_t)kernel->packets * plane_of(v, kernel->halo);
}

/* Books the ground. */
static __global__ void book(otok_view v, int sign)
{
    otok_booking ground = {0, 0};
    for (int j = (int)blockIdx.x; j < v.ny; j += (int)gridDim.x)
        for (int i = (int)threadIdx.x; i < v.nx; i += OTOK_BLOCK)
            otok_booking_add(ground, v.at[OTOK_TERRAIN_CHANGE][j * (int)v.pitch + i], sign);
    otok_book(v.sums + OTOK_SUM_GROUND_ROUNDED, ground);
}

static otok_status start(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                         int nsteps)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    plan p;
    memory *m = NULL;
    if (nsteps == 0) return OTOK_OK;
    if (!find(&p, patch, program, k))
        return OTOK_FAIL(OTOK_INTERNAL,
                         "cuda: a program that cannot run on chip; please report it");
    const int halo = p.kernel->halo;
    const size_t plane = plane_of(&patch->view, halo);
    OTOK_TRY(prepare(&m, own, packets_of(&patch->view, p.kernel), nsteps));
    otok_resident_run run = {{}, *k};
    otok_resident &grid = run.grid;
    grid.v = patch->view;
    grid.tiles_x = p.tiles_x;
    grid.tiles_y = p.tiles_y;
    grid.wraps_x = patch->edges[OTOK_LEFT] == OTOK_PERIODIC;
    grid.wraps_y = patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    grid.open = otok_open_sides(patch);
    grid.halo = halo;
    grid.pitch = patch->view.nx + 2 * halo;
    grid.plane = (int)plane;
    grid.packets = m->packets;
    grid.tag = m->tag;
    grid.nsteps = nsteps;
    grid.first = own->started[0].iteration;
    grid.keeps = p.stages.keeps;
    m->tag += (unsigned)nsteps + 1;
    const dim3 blocks((unsigned)(p.tiles_x * p.tiles_y)), threads(32 * (unsigned)p.warps);
    void *arguments[] = {&run};
    if (p.kernel->rounds) book<<<blocks, OTOK_BLOCK, 0, own->stream>>>(grid.v, -1);
    CUDA_TRY(cudaLaunchCooperativeKernel((void (*)(otok_resident_run))p.kernel->entry, blocks,
                                         threads, arguments, p.kernel->shared, own->stream));
    if (p.kernel->rounds) book<<<blocks, OTOK_BLOCK, 0, own->stream>>>(grid.v, 1);
    CUDA_TRY(cudaGetLastError());
    return OTOK_OK;
}

const otok_cuda_strategy otok_cuda_strategy_resident = {"resident", can, pays, start, bytes, true};
