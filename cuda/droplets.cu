/* droplets.cu: a batch of droplets from start to end in one launch, one thread a droplet. The
   physics is in model/droplet.h. All droplets take a step and wait for each other, then the ground
   takes up what they left in the cells, and all wait again. That needs a cooperative launch. */
#include "cells.cuh"
#include "core/ground.h"
#include "core/walls.h"
#include "model/droplet.h"

#include <cooperative_groups.h>

typedef struct traveller {
    otok_droplet d;
    int from, to; /* cells before and after the step */
} traveller;

static __device__ inline float ground(const otok_view &v, int at)
{
    return v.at[OTOK_TERRAIN_BASE][at] + v.at[OTOK_TERRAIN_CHANGE][at];
}

static __device__ inline void put(const otok_view &v, int at, int64_t units)
{
    if (units) atomicAdd((unsigned long long *)v.droplets_put + at, (unsigned long long)units);
}

static __device__ inline otok_droplet_step step(const otok_view &v, traveller &t, int wide,
                                                int high, int last, otok_droplet_coefficients k)
{
    const int i = t.d.i, j = t.d.j, pitch = (int)v.pitch, row = j * pitch;
    const otok_cross h = {ground(v, row + i),
                          ground(v, (int)otok_walls_beside(&v, i, j, -1, 0, wide, high)),
                          ground(v, (int)otok_walls_beside(&v, i, j, 1, 0, wide, high)),
                          ground(v, (int)otok_walls_beside(&v, i, j, 0, -1, wide, high)),
                          ground(v, (int)otok_walls_beside(&v, i, j, 0, 1, wide, high))};
    otok_droplet_step s;
    t.d = otok_droplet_move(t.d, h, k);
    t.from = t.to = row + i;
    if (otok_walls_between(&v, i, j, t.d.i, t.d.j, wide, high)) {
        t.d.i = i;
        t.d.j = j;
        s = otok_droplet_stop(t.d, k);
    } else if (otok_droplet_outside(t.d.i, i, v.nx, wide) ||
               otok_droplet_outside(t.d.j, j, v.ny, high)) {
        s = otok_droplet_leave(t.d, k);
    } else {
        t.d.i = otok_beside(i + t.d.i, v.nx, wide);
        t.d.j = otok_beside(j + t.d.j, v.ny, high);
        t.to = t.d.j * pitch + t.d.i;
        s = otok_droplet_exchange(&t.d, v.at[OTOK_TERRAIN_CHANGE][t.from], h.here - ground(v, t.to),
                                  otok_erodibility_at(&v, t.from), last, k);
    }
    put(v, t.from, -s.taken);
    put(v, t.to, s.put);
    return s;
}

/* The ground's gain by rounding. */
static __device__ inline int64_t settle(const otok_view &v, int at)
{
    const int64_t units = (int64_t)atomicExch((unsigned long long *)v.droplets_put + at, 0ull);
    int64_t rounded = 0;
    if (units) /* otherwise nothing was left, or another droplet settled the cell already */
        v.at[OTOK_TERRAIN_CHANGE][at] =
            otok_droplet_ground(v.at[OTOK_TERRAIN_CHANGE][at], units, &rounded);
    return rounded;
}

/* lo has grown by the units of all threads since `before`. This splits the growth between hi and lo
   once a batch, so that both are the same as on other backends, whichever thread found a unit. */
static __device__ inline void carry(otok_sum *sum, int64_t before)
{
    const int64_t units = sum->lo - before, hi = units >> 31;
    sum->hi += hi;
    sum->lo -= hi * INT64_C(2147483648);
}

enum { IN_CLUSTER = 8 }; /* blocks; every GPU with clusters can run so many in one */

template <bool CLUSTER> struct everybody {
    __device__ void sync() const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        if (CLUSTER) {
            cooperative_groups::this_cluster().sync();
            return;
        }
#endif
        cooperative_groups::this_grid().sync();
    }
};

/* *done is 0 before and after. All threads of droplets are in one CLUSTER, or in the whole grid. */
template <bool CLUSTER>
static __global__ void __launch_bounds__(OTOK_BLOCK)
    droplets(otok_view v, int wide, int high, uint64_t seed, int *done, otok_droplet_coefficients k)
{
    const everybody<CLUSTER> all;
    const int thread = (int)(blockIdx.x * OTOK_BLOCK + threadIdx.x);
    const otok_step now = v.steps[*v.now];
    const uint64_t number = (uint64_t)now.first_droplet + (uint64_t)thread;
    const otok_random4 r =
        otok_random((uint32_t)seed, (uint32_t)(seed >> 32), OTOK_STREAM_DROPLETS, number, 0);
    traveller t = {k.by_rain || v.at[OTOK_WALLS]
                       ? otok_droplet_start_among(r, v.droplets_upto, (int64_t)v.nx * v.ny, v.nx)
                       : otok_droplet_start(r, v.nx, v.ny),
                   0, 0};
    bool abroad = thread < now.droplets;
    int64_t out = 0, lost = 0, rounded = 0;
    otok_sum *const sums[] = {v.sums + OTOK_SUM_SEDIMENT_OUT, v.sums + OTOK_SUM_DROPLETS_LOST,
                              v.sums + OTOK_SUM_DROPLETS_ROUNDED};
    const int64_t before[] = {sums[0]->lo, sums[1]->lo, sums[2]->lo};
    for (int n = 1; n <= k.max_steps; n++) {
        otok_droplet_step s = {0, 0, 0, 0, 0};
        if (abroad) {
            s = step(v, t, wide, high, n == k.max_steps, k);
            out += s.out;
            lost += s.lost;
            if (s.ended) atomicAdd(done, 1);
        }
        all.sync();
        const int ended = *(volatile int *)done;
        if (abroad) rounded += settle(v, t.from);
        if (abroad && s.ended) rounded += settle(v, t.to);
        abroad = abroad && !s.ended;
        all.sync();
        if (ended == now.droplets) break;
    }
    otok_block_add(&sums[0]->lo, out);
    otok_block_add(&sums[1]->lo, lost);
    otok_block_add(&sums[2]->lo, rounded);
    all.sync();
    if (thread > 0) return;
    *done = 0;
    for (int n = 0; n < 3; n++)
        carry(sums[n], before[n]);
}

static unsigned blocks(int threads)
{
    return (unsigned)((threads + OTOK_BLOCK - 1) / OTOK_BLOCK);
}

otok_status otok_cuda_droplets_fit(int batch)
{
    int device = 0, processors = 0, each = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, droplets<false>, OTOK_BLOCK, 0));
    if (blocks(batch) <= (unsigned)(each * processors)) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "cuda: a batch of %d droplets is more than this GPU has room for at once; "
                     "lower droplets.batch to %d",
                     batch, each * processors * OTOK_BLOCK);
}

/* Does this build have the kernels for GPUs with clusters? */
static bool clusters()
{
    cudaFuncAttributes made;
    return cudaFuncGetAttributes(&made, droplets<true>) == cudaSuccess && made.ptxVersion >= 90;
}

static cudaError_t launch_cluster(dim3 grid, dim3 block, void **arguments, cudaStream_t stream)
{
    cudaLaunchAttribute size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = grid.x;
    size.val.clusterDim.y = size.val.clusterDim.z = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = grid;
    how.blockDim = block;
    how.stream = stream;
    how.attrs = &size;
    how.numAttrs = 1;
    return cudaLaunchKernelExC(&how, (const void *)droplets<true>, arguments);
}

static cudaError_t start_droplets(const otok_launch *l)
{
    otok_view v = l->patch->view;
    int wide = l->patch->edges[OTOK_LEFT] == OTOK_PERIODIC,
        high = l->patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    uint64_t seed = (uint64_t)l->patch->seed;
    int *done = otok_cuda_own_of(l->patch)->droplets_done;
    otok_droplet_coefficients k = l->k->droplets;
    void *arguments[] = {&v, &wide, &high, &seed, &done, &k};
    const dim3 grid(blocks(k.batch)), block(OTOK_BLOCK);
    if (grid.x <= IN_CLUSTER && clusters())
        return launch_cluster(grid, block, arguments, l->stream);
    return cudaLaunchCooperativeKernel(droplets<false>, grid, block, arguments, 0, l->stream);
}

otok_launcher *const otok_cuda_droplets = start_droplets;
