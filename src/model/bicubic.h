/* bicubic.h: the cubic of Catmull and Rom (1974) through four values in a row: it meets b and c,
   with slopes (c - a)/2 and (d - b)/2 there. Along four rows and then across them it makes a fine
   map from a coarse one. */
#ifndef OTOK_BICUBIC_H
#define OTOK_BICUBIC_H

#include "common.h"

/* From b (t = 0) to c (t = 1): b + t/2 ((c - a) + t (2 p - q + t (q - p))), p and q how much the
   line bends at b and at c. Where it does not bend, the value is exactly b + t/2 (c - a). */
OTOK_FN float otok_cubic(float a, float b, float c, float d, float t)
{
    const float p = (c - b) - (b - a), q = (d - c) - (c - b);
    return fmaf(0.5f * t, fmaf(t, fmaf(t, q - p, 2.0f * p - q), c - a), b);
}

#endif
