/* resident_faces_stages.cuh: the stages that signed pipes and `law: shallow_water` share on chip,
   row by row, and their kernels. The physics is in model/. */
#ifndef OTOK_RESIDENT_FACES_STAGES_CUH
#define OTOK_RESIDENT_FACES_STAGES_CUH

#include "resident.h"
#include "resident_faces.cuh"

namespace
{
/* Books what is rare. */
__device__ inline void book_at_once(otok_sum *sum, otok_booking b)
{
    b.lo -= (int64_t)((uint64_t)b.hi << 31);
    atomicAdd((unsigned long long *)&sum->hi, (unsigned long long)b.hi);
    atomicAdd((unsigned long long *)&sum->lo, (unsigned long long)b.lo);
}

template <int R, class S> struct faces_phases : faces_rows<R, S> {
    typedef faces_rows<R, S> before;
    typedef hydraulic_phase<1> now_of; /* of one row after the other */
    using before::a, before::k, before::p, before::of, before::d, before::row, before::is_entry,
        before::left_ghost, before::rain, before::phases, before::ke;

    /* Ghosts have only the faces that water enters through at an open side. */
    __device__ __forceinline__ void close(int r, float (&x)[C], float (&y)[C]) const
    {
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (!otok_is(p, OTOK_OUTSIDE, c)) continue;
            if (!left_ghost(r, c)) x[c] = 0.0f;
            y[c] = 0.0f;
        }
    }

    /* The bed at a face of cell (r, c), whose next cell is `along` further in an array. */
    __device__ __forceinline__ otok_bed bed(int r, int c, int along) const
    {
        const float *const h = row(GROUND, r) + c;
        const float rise = h[along] - h[0];
        return otok_bed{rise, otok_bed_slope(h[0] - h[-along], rise),
                        otok_bed_slope(rise, h[2 * along] - h[along]), 0};
    }

    /* The K of a row's cells, from the flow before it: `x` through the right faces, in the array
       FLOW_Y through the top ones. Nothing flows in from ghosts. */
    __device__ __forceinline__ void limit_row(int r, const float (&x)[C], int array)
    {
        if (is_entry(r))
#pragma unroll
            for (int c = 0; c < C; c++)
                row(array, r)[c] = 0.0f;
        if (p.ring[r] > S::flow) return;
        const float *const y = row(FLOW_Y, r);
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_four face = {otok_beside_left(x, c), x[c], y[c - W], y[c]};
            const float limit = otok_pipe_limit(row(D1, r)[c], otok_faces_out(face), k.pipes);
            row(array, r)[c] = otok_is(p, OTOK_OUTSIDE, c) ? 0.0f : limit;
        }
    }

    /* Water surface and erosion of row r, from the flow through the faces of its cells. Loads go to
       an array. see(c, d1, surface) may change the speeds. `swift` is that of the erosion: 0, known
       when it is compiled, under shallow water. n: the iteration. */
    template <class SEE>
    __device__ __forceinline__ void erode_row(now_of &now, int r, const otok_four (&face)[C], int n,
                                              int loads, float swift, SEE see)
    {
        const float *const h = row(GROUND, r);
        float *const d1 = row(D1, r);
        float *const change = row(GROUND_CHANGE, r), *const sediment = row(SEDIMENT_HERE, r);
        float clamped[1][C], displaced[2][C];
        otok_erosion_coefficients ks = ke();
        ks.swift = swift;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_four out = otok_faces_out(face[c]);
            otok_surface w;
            if constexpr (S::steps)
                w = otok_face_surface_now(
                    d1[c], face[c], phases(r)[c] + OTOK_DITHER_ITERATION * (uint32_t)n, k.water);
            else
                w = otok_face_surface(d1[c], face[c], k.water);
            see(c, d1[c], w);
            const otok_cross g = {h[c], h[c - 1], h[c + 1], h[c - W], h[c + W]};
            const float capacity = otok_capacity(otok_gradient2(g, ks), w.d2, w.u, w.w, ks);
            const otok_eroded e = otok_erosion(change[c], sediment[c], w.d2, capacity, ks);
            clamped[0][c] = w.clamped;
            displaced[0][c] = w.d2;
            displaced[1][c] = e.d2;
            now.vx[0][c] = w.u;
            now.vy[0][c] = w.w;
            change[c] = e.change;
            now.load[0][c] = otok_load(e.s, d1[c], k.transport);
            d1[c] = e.d2;
            sediment[c] = otok_transport_kept(e.s, now.load[0][c], out);
            row(loads, r)[c] = otok_is(p, OTOK_OUTSIDE, c) ? 0.0f : now.load[0][c];
        }
        if constexpr (S::displaced == CLAMPED) {
            if (clamped[0][0] != 0.0f || clamped[0][1] != 0.0f || clamped[0][2] != 0.0f) {
                otok_booking sum[1] = {};
                otok_booking_rows(sum, clamped, p, r);
                book_at_once(a.v.sums + OTOK_SUM_WATER_CLAMPED, sum[0]);
            }
            clamped[0][0] = clamped[0][1] = clamped[0][2] = 0.0f;
        }
        before::after_erosion(now, r, clamped, displaced);
    }

    /* What leaves over the sides. Few warps are there; the code is short rather than fast. */
    __device__ __forceinline__ void leave(const now_of &now, int r, const otok_four (&face)[C])
    {
        if (!a.open || before::ring(r) > 0) return;
#pragma unroll 1
        for (int c = 0; c < C; c++) {
            if (!otok_is(p, OTOK_OWN, r * C + c)) continue;
            otok_four out = face[0];
            float load = now.load[0][0];
#pragma unroll
            for (int n = 1; n < C; n++) {
                out.left = c == n ? face[n].left : out.left;
                out.right = c == n ? face[n].right : out.right;
                out.bottom = c == n ? face[n].bottom : out.bottom;
                out.top = c == n ? face[n].top : out.top;
                load = c == n ? now.load[0][n] : load;
            }
            lose(a, p.from + (unsigned)(r * a.pitch + c), otok_faces_out(out), load,
                 k.transport.dt_l2);
        }
    }

    /* Stores the velocities of a row, at the end of a run. */
    __device__ __forceinline__ void keep_velocity(const now_of &now, int r)
    {
#pragma unroll
        for (int c = 0; c < C; c++)
            if (otok_is(p, OTOK_OWN, r * C + c)) {
                const int at = cell_of(a, p.from + (unsigned)(r * a.pitch + c));
                a.v.at[OTOK_VELOCITY_X][at] = now.vx[0][c];
                a.v.at[OTOK_VELOCITY_Y][at] = now.vy[0][c];
            }
    }

    /* Nothing of the water of a row that has come from others is needed after the surface. */
    __device__ __forceinline__ void forget(int r)
    {
#pragma unroll
        for (int c = 0; c < C; c++)
            d[r][c] = of[DEPTH_0][r][c] = 0.0f;
    }

    /* Transport of row r. */
    __device__ __forceinline__ void carry_sediment(int r, const otok_four (&face)[C], int loads)
    {
        const float *const load = row(loads, r);
        float *const sediment = row(SEDIMENT_HERE, r);
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_four in = otok_faces_in(face[c]);
            const otok_four gain = {load[c - 1] * in.left, load[c + 1] * in.right,
                                    load[c - W] * in.bottom, load[c + W] * in.top};
            sediment[c] = otok_transport_gained(sediment[c], gain);
        }
    }

    /* Settling and evaporation of row r, and the rain of the next iteration. */
    __device__ __forceinline__ void dry(int n, int r)
    {
        bool settles[C];
        float depth[C], dried[C];
        float *const change = row(GROUND_CHANGE, r), *const sediment = row(SEDIMENT_HERE, r);
#pragma unroll
        for (int c = 0; c < C; c++) {
            depth[c] = row(S::depths, r)[c] = row(D1, r)[c];
            settles[c] = depth[c] <= k.transport.dry && sediment[c] > 0.0f;
        }
        if (settles[0] || settles[1] || settles[2])
#pragma unroll
            for (int c = 0; c < C; c++) {
                const otok_exchange e = otok_settle(change[c], sediment[c]);
                if (settles[c]) change[c] = e.ground;
                if (settles[c]) sediment[c] = e.other;
            }
        dry_up(dried, depth, k.water, phases(r), n);
        rain_on(d[r], dried, rain, phases(r), n + 1);
#pragma unroll
        for (int c = 0; c < C; c++)
            of[DEPTH_0][r][c] = row(ETA, r)[c] = dried[c];
    }

    __device__ __forceinline__ void dry_rows(int n)
    {
#pragma unroll
        for (int r = 0; r < R; r++)
            if (p.ring[r] > 0)
                forget(r);
            else
                dry(n, r);
    }
};

/* LAW: its `shape` and `phases`; KEEPS: with running maxima. */
template <class LAW, int R, int WARPS, int LAWS, bool KEEPS>
__global__ void __launch_bounds__(32 * WARPS, 1)
    faces(const __grid_constant__ otok_resident_run run)
{
    typedef with_maps<typename LAW::template shape<R, WARPS, LAWS>, R, WARPS, KEEPS> S;
    typedef typename LAW::template phases<R, S> PHASES;
    extern __shared__ otok_booking shared[];
    const otok_resident &a = run.grid;
    otok_cells<R> p = otok_cells_of<R, 0>(a);
    mark_entries(a, p, otok_position_of(a, R, 0));
    faces_cells<R> cells;
    PHASES rows{{{{{a, run.k, shared, p, cells.of[CHANGE], cells.of[DEPTH_1], cells.of[SUSPENDED]}},
                  cells.of}}};
    rows.load();
    rows.template move_maxima<false>();
    /* No block may store before all have loaded. */
    cooperative_groups::this_grid().sync();
    rows.first_rain();
    for (int n = 0; n < a.nsteps; n++) {
        typename PHASES::now_of now;
        const bool last = n + 1 == a.nsteps;
        rows.begin_faces();
        if (S::phases >= 6 && n > 0) otok_wait(rows.barriers, S::phases - 1, n - 1);
        if (n > 0) rows.receive_water(n);
        rows.pass(now, n, last || (S::maps <= SWIFT && KEEPS && a.keeps & OTOK_KEEPS_SPEED), [&] {
            if (n > 0) rows.receive_faces(n);
        });
        rows.dry_rows(n);
        if (!last) rows.send(n + 1);
        rows.count(now, n); /* done while packets travel */
        if (KEEPS) rows.keep_maxima(n, [&](int r, int c) { return rows.row(GROUND_CHANGE, r)[c]; });
    }
    rows.finish();
    rows.template move_maxima<true>();
}

template <class LAW, int R, int WARPS, int LAWS, bool KEEPS>
constexpr otok_resident_kernel describe_faces()
{
    typedef with_maps<typename LAW::template shape<R, WARPS, LAWS>, R, WARPS, KEEPS> S;
    return {
        (const void *)faces<LAW, R, WARPS, LAWS, KEEPS>, S::halo, R, WARPS, S::shared, true, 1, 2};
}

/* Without and with running maxima, by the laws. */
template <class LAW, int R, int WARPS>
const otok_resident_kernel on_chip[2][2] = {
    {describe_faces<LAW, R, WARPS, ANY_LAWS, false>(),
     describe_faces<LAW, R, WARPS, PUBLISHED_LAWS, false>()},
    {describe_faces<LAW, R, WARPS, ANY_LAWS, true>(),
     describe_faces<LAW, R, WARPS, PUBLISHED_LAWS, true>()}};

template <int N>
const otok_resident_kernel *pick(const otok_resident_kernel (*const (&tiles)[N])[2], int at,
                                 const otok_stages *stages, const otok_coefficients *k)
{
    return at < N ? &tiles[at][stages->keeps != 0][otok_laws_of(k) == PUBLISHED_LAWS] : NULL;
}
} // namespace

#endif
