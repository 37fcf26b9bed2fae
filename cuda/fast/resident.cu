/* resident.cu: the resident strategy: which programs and grids it can run, how it cuts a grid into
   tiles, and the memory through which tiles exchange cells. The kernels are in resident_*.cu. */
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
    otok_stages s = {0, {0}};
    for (int n = 0; n < program->nops && s.n >= 0; n++) {
        const otok_op op = program->ops[n];
        if (op.kind != otok_op::OTOK_OP_STAGE || op.a == OTOK_STAGE_EDGE_LOSS) continue;
        if (s.n == (int)(sizeof s.stage / sizeof s.stage[0]))
            s.n = -1;
        else
            s.stage[s.n++] = op.a;
    }
    return s;
}

static int ceiling(int a, int b)
{
    return (a + b - 1) / b;
}

/* Cuts the grid into at most `blocks` tiles with as few rows as possible. The length of its rows
   does not matter to a warp. */
static bool cut(plan *p, int nx, int ny, int blocks)
{
    const otok_resident_kernel *k = p->kernel;
    const int widest = OTOK_SLOTS - 2 * k->halo,
              most = ceiling(ny, k->halo); /* tiles lower than that would be mostly halo */
    p->tiles_x = ceiling(nx, widest);
    if (p->tiles_x > blocks) return false;
    p->tiles_y = blocks / p->tiles_x < most ? blocks / p->tiles_x : most;
    const int together = k->outermost ? k->rows : 1;
    p->rows = ceiling(ceiling(ny, together), p->tiles_y) * together + 2 * k->halo;
    p->warps = ceiling(p->rows - (k->outermost ? 0 : 2), k->rows);
    if (p->warps > k->warps) return false;

    return true;
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

static bool find(plan *p, const otok_patch *patch, const otok_program *program,
                 const otok_coefficients *k)
{
    int device = 0, processors = 0, together = 0, most = 0;
    if (patch->view.shared[0] || patch->view.shared[1])
        return false; /* its tiles would book shared rows too */
    p->stages = stages_of(program);
    p->kernel = otok_resident_hydraulic(&p->stages, k);
    if (!p->kernel) p->kernel = otok_resident_thermal(&p->stages);
    if (!p->kernel) p->kernel = otok_resident_reef(&p->stages);
    if (!p->kernel || cudaGetDevice(&device) != cudaSuccess) return false;
    if (p->kernel->outermost && patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC &&
        patch->view.ny % p->kernel->rows)
        return false;
    if (cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess)
        return false;
    if (!together || !cut(p, patch->view.nx, patch->view.ny, processors) ||
        p->kernel->shared > (size_t)most)
        return false;
    return fits(p, device);
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

/* Allocates two planes of packets, with tags that were never used. */
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
    const int halo = p.kernel->halo, pitch = patch->view.nx + 2 * halo;
    const size_t plane = (size_t)pitch * ((size_t)patch->view.ny + 2 * (size_t)halo);
    OTOK_TRY(prepare(&m, own, 2 * plane, nsteps));
    otok_resident grid;
    grid.v = patch->view;
    grid.tiles_x = p.tiles_x;
    grid.tiles_y = p.tiles_y;
    grid.wraps_x = patch->edges[OTOK_LEFT] == OTOK_PERIODIC;
    grid.wraps_y = patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    grid.open = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        grid.open |= (patch->edges[side] == OTOK_OPEN) << side;
    grid.halo = halo;
    grid.pitch = pitch;
    grid.plane = (int)plane;
    grid.packets = m->packets;
    grid.tag = m->tag;
    grid.nsteps = nsteps;
    m->tag += (unsigned)nsteps + 1;
    CUDA_TRY(p.kernel->start(p.kernel, &grid, k, dim3((unsigned)(p.tiles_x * p.tiles_y)),
                             dim3(32 * (unsigned)p.warps), own->stream));
    return OTOK_OK;
}

const otok_cuda_strategy otok_cuda_strategy_resident = {"resident", can, pays, start, bytes, true};
