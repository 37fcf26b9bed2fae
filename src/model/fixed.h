/* fixed.h: sums that do not depend on the order of their terms. A float becomes two small integers, value = hi*2^-8 + lo*2^-39,
   exact to 2^-39 for |value| < 2^22; integers add up without rounding. Larger values saturate, NaN counts as 0: both are
   found by the census of values that are not finite, not here. */
#ifndef OTOK_FIXED_H
#define OTOK_FIXED_H

#include "common.h"

typedef struct otok_fixed {
    int32_t hi, lo;
} otok_fixed;

OTOK_FN otok_fixed otok_fixed_from(float value)
{
    const float limit = 4194304.0f; /* 2^22 */
    float v = value == value ? value : 0.0f;
    v = v > limit ? limit : v;
    v = v < -limit ? -limit : v;
    otok_fixed f;
    const float scaled = v * 256.0f;
    f.hi = (int32_t)scaled; /* towards 0, exact remainder */
    f.lo = (int32_t)((scaled - (float)f.hi) * 2147483648.0f);
    return f;
}

/* Metres of a pair of integer sums; on the host, for ledgers. */
static inline double otok_fixed_value(int64_t hi, int64_t lo)
{
    return (double)hi * 0x1p-8 + (double)lo * 0x1p-39;
}

#endif
