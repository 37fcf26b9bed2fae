/* math_ulp.h: the distance of a float from the true value, in units of the last place that a float has there. */
#ifndef MATH_ULP_H
#define MATH_ULP_H

#include "model/math.h"

/* 0 for equal infinities and for two NaN; HUGE_VAL where only one is NaN. Infinity counts as 2^128. */
static inline double ulp_error(float got, double want)
{
    if (want != want || got != got) return (want != want) == (got != got) ? 0 : HUGE_VAL;
    double g = got, w = want;
    g = g > 0x1p128 ? 0x1p128 : g < -0x1p128 ? -0x1p128 : g;
    w = w > 0x1p128 ? 0x1p128 : w < -0x1p128 ? -0x1p128 : w;
    uint64_t u;
    memcpy(&u, &w, sizeof u);
    int exponent = (int)(u >> 52 & 2047) - 1023;
    exponent = exponent < -126 ? -126 : exponent > 127 ? 127 : exponent;
    const uint64_t per_ulp = (uint64_t)(1023 - (exponent - 23)) << 52;
    double per;
    memcpy(&per, &per_ulp, sizeof per);
    return fabs(g - w) * per;
}

typedef struct worst {
    double ulp;
    float at;
} worst;

/* The largest error of f against the double-precision `truth` over the floats whose bits are from..to. */
static inline worst worst_error(float (*f)(float), double (*truth)(double), uint32_t from, uint32_t to)
{
    worst all = {0, 0};
#pragma omp parallel
    {
        worst mine = {0, 0};
#pragma omp for schedule(dynamic, 1 << 20)
        for (int64_t u = from; u <= (int64_t)to; u++) {
            const float x = otok_from_bits((uint32_t)u);
            const double e = ulp_error(f(x), truth((double)x));
            if (e > mine.ulp) mine = (worst){e, x};
        }
#pragma omp critical
        if (mine.ulp > all.ulp) all = mine;
    }
    return all;
}

#endif
