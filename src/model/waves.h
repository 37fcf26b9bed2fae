/* waves.h: waves that carry an energy flux in one direction over a sea bed. The flux P = E c_g
   [W/m], E = rho g H^2 / 16, is in units of that of the open sea, P_open, so that density cancels.
   Only the flux is conserved over a changing depth.

   With c = g T / 4 pi, the group speed in deep water, and s = c_g / c = min(1, sqrt(g d) / c):
   wind      E + 1.6e-7 rho U^2 ds (JONSWAP, H = 1.6e-3 sqrt(g F / U^2) U^2 / g; Hasselmann et al.
             1973), until H = 0.24 U^2 / g
   breaking  H <= gamma d (Thornton & Guza 1983)
   friction  dP/ds = -a P^1.5, a = 2 / (3 pi) rho f_w phi^3 (16 / (rho g c_g))^1.5, exactly over a
             cell: P / (1 + a sqrt(P) ds / 2)^2. phi H is the velocity at the bed. phi =
             sqrt(g / d) / 2 exp(-y (1/3 + 0.085 y)), y = (2 pi / T)^2 d / g, is within 1 % of
   Airy's for y < 3. With z = g d / c^2, which has no unit, sqrt(g d) / c = sqrt(z) and y = z / 4.
 */
#ifndef OTOK_WAVES_H
#define OTOK_WAVES_H

#include "coefficients.h"
#include "math.h"

/* Kinds of direction by their angle to the axis that they are swept along: 0, 22.5, 45 degrees. */
enum { OTOK_WAVE_KINDS = 3 };

/* What a cell does to waves from all directions. Dry: all is 0. */
typedef struct otok_wave_bed {
    float speed; /* s */
    float rub;   /* a sqrt(P_open) / 2 [1/m] */
    float most;  /* the flux of waves about to break */
} otok_wave_bed;

OTOK_FN otok_wave_bed otok_wave_bed_of(float depth, otok_wave_coefficients k)
{
    otok_wave_bed bed = {0.0f, 0.0f, 0.0f};
    if (!(depth > 0.0f)) return bed;
    const float z = depth * k.swift, high = depth * k.breaks;
    bed.speed = otok_smaller(sqrtf(z), 1.0f);
    bed.most = (high * high) * bed.speed;
    const float thin = otok_larger(z, 1e-6f); /* less water has no waves to speak of */
    const float y = 0.25f * thin, root = sqrtf(thin), s = otok_smaller(root, 1.0f);
    const float x = otok_exp_decay(-y * (0.33333333f + 0.085f * y)) / root;
    bed.rub = k.rough * (x * x * x) / (s * sqrtf(s));
    return bed;
}

/* The flux that enters a cell, from the cell before it and from the diagonal one. */
OTOK_FN float otok_wave_enters(float before, float diagonal, int kind, otok_wave_coefficients k)
{
    return k.keep[kind] * before + k.lean[kind] * diagonal;
}

/* The flux after the wind of a cell. Wind does not lower waves that are higher than it can make. */
OTOK_FN float otok_wave_grows(float flux, otok_wave_bed bed, int kind, otok_wave_coefficients k)
{
    const float grown = otok_smaller(flux + k.gain[kind] * bed.speed, k.full * bed.speed);
    return otok_larger(flux, grown);
}

/* The flux after the losses of a cell. */
OTOK_FN float otok_wave_leaves(float flux, otok_wave_bed bed, int kind, otok_wave_coefficients k)
{
    const float p = otok_smaller(flux, bed.most);
    const float q = 1.0f + bed.rub * sqrtf(p) * k.way[kind];
    return p / (q * q);
}

/* The flux of four directions a quarter turn apart, by their weights. Turning or mirroring them
   does not change the bits. */
OTOK_FN float otok_wave_four(const float *flux, const float *weight)
{
    return (weight[0] * flux[0] + weight[2] * flux[2]) +
           (weight[1] * flux[1] + weight[3] * flux[3]);
}

typedef struct otok_wave_vector {
    float x, y;
} otok_wave_vector;

/* The same as a vector; group 0, 1, 2, 3 goes 0, 45, 22.5, 67.5 degrees from the right. 0 is +0. */
OTOK_FN otok_wave_vector otok_wave_sum(const float *flux, const float *weight, int group)
{
    const float a = weight[0] * flux[0] - weight[2] * flux[2],
                b = weight[1] * flux[1] - weight[3] * flux[3];
    const float c = group == 0   ? 1.0f
                    : group == 1 ? 0.70710678f
                    : group == 2 ? 0.92387953f
                                 : 0.38268343f;
    const float s = group == 0   ? 0.0f
                    : group == 1 ? 0.70710678f
                    : group == 2 ? 0.38268343f
                                 : 0.92387953f;
    const otok_wave_vector sum = {(c * a - s * b) + 0.0f, (s * a + c * b) + 0.0f};
    return sum;
}

#endif
