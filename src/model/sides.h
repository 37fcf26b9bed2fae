/* sides.h: the speed of water that leaves over an open side of the grid, by the depth d in the cell
   at the side; below 0 water enters. */
#ifndef OTOK_SIDES_H
#define OTOK_SIDES_H

#include "coefficients.h"
#include "math.h"

/* Manning's uniform flow, d^(2/3) sqrt(S) / n. root: of the slope; smooth: 1 / n. */
OTOK_FN float otok_speed_normal(float d, float root, float smooth, otok_side_coefficients k)
{
    const float third = otok_cbrtf(d);
    const float speed = otok_smaller(third * third * (root * smooth), k.most);
    return d > 0.0f && root > 0.0f ? speed : 0.0f;
}

/* Froude number 1. */
OTOK_FN float otok_speed_critical(float d, otok_side_coefficients k)
{
    return otok_smaller(otok_root(k.gravity * d), k.most);
}

/* A rating curve: q = rate over^power, for water that stands `over` the level without flow. */
OTOK_FN float otok_speed_rated(float d, float over, float rate, float power,
                               otok_side_coefficients k)
{
    const float q = rate * otok_powf(otok_positive(over), power);
    const float speed = otok_smaller(otok_quotient(q, d), k.most);
    return d > 0.0f && over > 0.0f ? speed : 0.0f;
}

/* A level that lets waves out: the water beyond is at rest and d0 deep, so that u - 2 sqrt(g d) of
   what comes from there is -2 sqrt(g d0), and no wave comes back. */
OTOK_FN float otok_speed_of_waves(float d, float d0, otok_side_coefficients k)
{
    const float u = 2.0f * (otok_root(k.gravity * d) - otok_root(k.gravity * d0));
    return otok_larger(0.0f - k.most, otok_smaller(u, k.most));
}

/* What a discharge q per width comes in with: it is as deep as the water in the cell, or at the
   Froude number of froude2 = g Fr^2, where it is then deeper. */
OTOK_FN float otok_speed_of_inflow(float q, float d, float froude2, otok_side_coefficients k)
{
    const float own = otok_cbrtf(otok_quotient(q * q, froude2));
    const float speed = otok_smaller(otok_quotient(q, otok_larger(d, own)), k.most);
    return q > 0.0f ? speed : 0.0f;
}

#endif
