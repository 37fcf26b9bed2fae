/* math_decay.c: otok_exp_decay has the bits of otok_expf for x <= 0. */
#include "check.h"
#include "model/math.h"

int main(void)
{
    int64_t wrong = 0;
#pragma omp simd reduction(+ : wrong)
    for (uint32_t u = 0x80000000u; u <= 0xff800000u; u += 61) {
        const float x = otok_from_bits(u);
        wrong += otok_bits(otok_exp_decay(x)) != otok_bits(otok_expf(x));
    }
    CHECK(wrong == 0, "%lld floats", (long long)wrong);
    return check_failures != 0;
}
