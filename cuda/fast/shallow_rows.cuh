/* shallow_rows.cuh: the rows that shallow_walk.cuh keeps, and what is beyond the sides of the grid.
 */
#ifndef OTOK_FAST_SHALLOW_ROWS_CUH
#define OTOK_FAST_SHALLOW_ROWS_CUH

#include "signed_rows.cuh"

#include "model/shallow.h"

/* Rows that wait for later ones, beside those of signed pipes: of row r-3 and of row r-4 the speeds
   through its faces, the flow to the top, and the fall to the right; of row r-3 the flow to the
   right and the depth after the flow. */
enum { U_RIGHT, U_TOP, F_TOP, FALL, WAITING };

typedef struct otok_shallow_shared {
    otok_signed_shared common;                   /* the first, which otok_signed_base knows */
    otok_slot before[WAITING], earlier[WAITING]; /* rows r-3, r-4 */
    otok_slot flow_right, depth;
} otok_shallow_shared;

typedef struct otok_face_row {
    float speed[OTOK_LANE], flow[OTOK_LANE];
} otok_face_row;

typedef struct otok_pull_row {
    float speed[OTOK_LANE], depth[OTOK_LANE];
} otok_pull_row;

/* No water beyond open sides, in row j. */
__device__ __forceinline__ void otok_dry_beyond(float (&d)[OTOK_LANE], int j, const otok_frame &g,
                                                const otok_strip &s)
{
    const int below = g.open >> OTOK_BOTTOM & 1, above = g.open >> OTOK_TOP & 1;
    const bool beyond = !g.wrap_y && ((j < 0 && below) || (j >= g.ny && above));
    if (!beyond && (!s.side || g.wrap_x)) return;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        if (beyond || (!g.wrap_x && ((s.i + c < 0 && (g.open >> OTOK_LEFT & 1)) ||
                                     (s.i + c >= g.nx && (g.open >> OTOK_RIGHT & 1)))))
            d[c] = 0.0f;
}

/* A row of faces to the top: in the columns beside the grid is what is in the grid beside them.
 */
__device__ __forceinline__ void otok_copy_beside(float (&v)[OTOK_LANE], const otok_frame &g,
                                                 const otok_strip &s)
{
    if ((!s.side || g.wrap_x)) return;
    const float next = otok_from_right(v[0]), last = otok_from_left(v[OTOK_LANE - 1]);
    if (s.i < 0) v[OTOK_LANE - 1] = next;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        if (s.i + c == g.nx) v[c] = otok_beside(v, last, 0.0f, c - 1);
}

/* Columns -1 .. 4 of a row. */
static __device__ __forceinline__ otok_pull otok_pull_at(const otok_pull_row &row,
                                                         const otok_pull &left,
                                                         const otok_pull &right, int c)
{
    const otok_pull p = {otok_beside(row.speed, left.speed, right.speed, c),
                         otok_beside(row.depth, left.depth, right.depth, c)};
    return p;
}

static __device__ __forceinline__ otok_pull otok_last_of_left(const otok_pull_row &row)
{
    const otok_pull p = {otok_from_left(row.speed[OTOK_LANE - 1]),
                         otok_from_left(row.depth[OTOK_LANE - 1])};
    return p;
}

static __device__ __forceinline__ otok_pull otok_first_of_right(const otok_pull_row &row)
{
    const otok_pull p = {otok_from_right(row.speed[0]), otok_from_right(row.depth[0])};
    return p;
}

/* Which end of its line a face is: -1 the open start, 1 the open end, 0 neither. */
static __device__ __forceinline__ int otok_end_of(int n, int size, bool wraps, int open,
                                                  int start_side)
{
    if (!open || wraps) return 0;
    if (n == -1 && (open >> start_side & 1)) return -1;
    return n == size - 1 && (open >> (start_side + 1) & 1) ? 1 : 0;
}

/* Along its axis: speeds and flows of a face and of those before and after it, and the depths
   of its cells. */
static __device__ __forceinline__ void otok_along(otok_passage &p, int side, float before, float u,
                                                  float after, float f_before, float f,
                                                  float f_after, float d_a, float d_b)
{
    const float in = side < 0 ? f : f_before, on = side > 0 ? f : f_after;
    p.u = u;
    p.before = side < 0 ? u : before;
    p.after = side > 0 ? u : after;
    p.through_a = in + (side > 0 ? in : f);
    p.through_b = (side < 0 ? on : f) + on;
    p.twice = (side < 0 ? d_b : d_a) + (side > 0 ? d_a : d_b);
}

#endif
