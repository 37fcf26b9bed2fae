/* math_log.c: otok_logf is within 0.62 ulp of double libm for every float: denormals, -infinity at 0, NaN below. */
#include "check.h"
#include "math_ulp.h"

CHECK_SLOW

int main(void)
{
    const worst w = worst_error(otok_logf, log, 0, UINT32_MAX);
    printf("log: largest error %.4f ulp, at %a\n", w.ulp, w.at);
    CHECK(w.ulp <= 0.62, "%.4f ulp at %a", w.ulp, w.at);
    CHECK(otok_bits(otok_logf(1.0f)) == 0, "log 1 = %a", otok_logf(1.0f));
    return check_failures != 0;
}
