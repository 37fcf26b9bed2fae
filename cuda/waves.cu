/* waves.cu: waves from all directions; the physics is in model/waves.h. A block sweeps a direction,
   the four of a group side by side, and its threads share the cells of a line. If each has one cell
   at most, the flux goes from line to line in shared memory, and the beds of some lines are loaded
   before they are needed. */
#include "batch.cuh"
#include "core/wave_sweep.h"

enum { SWEEPERS = 512, AHEAD = 4 };

static __device__ inline bool are_due(const otok_view &v)
{
    return v.steps[*v.now].waves != 0;
}

static __device__ inline void lay_bed(const otok_view &v, int rows, otok_wave_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    const float sea = v.steps[*v.now].sea;
    if (!are_due(v)) return;
    for (int at = w.first; at < w.end; at += w.step)
        otok_wave_lay_bed(&v, at, sea, k);
}

/* The buffer and the weight of a quarter, without an index that is known only at run time: for that
   the compiler would move all pointers and weights to memory. */
template <int GROUP>
static __device__ inline float *quarter_of(float *weight, const otok_view &v, int quarter,
                                           const otok_wave_coefficients &k)
{
    float *flux = NULL;
#pragma unroll
    for (int q = 0; q < OTOK_WAVE_QUARTERS; q++)
        if (q == quarter) {
            flux = v.at[OTOK_WAVE_FLUX + q];
            *weight = k.weight[4 * GROUP + q];
        }
    return flux;
}

static __device__ inline void load_beds(otok_wave_bed (&beds)[AHEAD], const otok_view &v,
                                        const otok_wave_sweep &s, int line, int j)
{
#pragma unroll
    for (int n = 0; n < AHEAD; n++)
        if (line + n < s.lines && j < s.cells)
            beds[n] = otok_wave_bed_at(&v, s.first + (line + n) * s.along + j * s.across);
}

/* Thread j has cell j of every line. */
static __device__ inline void sweep_narrow(const otok_view &v, const otok_wave_sweep &s,
                                           float *flux, const otok_wave_coefficients &k)
{
    __shared__ float passed[2][SWEEPERS]; /* lines of either parity */
    const int j = (int)threadIdx.x;
    otok_wave_bed beds[AHEAD] = {}, later[AHEAD] = {};
    load_beds(later, v, s, 0, j);
    for (int line = 0; line < s.lines; line += AHEAD) {
#pragma unroll
        for (int n = 0; n < AHEAD; n++)
            beds[n] = later[n];
        load_beds(later, v, s, line + AHEAD, j);
#pragma unroll
        for (int n = 0; n < AHEAD; n++) {
            if (line + n < s.lines && j < s.cells) {
                const float *before = passed[(n + 1) & 1];
                const float enters = otok_wave_entering(&v, &s, before, 1, line + n, j, k);
                const float leaves = otok_wave_passes(enters, beds[n], s.kind, k);
                passed[n & 1][j] = leaves;
                flux[s.first + (line + n) * s.along + j * s.across] = leaves;
            }
            __syncthreads();
        }
    }
}

/* sides: bits of otok_wave_sides, those that wrap above the open ones. */
template <int GROUP>
static __device__ inline void sweep(const otok_view &v, int sides, otok_wave_coefficients k)
{
    const int quarter = (int)blockIdx.y;
    const otok_wave_sides in = {sides & ((1 << OTOK_SIDES) - 1), sides >> OTOK_SIDES};
    float weight = 0.0f, *const flux = quarter_of<GROUP>(&weight, v, quarter, k);
    if (!are_due(v) || !(weight > 0.0f)) return;
    const otok_wave_sweep s = otok_wave_sweep_of(&v, GROUP, quarter, in);
    if (s.cells <= (int)blockDim.x) {
        sweep_narrow(v, s, flux, k);
        return;
    }
    for (int n = 0; n < s.lines; n++) {
        for (int j = (int)threadIdx.x; j < s.cells; j += (int)blockDim.x)
            otok_wave_pass(&v, &s, flux, n, j, k);
        __syncthreads();
    }
}

template <int GROUP>
static __device__ inline void add(const otok_view &v, int rows, otok_wave_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    if (!are_due(v) || GROUP >= k.groups) return;
    for (int at = w.first; at < w.end; at += w.step)
        otok_wave_add(&v, at, GROUP, k);
}

template <int GROUP>
static __device__ inline void spend(const otok_view &v, int sides, otok_wave_coefficients k)
{
    const otok_wave_sides in = {sides & ((1 << OTOK_SIDES) - 1), sides >> OTOK_SIDES};
    if (!are_due(v) || GROUP >= k.groups) return;
    const int i = (int)(blockIdx.x * OTOK_TILE_X + threadIdx.x);
    if (i >= v.nx) return;
    for (int j = (int)(blockIdx.y * OTOK_TILE_Y + threadIdx.y); j < v.ny;
         j += (int)(gridDim.y * OTOK_TILE_Y))
        otok_wave_spend(&v, i, j, GROUP, in, k);
}

/* A thread for each cell of the longer lines, if there are not too many. */
static int sweepers_for(const otok_view &v)
{
    const int cells = v.nx > v.ny ? v.nx : v.ny, whole = (cells + 31) / 32 * 32;
    return whole < SWEEPERS ? whole : SWEEPERS;
}

template <int GROUP> static cudaError_t start_group(const otok_launch *l, bool spends)
{
    const otok_wave_sides in = otok_wave_sides_of(l->patch->edges);
    otok_launch sweeps = *l, last = *l;
    if (GROUP >= l->k->waves.groups) return cudaSuccess;
    sweeps.grid = dim3(1, OTOK_WAVE_QUARTERS);
    sweeps.block = dim3((unsigned)sweepers_for(l->patch->view));
    sweeps.rows = last.rows = in.open | in.wraps << OTOK_SIDES;
    cudaError_t error = otok_start<sweep<GROUP>, otok_wave_coefficients>(&sweeps);
    if (error == cudaSuccess) error = otok_start<add<GROUP>, otok_wave_coefficients>(l);
    if (error == cudaSuccess && spends)
        error = otok_start<spend<GROUP>, otok_wave_coefficients>(&last);
    return error;
}

/* The bodies look at walls themselves. The members of a batch may have different numbers of
   groups. */
static cudaError_t sweep_all(const otok_launch *launch, bool spends)
{
    otok_launch l = *launch;
    l.walled = NULL;
    cudaError_t error = otok_start<lay_bed, otok_wave_coefficients>(&l);
    static_assert(OTOK_WAVE_GROUPS == 4, "the order of otok_wave_group");
    if (error == cudaSuccess) error = start_group<2>(&l, spends);
    if (error == cudaSuccess) error = start_group<3>(&l, spends);
    if (error == cudaSuccess) error = start_group<0>(&l, spends);
    if (error == cudaSuccess) error = start_group<1>(&l, spends);
    return error;
}

cudaError_t otok_cuda_waves(const otok_launch *l)
{
    return sweep_all(l, false);
}

cudaError_t otok_cuda_waves_spent(const otok_launch *l)
{
    return sweep_all(l, true);
}
