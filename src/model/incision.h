/* incision.h: rivers that cut the ground by stream power, dh/dt = -K A^m S (Howard 1994), solved
   implicitly along the receivers of a tree (Braun & Willett 2013). A cell's change follows from
   that of its receiver by one expression, so any order in which receivers come before their donors
   gives the same bits. */
#ifndef OTOK_INCISION_H
#define OTOK_INCISION_H

#include "coefficients.h"
#include "dither.h"

/* Directions: 0 to 7 are NW N NE W E SW S SE, so 7 - q is the way back of q; 8: none. */
enum { OTOK_WAYS = 8, OTOK_NO_WAY = OTOK_WAYS };

OTOK_FN int otok_way_x(int q)
{
    return (0x9224 >> 2 * q & 3) - 1; /* two bits per direction */
}

OTOK_FN int otok_way_y(int q)
{
    return (0x016a >> 2 * q & 3) - 1;
}

/* The share of a drop that a way has as its slope, in units of 1/l. */
OTOK_FN float otok_way_slope(int q)
{
    return 0xa5 >> q & 1 ? 0.70710678f : 1.0f;
}

/* A number for each number, with the bits well mixed (Wellons 2018), and the way back. */
OTOK_FN uint32_t otok_mixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

OTOK_FN uint32_t otok_unmixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x43021123u;
    x = (x ^ x >> 15 ^ x >> 30) * 0x1d69e2a5u;
    return x ^ x >> 16;
}

/* A height as an integer of the same order. */
OTOK_FN uint32_t otok_height_order(float h)
{
    const uint32_t u = otok_bits(h + 0.0f); /* no -0 */
    return u >> 31 ? ~u : u | 0x80000000u;
}

/* The way that a cell drains, by its slopes to its neighbours (0: none): the steepest, the first of
   those that are equal; or one by a number 0 <= drawn < 1, by slope. */
OTOK_FN int otok_way_down(const float *slopes, int random, float drawn)
{
    int way = OTOK_NO_WAY;
    float most = 0.0f, all = 0.0f;
    for (int q = 0; q < OTOK_WAYS; q++) {
        way = slopes[q] > most ? q : way;
        most = slopes[q] > most ? slopes[q] : most;
        all += slopes[q];
    }
    if (!random) return way;
    float sum = 0.0f;
    for (int q = 0; q < OTOK_WAYS; q++) {
        sum += slopes[q];
        if (slopes[q] > 0.0f && drawn * all < sum) return q;
    }
    return way;
}

/* K dt A^m / l of a cell, with `rate` = K dt l^(2m - 1), to which so many cells drain. */
OTOK_FN float otok_incision_rate(float rate, uint32_t cells, int way, float m)
{
    const float f = rate * otok_powf((float)cells, m) * otok_way_slope(way);
    return way == OTOK_NO_WAY ? 0.0f : otok_smaller(f, 0x1p100f);
}

/* The change in a step of a cell at height h whose receiver is at `below` and changes by `moves`. A
   cell that is not above its receiver keeps its height. */
OTOK_FN float otok_incised(float h, float below, float f, float moves)
{
    const float a = f / (1.0f + f), b = -((h - below) * a);
    return h > below ? fmaf(a, moves, b) : 0.0f;
}

#endif
