/* creep.h: linear creep, dh/dt = D laplace(h) (Culling 1960), in flux form. */
#ifndef OTOK_CREEP_H
#define OTOK_CREEP_H

#include "coefficients.h"
#include "common.h"

/* The inflow from one neighbour; 0 from +infinity, which is outside the grid. */
OTOK_FN float otok_creep_from(float there, float here)
{
    return there < INFINITY ? there - here : 0.0f;
}

OTOK_FN float otok_creep_next(float change, otok_cross h, otok_creep_coefficients k)
{
    const float x = otok_creep_from(h.left, h.here) + otok_creep_from(h.right, h.here);
    const float y = otok_creep_from(h.bottom, h.here) + otok_creep_from(h.top, h.here);
    return change + k.share * (x + y);
}

#endif
