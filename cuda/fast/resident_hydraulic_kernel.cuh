/* resident_hydraulic_kernel.cuh: the kernel of resident_hydraulic.cu, phase by phase: exchange, thermal erosion of the iteration
   before, water in, outflow, surface and erosion, transport, evaporation. Between two phases a warp waits for the two warps
   beside it, or for its block. */
#ifndef OTOK_RESIDENT_HYDRAULIC_KERNEL_CUH
#define OTOK_RESIDENT_HYDRAULIC_KERNEL_CUH

#include "resident_hydraulic_thermal.cuh"

#include "model/erosion.h"
#include "model/transport.h"
#include "model/water.h"

#include <cooperative_groups.h>

namespace
{
/* DEFAULT_LAWS: central slope, capacity by speed, nothing displaced, known when compiled. */
template <int R, int WARPS, bool LAGRANGE, bool THERMAL, bool DEFAULT_LAWS>
__global__ void __launch_bounds__(32 * WARPS, 1) hydraulic(const __grid_constant__ hydraulic_run run)
{
    typedef shape<R, WARPS, LAGRANGE, THERMAL, DEFAULT_LAWS> S;
    extern __shared__ otok_booking shared[];
    const otok_resident &a = run.grid;
    const otok_view &v = a.v;
    const otok_coefficients &k = run.k;
    otok_cells<R> p = otok_cells_of<R>(a, S::barriers);
    otok_booking *const slot = shared + threadIdx.x;
    /* This thread's cells in row p.q of array 0; every other row and array is at a constant distance. */
    float *const arrays = (float *)(shared + S::slots * S::threads);
    float *const mine = arrays + 1 + (1 + threadIdx.x / 32 * R) * W + threadIdx.x % 32 * C;
    /* Row r of an array; r = -1 and R are other warps' rows. */
    auto row = [&](int array, int r) { return mine + array * S::size + r * W; };

    for (int at = threadIdx.x; at < (int)(S::shared / sizeof(float)); at += (int)blockDim.x)
        ((float *)shared)[at] = 0.0f; /* bookings, too; rows that do not exist send nothing */
    __syncthreads();
    otok_warp_barriers<S::phases> barriers = {};
    if (S::barriers) barriers = otok_warp_barriers_init<S::phases>((uint64_t *)((char *)shared + S::before_barriers));
    auto meet = [&](int phase, int n) { /* after a phase of iteration n */
                                        if (S::barriers)
                                            otok_arrive_and_wait(barriers, phase, n);
                                        else
                                            __syncthreads();
    };

    auto out_of = [&](int r, int c) { return otok_four{row(LEFT, r)[c], row(RIGHT, r)[c], row(BOTTOM, r)[c], row(TOP, r)[c]}; };
    auto put = [&](int r, int c, otok_four f) {
        row(LEFT, r)[c] = f.left;
        row(RIGHT, r)[c] = f.right;
        row(BOTTOM, r)[c] = f.bottom;
        row(TOP, r)[c] = f.top;
    };

    float change[R][C], d[R][C], sediment[R][C];
    uint8_t *const wet = (uint8_t *)(arrays + S::arrays * S::size + 2) + (mine - arrays - 1);
    const otok_position position = otok_position_of(a, R);
#pragma unroll
    for (int c = 0; c < C; c++) {
        if (p.far && !otok_is(p, OTOK_OUTSIDE, c)) { /* until the row is shown, its ground has the change, its surface the water */
            const int at = otok_cell_of(a, position.x + c, position.y + p.far / W);
            row(BASE, 0)[p.far + c] = v.at[OTOK_TERRAIN_BASE][at];
            row(GROUND, 0)[p.far + c] = v.at[OTOK_TERRAIN_CHANGE][at];
            row(ETA, 0)[p.far + c] = v.at[OTOK_WATER][at];
        }
#pragma unroll
        for (int r = 0; r < R; r++) {
            change[r][c] = d[r][c] = sediment[r][c] = 0.0f;
            otok_four f = {0.0f, 0.0f, 0.0f, 0.0f};
            float base = 0.0f;
            if (otok_is(p, OTOK_OWN, r * C + c) || otok_is(p, OTOK_RECEIVE, r * C + c)) {
                const int at = otok_cell_of(a, position.x + c, position.y + r);
                base = v.at[OTOK_TERRAIN_BASE][at];
                change[r][c] = v.at[OTOK_TERRAIN_CHANGE][at];
                d[r][c] = v.at[OTOK_WATER][at];
                sediment[r][c] = v.at[OTOK_SEDIMENT][at];
                f = otok_four{v.at[OTOK_OUTFLOW_LEFT][at], v.at[OTOK_OUTFLOW_RIGHT][at], v.at[OTOK_OUTFLOW_BOTTOM][at],
                              v.at[OTOK_OUTFLOW_TOP][at]};
                wet[r * W + c] = v.wetness[at];
            }
            if (p.ring[r] == 1000) continue;
            row(BASE, r)[c] = base;
            put(r, c, f);
        }
    }
    /* Nobody stores before everybody has loaded. */
    cooperative_groups::this_grid().sync();

    const auto ke = [&k] {
        otok_erosion_coefficients e = k.erosion;
        if (DEFAULT_LAWS) e.downhill = e.times_depth = e.displace_water = 0;
        return e;
    };
    auto book = [&](int s, otok_booking b) { otok_slot_add(slot + s * S::threads, b); };
    /* The ghosts of a row on a side that is not periodic; beyond an open side lies the same ground, dry. */
    auto beyond = [&](int r, int up, int side) {
#pragma unroll
        for (int c = 0; c < C; c++) {
            row(GROUND, r + up)[c] = row(GROUND, r)[c];
            row(ETA, r + up)[c] = row(a.open >> side & 1 ? GROUND : ETA, r)[c];
        }
    };
    auto copy_beyond = [&](int array, int r) {
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (otok_is(p, OTOK_LAST, r)) row(array, r + 1)[c] = row(array, r)[c];
            if (otok_is(p, OTOK_FIRST, r)) row(array, r - 1)[c] = row(array, r)[c];
        }
    };

    /* The rain of 32 iterations, one a lane; none after the last. */
    float rains = 0.0f;
    auto rain_of = [&](int n) {
        const int step = n + (int)threadIdx.x % 32;
        if (n % 32 == 0) rains = step < a.nsteps ? v.steps[step].rain : 0.0f;
        return __shfl_sync(0xffffffffu, rains, n % 32);
    };
    float rain = rain_of(0);
    auto phases = [&](int r) { return (uint32_t *)row(PHASE, r); };
    /* Stage 1 comes as soon as the iteration before has left its water: from here on, and in packets, water has the rain of the
       iteration to come. */
#pragma unroll
    for (int r = 0; r < R; r++)
        first_rain_on(d[r], rain, phases(r), a, p, r, slot + RAIN * S::threads);
    if (p.far) {
        float(&water)[C] = *(float(*)[C])(row(ETA, 0) + p.far);
        first_rain_on(water, rain, phases(0) + p.far, a, p, p.far / W, NULL);
    }
    rain = rain_of(1); /* from here on: of the iteration after */

    /* A warp's rows are worked on together where one of them is needed, so that their chains of dependent instructions run side by
       side; what others see is stored for the rows that are. */
    auto any = [&](int rings) { return min(p.ring[0], p.ring[R - 1]) <= rings; };
    auto has = [&](int r, int rings) { return R == 1 || p.ring[r] <= rings; };

    for (int n = 0; n <= a.nsteps; n++) {
        if (n == a.nsteps && !THERMAL) break;
        const bool last = n + 1 >= a.nsteps;
        otok_opaque(p.bits); /* what follows from it is worked out anew: registers are few */
        const unsigned left = p.bits >> OTOK_GHOST_LEFT & 7, right = p.bits >> OTOK_GHOST_RIGHT & 7;
        const bool any_left = __any_sync(0xffffffffu, left), any_right = __any_sync(0xffffffffu, right),
                   edges_x = any_left || any_right;
        if (n > 0) {
            const uint4 *plane = a.packets + (n & 1) * a.plane;
            otok_receive<R, true>(plane, a.pitch, p, a.tag + (unsigned)n, change, d, sediment, row(GROUND, 0), row(ETA, 0));
        }

        if (THERMAL && n > 0) {
            slide<S>(mine, p, change, k.thermal, slot + SLID * S::threads);
            if (n == a.nsteps) break;
        }

        /* Ground and surface for the neighbours. */
        float d1[R][C];
        auto show = [&](float *ground, float *eta, float(&h)[C], float(&water)[C]) {
            if (edges_x) {
                otok_copy_ghosts(h, left, right, any_left, any_right);
                otok_copy_ghosts(water, left, right, any_left, any_right);
                const unsigned dry = (a.open >> OTOK_LEFT & 1 ? left : 0) | (a.open >> OTOK_RIGHT & 1 ? right : 0);
#pragma unroll
                for (int c = 0; c < C; c++)
                    water[c] = dry >> c & 1 ? 0.0f : water[c];
            }
#pragma unroll
            for (int c = 0; c < C; c++) {
                ground[c] = h[c];
                eta[c] = h[c] + water[c];
            }
        };
#pragma unroll
        for (int r = 0; r < R; r++) {
            for (int c = 0; R > 1 && c < C; c++)
                d1[r][c] = 0.0f;
            if (p.ring[r] > S::flow + 1) continue;
            float h[C];
#pragma unroll
            for (int c = 0; c < C; c++) {
                h[c] = row(BASE, r)[c] + change[r][c];
                d1[r][c] = d[r][c];
            }
            show(row(GROUND, r), row(ETA, r), h, d1[r]);
            if (otok_is(p, OTOK_LAST, r)) beyond(r, 1, OTOK_TOP);
            if (otok_is(p, OTOK_FIRST, r)) beyond(r, -1, OTOK_BOTTOM);
        }
        if (!THERMAL && p.far) {
            float h[C], water[C];
#pragma unroll
            for (int c = 0; c < C; c++) {
                h[c] = row(BASE, 0)[p.far + c] + row(GROUND, 0)[p.far + c];
                water[c] = row(ETA, 0)[p.far + c];
            }
            show(row(GROUND, 0) + p.far, row(ETA, 0) + p.far, h, water);
        }
        meet(0, n);

        /* Outflow. */
        if (any(S::flow))
#pragma unroll
            for (int r = 0; r < R; r++) {
                const float *const eta = row(ETA, r);
#pragma unroll
                for (int c = 0; c < C; c++) {
                    otok_water_coefficients w = k.water;
                    if (otok_is(p, OTOK_OUTSIDE, c) || !has(r, S::flow)) w.pipe = 0.0f; /* no pipes there: the flow stays 0 */
                    const otok_cross e = {eta[c], eta[c - 1], eta[c + 1], eta[c - W], eta[c + W]};
                    put(r, c, otok_outflow(out_of(r, c), d1[r][c], e, w));
                }
            }
        meet(1, n);

        /* Water surface, erosion, and what the pipes carry. */
        float depth[R][C], load[R][C], vx[R][C], vy[R][C];
        float clamped[R][1][C], displaced[R][2][C];
        if (any(S::flow - 1)) {
#pragma unroll
            for (int r = 0; r < R; r++) {
                const float *const h = row(GROUND, r);
#pragma unroll
                for (int c = 0; c < C; c++) {
                    const otok_four out = out_of(r, c);
                    const otok_four in = {row(RIGHT, r)[c - 1], row(LEFT, r)[c + 1], row(TOP, r - 1)[c], row(BOTTOM, r + 1)[c]};
                    const otok_surface w = otok_water_surface(d1[r][c], out, in, k.water);
                    const otok_cross g = {h[c], h[c - 1], h[c + 1], h[c - W], h[c + W]};
                    const float capacity = otok_capacity(otok_gradient2(g, ke()), w.d2, w.u, w.w, ke());
                    const otok_eroded e = otok_erosion(change[r][c], sediment[r][c], w.d2, capacity, ke());
                    clamped[r][0][c] = w.clamped;
                    displaced[r][0][c] = w.d2;
                    displaced[r][1][c] = e.d2;
                    vx[r][c] = w.u;
                    vy[r][c] = w.w;
                    change[r][c] = e.change;
                    sediment[r][c] = e.s;
                    depth[r][c] = e.d2;
                    load[r][c] = LAGRANGE ? 0.0f : otok_load(e.s, d1[r][c], k.transport);
                    if (LAGRANGE) continue;
                    sediment[r][c] = otok_transport_kept(e.s, load[r][c], out);
                    if (!has(r, S::flow - 1)) continue;
                    row(LOAD_BOTTOM, r)[c] = load[r][c] * out.bottom;
                    row(LOAD_TOP, r)[c] = load[r][c] * out.top;
                    if (a.open) row(ETA, r)[c] = load[r][c];
                }
            }
#pragma unroll
            for (int r = 0; r < R; r++) {
                if (!has(r, S::flow - 1)) continue;
                if (clamped[r][0][0] != 0.0f || clamped[r][0][1] != 0.0f || clamped[r][0][2] != 0.0f) {
                    otok_booking sum[1] = {};
                    otok_booking_rows(sum, clamped[r], p, r);
                    book(CLAMPED, sum[0]);
                }
                if (!DEFAULT_LAWS && k.erosion.displace_water) {
                    otok_booking sums[2] = {};
                    otok_booking_rows(sums, displaced[r], p, r);
                    book(S::slots - 1, otok_booking_less(sums[1], sums[0]));
                }
                if (LAGRANGE) {
                    if (edges_x) {
                        otok_copy_ghosts(sediment[r], left, right, any_left, any_right);
                        otok_copy_ghosts(depth[r], left, right, any_left, any_right);
                    }
#pragma unroll
                    for (int c = 0; c < C; c++) {
                        row(SEDIMENT, r)[c] = sediment[r][c];
                        row(DEPTH, r)[c] = depth[r][c];
                    }
                    copy_beyond(SEDIMENT, r);
                    copy_beyond(DEPTH, r);
                }
            }
        }
        if (last)
#pragma unroll
            for (int bit = 0; bit < R * C; bit++)
                if (otok_is(p, OTOK_OWN, bit)) {
                    const int at = cell_of(a, p.from + (unsigned)(bit / C * a.pitch + bit % C));
                    v.at[OTOK_VELOCITY_X][at] = vx[bit / C][bit % C];
                    v.at[OTOK_VELOCITY_Y][at] = vy[bit / C][bit % C];
                }
        if (a.open) /* what leaves over the sides: few cells */
#pragma unroll 1
            for (int bit = 0; bit < R * C; bit++)
                if (otok_is(p, OTOK_OWN, bit))
                    lose(a, p.from + (unsigned)(bit / C * a.pitch + bit % C), out_of(bit / C, bit % C),
                         LAGRANGE ? 0.0f : row(ETA, bit / C)[bit % C], k.transport.dt_l2);
        meet(2, n);

        otok_booking drift[2] = {}; /* sediment before, and after it was carried */
        if (LAGRANGE) {
            float carried[R][C];
            if (any(1)) {
#pragma unroll
                for (int r = 0; r < R; r++) {
                    const float *const s = row(SEDIMENT, r);
#pragma unroll
                    for (int c = 0; c < C; c++) { /* of the neighbours, those up-stream */
                        const int x = vx[r][c] > 0.0f ? -1 : 1, y = vy[r][c] > 0.0f ? -W : W;
                        const float beside = s[c + x], behind = s[c + y], across = s[c + x + y];
                        const otok_moore m = {sediment[r][c], beside, beside, behind, behind, across, across, across, across};
                        carried[r][c] = otok_advection(m, vx[r][c], vy[r][c], k.transport);
                    }
                }
#pragma unroll
                for (int r = 0; r < R; r++) {
                    if (!has(r, 1)) continue;
                    float both[2][C];
#pragma unroll
                    for (int c = 0; c < C; c++) {
                        both[0][c] = sediment[r][c];
                        both[1][c] = carried[r][c];
                    }
                    otok_booking_rows(drift, both, p, r);
                    if (edges_x) otok_copy_ghosts(carried[r], left, right, any_left, any_right);
#pragma unroll
                    for (int c = 0; c < C; c++)
                        row(CARRIED, r)[c] = carried[r][c];
                    copy_beyond(CARRIED, r);
                }
            }
            book(DRIFT, otok_booking_less(drift[1], drift[0]));
            meet(3, n);
            if (any(0))
#pragma unroll
                for (int r = 0; r < R; r++) {
                    const float *const s = row(CARRIED, r), *const w = row(DEPTH, r);
#pragma unroll
                    for (int c = 0; c < C; c++) {
                        const otok_cross around = {carried[r][c], otok_beside_left(carried[r], c), otok_beside_right(carried[r], c),
                                                   s[c - W], s[c + W]};
                        const otok_cross deep = {depth[r][c], otok_beside_left(depth[r], c), otok_beside_right(depth[r], c),
                                                 w[c - W], w[c + W]};
                        sediment[r][c] = otok_mix_published(around, deep, k.transport);
                    }
                }
        }

        /* Transport, settling, evaporation, and the rain of the next iteration; the new state to the neighbours. */
        if (any(0))
#pragma unroll
            for (int r = 0; r < R; r++) {
                if (!LAGRANGE) {
                    bool settles[C];
#pragma unroll
                    for (int c = 0; c < C; c++) {
                        const otok_four gain = {otok_beside_left(load[r], c) * row(RIGHT, r)[c - 1],
                                                otok_beside_right(load[r], c) * row(LEFT, r)[c + 1], row(LOAD_TOP, r - 1)[c],
                                                row(LOAD_BOTTOM, r + 1)[c]};
                        sediment[r][c] = otok_transport_gained(sediment[r][c], gain);
                        settles[c] = depth[r][c] <= k.transport.dry && sediment[r][c] > 0.0f;
                    }
                    if (has(r, 0) && (settles[0] || settles[1] || settles[2]))
#pragma unroll
                        for (int c = 0; c < C; c++) {
                            const otok_exchange e = otok_settle(change[r][c], sediment[r][c]);
                            if (settles[c]) change[r][c] = e.ground;
                            if (settles[c]) sediment[r][c] = e.other;
                        }
                }
                float dried[C];
                dry_up(dried, depth[r], k.water, phases(r), n);
                rain_on(d[r], dried, rain, phases(r), n + 1);
#pragma unroll
                for (int c = 0; c < C; c++) /* nobody needs the surface any more; registers are few */
                    row(ETA, r)[c] = dried[c];
            }
        if (THERMAL || !last)
            otok_send_cells<R>(a, p, a.packets + ((n + 1) & 1) * a.plane, change, d, sediment, a.tag + (unsigned)n + 1);

        /* While packets travel: what nobody waits for. */
        otok_booking sums[LAGRANGE ? 4 : 3] = {};
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (p.ring[r] > 0) continue;
            float rows[LAGRANGE ? 4 : 3][C];
#pragma unroll
            for (int c = 0; c < C; c++) {
                wet[r * W + c] = (uint8_t)otok_wetness(wet[r * W + c], row(ETA, r)[c], k.water);
                rows[0][c] = depth[r][c];
                rows[1][c] = row(ETA, r)[c];
                rows[2][c] = d[r][c];
                if (LAGRANGE) rows[LAGRANGE ? 3 : 0][c] = sediment[r][c];
            }
            otok_booking_rows(sums, rows, p, r);
        }
        book(EVAPORATED, otok_booking_less(sums[0], sums[1]));
        if (rain != 0.0f) book(RAIN, otok_booking_less(sums[2], sums[1]));
        rain = rain_of(n + 2);
        if (LAGRANGE) book(DIFFUSED, otok_booking_less(sums[LAGRANGE ? 3 : 0], drift[1]));
    }

    finish<S>(a, p, mine, shared, change, d, sediment, wet);
}
} // namespace

#endif
