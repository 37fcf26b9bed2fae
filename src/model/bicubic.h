/* bicubic.h: the cubic of Catmull and Rom (1974) through four values in a row. It passes through b
   and c with the slopes (c - a)/2 and (d - b)/2. Applied along four rows and then across them, it
   makes a fine map from a coarse one. */
#ifndef OTOK_BICUBIC_H
#define OTOK_BICUBIC_H

#include "common.h"

/* The value at t between b (t = 0) and c (t = 1): b + t/2 ((c - a) + t (2 p - q + t (q - p))). p
   and q are the second differences at b and at c. On a straight line the value is exactly b + t/2
   (c - a). */
OTOK_FN float otok_cubic(float a, float b, float c, float d, float t)
{
    const float p = (c - b) - (b - a), q = (d - c) - (c - b);
    return fmaf(0.5f * t, fmaf(t, fmaf(t, q - p, 2.0f * p - q), c - a), b);
}

#endif
