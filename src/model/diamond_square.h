/* diamond_square.h: one point of a fractal lattice, by diamond-square (M13 chapter 3) or midpoint
   displacement. Points of depth d are 2^(levels - d) apart. The random number of a point depends on
   its position (u, v) among the points of its depth, so that a lattice with more levels keeps the
   points of one with fewer. midpoint_fill.h finds the neighbours of a point. */
#ifndef OTOK_DIAMOND_SQUARE_H
#define OTOK_DIAMOND_SQUARE_H

#include "random.h"

enum { OTOK_LEVELS = 15 }; /* a side has at most 2^15 + 1 points */

/* lo + (hi - lo) U. The caller has multiplied lo and hi - lo by k^level. U is the random number of
   point (u, v) of this depth (M13 section 3.1). */
OTOK_FN float otok_midpoint_random(const uint32_t seed[2], uint32_t stream, int depth, int u, int v,
                                   float low, float span)
{
    const uint64_t point = (uint64_t)(uint32_t)v << 32 | (uint32_t)u;
    return fmaf(span,
                otok_uniform(otok_random(seed[0], seed[1], stream, point, (uint32_t)depth).v[0]),
                low);
}

/* The mean of the corners of a square. */
OTOK_FN float otok_midpoint_square(float bottom_left, float bottom_right, float top_left,
                                   float top_right)
{
    return 0.25f * ((bottom_left + top_right) + (bottom_right + top_left));
}

/* The mean of the corners of a diamond. On a border one corner is missing: it is 0 and `n` is 3. */
OTOK_FN float otok_midpoint_diamond(otok_four corners, int n)
{
    return n == 4 ? 0.25f * otok_sum_four(corners) : otok_sum_four(corners) / 3.0f;
}

#endif
