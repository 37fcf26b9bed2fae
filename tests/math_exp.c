/* math_exp.c: otok_expf is within 0.76 ulp of double libm for every float, denormal results and infinities included. */
#include "check.h"
#include "math_ulp.h"

CHECK_SLOW

int main(void)
{
    const uint32_t far = otok_bits(110.0f), sign = 0x80000000u;
    const worst up = worst_error(otok_expf, exp, 0, far), down = worst_error(otok_expf, exp, sign, sign | far);
    const worst w = up.ulp > down.ulp ? up : down;
    printf("exp: largest error %.4f ulp, at %a\n", w.ulp, w.at);
    CHECK(w.ulp <= 0.76, "%.4f ulp at %a", w.ulp, w.at);

    int64_t wrong = 0; /* beyond 110: infinity, 0, NaN */
#pragma omp parallel for reduction(+ : wrong)
    for (int64_t u = far; u <= INT32_MAX; u++) {
        const float x = otok_from_bits((uint32_t)u), above = otok_expf(x), below = otok_expf(-x);
        wrong += x == x ? !(above == OTOK_INFINITY && below == 0.0f) : above == above || below == below;
    }
    CHECK(wrong == 0, "%lld floats", (long long)wrong);
    CHECK(otok_expf(0.0f) == 1.0f && otok_expf(-0.0f) == 1.0f, "%a", otok_expf(0.0f));
    return check_failures != 0;
}
