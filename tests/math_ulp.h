/* math_ulp.h: the distance of a float from the true value, in units of the last place that a float
   has there; and the largest one over many floats. Truth is libm's in double precision; glibc's for
   vectors, within 4 ulp of double, where loops become vectors.
 */
#ifndef MATH_ULP_H
#define MATH_ULP_H

#include "model/math.h"

#if defined __GLIBC__ &&                                                                           \
    defined __x86_64__ /* whose header tells the compiler of them with -ffast-math only */
#pragma omp declare simd notinbranch
double exp(double);
#pragma omp declare simd notinbranch
double log(double);
#endif

/* 0 for equal infinities and for two NaN; HUGE_VAL where only one is NaN. Infinity counts as 2^128.
 */
static inline double ulp_error(float got, double want)
{
    double g = got, w = want;
    g = g > 0x1p128 ? 0x1p128 : g < -0x1p128 ? -0x1p128 : g;
    w = w > 0x1p128 ? 0x1p128 : w < -0x1p128 ? -0x1p128 : w;
    double size = fabs(w);
    size = size > 0x1p127 ? 0x1p127 : size < 0x1p-126 ? 0x1p-126 : size;
    uint64_t u;
    memcpy(&u, &size, sizeof u);
    const uint64_t per_ulp =
        (UINT64_C(2069) << 52) - (u & UINT64_C(2047) << 52); /* 2^23 / 2^exponent */
    double per;
    memcpy(&per, &per_ulp, sizeof per);
    const int number = got == got, wanted = want == want;
    return number & wanted ? fabs(g - w) * per : number == wanted ? 0 : HUGE_VAL;
}

typedef struct worst {
    double ulp;
    float at;
} worst;

static inline void note_ulp(worst *w, double ulp, float at)
{
    if (ulp > w->ulp) *w = (worst){ulp, at};
}

/* What is tested and the double-precision truth, at many floats. */
enum { MATH_BLOCK = 1024 };
typedef void math_both(const float x[MATH_BLOCK], float got[MATH_BLOCK], double want[MATH_BLOCK]);

#define MATH_BOTH(ours, truth)                                                                     \
    static void compute_both(const float x[MATH_BLOCK], float got[MATH_BLOCK],                     \
                             double want[MATH_BLOCK])                                              \
    {                                                                                              \
        _Pragma("omp simd") for (int n = 0; n < MATH_BLOCK; n++)                                   \
        {                                                                                          \
            got[n] = ours(x[n]);                                                                   \
            want[n] = truth((double)x[n]);                                                         \
        }                                                                                          \
    }

/* Of the floats, one of so many: every one with an argument `all`. */
static inline uint32_t math_every(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "all") == 0 ? 1 : 13;
}

/* The largest error over the floats whose bits are from..to, in such steps, and at `to`. */
static inline worst worst_error(math_both *both, uint32_t from, uint32_t to, uint32_t every)
{
    worst all = {0, 0};
#pragma omp parallel
    {
        worst mine = {0, 0};
        float x[MATH_BLOCK], got[MATH_BLOCK];
        double want[MATH_BLOCK];
#pragma omp for schedule(dynamic, 1 << 10)
        for (int64_t start = from; start <= (int64_t)to; start += (int64_t)every * MATH_BLOCK) {
            const uint32_t steps = (to - (uint32_t)start) / every;
            for (uint32_t n = 0; n < MATH_BLOCK; n++)
                x[n] = otok_from_bits(n <= steps ? (uint32_t)start + n * every : to);
            both(x, got, want);
            double most = 0;
#pragma omp simd reduction(max : most)
            for (int n = 0; n < MATH_BLOCK; n++) {
                const double e = ulp_error(got[n], want[n]);
                most = e > most ? e : most;
            }
            for (int n = 0; most > mine.ulp; n++)
                note_ulp(&mine, ulp_error(got[n], want[n]), x[n]);
        }
#pragma omp critical
        note_ulp(&all, mine.ulp, mine.at);
    }
    return all;
}

#endif
