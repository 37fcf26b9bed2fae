/* look.cu: the detectors of a study, one reduction over all members of an ensemble: what core/look.h sees in a cell, and the
   stocks, the values that are not finite and, where it is wanted, the fingerprint, as measure.cu counts them. Integers, so that the
   order of threads cannot matter. Each look also keeps the ground for the next. */
#include "model/fingerprint.h"
#include "team.cuh"

static __device__ inline unsigned long long *counter(void *total)
{
    return (unsigned long long *)total;
}

/* Adds a warp's values. */
static __device__ inline void add(void *total, int64_t value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0 && value != 0) atomicAdd(counter(total), (unsigned long long)value);
}

static __device__ inline void add(otok_sum *total, otok_booking value)
{
    add(&total->hi, value.hi);
    add(&total->lo, value.lo);
}

static __device__ inline void most(void *total, uint64_t value)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint64_t other = __shfl_down_sync(0xffffffffu, (unsigned long long)value, distance);
        value = other > value ? other : value;
    }
    if (threadIdx.x % 32 == 0 && value != 0) atomicMax(counter(total), (unsigned long long)value);
}

/* What is counted in one cell of all fields. */
typedef struct counted {
    otok_booking water, sediment, change, base;
    int64_t not_finite;
    uint64_t fingerprint;
} counted;

static __device__ inline void count(counted &c, const otok_gaze &g, int at, uint64_t index)
{
    for (int f = 0; f < OTOK_STORED; f++) {
        if (!(g.fields >> f & 1)) continue;
        const uint32_t bits = f == OTOK_WETNESS ? g.wetness[at] : __float_as_uint(g.at[f][at]);
        c.not_finite += f != OTOK_WETNESS && (bits & 0x7f800000u) == 0x7f800000u;
        if (g.prints) c.fingerprint += otok_fingerprint_cell(bits, (uint32_t)f, index);
    }
    otok_booking_add(c.base, g.maps.base[at]);
    otok_booking_add(c.change, g.maps.change[at]);
    if (g.maps.water) otok_booking_add(c.water, g.maps.water[at]);
    if (g.maps.sediment) otok_booking_add(c.sediment, g.maps.sediment[at]);
}

static __global__ void __launch_bounds__(OTOK_BLOCK, 2) look(const otok_gaze *gazes, otok_findings *all, int rows)
{
    const otok_gaze &g = gazes[blockIdx.z];
    const otok_look_maps m = g.maps;
    const int i = (int)(blockIdx.x * OTOK_TILE_X + threadIdx.x), bottom = (int)blockIdx.y * rows;
    const int top = i >= m.nx ? bottom : bottom + rows < m.ny ? bottom + rows : m.ny;
    otok_findings &found = all[blockIdx.z];
    otok_look_found seen = {};
    counted c = {};
    for (int j = bottom + (int)threadIdx.y; j < top; j += OTOK_TILE_Y) {
        otok_look_at(&seen, &m, i, j);
        count(c, g, j * (int)m.pitch + i, (uint64_t)j * (uint64_t)m.nx + (uint64_t)i);
    }
#pragma unroll
    for (int n = 0; n < OTOK_LOOK_SUMS; n++)
        add(&found.look.sums[n], seen.sums[n]);
#pragma unroll
    for (int n = 0; n < OTOK_LOOK_MOSTS; n++)
        most(&found.look.most[n], seen.most[n]);
    add(&found.water, c.water);
    add(&found.sediment, c.sediment);
    add(&found.change, c.change);
    add(&found.base, c.base);
    add(&found.not_finite, c.not_finite);
    add(&found.fingerprint, (int64_t)c.fingerprint);
    const int n = (int)(threadIdx.y * OTOK_TILE_X + threadIdx.x);
    if (blockIdx.x == 0 && blockIdx.y == 0 && n < OTOK_SUMS) found.sums[n] = g.sums[n];
}

otok_status otok_cuda_look(const otok_gaze *gazes, otok_findings *found, int n, const otok_launch *l)
{
    look<<<dim3(l->grid.x, l->grid.y, (unsigned)n), l->block, 0, l->stream>>>(gazes, found, l->rows);
    CUDA_TRY(cudaGetLastError());
    return OTOK_OK;
}
