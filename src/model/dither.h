/* dither.h: adds amounts that may be less than the last digit of a depth or of a height: rain,
   rivers, evaporation; creep, growth of a reef, karst. A dither rounds each of them up or down, so
   that the mean over iterations and cells is exact. The result is still a pure function of (depth,
   amount, cell, iteration).
   The dither of a cell is a phase modulo 2^23: a multiple of the golden ratio for the iteration,
   which the host computes, plus a lattice over the cells. Both are spread far more evenly than
   random numbers. 1000 iterations over still water therefore get all of the rain within 0.1 %, or
   within half an ulp of a cell's depth over the root of the number of cells, whichever is more
   (tests/dither_mean.c).
   A cell's distance is counted from the nearer side, in x and in y, and the two distances are
   interchangeable: a scene that is mirrored, turned or transposed keeps its bits. The constants
   come from a search for the least error of sums over 64^2 to 512^2 cells and 100 to 1000
   iterations. */
#ifndef OTOK_DITHER_H
#define OTOK_DITHER_H

#include "math.h"

#define OTOK_DITHER_ITERATION 0x4f1bbdu /* 2^23 times 0.618034, the golden ratio */
#define OTOK_DITHER_SIDES 0x68b1cbu     /* 2^23 times 0.817926 */
#define OTOK_DITHER_SIDE 0x596065u      /* 2^23 times 0.698254 */
#define OTOK_DITHER_TURN                                                                           \
    0x400000u /* half a turn of the phase, for a second amount in the same cell and iteration */

#define OTOK_DITHER_QUARTER 0x200000u /* a quarter, for a third one */

/* Below this depth the amount is 2^11 ulps or more, so that rounding to nearest is exact to 2^-12
   of the amount. Infinite for an amount of 0. */
OTOK_FN float otok_coarse(float amount)
{
    return amount > 0.0f ? amount * 0x1p12f : INFINITY;
}

/* The number of cells between cell i of n and the nearer end. */
OTOK_FN uint32_t otok_dither_distance(int i, int n)
{
    const int other = n - 1 - i;
    return (uint32_t)(i < other ? i : other);
}

/* `now` is the part of the iteration; a and b are otok_dither_distance in x and in y. */
OTOK_FN uint32_t otok_dither_phase(uint32_t now, uint32_t a, uint32_t b)
{
    return now + OTOK_DITHER_SIDES * b + OTOK_DITHER_SIDES * a + OTOK_DITHER_SIDE * (a < b ? a : b);
}

/* The dither of a phase: -1/2 <= dither < 1/2, times 2^-23. */
OTOK_FN float otok_dither(uint32_t phase)
{
    return fmaf(otok_from_bits((phase & 0x7fffffu) | 0x3f800000u), 0x1p-23f, -0x1.8p-23f);
}

/* The largest power of two that is not above x; 0 for a denormal. 2^-23 of it is an ulp of x. */
OTOK_FN float otok_binade(float x)
{
    return otok_from_bits(otok_bits(x) & 0x7f800000u);
}

/* d + more, for more >= 0, exact in the mean. The result is not below d, and is d for more = 0. */
OTOK_FN float otok_add_exactly(float d, float more, float dither)
{
    const float sum = d + fmaf(otok_binade(d), dither, more);
    return more > 0.0f ? otok_larger_number(d, sum) : d;
}

/* d - less, for less > 0, exact in the mean, and 0 where there is no more than that. */
OTOK_FN float otok_give_exactly(float d, float less, float dither)
{
    const float rest = d + fmaf(otok_binade(d), dither, 0.0f - less);
    const float kept = rest < d ? rest : d;
    return d > less && kept > 0.0f ? kept : 0.0f;
}

/* The ground: h + more, where `more` of either sign may be less than the last digit of h. Of the
   two heights on the grid of that digit around the exact sum it is the one that the dither chooses;
   over dithers that are spread evenly its mean is the exact sum. So ground moves at any height and
   step as it does at sea level, h + 0 is h, and no step moves it the other way. From 2^10 last
   digits on rounding to nearest is exact to 2^-11 of `more`, and the dither does nothing. */
OTOK_FN float otok_ground_add(float h, float more, float dither)
{
    const float binade = otok_binade(h), grid = 1.5f * binade;
    const float whole = (more + grid) - grid;
    /* Half the distance between dithers, so that none is -1/2, halfway to the height below. */
    const float part = (fmaf(binade, dither + 0x1p-47f, more - whole) + grid) - grid;
    return fabsf(more) < 0x1p-13f * binade ? h + (whole + part) : h + more;
}

/* d - part d, for 0 < part < 1/4, exact in the mean. The result is not above d and not below 0. An
   ulp is here the distance to the next smaller depth. Adding 1.5 binades and subtracting them again
   rounds to a whole number of ulps. */
OTOK_FN float otok_take_exactly(float d, float part, float dither)
{
    const float binade = otok_from_bits((otok_bits(d) - (d > 0.0f)) & 0x7f800000u),
                grid = 1.5f * binade;
    return d + ((fmaf(binade, dither, -(part * d)) + grid) - grid);
}

#endif
