/* shallow_belt.cuh: an iteration under `law: shallow_water` as a list of stages (belt.cuh). A stage
   of one axis is written once for both: `along` leads to the next cell of the axis, `across` to the
   next line. Beyond a side a face has what core/shallow_faces.h and the halos of the program
   define. The physics is in model/shallow.h and model/shallow_steps.h. */
#ifndef OTOK_FAST_SHALLOW_BELT_CUH
#define OTOK_FAST_SHALLOW_BELT_CUH

#include "faces_belt.cuh"
#include "shallow_steps_belt.cuh"

#include "model/shallow_steps.h"

enum { SHALLOW_EROSION = 13 };

/* STEPS: with `bed_steps: critical`. */
template <bool OPEN, bool WALLS, bool STEPS = false>
struct otok_shallow_belt : otok_faces_belt<SHALLOW_EROSION, true, KNOWN, WALLS, STEPS> {
    typedef otok_faces_belt<SHALLOW_EROSION, true, KNOWN, WALLS, STEPS> base;
    using base::apply, base::kp, base::column, base::faces, base::is_shut;
    enum { BED = base::BED, CHANGE, DEPTH, OLD_X, OLD_Y, CARRIED };
    enum { H = base::H, D1, FX, FY, GROUND, S, LOAD, G_BOTTOM, KEPT, G_TOP, ACROSS };
    /* The depth before the rain; pulled speeds and the depths of their flows; flows and speeds
       before K, and K; speeds; the depth after the flow, and falls of the surface; new speeds; with
       STEPS rises of the bed upwards. */
    enum { D = base::COMMON, PULLED_X, DEEP_X, PULLED_Y, DEEP_Y, FREE_X, FREE_U, FREE_Y, FREE_V };
    enum { LIMIT = base::COMMON + 9, U, V, D2, FALL_X, FALL_Y, NEXT_V, RISE_Y };
    static constexpr int WIRES = RISE_Y + STEPS;
    static constexpr bool open = OPEN, walled = WALLS;
    enum { RAIN, PULL_X, PULL_Y, CARRY_X, FLOW_X, FLOW_Y, LIMITS, CARRY_Y, SURFACE, FALLS_X };
    enum { FALLS_Y = base::EROSION - 3, MOVE_Y, MOVE_X, EROSION, TRANSPORT, LOADS, STAGES };
    static_assert((int)LIMIT == FREE_V + 1 && (int)FALLS_Y == FALLS_X + 1, "all in a row");

    static constexpr otok_read own[] = {{PULL_X, {H, D, D1}, 0, 1, 0, 0},
                                        /* so that flows run when the ground is a row ahead */
                                        {PULL_X, H, 0, 0, 1, 1, STEPS},
                                        {FLOW_X, H, 0, 0, 2, 2, STEPS},
                                        {FLOW_X, H, -1, 1, 0, 0, STEPS},
                                        {FLOW_Y, H, 0, 0, -1, 2, STEPS},
                                        {FLOW_Y, PULLED_Y, 0, 0, -1, 1, STEPS},
                                        {MOVE_X, H, -1, 1, 0, 0, STEPS},
                                        {MOVE_Y, H, 0, 0, 0, 2, STEPS},
                                        {MOVE_Y, RISE_Y, 0, 0, -1, 0, STEPS},
                                        {PULL_X, OLD_X, 0, 0, 0, 0},
                                        {PULL_Y, {H, D, D1}, 0, 0, 0, 1},
                                        {PULL_Y, OLD_Y, 0, 0, 0, 0},
                                        {CARRY_X, {FREE_X, FREE_U}, 0, 0, 0, 0},
                                        {CARRY_X, LIMIT, 0, 1, 0, 0},
                                        {FLOW_X, {PULLED_X, DEEP_X}, 0, 0, 0, 0},
                                        {FLOW_X, {PULLED_Y, DEEP_Y}, 0, 1, -1, 0},
                                        {FLOW_Y, {PULLED_Y, DEEP_Y}, 0, 0, 0, 0},
                                        {FLOW_Y, {PULLED_X, DEEP_X}, -1, 0, 0, 1},
                                        {LIMITS, FREE_X, -1, 0, 0, 0},
                                        {LIMITS, FREE_Y, 0, 0, -1, 0},
                                        {LIMITS, D1, 0, 0, 0, 0},
                                        {CARRY_Y, {FREE_Y, FREE_V}, 0, 0, 0, 0},
                                        {CARRY_Y, LIMIT, 0, 0, 0, 1},
                                        {SURFACE, FX, -1, 0, 0, 0},
                                        {SURFACE, FY, 0, 0, -1, 0},
                                        {SURFACE, D1, 0, 0, 0, 0},
                                        {FALLS_X, {H, D2}, 0, 1, 0, 0},
                                        {FALLS_Y, {H, D2}, 0, 0, 0, 1},
                                        {MOVE_Y, {V, FY}, 0, 0, -1, 1},
                                        {MOVE_Y, {V, FALL_Y}, -1, 1, 0, 0},
                                        {MOVE_Y, FX, -1, 0, 0, 1},
                                        {MOVE_Y, {H, D2}, 0, 0, 0, 1},
                                        {MOVE_X, {U, FX}, -1, 1, 0, 0},
                                        {MOVE_X, {U, FALL_X}, 0, 0, -1, 1},
                                        {MOVE_X, FY, 0, 1, -1, 0},
                                        {MOVE_X, {H, D2}, 0, 1, 0, 0},
                                        {EROSION, U, -1, 0, 0, 0},
                                        {EROSION, V, 0, 0, -1, 0},
                                        {EROSION, D2, 0, 0, 0, 0},
                                        /* so that MOVE_Y makes what enters at the bottom */
                                        {TRANSPORT, NEXT_V, 0, 0, -1, -1, OPEN}};
    static constexpr auto reads = otok_reads_of(own, base::common);
    static constexpr int made_by(int w)
    {
        if (w >= KEPT && w <= ACROSS) return LOADS;
        if (w == FALL_Y || w == RISE_Y) return FALLS_Y;
        if (w == NEXT_V) return MOVE_Y;
        if (w >= GROUND && w <= G_BOTTOM) return EROSION;
        return w <= D1 || w == D      ? RAIN
               : w <= DEEP_X && w > D ? PULL_X
               : w <= DEEP_Y && w > D ? PULL_Y
               : w == FX || w == U    ? CARRY_X
               : w == FY || w == V    ? CARRY_Y
               : w <= FREE_U          ? FLOW_X
               : w <= FREE_V          ? FLOW_Y
               : w == LIMIT           ? LIMITS
               : w == D2              ? SURFACE
                                      : FALLS_X;
    }
    static constexpr otok_beyond beyond(int w)
    {
        return w == FREE_X || w == FREE_U                          ? FACES_X
               : w == FREE_Y || w == FREE_V                        ? FACES_Y
               : w == LIMIT                                        ? NOTHING
               : w == D || w == D1 || w == D2                      ? DRY
               : w == PULLED_Y || w == DEEP_Y || w == FY || w == V ? BESIDE
               : w == H || w < H                                   ? FREE
                                                                   : ZERO;
    }
    static constexpr int over(int w)
    {
        return w == H ? (int)BED : -1;
    }
    static constexpr bool parked(int w)
    {
        return w == GROUND || w == G_TOP || w == KEPT || w == ACROSS || w == D || w == FX ||
               w == FY || w == U || w == V || w == FALL_X || w == FREE_V ||
               (w >= PULLED_X && w <= DEEP_Y) || w == RISE_Y;
    }
    static constexpr bool chained(int w)
    {
        return STEPS && w == H;
    }
    static constexpr bool apart(int stage)
    {
        return stage == PULL_Y || stage == LIMITS || stage == SURFACE || stage == FALLS_Y ||
               stage == EROSION;
    }
    template <int N, int W, class B>
    __device__ __forceinline__ void given(B &b, float (&v)[OTOK_LANE], int j)
    {
        this->template give<N, W, false>(b, v, j);
    }

    const otok_shallow_coefficients &ks;

    /* The value of a wire so many cells along an axis, and so many lines across it. */
    template <int W, bool UP, class X>
    static __device__ __forceinline__ float near(X x, int along, int across)
    {
        return at<W>(x, UP ? across : along, UP ? along : across);
    }
    /* The ground and the water after the flow. */
    template <bool UP, class X> static __device__ __forceinline__ otok_column after(X x, int along)
    {
        return {near<H, UP>(x, along, 0), near<D2, UP>(x, along, 0)};
    }
    template <bool UP, class X>
    static __device__ __forceinline__ otok_pull pull_at(X x, int dx, int dy)
    {
        constexpr int speed = UP ? PULLED_Y : PULLED_X, depth = UP ? DEEP_Y : DEEP_X;
        return {at<speed>(x, dx, dy), at<depth>(x, dx, dy)};
    }

    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<RAIN> n, B &b, int j)
    {
        b.each(n, [](auto x) { put<D>(x, here<DEPTH>(x)); });
        if (b.s.side) otok_spread(b.w[D][0], b.g, b.s);
        dry_beyond(b.w[D][0], j, b.g.open, b.s.side, b.g, b.s);
        base::apply(n, b, j);
    }
    template <bool UP, class X> __device__ __forceinline__ otok_pull pulled(X x) const
    {
        constexpr int old = UP ? OLD_Y : OLD_X;
        return otok_speed_pulled(here<old>(x), here<D>(x) + near<D, UP>(x, 1, 0), column(x, 0, 0),
                                 column(x, !UP, UP), ks);
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<PULL_X> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            const otok_pull p = pulled<false>(x);
            put<PULLED_X>(x, p.speed), put<DEEP_X>(x, p.depth);
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<PULL_Y> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            const otok_pull p = pulled<true>(x);
            put<PULLED_Y>(x, p.speed), put<DEEP_Y>(x, p.depth);
        });
    }
    template <bool UP, class X> __device__ __forceinline__ otok_stream stream(X x) const
    {
        return otok_stream_of(pull_at<UP>(x, 0, 0), pull_at<!UP>(x, -UP, -!UP),
                              pull_at<!UP>(x, 0, 0), pull_at<!UP>(x, !UP - UP, UP - !UP),
                              pull_at<!UP>(x, !UP, UP), ks);
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<FLOW_X> n, B &b, int j)
    {
        b.each(n, [&](auto x) {
            const otok_stream f = stream<false>(x);
            put<FREE_X>(x, f.flow), put<FREE_U>(x, f.speed);
        });
        if constexpr (STEPS) hold_streams<false>(n, b, j);
    }
    /* Below and above the grid is what is at the side. */
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<FLOW_Y> n, B &b, int j)
    {
        if (!b.g.wrap_y && j == -1) repeat<PULLED_X, 0, 1>(n, b), repeat<DEEP_X, 0, 1>(n, b);
        if (!b.g.wrap_y && j == b.g.ny - 1)
            repeat<PULLED_X, 1, 0>(n, b), repeat<DEEP_X, 1, 0>(n, b);
        b.each(n, [&](auto x) {
            const otok_stream f = stream<true>(x);
            put<FREE_Y>(x, f.flow), put<FREE_V>(x, f.speed);
        });
        if constexpr (STEPS) hold_streams<true>(n, b, j);
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
            const float behind = here<LIMIT>(x), ahead = at<LIMIT>(x, 1, 0);
            put<FX>(x, otok_face_limited(here<FREE_X>(x), behind, ahead));
            put<U>(x, otok_face_limited(here<FREE_U>(x), behind, ahead));
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<CARRY_Y> n, B &b, int)
    {
        b.each(n, [](auto x) {
            const float behind = here<LIMIT>(x), ahead = at<LIMIT>(x, 0, 1);
            put<FY>(x, otok_face_limited(here<FREE_Y>(x), behind, ahead));
            put<V>(x, otok_face_limited(here<FREE_V>(x), behind, ahead));
        });
    }
    template <class B>
    __device__ __forceinline__ void apply(otok_belt_stage<SURFACE> n, B &b, int j)
    {
        if constexpr (STEPS) {
            float dither[OTOK_LANE];
            exact_dithers(dither, base::a, j, b.g, b.s);
            b.each(n, [&](auto x) {
                const otok_four face = faces(x);
                put<D2>(x,
                        otok_surface_exactly(here<D1>(x), otok_faces_out(face), otok_faces_in(face),
                                             0.0f, 0.0f, dither[x.c], base::kw)
                            .d2);
            });
        } else
            b.each(n, [&](auto x) {
                put<D2>(x, otok_face_surface(here<D1>(x), faces(x), base::kw).d2);
            });
        dry_beyond(b.w[D2][0], j, b.g.open, b.s.side, b.g, b.s);
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<FALLS_X> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            put<FALL_X>(x, otok_speed_fall(after<false>(x, 0), after<false>(x, 1), ks));
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<FALLS_Y> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            put<FALL_Y>(x, otok_speed_fall(after<true>(x, 0), after<true>(x, 1), ks));
            if constexpr (STEPS) put<RISE_Y>(x, at<H>(x, 0, 1) - here<H>(x));
        });
    }

    static __device__ __forceinline__ int end_of(int n, int size, bool wraps, int open, int start)
    {
        return OPEN ? otok_end_of(n, size, wraps, open, start) : 0;
    }
    /* What is around a face. side: end_of. */
    template <bool UP, class X>
    static __device__ __forceinline__ otok_passage passage(X x, int side, otok_column a,
                                                           otok_column b)
    {
        constexpr int u = UP ? V : U, f = UP ? FY : FX, t = UP ? FX : FY, p = UP ? FALL_Y : FALL_X;
        const float flow = here<f>(x), in = side < 0 ? flow : near<f, UP>(x, -1, 0),
                    on = side > 0 ? flow : near<f, UP>(x, 1, 0);
        otok_passage g;
        g.u = here<u>(x);
        g.before = side < 0 ? g.u : near<u, UP>(x, -1, 0);
        g.after = side > 0 ? g.u : near<u, UP>(x, 1, 0);
        g.through_a = in + (side > 0 ? in : flow);
        g.through_b = (side < 0 ? on : flow) + on;
        g.below = near<u, UP>(x, 0, -1), g.above = near<u, UP>(x, 0, 1);
        g.below_a = near<t, UP>(x, 0, -1), g.below_b = near<t, UP>(x, 1, -1);
        g.above_a = here<t>(x), g.above_b = near<t, UP>(x, 1, 0);
        g.depth = otok_face_depth(a, b);
        g.twice = (side < 0 ? b.d1 : a.d1) + (side > 0 ? a.d1 : b.d1);
        g.fall = here<p>(x);
        g.fall_below = near<p, UP>(x, 0, -1), g.fall_above = near<p, UP>(x, 0, 1);
        return g;
    }
    /* The speed that a face carries on. */
    template <bool UP, class X> __device__ __forceinline__ float carried(X x, int side) const
    {
        const otok_column a = after<UP>(x, 0), b = after<UP>(x, 1);
        const float s = otok_speed_carried(passage<UP>(x, side, a, b), ks);
        return base::is_shut(a, b) ? 0.0f : s;
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<MOVE_X> n, B &b, int j)
    {
        const otok_frame &g = b.g;
        const bool shut = !g.wrap_x && !(g.open >> OTOK_RIGHT & 1);
        float next[OTOK_LANE];
        if (!g.wrap_y && j == 0) repeat<U, -1, 0>(n, b);
        if (!g.wrap_y && j == g.ny - 1) repeat<U, 1, 0>(n, b);
        if constexpr (STEPS) {
            move_over_steps<false>(next, n, b, j);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                next[c] = shut && b.s.i + c == g.nx - 1 ? 0.0f : next[c];
        } else
            b.each(n, [&](auto x) {
                const int i = b.s.i + x.c;
                const float s = carried<false>(x, end_of(i, g.nx, g.wrap_x, g.open, OTOK_LEFT));
                next[x.c] = shut && i == g.nx - 1 ? 0.0f : s;
            });
        base::store_x(b, next, j);
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<MOVE_Y> n, B &b, int j)
    {
        const otok_frame &g = b.g;
        const bool shut = !g.wrap_y && !(g.open >> OTOK_TOP & 1) && j == g.ny - 1;
        const int side = end_of(j, g.ny, g.wrap_y, g.open, OTOK_BOTTOM);
        float next[OTOK_LANE];
        if (!g.wrap_y && j == -1) repeat<FX, 0, 1>(n, b);
        if (!g.wrap_y && j == g.ny - 1) repeat<FX, 1, 0>(n, b);
        if constexpr (STEPS) {
            move_over_steps<true>(next, n, b, j);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                next[c] = shut ? 0.0f : next[c];
        } else
            b.each(n, [&](auto x) { next[x.c] = shut ? 0.0f : carried<true>(x, side); });
        base::store_y(b, next, j);
    }
    template <class X>
    __device__ __forceinline__ void speeds(X x, const otok_four &face, float &u, float &w) const
    {
        const float d1 = here<D1>(x), d2 = here<D2>(x);
        if constexpr (STEPS) {
            const float passed = otok_share_passed(face);
            u = otok_speed_by_flow(face.left + face.right, at<U>(x, -1, 0), here<U>(x), passed, d1,
                                   d2, ks);
            w = otok_speed_by_flow(face.bottom + face.top, at<V>(x, 0, -1), here<V>(x), passed, d1,
                                   d2, ks);
        } else {
            u = otok_speed_of_cell(at<U>(x, -1, 0), here<U>(x), d1, d2, ks);
            w = otok_speed_of_cell(at<V>(x, 0, -1), here<V>(x), d1, d2, ks);
        }
    }
    template <class X> static __device__ __forceinline__ float depth(X x)
    {
        return here<D2>(x);
    }
};

#endif
