/* common.h: the dialect of the model. Every function here and beside it is a pure function of
   values, in the common subset of C11 and CUDA C, and gives the same bits on every processor:
   only + - * / sqrtf fmaf fabsf floorf, comparisons, integers. The only file that knows of
   __CUDACC__. */
#ifndef OTOK_COMMON_H
#define OTOK_COMMON_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define OTOK_FN static inline __host__ __device__
#else
#define OTOK_FN static inline
#endif

/* Where doubles are fast, quotients and roots without the branches of the compiler's own, which
   keep a processor of many threads from working on several cells at once. */
#if defined(__CUDA_ARCH__) &&                                                                      \
    (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
#define OTOK_STRAIGHT
#endif

/* a / b, the same bits, for finite a >= +0 and b > 0; anything for b = 0. Ask for it before the
   choice that needs it: a choice between values is no branch. (A quotient of two floats is no
   nearer than 2^-49 of itself to the middle between two floats unless it is that; a double with an
   error of 2^-52 rounds to the right one, also among denormals.) */
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

/* a / n, the same bits, for finite a >= +0 and n = 1, 2, 3 or 4; anything for n = 0. (a - n q is a
   float, because a and q are whole numbers of q's last place; and a third is never near the middle
   between two floats.) */
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

/* sqrt(x), the same bits, for finite x >= 2^-64; anything for less. */
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

/* sqrt(x), the same bits, for finite x >= +0. */
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

/* The larger of x and 0, +0 for -0 and NaN. */
OTOK_FN float otok_positive(float x)
{
    return x > 0.0f ? x : 0.0f;
}

OTOK_FN float otok_smaller(float a, float b)
{
    return b < a ? b : a;
}

OTOK_FN float otok_larger(float a, float b)
{
    return b > a ? b : a;
}

/* The larger of two, where the sign of a 0 does not matter: one instruction of a GPU. Of a number
 * and a NaN, the number. */
OTOK_FN float otok_larger_number(float a, float b)
{
#ifdef __CUDA_ARCH__
    return fmaxf(a, b);
#else
    return a > b || b != b ? a : b;
#endif
}

/* A value and its four neighbours: x grows to the right, y to the top. */
typedef struct otok_cross {
    float here, left, right, bottom, top;
} otok_cross;

/* A value and its Moore neighbours. Those outside a grid that is not periodic are +infinity: walls
 * of no use to anyone. */
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

/* Sums whose order is that of a mirror or a transposition, so that those keep the bits. */
OTOK_FN float otok_sum_four(otok_four a)
{
    return (a.left + a.right) + (a.bottom + a.top);
}

/* `across` is left + right, where those are at hand before the others. */
OTOK_FN float otok_sum_six(float across, otok_eight a)
{
    return (across + (a.bottom + a.top)) +
           ((a.bottom_left + a.top_right) + (a.bottom_right + a.top_left));
}

OTOK_FN float otok_sum_eight(otok_eight a)
{
    return otok_sum_six(a.left + a.right, a);
}

/* The float before x, of those with 2^-125 < |x|. Closer to 0 it may be x: there sums of floats are
 * exact, and nobody asks. */
OTOK_FN float otok_before(float x)
{
    return fmaf(-fabsf(x), 0x1.000002p-24f, x);
}

/* Ground and something else (sediment) exchange `taken` metres: `ground` is the float that changes,
   and what the other side gets is what the ground really lost after rounding. Where rounding would
   lay down more than there is, the ground becomes the float before: that is not more than both
   together, so that one step is enough. */
typedef struct otok_exchange {
    float ground, other, moved; /* moved = what the ground lost [m] */
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
