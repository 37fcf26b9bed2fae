/* resident_hydraulic.cu: hydraulic erosion on chip, followed by thermal erosion or by uplift if the
   program has both. State is in registers; rows that other warps read are in shared memory. Flows
   are computed two rings (semi-Lagrangian: three) around a tile, so that only ground, water and
   sediment have to be exchanged, once an iteration. The flows of the rings stay from iteration to
   iteration and are never sent. With thermal erosion the exchange is between the two processes, and
   three more rings are computed. The physics is in model/. */
#include "resident.h"
#include "resident_hydraulic_phases.cuh"

#include "model/thermal.h"

#include <math.h>

namespace
{
/* The iteration of thermal erosion that follows. Its pipes use the rows of loads. `mine`: the
   thread's cells in array 0. `change`: the change of their ground; its rounding is booked in
   `slot`. What moves counts so many times, in `sums`. */
template <class S, int R>
__device__ inline void slide(float *mine, const otok_cells<R> &p, float (&change)[R][C],
                             const otok_thermal_coefficients &k, otok_booking *slot, int counts,
                             otok_sum *sums)
{
    auto row = [&](int array, int r) { return mine + array * S::size + r * W; };
    float wall[C]; /* a wall gives nothing: no slope is steep enough */
#pragma unroll
    for (int c = 0; c < C; c++)
        wall[c] = otok_is(p, OTOK_OUTSIDE, c) ? INFINITY : 0.0f;
    if (p.far)
#pragma unroll
        for (int c = 0; c < C; c++)
            row(GROUND, 0)[p.far + c] += row(BASE, 0)[p.far + c] + wall[c];
#pragma unroll
    for (int r = 0; r < R; r++) {
        if (p.ring[r] == 1000) continue;
#pragma unroll
        for (int c = 0; c < C; c++) {
            row(GROUND, r)[c] = row(BASE, r)[c] + change[r][c] + wall[c];
            if (otok_is(p, OTOK_LAST, r)) row(GROUND, r + 1)[c] = INFINITY;
            if (otok_is(p, OTOK_FIRST, r)) row(GROUND, r - 1)[c] = INFINITY;
        }
    }
    __syncthreads();
    float pipe_left[R][C], pipe_right[R][C];
#pragma unroll
    for (int r = 0; r < R; r++) {
        if (p.ring[r] == 1000) continue;
        const float *const h = row(GROUND, r);
#pragma unroll
        for (int c = 0; c < C; c++) {
            row(ETA, r)[c] = change[r][c]; /* for the booking; the surface is no longer needed */
            otok_thermal_coefficients t = k;
            t.talus += wall[c];
            t.talus_diagonal += wall[c];
            const otok_moore m = {h[c],         h[c - 1],     h[c + 1],     h[c - W],    h[c + W],
                                  h[c - W - 1], h[c - W + 1], h[c + W - 1], h[c + W + 1]};
            const otok_slide s = otok_thermal_outflow(m, change[r][c], t);
            change[r][c] = s.change;
            pipe_left[r][c] = s.pipe.left;
            pipe_right[r][c] = s.pipe.right;
            row(PIPE_TOP, r)[c] = s.pipe.top;
            row(PIPE_BOTTOM, r)[c] = s.pipe.bottom;
            row(PIPE_TOP_LEFT, r)[c] = s.pipe.top_left;
            row(PIPE_TOP_RIGHT, r)[c] = s.pipe.top_right;
            row(PIPE_BOTTOM_LEFT, r)[c] = s.pipe.bottom_left;
            row(PIPE_BOTTOM_RIGHT, r)[c] = s.pipe.bottom_right;
        }
    }
    __syncthreads();
    otok_booking risen = {0, 0};
#pragma unroll
    for (int r = 0; r < R; r++) {
        if (p.ring[r] > S::halo - 2) continue;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_eight in = {otok_beside_left(pipe_right[r], c),
                                   otok_beside_right(pipe_left[r], c),
                                   row(PIPE_TOP, r - 1)[c],
                                   row(PIPE_BOTTOM, r + 1)[c],
                                   row(PIPE_TOP_RIGHT, r - 1)[c - 1],
                                   row(PIPE_TOP_LEFT, r - 1)[c + 1],
                                   row(PIPE_BOTTOM_RIGHT, r + 1)[c - 1],
                                   row(PIPE_BOTTOM_LEFT, r + 1)[c + 1]};
            change[r][c] = otok_thermal_collect(change[r][c], in);
        }
        if (p.ring[r] > 0) continue;
        float now[C], before[C];
        bool moved = false;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const bool own = otok_is(p, OTOK_OWN, r * C + c);
            now[c] = own ? change[r][c] : 0.0f;
            before[c] = own ? row(ETA, r)[c] : 0.0f;
            moved |= now[c] != before[c];
        }
        if (!moved) continue;
        if (counts)
            for (int c = 0; c < C; c++)
                otok_booking_risen(risen, before[c], now[c], counts);
        otok_booking more = otok_booking_change(now, before);
        more.lo += more.hi * INT64_C(2147483648); /* slots count so */
        otok_slot_add(slot, more);
    }
    if (counts) otok_warps_add(sums + OTOK_SUM_GROUND_MOVED, risen);
}

template <int R, int WARPS, bool LAGRANGE, bool THERMAL, bool DEFAULT_LAWS, bool KEEPS>
__global__ void __launch_bounds__(32 * WARPS, 1)
    hydraulic(const __grid_constant__ otok_resident_run run)
{
    typedef with_maps<shape<R, WARPS, LAGRANGE, THERMAL, DEFAULT_LAWS>, R, WARPS, KEEPS && R != 1>
        S;
    extern __shared__ otok_booking shared[];
    const otok_resident &a = run.grid;
    otok_cells<R> p = otok_cells_of<R>(a, S::barriers);
    hydraulic_cells<R> cells;
    hydraulic_phases<R, S> rows{{a, run.k, shared, p, cells.change, cells.d, cells.sediment}};
    rows.load();
    rows.template move_maxima<false>();
    cooperative_groups::this_grid().sync(); /* no block may store before all have loaded */
    rows.first_rain();
    for (int n = 0; n <= a.nsteps; n++) {
        if (n == a.nsteps && !THERMAL) break;
        hydraulic_phase<R> now;
        const bool last = n + 1 >= a.nsteps,
                   races = last || (S::maps <= SWIFT && KEEPS && a.keeps & OTOK_KEEPS_SPEED);
        rows.begin();
        if (n > 0)
            otok_receive<true>(
                a, n & 1, p, a.tag + (unsigned)n,
                [&](int value, int r, int c, float v) {
                    (value == 0 ? cells.change : value == 1 ? cells.d : cells.sediment)[r][c] = v;
                },
                rows.row(GROUND, 0), rows.row(ETA, 0));
        if (THERMAL && n > 0) {
            slide<S>(rows.mine, p, cells.change, run.k.thermal, rows.slot + SLID * S::threads,
                     otok_moves_count(a.first + n - 1), a.v.sums);
            if (n == a.nsteps) break;
        }
        rows.show(now);
        rows.meet(0, n);
        rows.outflow(now);
        rows.meet(1, n);
        rows.erode(now, races);
        rows.leave(now, races);
        rows.meet(2, n);
        now.drift[0] = now.drift[1] = {};
        if (LAGRANGE) rows.advect(now, n);
        rows.dry(now, n);
        if (THERMAL || !last) /* sends the new state to the neighbours */
            otok_send_cells(a, p, (n + 1) & 1, cells.change, cells.d, cells.sediment,
                            a.tag + (unsigned)n + 1);
        rows.count(now, n); /* done while packets travel */
        if (KEEPS) rows.keep_maxima(n, [&](int r, int c) { return cells.change[r][c]; });
    }
    finish<S>(a, p, rows.mine, shared, cells.change, cells.d, cells.sediment, rows.wet);
    rows.template move_maxima<true>();
}

template <int R, int WARPS, bool LAGRANGE, bool THERMAL, bool DEFAULT_LAWS, bool KEEPS>
constexpr otok_resident_kernel describe()
{
    typedef with_maps<shape<R, WARPS, LAGRANGE, THERMAL, DEFAULT_LAWS>, R, WARPS, KEEPS && R != 1>
        S;
    return {(const void *)hydraulic<R, WARPS, LAGRANGE, THERMAL, DEFAULT_LAWS, KEEPS>, S::halo, R,
            WARPS, S::shared};
}

/* The kernels for a tile of R * WARPS rows, by the laws; KEEPS: with running maxima. */
template <int R, int WARPS, bool LAGRANGE, bool THERMAL, bool KEEPS>
const otok_resident_kernel kernels[] = {describe<R, WARPS, LAGRANGE, THERMAL, false, KEEPS>(),
                                        describe<R, WARPS, LAGRANGE, THERMAL, true, KEEPS>()};

typedef const otok_resident_kernel *by_laws;

/* The first of each kind are for 512 x 512 cells on 132 multiprocessors. */
template <bool KEEPS>
const by_laws conservative[] = {kernels<1, 28, false, false, KEEPS>,
                                kernels<2, 20, false, false, KEEPS>,
                                kernels<2, 23, false, false, KEEPS>};
template <bool KEEPS>
const by_laws lagrangian[] = {kernels<2, 15, true, false, KEEPS>,
                              kernels<2, 20, true, false, KEEPS>};
const by_laws both[] = {kernels<2, 16, false, true, false>};

template <int N>
const otok_resident_kernel *pick(const by_laws (&from)[N], int at, bool default_laws)
{
    return at < N ? &from[at][default_laws] : NULL;
}
} // namespace

const otok_resident_kernel *otok_resident_hydraulic(const otok_stages *stages,
                                                    const otok_coefficients *k, int at)
{
    const int n = otok_stages_after(stages, 0, &otok_fused_conservative);
    const bool raised = n >= 0 && n + 1 == stages->n && stages->stage[n] == OTOK_STAGE_UPLIFT,
               published = !raised && otok_laws_of(k) == PUBLISHED_LAWS;
    if (raised || n == stages->n)
        return stages->keeps ? pick(conservative<true>, at, published)
                             : pick(conservative<false>, at, published);
    if (n >= 0 && otok_stages_after(stages, n, &otok_fused_thermal) == stages->n)
        return stages->keeps ? NULL : pick(both, at, published);
    if (!otok_are_stages(stages, &otok_fused_advection_mix)) return NULL;
    return stages->keeps ? pick(lagrangian<true>, at, published)
                         : pick(lagrangian<false>, at, published);
}
