/* math_cbrt.c: otok_cbrtf is within 0.54 ulp of double libm for floats of [1, 8), every fifth of
   the other normal ones from 0 up, and denormals, and odd to the bit. libm is asked for [1, 8) and
   for denormals: cbrt(8^k x) = 2^k cbrt(x) exactly. Of the floats every 13th, with an argument
   `all` every one. */
#include "check.h"
#include "math_ulp.h"

MATH_BOTH(otok_cbrtf, cbrt)

/* The error at 8^k x, 0 where that is no normal number; `root` is cbrt(x). */
static inline double error_at(uint32_t u, double root, int k)
{
    const uint32_t scaled = u + ((uint32_t)(3 * k) << 23);
    const uint64_t power = (uint64_t)(1023 + k) << 52;
    double two_to_k;
    memcpy(&two_to_k, &power, sizeof power);
    const double e = ulp_error(otok_cbrtf(otok_from_bits(scaled)), root * two_to_k);
    return scaled < 0x7f800000u && scaled >= 0x00800000u ? e : 0;
}

static worst all_normal(uint32_t every)
{
    const uint32_t one = otok_bits(1.0f), eight = otok_bits(8.0f);
    worst all = {0, 0};
#pragma omp parallel
    {
        worst mine = {0, 0};
#pragma omp for schedule(dynamic, 1 << 16)
        for (uint32_t u = one; u < eight; u += every) {
            const double root = cbrt((double)otok_from_bits(u));
            const int far = u % 5 ? 0 : 42;
            double most = 0;
#pragma omp simd reduction(max : most)
            for (int k = -far; k <= far; k++) {
                const double e = error_at(u, root, k);
                most = e > most ? e : most;
            }
            for (int k = -far; most > mine.ulp; k++)
                note_ulp(&mine, error_at(u, root, k),
                         otok_from_bits(u + ((uint32_t)(3 * k) << 23)));
        }
#pragma omp critical
        note_ulp(&all, mine.ulp, mine.at);
    }
    return all;
}

CHECK_SLOW

int main(int argc, char **argv)
{
    const uint32_t every = math_every(argc, argv);
    const worst big = all_normal(every), small = worst_error(compute_both, 0, 0x00800000u, every),
                w = big.ulp > small.ulp ? big : small;
    printf("cbrt: largest error %.4f ulp, at %a\n", w.ulp, w.at);
    CHECK(w.ulp <= 0.54, "%.4f ulp at %a", w.ulp, w.at);

    int64_t uneven = 0;
#pragma omp parallel for reduction(+ : uneven)
    for (int64_t u = 0; u <= 0x7f800000; u += 7 * every) {
        const uint32_t right = otok_bits(otok_cbrtf(otok_from_bits((uint32_t)u)));
        const uint32_t left = otok_bits(otok_cbrtf(otok_from_bits((uint32_t)u | 0x80000000u)));
        uneven += left != (right | 0x80000000u);
    }
    CHECK(uneven == 0, "%lld floats", (long long)uneven);

    for (int n = 0; n <= 256; n++) {
        const float cube = (float)(n * n * n);
        CHECK(otok_cbrtf(cube) == (float)n, "%d: %a", n, otok_cbrtf(cube));
    }
    CHECK(otok_cbrtf(OTOK_INFINITY) == OTOK_INFINITY &&
              otok_cbrtf(OTOK_NAN) != otok_cbrtf(OTOK_NAN),
          "ends");
    return check_failures != 0;
}
