/* sides.h: the speed of water that leaves over an open side of the grid, by the depth d in the cell
   at the side. */
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

#endif
