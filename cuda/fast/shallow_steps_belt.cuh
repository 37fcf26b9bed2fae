/* shallow_steps_belt.cuh: what the list of `law: shallow_water` (shallow_belt.cuh) does with
   `bed_steps: critical`. P: the list. The physics is in model/shallow_steps.h. */
#ifndef OTOK_FAST_SHALLOW_STEPS_BELT_CUH
#define OTOK_FAST_SHALLOW_STEPS_BELT_CUH

#include "belt_steps.cuh"

#include "model/shallow_steps.h"

/* The bed at a face of row j, as the flow goes. */
template <class P, bool UP, class X>
static __device__ __forceinline__ otok_bed_along along_at(X x, bool forward, otok_bed_rises rise,
                                                          int j)
{
    const otok_frame &g = x.b.g;
    const otok_bed_along bed = bed_along(forward, rise.behind, rise.here, rise.ahead);
    if constexpr (!P::open) return bed;
    const int end = UP           ? P::end_of(j, g.ny, g.wrap_y, g.open, OTOK_BOTTOM)
                    : x.b.s.side ? P::end_of(x.b.s.i + x.c, g.nx, g.wrap_x, g.open, OTOK_LEFT)
                                 : 0;
    return end ? bed_leaving(forward, rise.here) : bed;
}

/* `held`: which may have to be, a bit each; NORMAL: as in otok_speed_held. */
template <bool UP, bool NORMAL, int N, class B>
static __device__ __forceinline__ void hold_all(otok_belt_stage<N> n, B &b,
                                                const float (&after)[OTOK_LANE],
                                                const otok_drop (&drop)[OTOK_LANE], unsigned held)
{
    typedef typename B::list P;
    constexpr int speed = UP ? P::FREE_V : P::FREE_U, flow = UP ? P::FREE_Y : P::FREE_X,
                  deep = UP ? P::DEEP_Y : P::DEEP_X, pulled = UP ? P::PULLED_Y : P::PULLED_X;
    b.each(n, [&](auto x) {
        const otok_stream free = {here<speed>(x), here<flow>(x)},
                          s = otok_stream_held(free, here<deep>(x),
                                               P::template near<pulled, UP>(x, -1, 0), after[x.c],
                                               drop[x.c], b.p.ks, NORMAL);
        const bool may = held >> x.c & 1;
        put<flow>(x, may ? s.flow : free.flow), put<speed>(x, may ? s.speed : free.speed);
    });
}

/* Streams of a row within the bound of critical.h. */
template <bool UP, int N, class B>
static __device__ __forceinline__ void hold_streams(otok_belt_stage<N> n, B &b, int j)
{
    typedef typename B::list P;
    constexpr int speed = UP ? P::FREE_V : P::FREE_U, deep = UP ? P::DEEP_Y : P::DEEP_X,
                  pulled = UP ? P::PULLED_Y : P::PULLED_X;
    float h[OTOK_LANE + 3] = {}, after[OTOK_LANE] = {};
    otok_drop drop[OTOK_LANE];
    bool binds = false, odd = false;
    unsigned held = 0;
    if constexpr (!UP) heights<P::H>(h, n, b);
    b.each(n, [&](auto x) {
        const int c = x.c;
        const otok_bed_rises rise =
            UP ? otok_rises_of<P::walled>(at<P::H>(x, 0, -1), here<P::H>(x), at<P::H>(x, 0, 1),
                                          at<P::H>(x, 0, 2))
               : otok_rises_of<P::walled>(h[c], h[c + 1], h[c + 2], h[c + 3]);
        const float u = here<speed>(x), w = here<deep>(x);
        const otok_bed_along bed = along_at<P, UP>(x, u > 0.0f, rise, j);
        drop[c] = {bed.fall, otok_smaller(w, bed.jump)};
        const bool may = may_bind(fabsf(u) * drop[c].part, w + bed.fall, b.p.ks.critical.critical2);
        binds |= may;
        odd |= may && !(w >= 0x1p-30f && fmaxf(w, fabsf(u)) <= 0x1p30f);
        held |= (unsigned)may << c;
    });
    if (!any_in_warp(binds)) return;
    if constexpr (!UP) shuffle_row<pulled>(n, b);
    b.each(n, [&](auto x) { after[x.c] = P::template near<pulled, UP>(x, 1, 0); });
    if (any_in_warp(odd))
        hold_all<UP, false>(n, b, after, drop, held);
    else
        hold_all<UP, true>(n, b, after, drop, held);
}

/* The speed that a face carries on. side: end_of; jump: otok_bed_along.jump. */
template <bool UP, class P, class X>
static __device__ __forceinline__ float carried_over(const P &p, X x, int side, float jump)
{
    constexpr int u = UP ? P::V : P::U;
    const otok_column a = P::template after<UP>(x, 0), b = P::template after<UP>(x, 1);
    const otok_passage g = P::template passage<UP>(x, side, a, b);
    otok_corner c;
    c.upwind = otok_upwind_depth(g.u, a, b);
    c.part = otok_smaller(c.upwind, jump);
    const float below = g.u > 0.0f ? P::template near<u, UP>(x, -1, -1)
                                   : P::template near<u, UP>(x, 1, -1),
                above = g.u > 0.0f ? P::template near<u, UP>(x, -1, 1)
                                   : P::template near<u, UP>(x, 1, 1);
    c.below_behind = g.u != 0.0f ? below : 0.0f;
    c.above_behind = g.u != 0.0f ? above : 0.0f;
    const otok_brought from = otok_brought_over_steps(g, c, p.ks);
    float share = 1.0f;
    if (any_in_warp(from.all > g.twice)) share = otok_share_brought(g, from);
    const float s = otok_speed_after(g, from.in, share * from.mixed, p.ks);
    return P::is_shut(a, b) ? 0.0f : s;
}

template <bool WALLS> static __device__ __forceinline__ float until_wall(float rise)
{
    return WALLS && !(fabsf(rise) < INFINITY) ? 0.0f : rise;
}

/* Speeds of a row over steps of the bed. */
template <bool UP, int N, class B>
static __device__ __forceinline__ void move_over_steps(float (&next)[OTOK_LANE],
                                                       otok_belt_stage<N> n, B &b, int j)
{
    typedef typename B::list P;
    const otok_frame &g = b.g;
    constexpr int u = UP ? P::V : P::U;
    float h[OTOK_LANE + 3] = {};
    if constexpr (!UP) heights<P::H>(h, n, b);
    shuffle_row<u, -1>(n, b), shuffle_row<u, 1>(n, b);
    b.each(n, [&](auto x) {
        const int c = x.c, line = UP ? j : b.s.i + c;
        const otok_bed_rises rise =
            UP ? otok_bed_rises{until_wall<P::walled>(at<P::RISE_Y>(x, 0, -1)), here<P::RISE_Y>(x),
                                until_wall<P::walled>(at<P::H>(x, 0, 2) - at<P::H>(x, 0, 1))}
               : otok_rises_of<P::walled>(h[c], h[c + 1], h[c + 2], h[c + 3]);
        const float jump = along_at<P, UP>(x, here<u>(x) > 0.0f, rise, j).jump;
        const int side = UP ? P::end_of(line, g.ny, g.wrap_y, g.open, OTOK_BOTTOM)
                            : P::end_of(line, g.nx, g.wrap_x, g.open, OTOK_LEFT);
        next[c] = carried_over<UP>(b.p, x, side, jump);
    });
}

#endif
