/* math.h: exp, log, pow and cbrt of the model, with the same bits on every processor. Each is right
   for every float: denormals are handled, overflow gives infinity, NaN gives NaN. The code is
   straight lines with selects, so that loops over it become vectors.
   The reductions and compensated sums are textbook (Dekker 1971; Muller et al., Handbook of
   Floating-Point Arithmetic); the coefficients are minimax fits of our own. Largest errors found,
   in ulp (tests/math_*.c):

     otok_expf 0.759  every float      otok_cbrtf 0.535  every float
     otok_logf 0.616  every float > 0  otok_powf  0.774  sampled, see the test */
#ifndef OTOK_MATH_H
#define OTOK_MATH_H

#include "common.h"

#include <string.h>

OTOK_FN uint32_t otok_bits(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

OTOK_FN float otok_from_bits(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* u / 3 for u < 2^31. */
OTOK_FN uint32_t otok_third(uint32_t u)
{
#ifdef __CUDA_ARCH__
    return __umulhi(u, 0x55555556u); /* (2^32 + 2) / 3 */
#else
    return u / 3u;
#endif
}

/* otok_length where x or y is not 0; any value, and NaN too, where both are. */
OTOK_FN float otok_length_of_some(float x, float y)
{
    const uint32_t exponent = otok_bits(otok_larger_number(fabsf(x), fabsf(y))) & 0x7f800000u;
    const float down = otok_from_bits(0x7f000000u - exponent);
    const float a = x * down, b = y * down; /* the larger is in [1, 2) */
    return otok_root_of_normal(fmaf(a, a, b * b)) * otok_from_bits(exponent);
}

/* sqrt(x^2 + y^2) for finite x and y below 2^127; 0 for denormals. A scale by a power of two keeps
   squares from overflowing, and squares that matter from vanishing. The signs of x and y do not
   change the bits. */
OTOK_FN float otok_length(float x, float y)
{
    const float length = otok_length_of_some(x, y);
    return x != 0.0f || y != 0.0f ? length : 0.0f;
}

/* A number as a float plus a much smaller float, not rounded to one. */
typedef struct otok_pair {
    float hi, lo;
} otok_pair;

/* a + b without error, for |a| >= |b| or a = 0. */
OTOK_FN otok_pair otok_pair_sum(float a, float b)
{
    otok_pair p;
    p.hi = a + b;
    p.lo = b - (p.hi - a);
    return p;
}

OTOK_FN otok_pair otok_pair_product(float a, float b)
{
    otok_pair p;
    p.hi = a * b;
    p.lo = fmaf(a, b, -p.hi);
    return p;
}

/* x + 1.5 2^23 has the integer nearest to x in its low bits, for |x| < 2^22. Subtracting the
   constant gives that integer as a float. */
#define OTOK_ROUND 12582912.0f
#define OTOK_INFINITY otok_from_bits(0x7f800000u)
#define OTOK_NAN otok_from_bits(0x7fc00000u)

/* e^(r.hi + r.lo) for |r| < 0.35. */
OTOK_FN float otok_exp_part(otok_pair r)
{
    float q = 1.9789246e-4f;
    q = fmaf(q, r.hi, 1.3944521e-3f);
    q = fmaf(q, r.hi, 8.333499e-3f);
    q = fmaf(q, r.hi, 4.16663e-2f);
    q = fmaf(q, r.hi, 1.6666666e-1f);
    q = fmaf(q, r.hi, 0.5f);
    const otok_pair s = otok_pair_sum(1.0f, r.hi);
    return s.hi + (s.lo + fmaf(r.hi * r.hi, q, r.lo));
}

/* e^(r.hi + r.lo) 2^n for |r| < 0.35 and `rounded` = OTOK_ROUND + n, |n| <= 252. 2^n is multiplied
   in two halves, for gradual underflow. */
OTOK_FN float otok_exp_scaled(otok_pair r, float rounded)
{
    const float e = otok_exp_part(r);
    const int32_t n = (int32_t)(otok_bits(rounded) - otok_bits(OTOK_ROUND));
    const int32_t half = n / 2;
    return e * otok_from_bits((uint32_t)(half + 127) << 23) *
           otok_from_bits((uint32_t)(n - half + 127) << 23);
}

/* x - n ln 2. */
OTOK_FN otok_pair otok_exp_rest(float x, float n)
{
    const float exact =
        fmaf(n, -0.693145751953125f, x);   /* ln 2 to 16 bits, so that this does not round */
    const float rest = n * -1.4286068e-6f; /* the rest of ln 2 */
    otok_pair r;
    r.hi = exact + rest;
    r.lo = rest - (r.hi - exact);
    return r;
}

OTOK_FN float otok_expf(float x)
{
    x = x > 89.0f ? 89.0f : x; /* the result is infinity above 88.73 and 0 below -103.98 */
    x = x < -105.0f ? -105.0f : x;
    const float rounded = fmaf(x, 1.442695f, OTOK_ROUND);
    return otok_exp_scaled(otok_exp_rest(x, rounded - OTOK_ROUND), rounded);
}

/* otok_expf for x <= 0: the same bits by fewer instructions. 2^(n + 64) is added to the exponent,
   which stays in range. */
OTOK_FN float otok_exp_decay(float x)
{
    const float round = OTOK_ROUND + 64.0f;
    x = x < -105.0f ? -105.0f : x;
    const float rounded = fmaf(x, 1.442695f, round);
    const float e = otok_exp_part(otok_exp_rest(x, rounded - round));
    return otok_from_bits(otok_bits(e) + (otok_bits(rounded) << 23)) *
           0x1p-64f; /* gradual underflow happens here */
}

/* x = 2^exponent (1 + f), 1 + f in [sqrt(1/2), sqrt(2)), for finite x > 0. */
typedef struct otok_split {
    float exponent, f;
} otok_split;

OTOK_FN otok_split otok_split_float(float x)
{
    const int small = x < 1.17549435e-38f;
    const uint32_t u = otok_bits(small ? x * 8388608.0f : x);
    const uint32_t above = u - 0x3f3504f3u; /* the exponent steps at sqrt(1/2) */
    otok_split s;
    s.exponent = (float)((int32_t)above >> 23) - (small ? 23.0f : 0.0f);
    s.f = otok_from_bits((above & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
    return s;
}

/* NaN below 0, -infinity at 0. */
OTOK_FN float otok_logf(float x)
{
    const otok_split s = otok_split_float(x);
    const float f = s.f;
    float q = 6.750693e-2f; /* log(1 + f) = f - f^2/2 + f^3 q(f) */
    q = fmaf(q, f, -1.1669093e-1f);
    q = fmaf(q, f, 1.18823655e-1f);
    q = fmaf(q, f, -1.24063745e-1f);
    q = fmaf(q, f, 1.422055e-1f);
    q = fmaf(q, f, -1.6667983e-1f);
    q = fmaf(q, f, 2.0002061e-1f);
    q = fmaf(q, f, -2.500001e-1f);
    q = fmaf(q, f, 3.3333313e-1f);
    const otok_pair square = otok_pair_product(-0.5f * f, f);
    const otok_pair m = otok_pair_sum(f, square.hi);
    const otok_pair sum = otok_pair_sum(s.exponent * 0.693145751953125f, m.hi);
    const float small = fmaf(s.exponent, 1.4286068e-6f, square.lo) + (m.lo + sum.lo);
    const float y = sum.hi + fmaf(square.hi * (-2.0f * f), q, small);
    return x > 0.0f ? (x < OTOK_INFINITY ? y : x) : x == 0.0f ? -OTOK_INFINITY : OTOK_NAN;
}

/* log2 of a finite x > 0, with a relative error of 2^-34.8: s (C0 + s^2 (C1 + s^2 q(s^2))) with s =
   f/(2 + f), C0 = 2/ln 2, C1 = C0/3. */
OTOK_FN otok_pair otok_log2_pair(float x)
{
    const otok_split x2 = otok_split_float(x);
    const float f = x2.f, d = 2.0f + f, per = 1.0f / d;
    otok_pair s;
    s.hi = f * per;
    s.lo = fmaf(-s.hi, f - (d - 2.0f), fmaf(-s.hi, d, f)) * per;
    otok_pair t = otok_pair_product(s.hi, s.hi);
    t.lo = fmaf(2.0f * s.hi, s.lo, t.lo);
    float q = 3.3786002e-1f;
    q = fmaf(q, t.hi, 4.1184804e-1f);
    q = fmaf(q, t.hi, 5.770802e-1f);
    const otok_pair c = otok_pair_sum(9.6179670e-1f, t.hi * q);
    const float c_lo = fmaf(t.lo, q, c.lo) - 7.0284618e-9f;
    otok_pair p = otok_pair_product(t.hi, c.hi);
    p.lo = p.lo + fmaf(t.hi, c_lo, t.lo * c.hi);
    const otok_pair a = otok_pair_sum(2.8853900f, p.hi);
    const float a_lo = a.lo + (p.lo + 3.8519260e-8f);
    otok_pair m = otok_pair_product(s.hi, a.hi);
    m.lo = m.lo + fmaf(s.hi, a_lo, s.lo * a.hi);
    otok_pair log2 = otok_pair_sum(x2.exponent, m.hi);
    log2.lo = log2.lo + m.lo;
    return log2;
}

/* x^y for x >= 0, NaN below. x^0 = 1^y = 1. For y > 0, 0^y = 0 and infinity^y = infinity; for y < 0
   the other way round. */
OTOK_FN float otok_powf(float x, float y)
{
    const otok_pair log2 = otok_log2_pair(x);
    float far = y > 4294967296.0f
                    ? 4294967296.0f
                    : y; /* beyond this, only x = 1 gives a finite value that is not 0 */
    far = far < -4294967296.0f ? -4294967296.0f : far;
    otok_pair e = otok_pair_product(far, log2.hi);
    e.lo = fmaf(far, log2.lo, e.lo);
    e.lo = fabsf(e.hi) < 200.0f ? e.lo : 0.0f;
    e.hi = e.hi > 200.0f ? 200.0f : e.hi;
    e.hi = e.hi < -200.0f ? -200.0f : e.hi;
    const float rounded = e.hi + OTOK_ROUND;
    const otok_pair part = otok_pair_sum(e.hi - (rounded - OTOK_ROUND), e.lo);
    otok_pair r = otok_pair_product(part.hi, 6.9314718e-1f); /* ln 2 */
    r.lo = fmaf(part.hi, -1.9046542e-9f, r.lo) + part.lo * 6.9314718e-1f;
    const float finite = otok_exp_scaled(r, rounded);
    const float end =
        (x > 1.0f) == (y > 0.0f) ? OTOK_INFINITY : 0.0f; /* for x = 0 and x = infinity */
    const float power = x > 0.0f && x < OTOK_INFINITY ? finite
                        : x >= 0.0f && y == y         ? end
                                                      : OTOK_NAN;
    return x == 1.0f || y == 0.0f ? 1.0f : power;
}

/* otok_cbrtf for x >= 2^-126; for smaller x >= 0 some value in [2^-43, 2^-42]. */
OTOK_FN float otok_cbrt_of_normal(float x)
{
    const uint32_t u = otok_bits(x), third = (u >> 23) / 3u; /* x = m 2^(3 third - 129) */
    const float m = otok_from_bits(u - (3u * third << 23) + (129u << 23)); /* in [4, 32) */
    const float scale = otok_from_bits((third + 84u) << 23);
    float z = otok_from_bits(0x548c2b4bu - otok_bits(m) / 3u); /* m^(-1/3) within 4 % */
    float e = fmaf(-m * z * z, z, 1.0f);
    z = fmaf(z * e, fmaf(e, fmaf(e, 0.17283951f, 0.22222222f), 0.33333333f), z);
    e = fmaf(-m * z * z, z, 1.0f);
    z = fmaf(z * e, 0.33333333f, z);
    const float y = m * z * z;
    const otok_pair square = otok_pair_product(y, y);
    const float miss = fmaf(square.hi, y, -m) + square.lo * y; /* y^3 - m */
    return fmaf(miss * (z * z), -0.33333333f, y) * scale;
}

OTOK_FN float otok_cbrtf(float x)
{
    const float size = fabsf(x);
    const int small = size < 1.17549435e-38f;
    const float normal = otok_cbrt_of_normal(small ? size * 16777216.0f : size),
                root = small ? normal * 0x1p-8f : normal;
    return size > 0.0f && size < OTOK_INFINITY ? (x < 0.0f ? -root : root) : x;
}

#endif
