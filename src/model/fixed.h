/* fixed.h: sums that do not depend on the order of their terms. A float becomes two small integers,
   value = hi*2^-8 + lo*2^-39, exact to 2^-39 for |value| < 2^22; integers add up without rounding.
   Larger values saturate, NaN counts as 0: both are found by the count of values that are not
   finite, not here. */
#ifndef OTOK_FIXED_H
#define OTOK_FIXED_H

#include "math.h"

typedef struct otok_fixed {
    int32_t hi, lo;
} otok_fixed;

OTOK_FN otok_fixed otok_fixed_from(float value)
{
    const uint32_t bits = otok_bits(
        value); /* as integers, because a compiler makes no vectors of comparisons that branch */
    uint32_t size = bits & 0x7fffffffu;
    size &= 0u - (uint32_t)(size <= 0x7f800000u);   /* NaN: 0 */
    size = size < 0x4a800000u ? size : 0x4a800000u; /* 2^22 at most */
    const float v = otok_from_bits(size | (bits & 0x80000000u));
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
