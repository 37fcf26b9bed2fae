/* waves.cu: waves from all directions; the physics is in model/waves.h. The four of a group are
   swept side by side. A block sweeps a strip of every line, a thread a cell of it: the flux goes
   from line to line in shared memory, and the beds of some lines are loaded before they are needed.
   Lines of up to SWEEPERS cells are one strip. Longer ones are cut into strips of STRIP cells, each
   some lines behind the strip before it, from whose last cell waves cross to its first. */
#include "batch.cuh"
#include "core/wave_sweep.h"

enum { SWEEPERS = 256, STRIP = 128, AHEAD = 8, TOGETHER = 16 };
static_assert(TOGETHER % AHEAD == 0 && TOGETHER <= 32, "lines that a warp receives at once");

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

/* Waits for the strip before, and takes what left its last cell in the lines before `line` and the
   next ones. All lanes of the warp that needs it call this. */
static __device__ inline void receive(float (&beside)[TOGETHER], const otok_wave_sweep &s,
                                      const float *flux, int line, int from, const unsigned *swept)
{
    const int lane = (int)threadIdx.x, n = line - 1 + lane;
    const int upto = line + TOGETHER - 1 < s.lines ? line + TOGETHER - 1 : s.lines;
    while (lane == 0 && (int)otok_taken(swept) < upto) {}
    __syncwarp();
    if (lane < TOGETHER && n >= 0 && n < upto)
        beside[lane] = flux[s.first + n * s.along + (from - 1) * s.across];
    __syncwarp();
}

/* The thread has cell `from` + its number of every line. swept: lines that this strip has swept,
   after those of the strip before; NULL for a single strip. */
static __device__ inline void sweep_strip(const otok_view &v, const otok_wave_sweep &s, float *flux,
                                          const otok_wave_coefficients &k, int from,
                                          unsigned *swept)
{
    __shared__ float passed[2][1 + SWEEPERS], beside[TOGETHER]; /* lines of either parity */
    const int thread = (int)threadIdx.x, j = from + thread;
    otok_wave_bed beds[AHEAD] = {}, later[AHEAD] = {};
    load_beds(later, v, s, 0, j);
    for (int line = 0; line < s.lines; line += AHEAD) {
        if (from > 0 && thread < 32 && line % TOGETHER == 0)
            receive(beside, s, flux, line, from, swept - 1);
#pragma unroll
        for (int n = 0; n < AHEAD; n++)
            beds[n] = later[n];
        load_beds(later, v, s, line + AHEAD, j);
#pragma unroll
        for (int n = 0; n < AHEAD; n++) {
            if (line + n < s.lines && j < s.cells) {
                float *before = passed[(n + 1) & 1];
                if (from > 0 && thread == 0) before[0] = beside[(line + n) % TOGETHER];
                const float enters =
                    otok_wave_entering(&v, &s, before + 1 - from, 1, line + n, j, k);
                const float leaves = otok_wave_passes(enters, beds[n], s.kind, k);
                passed[n & 1][1 + thread] = leaves;
                flux[s.first + (line + n) * s.along + j * s.across] = leaves;
            }
            __syncthreads();
        }
        const int upto = line + AHEAD < s.lines ? line + AHEAD : s.lines;
        if (swept && thread == STRIP - 1 && (upto % TOGETHER == 0 || upto == s.lines))
            otok_give(swept, (unsigned)((upto - 1) % TOGETHER + 1));
    }
}

/* Room for the counts of a quarter: how many strips are being swept, and the lines that each has
   swept. The ghosts below the buffer of its flux: they are 0 when a sweep starts, and `add` makes
   them 0 again. */
static __device__ inline unsigned *counts_of(const otok_view &v, int quarter)
{
    return (unsigned *)(v.at[OTOK_WAVE_FLUX + quarter] - v.pitch);
}

/* The strips in the order in which blocks begin, so that the one before it has begun, too. */
static __device__ inline int next_strip(unsigned *count)
{
    __shared__ int strip;
    if (threadIdx.x == 0) strip = (int)atomicAdd(count, 1u);
    __syncthreads();
    return strip;
}

/* sides: bits of otok_ways_in, those that wrap above the open ones. */
template <int GROUP>
static __device__ inline void sweep(const otok_view &v, int sides, otok_wave_coefficients k)
{
    const int quarter = (int)blockIdx.y;
    const otok_ways_in in = {sides & ((1 << OTOK_SIDES) - 1), sides >> OTOK_SIDES};
    float weight = 0.0f, *const flux = quarter_of<GROUP>(&weight, v, quarter, k);
    if (!are_due(v) || !(weight > 0.0f)) return;
    const otok_wave_sweep s = otok_wave_sweep_of(&v, GROUP, quarter, in);
    if (gridDim.x > 1) {
        unsigned *const counts = counts_of(v, quarter);
        const int strip = next_strip(counts);
        if (strip * STRIP < s.cells) sweep_strip(v, s, flux, k, strip * STRIP, counts + 1 + strip);
        return;
    }
    if (s.cells <= (int)blockDim.x) {
        sweep_strip(v, s, flux, k, 0, NULL);
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
    for (int q = 0; blockIdx.y == 0 && threadIdx.y == 0 && w.i < v.nx && q < OTOK_WAVE_QUARTERS;
         q++)
        counts_of(v, q)[w.i] = 0;
    for (int at = w.first; at < w.end; at += w.step)
        otok_wave_add(&v, at, GROUP, k);
}

template <int GROUP>
static __device__ inline void spend(const otok_view &v, int sides, otok_wave_coefficients k)
{
    const otok_ways_in in = {sides & ((1 << OTOK_SIDES) - 1), sides >> OTOK_SIDES};
    if (!are_due(v) || GROUP >= k.groups) return;
    const int i = (int)(blockIdx.x * OTOK_TILE_X + threadIdx.x);
    if (i >= v.nx) return;
    for (int j = (int)(blockIdx.y * OTOK_TILE_Y + threadIdx.y); j < v.ny;
         j += (int)(gridDim.y * OTOK_TILE_Y))
        otok_wave_spend(&v, i, j, GROUP, in, k);
}

/* One strip, with a thread per cell if they are not too many; or several, if neither end of a line
   is beside the other, and a row has room for their counts. */
static void cut(otok_launch *l, otok_ways_in in)
{
    const otok_view *v = &l->patch->view;
    const int cells = v->nx > v->ny ? v->nx : v->ny, whole = (cells + 31) / 32 * 32,
              strips = (cells + STRIP - 1) / STRIP;
    const int several = cells > SWEEPERS && !in.wraps && strips < v->nx;
    l->grid = dim3(several ? (unsigned)strips : 1, OTOK_WAVE_QUARTERS);
    l->block = dim3((unsigned)(several ? STRIP : whole < SWEEPERS ? whole : SWEEPERS));
}

template <int GROUP, bool SPENDS> static cudaError_t start_group(const otok_launch *l)
{
    const otok_ways_in in = otok_ways_in_of(l->patch->edges);
    otok_launch sweeps = *l, last = *l;
    if (GROUP >= l->k->waves.groups) return cudaSuccess;
    cut(&sweeps, in);
    sweeps.rows = last.rows = in.open | in.wraps << OTOK_SIDES;
    cudaError_t error = otok_start<sweep<GROUP>, otok_wave_coefficients>(&sweeps);
    if (error == cudaSuccess) error = otok_start<add<GROUP>, otok_wave_coefficients>(l);
    if (error == cudaSuccess && SPENDS)
        error = otok_start<spend<GROUP>, otok_wave_coefficients>(&last);
    return error;
}

/* The bodies look at walls themselves. The members of a batch may have different numbers of
   groups. */
template <bool SPENDS> static cudaError_t sweep_all(const otok_launch *launch)
{
    otok_launch l = *launch;
    l.walled = NULL;
    cudaError_t error = otok_start<lay_bed, otok_wave_coefficients>(&l);
    static_assert(OTOK_WAVE_GROUPS == 4, "the order of otok_wave_group");
    if (error == cudaSuccess) error = start_group<2, SPENDS>(&l);
    if (error == cudaSuccess) error = start_group<3, SPENDS>(&l);
    if (error == cudaSuccess) error = start_group<0, SPENDS>(&l);
    if (error == cudaSuccess) error = start_group<1, SPENDS>(&l);
    return error;
}

otok_launcher *const otok_cuda_waves = sweep_all<false>;
otok_launcher *const otok_cuda_waves_spent = sweep_all<true>;
