/* signed_around.cuh: the old flow around the signed pipes of a row, which a pipe's new flow may
   need besides its own: across the pipe for `friction: vector`, before and behind it for theta.
   Rows come from the slots of signed.cu as they were fetched. Here ghosts get the values that
   core/pipe_sides.h defines. */
#ifndef OTOK_FAST_SIGNED_AROUND_CUH
#define OTOK_FAST_SIGNED_AROUND_CUH

#include "strip_rows.cuh"

#include "pipe_depth.cuh"

/* What the new flow of a pipe needs. Each kind includes the one before it, except that LEAN allows
   any friction. */
enum { SMOOTH, AXIS, VECTOR, LEAN };

/* The old flow around row q: of the pipes to the right, and of those to the top, also in the rows
   before and behind. */
typedef struct otok_old_flow {
    float right[OTOK_LANE], right_above[OTOK_LANE]; /* rows q, q+1 */
    float top_below[OTOK_LANE], top[OTOK_LANE];     /* rows q-1, q */
    float top_above[OTOK_LANE];                     /* row q+1; for LEAN only */
} otok_old_flow;

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

/* Twice the flow through the cells of a row across x. */
static __device__ inline void otok_through_row(float (&x)[OTOK_LANE],
                                               const float (&right)[OTOK_LANE], float left)
{
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        x[c] = otok_through_signed({otok_beside(right, left, 0.0f, c - 1), right[c], 0.0f, 0.0f}).x;
}

/* otok_pipe_around for row q. The row's columns are `here`, the columns to the right `beside`, the
   row above `above`. */
template <int PIPES>
static __device__ inline void
otok_pipes_around(float (&right)[OTOK_LANE], float (&top)[OTOK_LANE], const otok_old_flow &old,
                  int q, const otok_column (&here)[OTOK_LANE],
                  const otok_column (&beside)[OTOK_LANE], const otok_column (&above)[OTOK_LANE],
                  const otok_frame &g, const otok_strip &s, const otok_pipe_coefficients &k)
{
    float x[OTOK_LANE], x_above[OTOK_LANE], y[OTOK_LANE];
    const float left = otok_from_left(old.right[OTOK_LANE - 1]);
    otok_through_row(x, old.right, left);
    otok_through_row(x_above, old.right_above, otok_from_left(old.right_above[OTOK_LANE - 1]));
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        y[c] = otok_through_signed({0.0f, 0.0f, old.top_below[c], old.top[c]}).y;
    if (s.side) otok_spread(y, g, s);
    const float y_right = otok_from_right(y[0]);
    if constexpr (PIPES == LEAN) {
        const float after = otok_from_right(old.right[0]);
        const bool shut = !g.wrap_x && !(g.open >> OTOK_RIGHT & 1),
                   shut_above = q == g.ny - 1 && !g.wrap_y && !(g.open >> OTOK_TOP & 1);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const float leant =
                otok_pipe_leant(otok_beside(old.right, left, 0.0f, c - 1), old.right[c],
                                otok_beside(old.right, 0.0f, after, c + 1), k);
            const float leant_up =
                otok_pipe_leant(old.top_below[c], old.top[c], old.top_above[c], k);
            right[c] =
                otok_pipe_around(old.right[c], shut && s.i + c == g.nx - 1 ? 0.0f : leant, y[c],
                                 otok_beside(y, 0.0f, y_right, c + 1), here[c], beside[c], k);
            top[c] = otok_pipe_around(old.top[c], shut_above ? 0.0f : leant_up, x[c], x_above[c],
                                      here[c], above[c], k);
        }
    } else {
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const float across = otok_beside(y, 0.0f, y_right, c + 1);
            right[c] = otok_pipe_eased(old.right[c], otok_pipe_length(old.right[c], y[c], across),
                                       here[c], beside[c], k);
            top[c] = otok_pipe_eased(old.top[c], otok_pipe_length(old.top[c], x[c], x_above[c]),
                                     here[c], above[c], k);
        }
    }
}

#endif
