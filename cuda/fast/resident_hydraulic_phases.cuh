/* resident_hydraulic_phases.cuh: an iteration of resident_hydraulic.cu, phase by phase. Between two
   phases a warp waits for the two warps beside it, or for its block. */
#ifndef OTOK_RESIDENT_HYDRAULIC_PHASES_CUH
#define OTOK_RESIDENT_HYDRAULIC_PHASES_CUH

#include "resident_hydraulic_rows.cuh"

#include <cooperative_groups.h>

namespace
{
/* The phases of an iteration. */
template <int R, class S> struct hydraulic_phases : hydraulic_rows<R, S> {
    typedef hydraulic_rows<R, S> rows_of;
    typedef hydraulic_phase<R> now_of;
    using rows_of::a, rows_of::k, rows_of::p, rows_of::change, rows_of::d, rows_of::sediment,
        rows_of::wet, rows_of::rain;
    using rows_of::left, rows_of::right, rows_of::any_left, rows_of::any_right, rows_of::edges_x,
        rows_of::meet, rows_of::turn, rows_of::rain_of, rows_of::beyond, rows_of::copy_beyond,
        rows_of::row, rows_of::phases, rows_of::out_of, rows_of::put, rows_of::book, rows_of::ke,
        rows_of::any, rows_of::has, rows_of::rise;

    /* The water after the rain, and after its exchange with the ground. If rows are worked on in
       turn, both stay where the water is kept. */
    template <class NOW> __device__ __forceinline__ auto &d1_of(NOW &now)
    {
        if constexpr (S::in_turn)
            return d;
        else
            return now.d1;
    }

    template <class NOW> __device__ __forceinline__ auto &depth_of(NOW &now)
    {
        if constexpr (S::in_turn)
            return d;
        else
            return now.depth;
    }

    /* Shows ground and surface of a row to the neighbours. */
    __device__ __forceinline__ void show_row(float *ground, float *eta, float (&h)[C],
                                             float (&water)[C])
    {
        if (edges_x) {
            otok_copy_ghosts(h, left, right, any_left, any_right);
            otok_copy_ghosts(water, left, right, any_left, any_right);
            const unsigned dry =
                (a.open >> OTOK_LEFT & 1 ? left : 0) | (a.open >> OTOK_RIGHT & 1 ? right : 0);
#pragma unroll
            for (int c = 0; c < C; c++)
                water[c] = dry >> c & 1 ? 0.0f : water[c];
        }
#pragma unroll
        for (int c = 0; c < C; c++) {
            ground[c] = h[c];
            eta[c] = h[c] + water[c];
        }
    }

    __device__ __forceinline__ void show(now_of &now)
    {
        auto &d1 = d1_of(now);
#pragma unroll
        for (int r = 0; r < R; r++) {
            const bool shows = p.ring[r] <= S::flow + 1;
#pragma unroll
            for (int c = 0; c < C; c++)
                if (R > 1 || shows) d1[r][c] = shows ? d[r][c] : 0.0f;
            if (!shows) continue;
            float h[C];
#pragma unroll
            for (int c = 0; c < C; c++)
                h[c] = row(BASE, r)[c] + change[r][c];
            show_row(row(GROUND, r), row(ETA, r), h, d1[r]);
            if (otok_is(p, OTOK_LAST, r)) beyond(r, 1, OTOK_TOP);
            if (otok_is(p, OTOK_FIRST, r)) beyond(r, -1, OTOK_BOTTOM);
            turn();
        }
        if (!S::thermal && p.far) {
            float h[C], water[C];
#pragma unroll
            for (int c = 0; c < C; c++) {
                h[c] = row(BASE, 0)[p.far + c] + row(GROUND, 0)[p.far + c];
                water[c] = row(ETA, 0)[p.far + c];
            }
            show_row(row(GROUND, 0) + p.far, row(ETA, 0) + p.far, h, water);
        }
    }

    __device__ __forceinline__ void outflow(const now_of &now)
    {
        auto &d1 = d1_of(now);
        if (!any(S::flow)) return;
#pragma unroll
        for (int r = 0; r < R; r++) {
            const float *const eta = row(ETA, r);
#pragma unroll
            for (int c = 0; c < C; c++) {
                otok_water_coefficients w = k.water;
                if (otok_is(p, OTOK_OUTSIDE, c) || !has(r, S::flow))
                    w.pipe = 0.0f; /* no pipes there, so that the flow stays 0 */
                const otok_cross e = {eta[c], eta[c - 1], eta[c + 1], eta[c - W], eta[c + W]};
                put(r, c, otok_outflow(out_of(r, c), d1[r][c], e, w));
            }
            turn();
        }
    }

    /* Water surface, erosion, and what the pipes carry. */
    __device__ __forceinline__ void erode(now_of &now, bool last)
    {
        if (!any(S::flow - 1)) return;
        float clamped[R][1][C], displaced[R][2][C];
        otok_water_coefficients kw = k.water;
        otok_erosion_coefficients ks = ke();
        kw.by_depth = 0;
        ks.swift = 0;
#pragma unroll
        for (int r = 0; r < R; r++) {
            const float *const h = row(GROUND, r);
#pragma unroll
            for (int c = 0; c < C; c++) {
                const otok_four out = out_of(r, c);
                const otok_four in = {row(RIGHT, r)[c - 1], row(LEFT, r)[c + 1], row(TOP, r - 1)[c],
                                      row(BOTTOM, r + 1)[c]};
                const otok_surface w = otok_water_surface(d1_of(now)[r][c], out, in, kw);
                const otok_cross g = {h[c], h[c - 1], h[c + 1], h[c - W], h[c + W]};
                const float capacity = otok_capacity(otok_gradient2(g, ks), w.d2, w.u, w.w, ks);
                const otok_eroded e =
                    otok_erosion(change[r][c], sediment[r][c], w.d2, capacity, ks);
                clamped[r][0][c] = w.clamped;
                displaced[r][0][c] = w.d2;
                displaced[r][1][c] = e.d2;
                now.vx[r][c] = w.u;
                now.vy[r][c] = w.w;
                change[r][c] = e.change;
                sediment[r][c] = e.s;
                now.load[r][c] = S::lagrange ? 0.0f : otok_load(e.s, d1_of(now)[r][c], k.transport);
                depth_of(now)[r][c] = e.d2;
                if (S::lagrange) continue;
                sediment[r][c] = otok_transport_kept(e.s, now.load[r][c], out);
                if (!has(r, S::flow - 1)) continue;
                row(LOAD_BOTTOM, r)[c] = now.load[r][c] * out.bottom;
                row(LOAD_TOP, r)[c] = now.load[r][c] * out.top;
                if (a.open || S::in_turn) row(ETA, r)[c] = now.load[r][c];
            }
            if (S::in_turn) {
                after_erosion(now, r, clamped[r], displaced[r]);
                if (last) keep_velocity(now, r);
            }
            turn();
        }
        if (!S::in_turn)
#pragma unroll
            for (int r = 0; r < R; r++)
                after_erosion(now, r, clamped[r], displaced[r]);
    }

    /* The bookings of a row of water, and what it shows. */
    template <class NOW>
    __device__ __forceinline__ void after_erosion(NOW &now, int r, const float (&clamped)[1][C],
                                                  const float (&displaced)[2][C])
    {
        if (!has(r, S::flow - 1)) return;
        constexpr bool one = sizeof now.vx == sizeof now.vx[0]; /* row after row */
        rows_of::note_speed(r, now.vx[one ? 0 : r], now.vy[one ? 0 : r]);
        if (clamped[0][0] != 0.0f || clamped[0][1] != 0.0f || clamped[0][2] != 0.0f) {
            otok_booking sum[1] = {};
            otok_booking_rows(sum, clamped, p, r);
            book(CLAMPED, sum[0]);
        }
        if (S::laws != PUBLISHED_LAWS && k.erosion.displace_water) {
            otok_booking sums[2] = {};
            otok_booking_rows(sums, displaced, p, r);
            book(S::displaced, otok_booking_less(sums[1], sums[0]));
        }
        if constexpr (S::lagrange) show_sediment(now, r);
    }

    /* Shows sediment and depth of a row to the neighbours. */
    __device__ __forceinline__ void show_sediment(now_of &now, int r)
    {
        if (edges_x) {
            otok_copy_ghosts(sediment[r], left, right, any_left, any_right);
            otok_copy_ghosts(now.depth[r], left, right, any_left, any_right);
        }
#pragma unroll
        for (int c = 0; c < C; c++) {
            row(SEDIMENT, r)[c] = sediment[r][c];
            row(DEPTH, r)[c] = now.depth[r][c];
        }
        copy_beyond(SEDIMENT, r);
        copy_beyond(DEPTH, r);
    }

    /* Stores the velocities of a row, at the end of a run. */
    __device__ __forceinline__ void keep_velocity(const now_of &now, int r)
    {
#pragma unroll
        for (int c = 0; c < C; c++)
            if (otok_is(p, OTOK_OWN, r * C + c)) {
                const int at = cell_of(a, p.from + (unsigned)(r * a.pitch + c));
                a.v.at[OTOK_VELOCITY_X][at] = now.vx[r][c];
                a.v.at[OTOK_VELOCITY_Y][at] = now.vy[r][c];
            }
    }

    /* The velocities at the end of a run, and what leaves over the sides. */
    __device__ __forceinline__ void leave(const now_of &now, bool last)
    {
        if (last && !S::in_turn)
#pragma unroll
            for (int r = 0; r < R; r++)
                keep_velocity(now, r);
        if (a.open) /* few cells: those at open sides */
#pragma unroll 1
            for (int bit = 0; bit < R * C; bit++)
                if (otok_is(p, OTOK_OWN, bit))
                    lose(a, p.from + (unsigned)(bit / C * a.pitch + bit % C),
                         out_of(bit / C, bit % C), S::lagrange ? 0.0f : row(ETA, bit / C)[bit % C],
                         k.transport.dt_l2);
    }

    /* Semi-Lagrangian transport, and mixing. */
    __device__ __forceinline__ void advect(now_of &now, int n)
    {
        if (any(1)) {
#pragma unroll
            for (int r = 0; r < R; r++) {
                const float *const s = row(SEDIMENT, r);
#pragma unroll
                for (int c = 0; c < C; c++) { /* the upstream ones of the neighbours */
                    const int x = now.vx[r][c] > 0.0f ? -1 : 1, y = now.vy[r][c] > 0.0f ? -W : W;
                    const float beside = s[c + x], behind = s[c + y], across = s[c + x + y];
                    const otok_moore m = {sediment[r][c], beside, beside, behind, behind,
                                          across,         across, across, across};
                    now.carried[r][c] = otok_advection(m, now.vx[r][c], now.vy[r][c], k.transport);
                }
            }
#pragma unroll
            for (int r = 0; r < R; r++) {
                if (!has(r, 1)) continue;
                float both[2][C];
#pragma unroll
                for (int c = 0; c < C; c++) {
                    both[0][c] = sediment[r][c];
                    both[1][c] = now.carried[r][c];
                }
                otok_booking_rows(now.drift, both, p, r);
                if (edges_x) otok_copy_ghosts(now.carried[r], left, right, any_left, any_right);
#pragma unroll
                for (int c = 0; c < C; c++)
                    row(CARRIED, r)[c] = now.carried[r][c];
                copy_beyond(CARRIED, r);
            }
        }
        book(DRIFT, otok_booking_less(now.drift[1], now.drift[0]));
        meet(3, n);
        if (any(0))
#pragma unroll
            for (int r = 0; r < R; r++) {
                const float *const s = row(CARRIED, r), *const w = row(DEPTH, r);
#pragma unroll
                for (int c = 0; c < C; c++) {
                    const otok_cross around = {
                        now.carried[r][c], otok_beside_left(now.carried[r], c),
                        otok_beside_right(now.carried[r], c), s[c - W], s[c + W]};
                    const otok_cross deep = {now.depth[r][c], otok_beside_left(now.depth[r], c),
                                             otok_beside_right(now.depth[r], c), w[c - W],
                                             w[c + W]};
                    sediment[r][c] = otok_mix_published(around, deep, k.transport);
                }
            }
    }

    /* Transport and settling of row r. */
    __device__ __forceinline__ void carry(const now_of &now, int r)
    {
        bool settles[C];
        float load[C];
#pragma unroll
        for (int c = 0; c < C; c++)
            load[c] = S::in_turn ? row(ETA, r)[c] : now.load[r][c];
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_four gain = {otok_beside_left(load, c) * row(RIGHT, r)[c - 1],
                                    otok_beside_right(load, c) * row(LEFT, r)[c + 1],
                                    row(LOAD_TOP, r - 1)[c], row(LOAD_BOTTOM, r + 1)[c]};
            sediment[r][c] = otok_transport_gained(sediment[r][c], gain);
            settles[c] = depth_of(now)[r][c] <= k.transport.dry && sediment[r][c] > 0.0f;
        }
        if (has(r, 0) && (settles[0] || settles[1] || settles[2]))
#pragma unroll
            for (int c = 0; c < C; c++) {
                const otok_exchange e = otok_settle(change[r][c], sediment[r][c]);
                if (settles[c]) change[r][c] = e.ground;
                if (settles[c]) sediment[r][c] = e.other;
            }
    }

    /* Transport, settling, uplift, evaporation, and the rain of the next iteration. */
    __device__ __forceinline__ void dry(const now_of &now, int n)
    {
        if (!any(0)) return;
        const bool rises = S::rises && k.uplift.rate != 0;
        const int64_t from = rises ? otok_uplift_sum(k.uplift.rate, a.v.steps[n].uplift_from) : 0,
                      to = rises ? otok_uplift_sum(k.uplift.rate, a.v.steps[n].uplift_to) : 0;
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (!S::lagrange) carry(now, r);
            if (rises) rise(r, from, to);
            float dried[C];
            dry_up(dried, depth_of(now)[r], k.water, phases(r), n);
#pragma unroll
            for (int c = 0; S::in_turn && c < C; c++) /* the ground is no longer needed */
                row(GROUND, r)[c] = d[r][c];
            rain_on(d[r], dried, rain, phases(r), n + 1);
#pragma unroll
            for (int c = 0; c < C; c++) /* the surface is no longer needed; registers are few */
                row(ETA, r)[c] = dried[c];
            turn();
        }
    }

    /* Work that no other warp waits for. */
    template <class NOW> __device__ __forceinline__ void count(const NOW &now, int n)
    {
        otok_booking sums[S::lagrange ? 4 : 3] = {};
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (p.ring[r] > 0) continue;
            float rows[S::lagrange ? 4 : 3][C];
#pragma unroll
            for (int c = 0; c < C; c++) {
                wet[r * W + c] = (uint8_t)otok_wetness(wet[r * W + c], row(ETA, r)[c], k.water);
                if constexpr (S::depths < 0)
                    rows[0][c] = now.depth[r][c];
                else
                    rows[0][c] = row(S::depths, r)[c];
                rows[1][c] = row(ETA, r)[c];
                rows[2][c] = d[r][c];
                if (S::lagrange) rows[S::lagrange ? 3 : 0][c] = sediment[r][c];
            }
            otok_booking_rows(sums, rows, p, r);
            turn();
        }
        book(EVAPORATED, otok_booking_less(sums[0], sums[1]));
        if (rain != 0.0f) book(RAIN, otok_booking_less(sums[2], sums[1]));
        rain = rain_of(n + 2);
        if (S::lagrange) book(DIFFUSED, otok_booking_less(sums[S::lagrange ? 3 : 0], now.drift[1]));
    }
};
} // namespace

#endif
