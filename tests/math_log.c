/* math_log.c: otok_logf is within 0.62 ulp of double libm: denormals, -infinity at 0, NaN below. Of
 * the floats every 13th, with an argument `all` every one. */
#include "check.h"
#include "math_ulp.h"

CHECK_SLOW

MATH_BOTH(otok_logf, log)

int main(int argc, char **argv)
{
    const uint32_t minus_zero = 0x80000000u, every = math_every(argc, argv);
    const worst w = worst_error(compute_both, 0, minus_zero, every);
    printf("log: largest error %.4f ulp, at %a\n", w.ulp, w.at);
    CHECK(w.ulp <= 0.62, "%.4f ulp at %a", w.ulp, w.at);

    int64_t wrong = 0; /* below 0 */
#pragma omp parallel for reduction(+ : wrong)
    for (int64_t u = minus_zero + INT64_C(1); u <= UINT32_MAX; u += every) {
        const float found = otok_logf(otok_from_bits((uint32_t)u));
        wrong += found == found;
    }
    CHECK(wrong == 0, "%lld floats", (long long)wrong);
    CHECK(otok_bits(otok_logf(1.0f)) == 0, "log 1 = %a", otok_logf(1.0f));
    return check_failures != 0;
}
