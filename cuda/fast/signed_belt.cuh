/* signed_belt.cuh: an iteration with signed pipes as a list of stages (belt.cuh). What a side holds
   beyond it is defined by core/pipe_sides.h. The physics is in model/pipes.h. */
#ifndef OTOK_FAST_SIGNED_BELT_CUH
#define OTOK_FAST_SIGNED_BELT_CUH

#include "faces_belt.cuh"

/* What the new flow of a pipe needs: the pipe alone, without or with friction; the pulled flow
   across, for `friction: vector`; the old flow before and behind, for theta, with any friction. */
enum { SMOOTH, AXIS, VECTOR, LEAN };

enum { SIGNED_EROSION = 8 };

/* BY_DEPTH: pipes are as deep as the water. STEPS: law local_inertia with the bound of critical.h;
   of VECTOR and LEAN only. */
template <int PIPES, bool BY_DEPTH, bool WALLS, bool STEPS = false>
struct otok_signed_belt : otok_faces_belt<SIGNED_EROSION, BY_DEPTH, OF_FACES, WALLS, STEPS> {
    typedef otok_faces_belt<SIGNED_EROSION, BY_DEPTH, OF_FACES, WALLS, STEPS> base;
    using base::apply, base::kp, base::column, base::is_shut;
    enum { BED = base::BED, CHANGE, DEPTH, OLD_X, OLD_Y, CARRIED };
    enum { H = base::H, D1, FX, FY, GROUND, S, LOAD, G_BOTTOM, KEPT, G_TOP, ACROSS };
    enum { PULLED_X = base::COMMON, PULLED_Y, DEEP, FREE_X, FREE_Y, LIMIT, WIRES };
    enum { RAIN, PULL_X, PULL_Y, FLOW_X, FLOW_Y, LIMITS, CARRY_X, CARRY_Y, EROSION, TRANSPORT };
    enum { LOADS = base::LOADS, STAGES };
    static_assert((int)EROSION == (int)base::EROSION, "the stages of the base follow");
    enum { AROUND = PIPES >= VECTOR, THETA = PIPES == LEAN };
    enum { FLUSH = !STEPS };

    static constexpr otok_read own[] = {{PULL_X, {H, D1}, 0, 1, 0, 0},
                                        /* so that both run when the ground is a row ahead */
                                        {PULL_X, H, 0, 0, 1, 1, STEPS},
                                        {PULL_Y, H, 0, 0, 2, 2, STEPS},
                                        {FLOW_X, H, -1, 1, 0, 0, STEPS},
                                        {FLOW_X, OLD_X, 0, 0, 0, 0, STEPS},
                                        {FLOW_Y, {H, D1}, 0, 0, -1, 2, STEPS},
                                        {FLOW_Y, OLD_Y, 0, 0, -1, 1, STEPS},
                                        {PULL_X, OLD_X, -THETA, THETA, 0, 0},
                                        {PULL_Y, {H, D1}, 0, 0, 0, 1},
                                        {PULL_Y, OLD_Y, 0, 0, -THETA, THETA},
                                        {FLOW_X, PULLED_X, 0, 0, 0, 0},
                                        {FLOW_X, PULLED_Y, 0, 1, -1, 0, AROUND},
                                        {FLOW_X, DEEP, 0, 0, 0, 0, AROUND},
                                        {FLOW_X, OLD_X, 0, 0, 0, 0, THETA},
                                        {FLOW_Y, PULLED_Y, 0, 0, 0, 0},
                                        {FLOW_Y, PULLED_X, -1, 0, 0, 1, AROUND},
                                        {FLOW_Y, {H, D1}, 0, 0, 0, 1, AROUND},
                                        {FLOW_Y, OLD_Y, 0, 0, 0, 0, THETA},
                                        {LIMITS, FREE_X, -1, 0, 0, 0},
                                        {LIMITS, FREE_Y, 0, 0, -1, 0},
                                        {LIMITS, D1, 0, 0, 0, 0},
                                        {CARRY_X, FREE_X, 0, 0, 0, 0},
                                        {CARRY_X, LIMIT, 0, 1, 0, 0},
                                        {CARRY_Y, FREE_Y, 0, 0, 0, 0},
                                        {CARRY_Y, LIMIT, 0, 0, 0, 1}};
    static constexpr auto reads = otok_reads_of(own, base::common);
    static constexpr int made_by(int w)
    {
        if (w >= KEPT && w <= ACROSS) return LOADS;
        return w <= D1                      ? RAIN
               : w == PULLED_X || w == DEEP ? PULL_X
               : w == PULLED_Y              ? PULL_Y
               : w == FREE_X                ? FLOW_X
               : w == FREE_Y                ? FLOW_Y
               : w == LIMIT                 ? LIMITS
               : w == FX                    ? CARRY_X
               : w == FY                    ? CARRY_Y
                                            : EROSION;
    }
    static constexpr otok_beyond beyond(int w)
    {
        return w == FREE_X || w == OLD_X               ? FACES_X
               : w == FREE_Y                           ? FACES_Y
               : w == LIMIT                            ? NOTHING
               : w == D1                               ? DRY
               : w == PULLED_X || w == FX || w == LOAD ? ZERO
                                                       : FREE;
    }
    static constexpr int over(int w)
    {
        return w == H ? (int)BED : w == D1 ? (int)DEPTH : -1;
    }
    static constexpr bool parked(int w)
    {
        return w == GROUND || w == G_TOP || w == KEPT || w == ACROSS ||
               (PIPES == VECTOR && w == DEEP);
    }
    static constexpr bool chained(int w)
    {
        return (THETA && (w == OLD_X || (w == OLD_Y && !STEPS))) || (STEPS && w == H);
    }
    static constexpr bool early(int w)
    {
        return w == FX || w == H || w == D1;
    }
    static constexpr bool apart(int stage) /* THETA: PULL_Y runs early, for OLD_Y is chained */
    {
        return (stage == PULL_Y && !THETA) || stage == LIMITS || stage == EROSION;
    }
    template <int N, int W, class B>
    __device__ __forceinline__ void given(B &b, float (&v)[OTOK_LANE], int j)
    {
        this->template give<N, W, THETA>(b, v, j);
    }

    /* A flow that its pipe would carry, or, AROUND, that it would without friction; `leant`: the
       old flow after theta. */
    __device__ __forceinline__ float pulled(float leant, otok_column from, otok_column to) const
    {
        return PIPES >= VECTOR ? otok_pipe_pulled(leant, from, to, kp)
               : PIPES == AXIS ? otok_pipe_rough(leant, from, to, kp)
                               : otok_pipe_smooth(leant, from, to, kp);
    }
    __device__ __forceinline__ float braked(float pulled, float old, float across, float across_to,
                                            float deep) const
    {
        return PIPES == LEAN ? otok_pipe_slowed(pulled, old, across, across_to, deep, kp)
                             : otok_pipe_braked(pulled, across, across_to, deep, kp);
    }

    /* The flow behind a face, as it flows, and the depth there. `beside`: of the row's faces behind
       and ahead, or of rows below and above. */
    struct behind {
        float flow[OTOK_LANE], depth[OTOK_LANE];
    };
    template <int N, class B>
    __device__ __forceinline__ behind behind_x(otok_belt_stage<N> n, B &b, unsigned forward) const
    {
        behind r;
        shuffle_row<OLD_X>(n, b), shuffle_row<DEEP>(n, b);
        b.each(n, [&](auto x) {
            const bool on = forward >> x.c & 1;
            r.flow[x.c] = on ? at<OLD_X>(x, -1, 0) : 0.0f - at<OLD_X>(x, 1, 0);
            r.depth[x.c] = on ? at<DEEP>(x, -1, 0) : at<DEEP>(x, 1, 0);
        });
        return r;
    }
    template <int N, class B>
    __device__ __forceinline__ behind behind_y(otok_belt_stage<N> n, B &b, unsigned forward) const
    {
        behind r;
        b.each(n, [&](auto x) {
            const bool on = forward >> x.c & 1;
            const otok_column from = on ? column(x, 0, -1) : column(x, 0, 1),
                              to = on ? column(x, 0, 0) : column(x, 0, 2);
            r.flow[x.c] = on ? at<OLD_Y>(x, 0, -1) : 0.0f - at<OLD_Y>(x, 0, 1);
            r.depth[x.c] = otok_face_depth(from, to);
        });
        return r;
    }
    /* The bed around the faces of a row: `rise` is infinite over an open side; which flow to the
       right or up, and which may have to be held, a bit each. */
    struct around {
        float depth[OTOK_LANE], fall[OTOK_LANE], rise[OTOK_LANE];
        unsigned forward, rapid;
    };
    template <bool UP, int N, class B>
    __device__ __forceinline__ around around_of(otok_belt_stage<N> n, B &b, int j) const
    {
        const otok_frame &g = b.g;
        const int end_y = UP ? otok_end_of(j, g.ny, g.wrap_y, g.open, OTOK_BOTTOM) : 0;
        around r = {};
        float h[OTOK_LANE + 3] = {};
        if constexpr (!UP) heights<H>(h, n, b);
        b.each(n, [&](auto x) {
            const int c = x.c;
            const otok_bed_rises rise =
                UP ? otok_rises_of<WALLS>(at<H>(x, 0, -1), here<H>(x), at<H>(x, 0, 1),
                                          at<H>(x, 0, 2))
                   : otok_rises_of<WALLS>(h[c], h[c + 1], h[c + 2], h[c + 3]);
            const float f = here < UP ? FREE_Y : FREE_X > (x);
            const bool on = f > 0.0f;
            const int end = UP         ? end_y
                            : b.s.side ? otok_end_of(b.s.i + c, g.nx, g.wrap_x, g.open, OTOK_LEFT)
                                       : 0;
            r.depth[c] = UP ? otok_face_depth(column(x, 0, 0), column(x, 0, 1)) : here<DEEP>(x);
            r.fall[c] = bed_fall(on, rise.behind, rise.here, rise.ahead), r.rise[c] = rise.here;
            if (end) r.fall[c] = bed_leaving(on, rise.here).fall, r.rise[c] = INFINITY;
            r.forward |= (unsigned)on << c;
            const bool rapid =
                may_bind(fabsf(f), r.depth[c] + r.fall[c], kp.critical.critical2 * (kp.l * kp.l));
            r.rapid |= (unsigned)rapid << c;
        });
        return r;
    }
    /* Flows of a row within the bound of critical.h. What the warp packs (bound.cuh) of a face are
       its flow and depth, those behind it, and its bed. */
    template <bool UP, int N, class B>
    __device__ __forceinline__ void hold(otok_belt_stage<N> n, B &b, int j)
    {
        constexpr int flow = UP ? FREE_Y : FREE_X;
        const around r = around_of<UP>(n, b, j);
        const auto m = marked_in_warp<OTOK_LANE>(r.rapid);
        if (m.all == 0) return;
        behind from;
        if constexpr (UP)
            from = behind_y(n, b, r.forward);
        else
            from = behind_x(n, b, r.forward);
        float4 *const water = (float4 *)(base::books + base::BOOKS) + (threadIdx.x & ~31u);
        float2 *const bed = (float2 *)((float4 *)(base::books + base::BOOKS) + OTOK_STRIP_BLOCK) +
                            (threadIdx.x & ~31u);
        const unsigned lane = threadIdx.x % 32;
#pragma unroll 1
        for (unsigned first = 0; first < m.all; first += 32) {
            b.each(n, [&](auto x) {
                const int c = x.c;
                const unsigned place = m.place[c] - first;
                if (place >= 32) return;
                water[place] = {here<flow>(x), r.depth[c], from.flow[c], from.depth[c]};
                bed[place] = {r.fall[c], r.rise[c]};
            });
            __syncwarp();
            const float4 w = water[lane];
            const bool odd = first + lane < m.all && is_odd(w.x, w.y, w.z, w.w);
            water[lane].x = any_in_warp(odd) ? held<false>(w, bed[lane]) : held<true>(w, bed[lane]);
            __syncwarp();
            b.each(n, [&](auto x) {
                const unsigned place = m.place[x.c] - first;
                if (place < 32) put<flow>(x, water[place].x);
            });
            __syncwarp();
        }
    }
    /* Quotients of these would not all be those of otok_quotient_of_normal. */
    __device__ __forceinline__ bool is_odd(float f, float d, float flow, float depth) const
    {
        const float wide = kp.l * d, wide_behind = kp.l * depth, size = fabsf(f);
        const bool behind = flow <= 0.0f || (depth >= 0x1p-30f && flow >= 0x1p-30f * wide_behind);
        return !(d >= 0x1p-30f && size <= 0x1p30f * wide && behind &&
                 fmaxf(fmaxf(size, flow), fmaxf(d, depth)) <= 0x1p30f && kp.l >= 0x1p-20f &&
                 kp.l <= 0x1p20f);
    }
    template <bool NORMAL> __device__ __forceinline__ float held(float4 water, float2 bed) const
    {
        const float come = otok_positive(otok_pipe_speed_if(NORMAL, water.z, water.w, kp));
        const float jump = 4.0f * (fabsf(bed.y) - bed.x);
        const otok_drop drop = {bed.x, otok_smaller(water.y, jump)};
        return otok_pipe_held(water.x, water.y, come, drop, jump == INFINITY, kp, NORMAL);
    }

    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<PULL_X> n, B &b, int)
    {
        const otok_frame &g = b.g;
        const bool start = THETA && !g.wrap_x && !(g.open >> OTOK_LEFT & 1),
                   end = THETA && !g.wrap_x && !(g.open >> OTOK_RIGHT & 1);
        b.each(n, [&](auto x) {
            const otok_column from = column(x, 0, 0), to = column(x, 1, 0);
            float old = here<OLD_X>(x);
            if constexpr (THETA)
                old = otok_pipe_leant(at<OLD_X>(x, -1, 0), old, at<OLD_X>(x, 1, 0), kp);
            const int i = b.s.i + x.c; /* closed sides have no flow, whatever theta mixes */
            const bool shut = (start && i == -1) || (end && i == g.nx - 1) || is_shut(from, to);
            put<PULLED_X>(x, shut ? 0.0f : pulled(old, from, to));
            put<DEEP>(x, otok_face_depth(from, to));
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<PULL_Y> n, B &b, int j)
    {
        const otok_frame &g = b.g;
        const bool shut = THETA && !g.wrap_y &&
                          ((j == -1 && !(g.open >> OTOK_BOTTOM & 1)) ||
                           (j == g.ny - 1 && !(g.open >> OTOK_TOP & 1)));
        b.each(n, [&](auto x) {
            float old = here<OLD_Y>(x);
            if constexpr (THETA)
                old = otok_pipe_leant(at<OLD_Y>(x, 0, -1), old, at<OLD_Y>(x, 0, 1), kp);
            const otok_column from = column(x, 0, 0), to = column(x, 0, 1);
            put<PULLED_Y>(x, shut || is_shut(from, to) ? 0.0f : pulled(old, from, to));
        });
    }
    /* Across a pipe flows what flows through both its cells. Beyond a side is what is at the
       side. */
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<FLOW_X> n, B &b, int j)
    {
        float y[OTOK_LANE], y_to[OTOK_LANE];
        if constexpr (AROUND) {
            b.each(n, [&](auto x) {
                y[x.c] = at<PULLED_Y>(x, 0, -1) + here<PULLED_Y>(x);
                y_to[x.c] = at<PULLED_Y>(x, 1, -1) + at<PULLED_Y>(x, 1, 0);
            });
            if (b.s.side && !b.g.wrap_x) {
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++) {
                    if (b.s.i + c == -1) y[c] = y_to[c];
                    if (b.s.i + c == b.g.nx - 1) y_to[c] = y[c];
                }
            }
        }
        b.each(n, [&](auto x) {
            if constexpr (AROUND)
                put<FREE_X>(
                    x, braked(here<PULLED_X>(x), here<OLD_X>(x), y[x.c], y_to[x.c], here<DEEP>(x)));
            else
                put<FREE_X>(x, here<PULLED_X>(x));
        });
        if constexpr (STEPS) hold<false>(n, b, j);
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<FLOW_Y> n, B &b, int j)
    {
        float flow[OTOK_LANE], flow_above[OTOK_LANE];
        if constexpr (AROUND) {
            b.each(n, [&](auto x) {
                flow[x.c] = at<PULLED_X>(x, -1, 0) + here<PULLED_X>(x);
                flow_above[x.c] = at<PULLED_X>(x, -1, 1) + at<PULLED_X>(x, 0, 1);
            });
            if (!b.g.wrap_y && (j == -1 || j == b.g.ny - 1)) {
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    flow[c] = flow_above[c] = j == -1 ? flow_above[c] : flow[c];
            }
        }
        b.each(n, [&](auto x) {
            if constexpr (AROUND)
                put<FREE_Y>(x, braked(here<PULLED_Y>(x), here<OLD_Y>(x), flow[x.c], flow_above[x.c],
                                      otok_face_depth(column(x, 0, 0), column(x, 0, 1))));
            else
                put<FREE_Y>(x, here<PULLED_Y>(x));
        });
        if constexpr (STEPS) hold<true>(n, b, j);
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<LIMITS> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            const otok_four face = base::template faces<FREE_X, FREE_Y>(x);
            put<LIMIT>(x, otok_pipe_limit(here<D1>(x), otok_faces_out(face), kp));
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<CARRY_X> n, B &b, int)
    {
        b.each(n, [](auto x) {
            put<FX>(x, otok_face_limited(here<FREE_X>(x), here<LIMIT>(x), at<LIMIT>(x, 1, 0)));
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<CARRY_Y> n, B &b, int)
    {
        b.each(n, [](auto x) {
            put<FY>(x, otok_face_limited(here<FREE_Y>(x), here<LIMIT>(x), at<LIMIT>(x, 0, 1)));
        });
    }
};

#endif
