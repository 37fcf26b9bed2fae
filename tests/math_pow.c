/* math_pow.c: otok_powf is within 0.78 ulp of double libm: every 403rd mantissa at many exponents
   of both operands, 2.3e6 pairs of any two floats, as many of the sizes that terrains have, and the
   special cases. With an argument `all` thirteen times as many. */
#include "check.h"
#include "math_ulp.h"

typedef struct widest {
    double ulp;
    float x, y;
} widest;

static void try(widest *w, float x, float y)
{
    const double e = ulp_error(otok_powf(x, y), pow((double)x, (double)y));
    if (e > w->ulp) *w = (widest){e, x, y};
}

static void join(widest *all, widest mine)
{
    if (mine.ulp > all->ulp) *all = mine;
}

static widest all_mantissas(uint32_t every)
{
    static const float powers[] = {-126.0f, -7.25f, -1.0f, -0.3333333f, 1e-3f, 0.5f,
                                   0.8f,    1.35f,  1.6f,  2.0f,        40.0f, 3e6f};
    static const uint32_t exponents[] = {0, 1, 64, 125, 126, 127, 128, 200, 254};
    widest all = {0, 0, 0};
#pragma omp parallel
    {
        widest mine = {0, 0, 0};
#pragma omp for schedule(dynamic, 4096)
        for (uint32_t mantissa = 0; mantissa < 1u << 23; mantissa += 31 * every)
            for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++)
                for (size_t p = 0; p < sizeof powers / sizeof powers[0]; p++)
                    try(&mine, otok_from_bits(exponents[e] << 23 | mantissa), powers[p]);
#pragma omp critical
        join(&all, mine);
    }
    return all;
}

static uint64_t mix(uint64_t n)
{
    n = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
    n = (n ^ (n >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return n ^ (n >> 32);
}

/* Any two floats, x >= 0; or, tame, x in 2^-16..2^16 and y in -8..8, where results are ordinary
 * numbers. */
static widest random_pairs(int64_t n, int tame)
{
    widest all = {0, 0, 0};
#pragma omp parallel
    {
        widest mine = {0, 0, 0};
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            const uint64_t r = mix((uint64_t)i * 2 + (uint64_t)tame);
            const uint32_t a = (uint32_t)r, b = (uint32_t)(r >> 32);
            if (tame)
                try(&mine, otok_from_bits((111u << 23) + (a >> 4)), ((float)b * 0x1p-28f - 8.0f));
            else
                try(&mine, otok_from_bits(a >> 1), otok_from_bits(b));
        }
#pragma omp critical
        join(&all, mine);
    }
    return all;
}

/* The logarithm that pow multiplies: with |y log2 x| <= 150 its relative error of 2^-34.8 costs pow
 * 0.06 ulp. */
static double logarithm(uint32_t every)
{
    double most = 0;
#pragma omp parallel for reduction(max : most)
    for (uint32_t u = 0x3f000000u; u < 0x40000000u; u += every) {
        const double x = otok_from_bits(u), want = log2(x);
        const otok_pair got = otok_log2_pair((float)x);
        most = fmax(most, x == 1 ? fabs((double)got.hi + got.lo)
                                 : fabs(((double)got.hi + got.lo) / want - 1));
    }
    return log2(most);
}

CHECK_SLOW

int main(int argc, char **argv)
{
    const uint32_t every = math_every(argc, argv);
    const double precision = logarithm(every);
    CHECK(precision < -34.8, "log2 of a mantissa is off by 2^%.2f", precision);
    const widest w[3] = {all_mantissas(every), random_pairs(30000000 / every, 0),
                         random_pairs(30000000 / every, 1)};
    for (int i = 0; i < 3; i++) {
        printf("pow: largest error %.4f ulp, at %a ^ %a\n", w[i].ulp, w[i].x, w[i].y);
        CHECK(w[i].ulp <= 0.78, "%.4f ulp at %a ^ %a", w[i].ulp, w[i].x, w[i].y);
    }

    const float inf = OTOK_INFINITY, nan = OTOK_NAN, tiny = 0x1p-149f, most = 0x1.fffffep127f;
    const float cases[][3] = {
        {0, 2, 0},
        {0, tiny, 0},
        {0, inf, 0},
        {0, -1, inf},
        {0, 0, 1},
        {-0.0f, 3, 0},
        {-0.0f, -3, inf},
        {inf, 0, 1},
        {nan, 0, 1},
        {1, nan, 1},
        {1, inf, 1},
        {1, -inf, 1},
        {inf, 0.5f, inf},
        {inf, -0.5f, 0},
        {2, inf, inf},
        {2, -inf, 0},
        {0.5f, inf, 0},
        {0.5f, -inf, inf},
        {2, 128, inf},
        {2, -149, tiny},
        {2, -150, 0},
        {2, -126, 0x1p-126f},
        {2, 127, 0x1p127f},
        {most, 1, most},
        {most, 1.0000001f, inf},
        {tiny, 0.5f, 0x1.6a09e6p-75f},
        {tiny, 1, tiny},
        {tiny, tiny, 1},
        {most, tiny, 1},
        {9, 0.5f, 3},
        {1.5f, 2, 2.25f},
        {most, -1, 0x1p-128f},
        {-1, 2, nan},
        {nan, 1, nan},
        {2, nan, nan},
        {0, nan, nan},
        {-inf, 3, nan},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const float got = otok_powf(cases[i][0], cases[i][1]), want = cases[i][2];
        CHECK(want != want ? got != got : otok_bits(got) == otok_bits(want), "%a ^ %a = %a, not %a",
              cases[i][0], cases[i][1], got, want);
    }

    int64_t moved = 0; /* x^1 = x, so that a blend of strength 0 keeps heights in
                          units of its reference */
#pragma omp parallel for reduction(+ : moved)
    for (int64_t u = 0; u <= 0x7f800000; u += every)
        moved += otok_bits(otok_powf(otok_from_bits((uint32_t)u), 1.0f)) != (uint32_t)u;
    CHECK(moved == 0, "%lld floats", (long long)moved);
    return check_failures != 0;
}
