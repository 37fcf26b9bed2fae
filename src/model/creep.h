/* creep.h: linear creep, dh/dt = D laplace(h) (Culling 1960), in flux form. */
#ifndef OTOK_CREEP_H
#define OTOK_CREEP_H

#include "coefficients.h"
#include "common.h"

/* Goes through a face with unlimited share; nothing does to or from +infinity, which is outside the
   grid. */
OTOK_FN float otok_creep_face(float first, float second, otok_creep_coefficients k)
{
    (void)k;
    return first < INFINITY && second < INFINITY ? first - second : 0.0f;
}

#endif
