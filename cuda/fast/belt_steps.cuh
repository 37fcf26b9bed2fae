/* belt_steps.cuh: what lists of stages (belt.cuh) with `bed_steps: critical` share
   (model/critical.h, bound.cuh). A warp votes whether any of its faces needs a rule; what a vote
   leaves out would change no bit. */
#ifndef OTOK_FAST_BELT_STEPS_CUH
#define OTOK_FAST_BELT_STEPS_CUH

#include "belt.cuh"
#include "bound.cuh"
#include "hydraulic_stages.cuh"

#include "core/walls.h"

/* The rises at three faces in a row, from the ground of four cells. What goes on through a cell
   ends at a wall, whose ground is infinite. */
typedef struct otok_bed_rises {
    float behind, here, ahead;
} otok_bed_rises;

template <bool WALLS>
static __device__ __forceinline__ otok_bed_rises otok_rises_of(float behind, float a, float b,
                                                               float ahead)
{
    return {WALLS && behind == INFINITY ? 0.0f : a - behind, b - a,
            WALLS && ahead == INFINITY ? 0.0f : ahead - b};
}

/* The same where the flow leaves over an open side. */
static __device__ __forceinline__ otok_bed_along bed_leaving(bool forward, float rise)
{
    return {otok_positive(forward ? 0.0f - rise : rise), INFINITY};
}

static __device__ __forceinline__ bool any_in_warp(bool here)
{
    return __any_sync(0xffffffffu, here);
}

/* Which end of its line a face is: -1 the open start, 1 the open end, 0 neither. */
static __device__ __forceinline__ int otok_end_of(int n, int size, bool wraps, int open, int start)
{
    if (wraps) return 0;
    if (n == -1 && (open >> start & 1)) return -1;
    return n == size - 1 && (open >> (start + 1) & 1) ? 1 : 0;
}

/* Row j of the ground goes on falling beyond the sides `falls`; next to a wall it is level. */
template <bool WALLS>
static __device__ __forceinline__ void fall_beyond(float (&h)[OTOK_LANE], const otok_flow &a, int j,
                                                   int falls, const otok_frame &g,
                                                   const otok_strip &s)
{
    const int up = j == -1 ? 1 : j == g.ny ? -1 : 0; /* towards the inside */
    const int of_row = up > 0 ? OTOK_BOTTOM : OTOK_TOP, row = otok_strip_row(g, j + 2 * up);
    if (!falls || !(s.side || (up && (falls >> of_row & 1)))) return;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const int i = s.i + c, on = g.wrap_x ? 0 : i == -1 ? 1 : i == g.nx ? -1 : 0;
        const int across = on && (falls >> (on > 0 ? OTOK_LEFT : OTOK_RIGHT) & 1),
                  along = !on && up && (falls >> of_row & 1);
        if (!across && !along) continue;
        const int at = (across ? otok_strip_row(g, j) : row) +
                       otok_wrapped(across ? i + 2 * on : i, g.nx, g.wrap_x);
        if (WALLS && (h[c] == INFINITY || a.walls[at] == OTOK_IN_WALL)) continue;
        h[c] = otok_ground_beyond(h[c], a.in[BASE][at] + a.change[at]);
    }
}

/* Erosion of row j sees level ground beyond open sides. */
static __device__ __forceinline__ void level_beyond(otok_ground_row &r, int j, const otok_frame &g,
                                                    const otok_strip &s)
{
    if (!g.open) return;
    otok_copy_ghosts(r.h, r.left, r.right, g, s);
    const bool first = j == 0 && (g.open >> OTOK_BOTTOM & 1),
               last = j == g.ny - 1 && (g.open >> OTOK_TOP & 1);
    if (!first && !last) return;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        if (first) r.below[c] = r.h[c];
        if (last) r.above[c] = r.h[c];
    }
}

/* The dithers by which depths of row j after the flow are exact in the mean. */
static __device__ __forceinline__ void exact_dithers(float (&out)[OTOK_LANE], const otok_flow &a,
                                                     int j, const otok_frame &g,
                                                     const otok_strip &s)
{
    uint32_t phase[OTOK_LANE];
    otok_strip_phases(phase, a.dithers, j, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        out[c] = otok_dither(phase[c] + OTOK_DITHER_QUARTER);
}

/* The columns beside a row of a wire, DY rows above a stage's. */
template <int W, int DY = 0, int N, class B>
static __device__ __forceinline__ void shuffle_row(otok_belt_stage<N>, B &b)
{
    constexpr int from = B::plan::lag(N) - B::plan::made(W) - B::plan::before(N, W) - DY;
    b.template shuffle<W, from>(true, true);
}

/* A row of the ground from the column before the lane's to the second after them, of which the last
   counts at no face that carries water where there is no lane. */
template <int H, int N, class B>
static __device__ __forceinline__ void heights(float (&h)[OTOK_LANE + 3], otok_belt_stage<N> n,
                                               B &b)
{
    const float(&row)[OTOK_LANE] = row_of<H>(n, b);
    b.each(n, [&](auto x) {
        if (x.c == 0) h[0] = at<H>(x, -1, 0);
        h[x.c + 1] = here<H>(x);
        if (x.c == OTOK_LANE - 1) h[OTOK_LANE + 1] = at<H>(x, 1, 0);
    });
    h[OTOK_LANE + 2] = otok_from_right(row[1]);
}

#endif
