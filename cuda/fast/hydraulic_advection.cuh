/* hydraulic_advection.cuh: semi-Lagrangian transport and mixing of a row, for hydraulic_walk.cuh.
   The physics is in model/. */
#ifndef OTOK_FAST_HYDRAULIC_ADVECTION_CUH
#define OTOK_FAST_HYDRAULIC_ADVECTION_CUH

#include "hydraulic_rows.cuh"

/* Transport in row o. Of the rows of sediment s1, which are ordered by age, s1[3] is row o and
   s1[2] the row above; `below` is the row below. */
static __device__ __forceinline__ void
advect_row(float (&out)[OTOK_LANE], float (&s1)[4][OTOK_LANE], float (&s1_left)[5],
           float (&s1_right)[5], float (&below)[OTOK_LANE], const float (&u)[OTOK_LANE],
           const float (&w)[OTOK_LANE], int o, const otok_transport_coefficients &k,
           const otok_frame &g)
{
    if (!g.wrap_y && o == 0) {
        RARELY;
        for (int c = 0; c < OTOK_LANE; c++)
            below[c] = s1[3][c];
        s1_left[4] = s1_left[3], s1_right[4] = s1_right[3];
    }
    if (!g.wrap_y && o == g.ny - 1) {
        RARELY;
        for (int c = 0; c < OTOK_LANE; c++)
            s1[2][c] = s1[3][c];
        s1_left[2] = s1_left[3], s1_right[2] = s1_right[3];
    }
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const otok_moore around = {s1[3][c],
                                   otok_beside(s1[3], s1_left[3], s1_right[3], c - 1),
                                   otok_beside(s1[3], s1_left[3], s1_right[3], c + 1),
                                   below[c],
                                   s1[2][c],
                                   otok_beside(below, s1_left[4], s1_right[4], c - 1),
                                   otok_beside(below, s1_left[4], s1_right[4], c + 1),
                                   otok_beside(s1[2], s1_left[2], s1_right[2], c - 1),
                                   otok_beside(s1[2], s1_left[2], s1_right[2], c + 1)};
        out[c] = otok_advection(around, u[c], w[c], k);
    }
}

/* One sweep of mixing in row n, which is s2[4] of the rows of sediment by age. `wet_cells` has a
   bit a column, four for each of rows n+2 to n-1. */
template <int WHOLE>
static __device__ __forceinline__ void mix_row(float (&out)[OTOK_LANE], float (&s2)[6][OTOK_LANE],
                                               unsigned wet_cells, int n, const otok_frame &g,
                                               const otok_strip &s)
{
    enum {
        ABOVE = OTOK_LANE,
        HERE = 2 * OTOK_LANE,
        BELOW = 3 * OTOK_LANE,
        LAST = HERE + OTOK_LANE - 1
    };
    const bool low = !g.wrap_y && n == 0, high = !g.wrap_y && n == g.ny - 1;
    unsigned wet_here = wet_cells;
    if (low) { /* the row beyond the edge equals the edge row */
        RARELY;
        for (int c = 0; c < OTOK_LANE; c++)
            s2[5][c] = s2[4][c];
        wet_here = (wet_here & ~(15u << BELOW)) | (wet_here >> HERE & 15u) << BELOW;
    }
    if (high) {
        RARELY;
        for (int c = 0; c < OTOK_LANE; c++)
            s2[3][c] = s2[4][c];
        wet_here = (wet_here & ~(15u << ABOVE)) | (wet_here >> HERE & 15u) << ABOVE;
    }
    float s_left = otok_left<WHOLE>(s2[4][OTOK_LANE - 1], s2[4][0], g, s);
    float s_right = otok_right<WHOLE>(s2[4][0], s2[4][OTOK_LANE - 1], g, s);
    unsigned wet_left = otok_left<WHOLE>(wet_here >> LAST, wet_here >> HERE, g, s);
    unsigned wet_right = otok_right<WHOLE>(wet_here >> HERE, wet_here >> LAST, g, s);
    if (!WHOLE && s.side && !g.wrap_x) {
        otok_copy_ghosts(s2[4], s_left, s_right, g, s);
        const int inside = g.nx - s.i;
        if (s.i == 0) wet_left = wet_here >> HERE;
        if (inside == OTOK_LANE) wet_right = wet_here >> LAST;
        if (inside > 0 && inside < OTOK_LANE)
            wet_here = (wet_here & ~(1u << (HERE + inside))) |
                       (wet_here >> (HERE + inside - 1) & 1u) << (HERE + inside);
    }
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const otok_cross around = {s2[4][c], otok_beside(s2[4], s_left, s_right, c - 1),
                                   otok_beside(s2[4], s_left, s_right, c + 1), s2[5][c], s2[3][c]};
        const unsigned to_left = c > 0 ? wet_here >> (HERE + c - 1) : wet_left;
        const unsigned to_right = c < OTOK_LANE - 1 ? wet_here >> (HERE + c + 1) : wet_right;
        out[c] = otok_mix_wet(around, wet_here >> (HERE + c) & 1, to_left & 1, to_right & 1,
                              wet_here >> (BELOW + c) & 1, wet_here >> (ABOVE + c) & 1);
    }
}

#endif
