/* math_length.c - claim: otok_length is the length of a vector of any size to 1.5 ulp, scales with
   powers of two, does not see signs, and along an axis is the number itself. */
#include "check.h"
#include "model/math.h"

#include <math.h>

static uint32_t state = 2463534242u;

/* A float of any sign and of 2^-126 to 2^126. */
static float draw(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const uint32_t exponent = 1 + (state >> 23 & 0xff) % 252;
    return otok_from_bits((state & 0x807fffffu) | exponent << 23);
}

int main(void)
{
    double worst = 0;
    for (int n = 0; n < 2000000; n++) {
        const float x = draw();
        float y = draw();
        if (n % 2)
            y = otok_from_bits((otok_bits(y) & 0x807fffffu) |
                               (otok_bits(x) & 0x7f800000u)); /* as large */
        const float length = otok_length(x, y);
        const double exact = hypot((double)x, (double)y);
        const double ulp = (double)(otok_from_bits(otok_bits((float)exact) + 1) - (float)exact);
        worst = fmax(worst, fabs((double)length - exact) / ulp);
        CHECK(length == otok_length(-x, y) && length == otok_length(x, -y), "signs of %a, %a",
              (double)x, (double)y);
        if (fabsf(x) < 1 && fabsf(x) > 1e-19f && fabsf(y) < 1 && fabsf(y) > 1e-19f)
            CHECK(otok_length(x * 0x1p50f, y * 0x1p50f) == length * 0x1p50f, "%a, %a times 2^50",
                  (double)x, (double)y);
        CHECK(otok_length(x, 0.0f) == fabsf(x) && otok_length(0.0f, x) == fabsf(x),
              "%a along an axis", (double)x);
    }
    CHECK_FOUND(worst < 1.5, "%g ulp from the length", worst);
    CHECK(otok_length(0.0f, 0.0f) == 0.0f && otok_length(-0.0f, 0.0f) == 0.0f, "no length");
    return check_failures != 0;
}
