/* tiled.cu: the tiled strategy, for grids that are somewhat too large for the chip: every block has
   some tiles, and once an iteration takes each of them from memory, does to it what a resident
   kernel does, and stores it again. At 1024² of one H100 an iteration of local inertia takes 34 µs,
   by fused kernels 54. The kernels are in resident_signed.cu and resident_shallow.cu. */
#include "fused.h"
#include "resident.cuh"
#include "resident.h"

enum { WIDE = OTOK_SLOTS - 8, LOWEST = 8 }; /* columns of a tile; rows, at least */

static const otok_resident_kernel *kernel_for(const otok_program *program,
                                              const otok_coefficients *k)
{
    const otok_stages stages = otok_resident_stages(program);
    if (stages.keeps) return NULL; /* no kernel with tiles keeps maxima */
    const otok_resident_kernel *kernel = otok_tiled_signed(&stages, k);
    return kernel ? kernel : otok_tiled_shallow(&stages, k);
}

/* The outflows that have second buffers: those that an iteration renews. */
static unsigned renewed(const otok_patch *patch)
{
    return ((unsigned)otok_open_sides(patch) & (1u << OTOK_LEFT | 1u << OTOK_BOTTOM)) |
           1u << OTOK_RIGHT | 1u << OTOK_TOP;
}

static int ceiling(int a, int b)
{
    return (a + b - 1) / b;
}

/* Cuts the grid into as many tiles as the device does in as many rounds as it needs. */
static otok_status cut(otok_resident *grid, int *blocks, const otok_resident_kernel *kernel)
{
    const int nx = grid->v.nx, ny = grid->v.ny,
              highest = kernel->rows * kernel->warps - 2 * kernel->halo;
    int device = 0, processors = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    grid->tiles_x = ceiling(nx, WIDE);
    const int least = ceiling(ny, highest), most = ceiling(ny, LOWEST),
              rounds = ceiling(grid->tiles_x * least, processors),
              many = rounds * processors / grid->tiles_x;
    grid->high = ceiling(ny, many < most ? many : most);
    grid->tiles_y = ceiling(ny, grid->high);
    const int tiles = grid->tiles_x * grid->tiles_y;
    *blocks = tiles < processors ? tiles : processors;
    return OTOK_OK;
}

static bool can(const otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_resident_kernel *kernel = kernel_for(program, k);
    int device = 0, most = 0, together = 0;
    if (!kernel || v->nx % 4 || v->nx < 8 || v->ny < LOWEST || v->shared[0] || v->shared[1])
        return false; /* rows of a tile lie in memory in whole parts of 16 bytes */
    const bool fits =
        cudaGetDevice(&device) == cudaSuccess &&
        cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, device) == cudaSuccess &&
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
            cudaSuccess &&
        together && kernel->shared <= (size_t)most;
    cudaGetLastError(); /* "no" is an answer, not a failure */
    return fits && otok_fused_partners(patch, renewed(patch));
}

static bool pays(const otok_patch *patch, const otok_program *, const otok_coefficients *)
{
    /* measured: 1.07 times as fast as fused kernels at 1536², 1.6 times at 1024² */
    return (int64_t)patch->view.nx * patch->view.ny <= 2500000;
}

static int bytes(const otok_program *)
{
    return 46; /* as the fused kernels of the same programs */
}

/* The buffers that odd iterations read. Of flows that enter at a side only those in its cells get
   new values; the others are copied. */
static otok_status second_of(otok_view *second, const otok_patch *patch)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const otok_view *v = &patch->view;
    const size_t whole = (size_t)v->ny * (size_t)v->pitch * sizeof(float);
    *second = *v;
    second->at[OTOK_TERRAIN_CHANGE] = v->at[OTOK_CHANGE_NEXT];
    second->at[OTOK_WATER] = v->at[OTOK_WATER_NEXT];
    second->at[OTOK_SEDIMENT] = v->at[OTOK_SEDIMENT_NEXT];
    for (int side = 0; side < OTOK_SIDES; side++) {
        if (!(renewed(patch) >> side & 1)) continue;
        second->at[OTOK_OUTFLOW_LEFT + side] = own->spare[side];
        if (side == OTOK_LEFT || side == OTOK_BOTTOM)
            CUDA_TRY(cudaMemcpyAsync(own->spare[side], v->at[OTOK_OUTFLOW_LEFT + side], whole,
                                     cudaMemcpyDeviceToDevice, own->stream));
    }
    return OTOK_OK;
}

static void exchange(otok_patch *patch)
{
    otok_view *v = &patch->view;
    for (int side = 0; side < OTOK_SIDES; side++)
        if (renewed(patch) >> side & 1)
            otok_exchange_pointers(&v->at[OTOK_OUTFLOW_LEFT + side],
                                   &otok_cuda_own_of(patch)->spare[side]);
    otok_exchange_pointers(&v->at[OTOK_TERRAIN_CHANGE], &v->at[OTOK_CHANGE_NEXT]);
    otok_exchange_pointers(&v->at[OTOK_WATER], &v->at[OTOK_WATER_NEXT]);
    otok_exchange_pointers(&v->at[OTOK_SEDIMENT], &v->at[OTOK_SEDIMENT_NEXT]);
}

static otok_status start(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                         int nsteps)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const otok_view *v = &patch->view;
    const otok_resident_kernel *kernel = kernel_for(program, k);
    const size_t most = (size_t)ceiling(v->nx, WIDE) * (size_t)ceiling(v->ny, LOWEST);
    otok_resident grid = {};
    int blocks = 0;
    if (nsteps == 0) return OTOK_OK;
    if (!own->tiles_done) CUDA_TRY(cudaMalloc((void **)&own->tiles_done, most * sizeof(unsigned)));
    CUDA_TRY(cudaMemsetAsync(own->tiles_done, 0, most * sizeof(unsigned), own->stream));
    grid.v = *v;
    grid.done = own->tiles_done;
    OTOK_TRY(second_of(&grid.second, patch));
    OTOK_TRY(cut(&grid, &blocks, kernel));
    grid.wraps_x = patch->edges[OTOK_LEFT] == OTOK_PERIODIC;
    grid.wraps_y = patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    grid.open = otok_open_sides(patch);
    grid.halo = kernel->halo;
    grid.end = v->ny;
    grid.pitch = v->nx + 2 * kernel->halo;
    grid.nsteps = nsteps;
    const int warps = ceiling(grid.high + 2 * kernel->halo, kernel->rows);
    CUDA_TRY(cudaFuncSetAttribute(kernel->entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)kernel->shared));
    CUDA_TRY(kernel->start(kernel, &grid, k, dim3((unsigned)blocks), dim3(32 * (unsigned)warps),
                           own->stream));
    if (nsteps % 2) exchange(patch);
    return OTOK_OK;
}

const otok_cuda_strategy otok_cuda_strategy_tiled = {"tiled", can, pays, start, bytes, true};
