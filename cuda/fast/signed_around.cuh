/* signed_around.cuh: signed pipes whose new flow needs other pipes: for `friction: vector` the
   pulled flow across, for theta the old flow before and behind. Rows come from the slots of
   signed.cu as they were fetched. Here ghosts get the values that core/pipe_sides.h defines. */
#ifndef OTOK_FAST_SIGNED_AROUND_CUH
#define OTOK_FAST_SIGNED_AROUND_CUH

#include "strip_rows.cuh"

#include "pipe_depth.cuh"

/* What the new flow of a pipe needs. Each kind includes the one before it, except that LEAN allows
   any friction. */
enum { SMOOTH, AXIS, VECTOR, LEAN };

/* The flow around row q: the old flow, and the pulled flow that the rows before left. */
typedef struct otok_flow_around {
    float pulled_right[OTOK_LANE], pulled_below[OTOK_LANE]; /* row q; to the top: row q-1 */
    float right_above[OTOK_LANE], top[OTOK_LANE];           /* rows q+1, q */
    float deep_right[OTOK_LANE]; /* row q: the depth of the faces to the right; VECTOR only */
    /* For LEAN only: rows q, q-1, q+1. */
    float right[OTOK_LANE], top_below[OTOK_LANE], top_above[OTOK_LANE];
} otok_flow_around;

/* The old flow of a row's pipes to the right. `enters`: lane 0 got what the first cells hold for an
   open left side. */
template <int PIPES>
static __device__ inline void otok_old_right(float (&out)[OTOK_LANE], const otok_slot &slot,
                                             bool enters, const otok_frame &g, const otok_strip &s)
{
    otok_take(out, slot, s);
    if (!s.side || g.wrap_x) return;
    const float entry = enters ? -out[0] : 0.0f;
    if (PIPES == LEAN) otok_spread(out, g, s);
    if (s.i < 0) out[2] = out[3] = entry;
}

/* The same to the top, in row j. Below row 0 are the values that the cells there hold for an open
   bottom side. */
static __device__ inline void otok_old_top(float (&out)[OTOK_LANE], const otok_slot &slot, int j,
                                           const otok_frame &g, const otok_strip &s)
{
    otok_take(out, slot, s);
    if (j >= 0 || g.wrap_y) return;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        out[c] = g.open >> OTOK_BOTTOM & 1 ? -out[c] : 0.0f;
}

/* The old flow of a row's pipes to the right after theta. */
static __device__ inline void otok_lean_row(float (&out)[OTOK_LANE], const float (&f)[OTOK_LANE],
                                            const otok_pipe_coefficients &k)
{
    const float left = otok_from_left(f[OTOK_LANE - 1], 0.0f),
                right = otok_from_right(f[0], f[OTOK_LANE - 1]);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        out[c] = otok_pipe_leant(otok_beside(f, left, 0.0f, c - 1), f[c],
                                 otok_beside(f, 0.0f, right, c + 1), k);
}

/* Closed sides have no flow, whatever theta mixes: the pipes to the right of a row, and those to
   the top of row q. */
static __device__ inline void otok_close(float (&right)[OTOK_LANE], float (&top)[OTOK_LANE], int q,
                                         const otok_frame &g, const otok_strip &s)
{
    const bool start = !g.wrap_x && !(g.open >> OTOK_LEFT & 1),
               end = !g.wrap_x && !(g.open >> OTOK_RIGHT & 1);
    const bool shut = !g.wrap_y && ((q == -1 && !(g.open >> OTOK_BOTTOM & 1)) ||
                                    (q == g.ny - 1 && !(g.open >> OTOK_TOP & 1)));
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        if ((start && s.i + c == -1) || (end && s.i + c == g.nx - 1)) right[c] = 0.0f;
        if (shut) top[c] = 0.0f;
    }
}

/* The pulled flow of the pipes to the right of row r = q+1, and of those to the top of row q. The
   columns of row q are `here`, those of row r `above`, those to the right of these `beyond`. */
template <int PIPES>
static __device__ inline void
otok_pull_rows(float (&right)[OTOK_LANE], float (&top)[OTOK_LANE], otok_flow_around &f, int r,
               const otok_column (&here)[OTOK_LANE], const otok_column (&above)[OTOK_LANE],
               const otok_column (&beyond)[OTOK_LANE], const otok_frame &g, const otok_strip &s,
               const otok_pipe_coefficients &k)
{
    float leant[OTOK_LANE];
    if constexpr (PIPES == LEAN) otok_lean_row(leant, f.right_above, k);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const float old = PIPES == LEAN ? leant[c] : f.right_above[c];
        const float old_top =
            PIPES == LEAN ? otok_pipe_leant(f.top_below[c], f.top[c], f.top_above[c], k) : f.top[c];
        right[c] = otok_pipe_pulled(old, above[c], beyond[c], k);
        top[c] = otok_pipe_pulled(old_top, here[c], above[c], k);
    }
    if constexpr (PIPES == LEAN) otok_close(right, top, r - 1, g, s);
    if (g.wrap_y || (r != 0 && r != g.ny)) return;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) /* beyond the bottom and the top is what is at the side */
        right[c] = f.pulled_right[c] = r == 0 ? right[c] : f.pulled_right[c];
}

/* Twice the pulled flow to the top through the cells of a row (y) and through those to the right of
   them. Beyond a side is what is at the side. */
static __device__ inline void otok_across_row(float (&y)[OTOK_LANE], float (&beside)[OTOK_LANE],
                                              const otok_frame &g, const otok_strip &s)
{
    const float right = otok_from_right(y[0], y[OTOK_LANE - 1]);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        beside[c] = otok_beside(y, 0.0f, right, c + 1);
    if (!s.side || g.wrap_x) return;
    if (s.i < 0) y[OTOK_LANE - 1] = right;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        if (s.i + c == g.nx - 1) beside[c] = y[c];
}

/* The flow of the pipes of row q before K. `right` and `top` are pulled flows, as otok_pull_rows
   gives them, and become those of row q. `beside`: the columns to the right of row q. */
template <int PIPES>
static __device__ inline void
otok_pipes_around(float (&right)[OTOK_LANE], float (&top)[OTOK_LANE], otok_flow_around &f,
                  const otok_column (&here)[OTOK_LANE], const otok_column (&beside)[OTOK_LANE],
                  const otok_column (&above)[OTOK_LANE], const otok_frame &g, const otok_strip &s,
                  const otok_pipe_coefficients &k)
{
    float y[OTOK_LANE], y_right[OTOK_LANE], next[OTOK_LANE];
    const float left = otok_from_left(f.pulled_right[OTOK_LANE - 1], 0.0f),
                left_above = otok_from_left(right[OTOK_LANE - 1], 0.0f);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        y[c] = f.pulled_below[c] + top[c];
        if (PIPES == LEAN) f.pulled_below[c] = top[c];
    }
    otok_across_row(y, y_right, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const float x = otok_beside(f.pulled_right, left, 0.0f, c - 1) + f.pulled_right[c],
                    x_above = otok_beside(right, left_above, 0.0f, c - 1) + right[c];
        const float deep = PIPES == VECTOR ? f.deep_right[c] : otok_face_depth(here[c], beside[c]),
                    deep_up = otok_face_depth(here[c], above[c]);
        if (PIPES == LEAN) {
            next[c] = otok_pipe_slowed(f.pulled_right[c], f.right[c], y[c], y_right[c], deep, k);
            top[c] = otok_pipe_slowed(top[c], f.top[c], x, x_above, deep_up, k);
        } else {
            next[c] = otok_pipe_braked(f.pulled_right[c], y[c], y_right[c], deep, k);
            top[c] = otok_pipe_braked(top[c], x, x_above, deep_up, k);
        }
    }
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        right[c] = next[c];
}

#endif
