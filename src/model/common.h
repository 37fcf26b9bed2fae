/* common.h: what all headers of the model share. Every function here and beside it is a pure
   function of values, in the common subset of C11 and CUDA C. It gives the same bits on every
   processor, because it uses only + - * / sqrtf fmaf fabsf floorf, comparisons and integers. This
   is the only header that tests for __CUDACC__. */
#ifndef OTOK_COMMON_H
#define OTOK_COMMON_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define OTOK_FN static inline __host__ __device__
#else
#define OTOK_FN static inline
#endif

/* On GPUs with fast doubles: quotients and roots without the branches that the compiler's own have.
   A branch would keep the processor from working on several cells at once. */
#if defined(__CUDA_ARCH__) &&                                                                      \
    (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
#define OTOK_STRAIGHT
#endif

/* a / b, bit for bit, for finite a >= +0 and b > 0; any value for b = 0. Call it before the
   choice that needs the quotient: a choice between two values compiles without a branch.
   Why: unless a quotient of two floats is the middle between two floats, it
   is at least 2^-49 of itself away from that middle. A double with an error of 2^-52 therefore
   rounds to the right float, denormals included. */
OTOK_FN float otok_quotient(float a, float b)
{
#ifdef OTOK_STRAIGHT
    const double n = (double)a, d = (double)b;
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(d));
    const double e = fma(-d, r, 1.0), q = n * r; /* |e| < 2^-18; n / d = q / (1 - e) */
    return (float)fma(q, fma(e, e, e), q);
#else
    return a / b;
#endif
}

/* a / b, bit for bit, where a, b and a / b are within 2^-100 and 2^100; any value otherwise. Half
   the cost of otok_quotient. Why: after one step of Newton's the reciprocal is right to its last
   place, and q - 1 ulp to q + 1 ulp after the first correction; then the second rounds correctly
   (Markstein 1990). */
OTOK_FN float otok_quotient_of_normal(float a, float b)
{
#ifdef OTOK_STRAIGHT
    float per;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(per) : "f"(b));
    per = fmaf(per, fmaf(-b, per, 1.0f), per);
    float q = a * per;
    q = fmaf(fmaf(-b, q, a), per, q);
    return fmaf(fmaf(-b, q, a), per, q);
#else
    return a / b;
#endif
}

/* `normal`, a constant: as otok_quotient_of_normal; else as otok_quotient. */
OTOK_FN float otok_quotient_if(int normal, float a, float b)
{
    return normal ? otok_quotient_of_normal(a, b) : otok_quotient(a, b);
}

/* a / n, bit for bit, for finite a >= +0 and n = 1, 2, 3 or 4; any value for n = 0. Why: a
   and q are multiples of the last place of q, so that a - n q is a float, and a third is never near
   the middle between two floats. */
OTOK_FN float otok_quotient_few(float a, float n)
{
#ifdef __CUDA_ARCH__
    float per;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(per) : "f"(n));
    const float q = a * per;
    return fmaf(fmaf(-n, q, a), per, q);
#else
    return a / n;
#endif
}

/* sqrt(x), bit for bit, for finite x >= 2^-64; any value below that. */
OTOK_FN float otok_root_of_normal(float x)
{
#ifdef OTOK_STRAIGHT
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    const float g = x * r;
    return fmaf(fmaf(-g, g, x), 0.5f * r, g);
#else
    return sqrtf(x);
#endif
}

/* sqrt(x), bit for bit, for finite x >= +0. */
OTOK_FN float otok_root(float x)
{
#ifdef OTOK_STRAIGHT
    const bool small = x < 0x1p-64f;
    const float root = otok_root_of_normal(small ? x * 0x1p64f : x);
    return x > 0.0f ? (small ? root * 0x1p-32f : root) : 0.0f;
#else
    return sqrtf(x);
#endif
}

/* The larger of x and 0; +0 for -0 and for NaN. */
OTOK_FN float otok_positive(float x)
{
    return x > 0.0f ? x : 0.0f;
}

/* x, but not less than `least`, a number; that for NaN. One instruction on any processor, if the
   sign of a 0 does not matter. */
OTOK_FN float otok_at_least(float least, float x)
{
#ifdef __CUDA_ARCH__
    return fmaxf(least, x);
#else
    return x > least ? x : least;
#endif
}

OTOK_FN float otok_smaller(float a, float b)
{
    return b < a ? b : a;
}

OTOK_FN float otok_larger(float a, float b)
{
    return b > a ? b : a;
}

/* The larger of two numbers, where the sign of a 0 does not matter; of a number and a NaN, the
   number. One instruction on a GPU. */
OTOK_FN float otok_larger_number(float a, float b)
{
#ifdef __CUDA_ARCH__
    return fmaxf(a, b);
#else
    return a > b || b != b ? a : b;
#endif
}

OTOK_FN float otok_smaller_number(float a, float b)
{
#ifdef __CUDA_ARCH__
    return fminf(a, b);
#else
    return a < b || b != b ? a : b;
#endif
}

/* A value and its four neighbours: x grows to the right, y to the top. */
typedef struct otok_cross {
    float here, left, right, bottom, top;
} otok_cross;

/* A value and its Moore neighbours. A neighbour outside a grid that is not periodic is +infinity: a
   wall. */
typedef struct otok_moore {
    float here, left, right, bottom, top, bottom_left, bottom_right, top_left, top_right;
} otok_moore;

/* One value for each of the four sides of a cell, such as its outflows. */
typedef struct otok_four {
    float left, right, bottom, top;
} otok_four;

typedef struct otok_eight {
    float left, right, bottom, top, bottom_left, bottom_right, top_left, top_right;
} otok_eight;

/* Sums of neighbours. Mirroring or transposing the neighbours does not change the bits of the
   sum. */
OTOK_FN float otok_sum_four(otok_four a)
{
    return (a.left + a.right) + (a.bottom + a.top);
}

/* The share of what would leave a cell, or enter it, for which it has so much, or room. The margin
   keeps rounding from taking more. */
OTOK_FN float otok_share_of(float sum, float has)
{
    const float most = otok_positive(has) * 0x1.ffffep-1f;
    return sum > most ? most / sum : 1.0f;
}

/* The sum of eight; `across` is left + right, which the caller has added. */
OTOK_FN float otok_sum_six(float across, otok_eight a)
{
    return (across + (a.bottom + a.top)) +
           ((a.bottom_left + a.top_right) + (a.bottom_right + a.top_left));
}

OTOK_FN float otok_sum_eight(otok_eight a)
{
    return otok_sum_six(a.left + a.right, a);
}

/* The next float below x, for |x| > 2^-125. Nearer to 0 the result may be x itself. No caller
   depends on that, because sums of floats are exact there. */
OTOK_FN float otok_before(float x)
{
    return fmaf(-fabsf(x), 0x1.000002p-24f, x);
}

/* The ground and something else (sediment) exchange `taken` metres. The ground is rounded to a
   float; the other side gets exactly what the ground lost after rounding. If rounding would lay
   down more than there is, the ground becomes the next float below. That float is never more than
   both together, so that one step is enough. */
typedef struct otok_exchange {
    float ground, other, moved; /* moved: what the ground lost [m] */
} otok_exchange;

OTOK_FN otok_exchange otok_exchange_solid(float ground, float other, float taken)
{
    const float left = ground - taken;
    otok_exchange e;
    e.ground = ground - left < -other ? otok_before(left) : left;
    e.moved = ground - e.ground;
    e.other = other + e.moved;
    return e;
}

#endif
