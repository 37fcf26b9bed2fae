/* uplift.h: a ground that rises or sinks with all that lies in it. The rise since the start of the
   run, as if its rate were that of this phase, is a whole number of 2^-39 m. A height rises by
   whole numbers of its last digit: the difference of the two sums, each rounded to that digit. So
   the differences of many tiny steps add up to the rounded sum, and none is lost, whatever the
   height.
 */
#ifndef OTOK_UPLIFT_H
#define OTOK_UPLIFT_H

#include "math.h"

/* The rise [2^-39 m] after so many seconds at a rate [m/s]. */
OTOK_FN int64_t otok_uplift_sum(double rate, double seconds)
{
    return llrint(rate * seconds * 0x1p39);
}

/* What a height rises by [m] while the sum goes from `from` to `to`. `size` is the largest absolute
   height of those that rise together: the last digit is that of the largest. */
OTOK_FN float otok_uplift_rise(int64_t from, int64_t to, float size)
{
    const float least = fabsf((float)(to - from)) * 0x1p-39f;
    const int exponent = (int)(otok_bits(size > least ? size : least) >> 23 & 255u);
    const int shift = exponent < 111 ? 0 : exponent > 160 ? 49 : exponent - 111; /* of 2^-39 m */
    const int64_t half = (INT64_C(1) << shift) >> 1;
    const int64_t n = ((to + half) >> shift) - ((from + half) >> shift);
    return (float)n * otok_from_bits((uint32_t)(shift + 88) << 23);
}

#endif
