/* incision.h: rivers that cut the ground by stream power, dh/dt = -K A^m S (Howard 1994), solved
   implicitly along the receivers of a tree (Braun & Willett 2013). A cell's change is a linear map
   of that of its receiver, so maps are composed along a river. core/river_tiles.h says in which
   order, which the bits depend on. */
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

OTOK_FN float otok_ordered_height(uint32_t u)
{
    return otok_from_bits(u >> 31 ? u & 0x7fffffffu : ~u);
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

/* The largest rain of a cell, in units of that for which K holds: sums in integers fit. */
#define OTOK_RAIN_MOST 65536.0f

/* K dt A^m / l^n of a cell, with `rate` = K dt l^(2m - n), to which so many cells drain. */
OTOK_FN float otok_incision_rate(float rate, float cells, int way, otok_incision_coefficients k)
{
    const float f = rate * otok_powf(cells, k.m) * (0xa5 >> way & 1 ? k.diagonal : 1.0f);
    return way == OTOK_NO_WAY ? 0.0f : otok_smaller(f, 0x1p100f);
}

/* The change d of a cell in a step, by that of a cell downstream: d = a d_downstream + b. */
typedef struct otok_incision_map {
    float a, b;
} otok_incision_map;

OTOK_FN otok_incision_map otok_incision_still(void)
{
    const otok_incision_map m = {0.0f, 0.0f};
    return m;
}

/* Of a cell at height h whose receiver is at `below`. A cell that is not above its receiver keeps
   its height. */
OTOK_FN otok_incision_map otok_incised(float h, float below, float f)
{
    const float a = f / (1.0f + f);
    const otok_incision_map m = {a, -((h - below) * a)};
    return h > below ? m : otok_incision_still();
}

OTOK_FN float otok_incision_moves(otok_incision_map m, float downstream)
{
    return fmaf(m.a, downstream, m.b);
}

/* First `next`, which leads from the cell that `m` comes from further down, then m. */
OTOK_FN otok_incision_map otok_incision_joined(otok_incision_map m, otok_incision_map next)
{
    const otok_incision_map all = {m.a * next.a, otok_incision_moves(m, next.b)};
    return all;
}

#endif
