/* math_exp.c: otok_expf is within 0.76 ulp of double libm, denormal results and infinities
 * included. Of the floats every 13th, with an argument `all` every one. */
#include "check.h"
#include "math_ulp.h"

CHECK_SLOW

MATH_BOTH(otok_expf, exp)

int main(int argc, char **argv)
{
    const uint32_t every = math_every(argc, argv);
    const uint32_t near = otok_bits(0x1p-26f), far = otok_bits(110.0f), sign = 0x80000000u;
    const worst up = worst_error(compute_both, near, far, every),
                down = worst_error(compute_both, sign | near, sign | far, every);
    const worst w = up.ulp > down.ulp ? up : down;
    printf("exp: largest error %.4f ulp, at %a\n", w.ulp, w.at);
    CHECK(w.ulp <= 0.76, "%.4f ulp at %a", w.ulp, w.at);

    int64_t wrong = 0; /* up to 2^-26: 1, a quarter of an ulp from the truth or less */
#pragma omp parallel for simd reduction(+ : wrong)
    for (uint32_t u = 0; u < near; u += every) {
        const float x = otok_from_bits(u);
        wrong += (otok_expf(x) != 1.0f) + (otok_expf(-x) != 1.0f);
    }
    CHECK(wrong == 0, "%lld floats near 0", (long long)wrong);

    /* beyond 110: infinity, 0, NaN */
#pragma omp parallel for reduction(+ : wrong)
    for (int64_t u = far; u <= INT32_MAX; u += every) {
        const float x = otok_from_bits((uint32_t)u), above = otok_expf(x), below = otok_expf(-x);
        wrong +=
            x == x ? !(above == OTOK_INFINITY && below == 0.0f) : above == above || below == below;
    }
    CHECK(wrong == 0, "%lld floats", (long long)wrong);
    return check_failures != 0;
}
