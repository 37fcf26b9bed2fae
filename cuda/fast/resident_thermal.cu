/* resident_thermal.cu: thermal erosion alone on chip, PER iterations for one exchange of 2 PER rings. Where no cell of a warp's row
   and of those beside it slides, the row is left as it is. The physics is in model/thermal.h. */
#include "resident.cuh"
#include "resident.h"

#include "model/thermal.h"

#include <cooperative_groups.h>
#include <math.h>

namespace
{
enum { C = OTOK_COLUMNS, W = OTOK_SLOTS, PER = 2, HALO = 2 * PER, WARPS = 30, ROWS = WARPS + 2, SIZE = ROWS * W };
enum { GROUND, BASE, PIPE_BOTTOM, PIPE_TOP, PIPE_BOTTOM_LEFT, PIPE_BOTTOM_RIGHT, PIPE_TOP_LEFT, PIPE_TOP_RIGHT, ARRAYS };

typedef struct thermal_run {
    otok_resident grid;
    otok_thermal_coefficients k;
} thermal_run;

/* Does a cell of this warp's row slide? Its deepest drop tells, so that this is what otok_thermal_outflow finds. */
__device__ inline bool slides(const float *h, float talus, float talus_diagonal)
{
    const float straight = fminf(fminf(h[-1], h[1]), fminf(h[-W], h[W]));
    const float diagonal = fminf(fminf(h[-W - 1], h[-W + 1]), fminf(h[W - 1], h[W + 1]));
    return h[0] - straight > talus || h[0] - diagonal > talus_diagonal;
}

__global__ void __launch_bounds__(32 * WARPS, 1) thermal(const __grid_constant__ thermal_run run)
{
    extern __shared__ float shared[];
    __shared__ int sliding[ROWS];
    const otok_resident &a = run.grid;
    const otok_view &v = a.v;
    const otok_cells<1> p = otok_cells_of<1>(a);
    const otok_place place = otok_place_of(a, 1);
    const int q = place.q, lane = (int)threadIdx.x % 32;
    float *const mine = shared + 1 + q * W + lane * C;
    auto row = [&](int array, int r) { return mine + array * SIZE + r * W; };
    for (int at = threadIdx.x; at < ARRAYS * SIZE + 2; at += (int)blockDim.x)
        shared[at] = at < SIZE + 1 ? INFINITY : 0.0f; /* ground beyond the grid is a wall, and sends nothing */
    for (int at = threadIdx.x; at < ROWS; at += (int)blockDim.x)
        sliding[at] = 0;
    __syncthreads();

    float base[1][C], change[1][C], wall[C], unused[1][C];
#pragma unroll
    for (int c = 0; c < C; c++) {
        wall[c] = otok_is(p, OTOK_OUTSIDE, c) ? INFINITY : 0.0f;
        base[0][c] = wall[c];
        change[0][c] = 0.0f;
        if (otok_is(p, OTOK_OWN, c) || otok_is(p, OTOK_TAKE, c)) {
            const int at = otok_cell_of(a, place.x + c, place.y);
            base[0][c] = v.at[OTOK_TERRAIN_BASE][at];
            change[0][c] = v.at[OTOK_TERRAIN_CHANGE][at];
        }
        if (p.far && !otok_is(p, OTOK_OUTSIDE, c)) { /* until the row is shown, its ground has the change */
            const int at = otok_cell_of(a, place.x + c, place.y + p.far / W);
            row(BASE, 0)[p.far + c] = v.at[OTOK_TERRAIN_BASE][at];
            row(GROUND, 0)[p.far + c] = v.at[OTOK_TERRAIN_CHANGE][at];
        }
    }
    /* Nobody stores before everybody has loaded. */
    cooperative_groups::this_grid().sync();

    const int ring = p.ring[0];
    for (int n = 0; n < a.nsteps; n++) {
        const int since = n % PER, exchange = n / PER; /* iterations since the exchange, and its number */
        if (since == 0) {
            if (n > 0)
                otok_receive<1, false>(a.messages + (exchange & 1) * a.plane, a.pitch, p, a.tag + (unsigned)exchange, change,
                                       unused, unused, row(GROUND, 0), NULL);
            if (p.far)
#pragma unroll
                for (int c = 0; c < C; c++)
                    row(GROUND, 0)[p.far + c] += row(BASE, 0)[p.far + c] + wall[c];
        }
        const int active = HALO - 1 - 2 * since; /* rings that still know all their neighbours */
        if (ring <= active + 1)
#pragma unroll
            for (int c = 0; c < C; c++)
                row(GROUND, 0)[c] = base[0][c] + change[0][c];
        __syncthreads();
        float pipe_left[C], pipe_right[C];
        bool mine_slides = false;
        if (ring <= active) {
            const float *const h = row(GROUND, 0);
            bool some = false;
#pragma unroll
            for (int c = 0; c < C; c++)
                some |= slides(h + c, run.k.talus + wall[c], run.k.talus_diagonal + wall[c]);
            mine_slides = __any_sync(0xffffffffu, some);
            if (lane == 0) sliding[q] = mine_slides;
            if (mine_slides)
#pragma unroll
                for (int c = 0; c < C; c++) {
                    otok_thermal_coefficients t = run.k;
                    t.talus += wall[c]; /* a wall gives nothing: no slope is steep enough */
                    t.talus_diagonal += wall[c];
                    const otok_moore m = {h[c],         h[c - 1],     h[c + 1],     h[c - W],    h[c + W],
                                          h[c - W - 1], h[c - W + 1], h[c + W - 1], h[c + W + 1]};
                    const otok_slide s = otok_thermal_outflow(m, change[0][c], t);
                    change[0][c] = s.change;
                    pipe_left[c] = s.pipe.left;
                    pipe_right[c] = s.pipe.right;
                    row(PIPE_TOP, 0)[c] = s.pipe.top;
                    row(PIPE_BOTTOM, 0)[c] = s.pipe.bottom;
                    row(PIPE_TOP_LEFT, 0)[c] = s.pipe.top_left;
                    row(PIPE_TOP_RIGHT, 0)[c] = s.pipe.top_right;
                    row(PIPE_BOTTOM_LEFT, 0)[c] = s.pipe.bottom_left;
                    row(PIPE_BOTTOM_RIGHT, 0)[c] = s.pipe.bottom_right;
                }
        }
        __syncthreads();
        if (ring <= active - 1) {
            const bool above = sliding[q + 1], below = sliding[q - 1];
            if (mine_slides || above || below) {
                otok_eight in[C] = {};
                if (mine_slides)
#pragma unroll
                    for (int c = 0; c < C; c++) {
                        in[c].left = otok_beside_left(pipe_right, c);
                        in[c].right = otok_beside_right(pipe_left, c);
                    }
                if (below)
#pragma unroll
                    for (int c = 0; c < C; c++) {
                        in[c].bottom = row(PIPE_TOP, -1)[c];
                        in[c].bottom_left = row(PIPE_TOP_RIGHT, -1)[c - 1];
                        in[c].bottom_right = row(PIPE_TOP_LEFT, -1)[c + 1];
                    }
                if (above)
#pragma unroll
                    for (int c = 0; c < C; c++) {
                        in[c].top = row(PIPE_BOTTOM, 1)[c];
                        in[c].top_left = row(PIPE_BOTTOM_RIGHT, 1)[c - 1];
                        in[c].top_right = row(PIPE_BOTTOM_LEFT, 1)[c + 1];
                    }
#pragma unroll
                for (int c = 0; c < C; c++)
                    change[0][c] = otok_thermal_collect(change[0][c], in[c]);
            } else
#pragma unroll
                for (int c = 0; c < C; c++)
                    change[0][c] += 0.0f; /* what eight empty pipes do: -0 becomes +0 */
        }
        if (since == PER - 1 && n + 1 < a.nsteps)
            otok_give<1>(a, p, a.messages + ((exchange + 1) & 1) * a.plane, change, change, change, a.tag + (unsigned)exchange + 1);
    }
    const otok_place end = otok_place_of(a, 1);
#pragma unroll
    for (int c = 0; c < C; c++)
        if (otok_is(p, OTOK_OWN, c)) v.at[OTOK_TERRAIN_CHANGE][end.y * (int)v.pitch + end.x + c] = change[0][c];
}

cudaError_t start(const otok_resident_kernel *kernel, const otok_resident *grid, const otok_coefficients *k, dim3 blocks,
                  dim3 threads, cudaStream_t stream)
{
    thermal_run run = {*grid, k->thermal};
    void *arguments[] = {&run};
    return cudaLaunchCooperativeKernel((void (*)(thermal_run))kernel->entry, blocks, threads, arguments, kernel->shared, stream);
}

const otok_resident_kernel kernel = {(const void *)thermal, HALO, 1, WARPS, sizeof(float) * (ARRAYS * SIZE + 2), start};
} // namespace

const otok_resident_kernel *otok_resident_thermal(const otok_stages *stages)
{
    const bool both = stages->n == 2 && stages->stage[0] == OTOK_STAGE_THERMAL_OUTFLOW;
    return both && stages->stage[1] == OTOK_STAGE_THERMAL_COLLECT ? &kernel : NULL;
}
