/* fixed.h: sums that do not depend on the order of their terms. A float becomes two small integers,
   value = hi*2^-8 + lo*2^-39. This is exact to 2^-39 for |value| < 2^22, and integers add up
   without rounding. Larger values saturate and NaN counts as 0; a separate count of values that are
   not finite finds both. */
#ifndef OTOK_FIXED_H
#define OTOK_FIXED_H

#include "math.h"

typedef struct otok_fixed {
    int32_t hi, lo;
} otok_fixed;

OTOK_FN otok_fixed otok_fixed_from(float value)
{
    const uint32_t bits = otok_bits(
        value); /* as integers, because compilers do not vectorise comparisons that branch */
    uint32_t size = bits & 0x7fffffffu;
    size &= 0u - (uint32_t)(size <= 0x7f800000u);   /* NaN: 0 */
    size = size < 0x4a800000u ? size : 0x4a800000u; /* at most 2^22 */
    const float v = otok_from_bits(size | (bits & 0x80000000u));
    otok_fixed f;
    const float scaled = v * 256.0f;
    f.hi = (int32_t)scaled; /* towards 0; the remainder is exact */
    f.lo = (int32_t)((scaled - (float)f.hi) * 2147483648.0f);
    return f;
}

/* The metres of a pair of integer sums; on the host, for ledgers. */
static inline double otok_fixed_value(int64_t hi, int64_t lo)
{
    return (double)hi * 0x1p-8 + (double)lo * 0x1p-39;
}

#endif
