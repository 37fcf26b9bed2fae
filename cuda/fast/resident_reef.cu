/* resident_reef.cu: growth of the reef and its carbon on chip, PER iterations for one exchange of PER rings. The ground only grows
   here, so that its booking is what it is at the end less what it was at the start. The physics is in model/reef.h. */
#include "resident.cuh"
#include "resident.h"

#include "model/reef.h"

#include <cooperative_groups.h>
#include <math.h>

namespace
{
enum { C = OTOK_COLUMNS, W = OTOK_SLOTS, PER = 2, HALO = PER, WARPS = 26, ROWS = WARPS + 2, SIZE = ROWS * W };
enum { GROUND, CARBON = 2, FAR_BASE = 4, FAR_CHANGE, FAR_CARBON, ARRAYS }; /* two of the first, in turns, save a barrier */

typedef struct reef_run {
    otok_resident grid;
    otok_reef_coefficients k;
} reef_run;

__global__ void __launch_bounds__(32 * WARPS, 1) reef_and_carbon(const __grid_constant__ reef_run run)
{
    extern __shared__ otok_booking slots[]; /* one a thread, then the arrays */
    float *const shared = (float *)(slots + 32 * WARPS);
    const otok_resident &a = run.grid;
    const otok_view &v = a.v;
    const otok_cells<1> p = otok_cells_of<1>(a);
    const otok_place place = otok_place_of(a, 1);
    const int ring = p.ring[0];
    float *const mine = shared + place.q * W + (int)threadIdx.x % 32 * C + 1, *const far = mine + p.far;

    for (int at = threadIdx.x; at < ARRAYS * SIZE + 2; at += (int)blockDim.x)
        shared[at] = INFINITY; /* ground beyond the grid; nobody takes its carbon */
    __syncthreads();

    float base[1][C], change[1][C], carbon[1][C], reef[C], unused[1][C], scale[C];
#pragma unroll
    for (int c = 0; c < C; c++) {
        scale[c] = otok_is(p, OTOK_OWN, c);
        base[0][c] = INFINITY;
        change[0][c] = carbon[0][c] = reef[c] = 0.0f;
        if (otok_is(p, OTOK_OWN, c) || otok_is(p, OTOK_TAKE, c)) {
            const int at = otok_cell_of(a, place.x + c, place.y);
            base[0][c] = v.at[OTOK_TERRAIN_BASE][at];
            change[0][c] = v.at[OTOK_TERRAIN_CHANGE][at];
            carbon[0][c] = v.at[OTOK_CARBON][at];
            reef[c] = v.at[OTOK_REEF][at];
        }
        if (p.far && !otok_is(p, OTOK_OUTSIDE, c)) {
            const int at = otok_cell_of(a, place.x + c, place.y + p.far / W);
            far[FAR_BASE * SIZE + c] = v.at[OTOK_TERRAIN_BASE][at];
            far[FAR_CHANGE * SIZE + c] = v.at[OTOK_TERRAIN_CHANGE][at];
            far[FAR_CARBON * SIZE + c] = v.at[OTOK_CARBON][at];
        }
    }
    const otok_booking before = otok_booking_any(change[0], scale);
    /* Nobody stores before everybody has loaded. */
    cooperative_groups::this_grid().sync();

    float sea = v.steps[0].sea;
    for (int n = 0; n < a.nsteps; n++) {
        const int since = n % PER, exchange = n / PER; /* iterations since the exchange, and its number */
        const float sea_next = v.steps[n + 1 < a.nsteps ? n + 1 : n].sea;
        if (since == 0) {
            if (n > 0)
                otok_receive<1, true>(a.messages + (exchange & 1) * a.plane, a.pitch, p, a.tag + (unsigned)exchange, change, carbon,
                                      unused, mine + FAR_CHANGE * SIZE, mine + FAR_CARBON * SIZE);
            if (p.far)
#pragma unroll
                for (int c = 0; c < C; c++) {
                    const float under = far[FAR_BASE * SIZE + c], built = far[FAR_CHANGE * SIZE + c];
                    const otok_grown g = otok_reef_growth(under + built, built, 0.0f, far[FAR_CARBON * SIZE + c], sea, run.k);
                    far[(GROUND + (n & 1)) * SIZE + c] = under + g.change;
                    far[(CARBON + (n & 1)) * SIZE + c] = g.carbon;
                }
        }
        float *const h = mine + (GROUND + (n & 1)) * SIZE, *const o = mine + (CARBON + (n & 1)) * SIZE;
        if (ring <= HALO - since)
#pragma unroll
            for (int c = 0; c < C; c++) {
                const otok_grown g = otok_reef_growth(base[0][c] + change[0][c], change[0][c], reef[c], carbon[0][c], sea, run.k);
                change[0][c] = g.change;
                reef[c] = g.reef;
                carbon[0][c] = g.carbon;
                h[c] = base[0][c] + g.change;
                o[c] = g.carbon;
            }
        __syncthreads();
        if (ring < HALO - since)
#pragma unroll
            for (int c = 0; c < C; c++) {
                const otok_cross ground = {h[c], h[c - 1], h[c + 1], h[c - W], h[c + W]};
                const otok_cross around = {o[c], o[c - 1], o[c + 1], o[c - W], o[c + W]};
                carbon[0][c] = otok_carbon(around, ground, sea, run.k);
            }
        if (since == PER - 1 && n + 1 < a.nsteps)
            otok_give<1>(a, p, a.messages + ((exchange + 1) & 1) * a.plane, change, carbon, carbon, a.tag + (unsigned)exchange + 1);
        sea = sea_next;
    }
#pragma unroll
    for (int c = 0; c < C; c++)
        if (otok_is(p, OTOK_OWN, c)) {
            const int at = place.y * (int)v.pitch + place.x + c;
            v.at[OTOK_TERRAIN_CHANGE][at] = change[0][c];
            v.at[OTOK_CARBON][at] = carbon[0][c];
            v.at[OTOK_REEF][at] = reef[c];
        }
    slots[threadIdx.x] = otok_booking_less(otok_booking_any(change[0], scale), before);
    otok_settle_slots(v.sums + OTOK_SUM_REEF, slots);
}

cudaError_t start(const otok_resident_kernel *kernel, const otok_resident *grid, const otok_coefficients *k, dim3 blocks,
                  dim3 threads, cudaStream_t stream)
{
    reef_run run = {*grid, k->reef};
    void *arguments[] = {&run};
    return cudaLaunchCooperativeKernel((void (*)(reef_run))kernel->entry, blocks, threads, arguments, kernel->shared, stream);
}

const otok_resident_kernel kernel = {
    (const void *)reef_and_carbon, HALO, 1, WARPS, sizeof(otok_booking) * 32 * WARPS + sizeof(float) * (ARRAYS * SIZE + 2), start};
} // namespace

const otok_resident_kernel *otok_resident_reef(const otok_stages *stages)
{
    return stages->n == 2 && stages->stage[0] == OTOK_STAGE_REEF_GROWTH && stages->stage[1] == OTOK_STAGE_CARBON ? &kernel : NULL;
}
