/* dither_mean.c - claim: rain of 1 to 100 mm/h and evaporation of 1e-7 to 0.1 1/s, in steps of 1/64
   to 1 s, change depths of 1 mm to 1 km of still water within 0.1 % of their mean in 1000
   iterations, or within half an ulp of the depth over the root of the number of cells where that is
   more; each cell gets its rain to 3 ulps. No rain leaves a depth as it is, rain never lowers it,
   evaporation never raises it or takes more than there is. With `small`, for a checker of memory,
   every fourth depth. */
#include "check.h"
#include "model/water.h"

#include <math.h>

enum { ITERATIONS = 1000, MOST = 512 };

static float depth[MOST * MOST];
static uint32_t phase[MOST * MOST];

static const double depths[] = {0.001, 0.01, 0.1, 1, 10, 30, 100, 300, 1000};
static const double steps[] = {1. / 64, 0.05, 0.2, 1};

static void fill_depth(int n, double d)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            phase[j * n + i] =
                otok_dither_phase(77, otok_dither_distance(i, n), otok_dither_distance(j, n));
            depth[j * n + i] = (float)d;
        }
}

/* The mean change of a depth, less what was `wanted`, and the largest difference of a cell. */
static double compare(int n, double before, double wanted, const char *what, double amount,
                      double dt)
{
    const double ulp = ldexp(1, ilogb((float)before) - 23), start = (double)(float)before;
    double sum = 0, most = 0;
    for (int c = 0; c < n * n; c++) {
        const double off = fabs(fabs((double)depth[c] - start) - wanted);
        sum += (double)depth[c] - start;
        most = off > most ? off : most;
    }
    const double mean = fabs(sum) / n / n, least = 0.5 * ulp / n, part = 1e-3 * wanted;
    CHECK(fabs(mean - wanted) <= (part > least ? part : least),
          "%s of %g in steps of %g s, %g m on %d^2 cells: %.6g m, not %.6g", what, amount, dt,
          before, n, mean, wanted);
    return most / ulp;
}

static void rain(int n, double d, double dt, double rate)
{
    const float more = (float)(rate / 3.6e6 * dt), coarse = otok_coarse(more);
    fill_depth(n, d);
    for (uint32_t k = 0; k < ITERATIONS; k++)
        for (int c = 0; c < n * n; c++)
            depth[c] = otok_water_in(depth[c], more, coarse,
                                     otok_dither(phase[c] + OTOK_DITHER_ITERATION * k));
    const double off = compare(n, d, rate / 3.6e6 * dt * ITERATIONS, "rain", rate, dt);
    CHECK(d < coarse || off <= 3,
          "rain of %g mm/h in steps of %g s on %g m: a cell is off by %.3g ulps", rate, dt, d, off);
}

static void evaporation(int n, double d, double dt, double rate)
{
    const double part = rate * dt;
    const otok_water_coefficients k = {.keep = (float)(1 - part),
                                       .part = part < 0x1p-11 ? (float)part : 0};
    fill_depth(n, d);
    for (uint32_t m = 0; m < ITERATIONS; m++)
        for (int c = 0; c < n * n; c++)
            depth[c] = k.part != 0
                           ? otok_evaporation_fine(
                                 depth[c], k, otok_dither(phase[c] + OTOK_DITHER_ITERATION * m))
                           : otok_evaporation(depth[c], k);
    compare(n, d, -(double)(float)d * expm1(ITERATIONS * log1p(-part)), "evaporation", rate, dt);
}

static void check_limits(void)
{
    const otok_water_coefficients k = {.part = 0x1p-12f};
    uint32_t wrong = 0;
    for (uint32_t c = 0; c < 2000000; c++) {
        const uint32_t bits = c < 256 ? c << 23 : c * 2147u & 0x7fffffffu; /* powers of two first */
        const float d = otok_from_bits(bits), w = otok_dither(c * 2654435761u);
        if (!(d < 1e30f)) continue;
        const float less = otok_evaporation_fine(d, k, w), more = otok_add_exactly(d, 1e-7f, w);
        wrong += otok_bits(otok_add_exactly(d, 0, w)) != bits || more < d || less > d || less < 0 ||
                 signbit(less);
        wrong += (d == 0 && (more != 1e-7f || less != 0)) ||
                 otok_water_in(d, 1e-7f, otok_coarse(1e-7f), w) !=
                     (d < 0x1p12f * 1e-7f ? d + 1e-7f : more);
        wrong += !(w >= -0x1p-24f && w < 0x1p-24f);
    }
    CHECK(wrong == 0, "of 2,000,000 depths %u", (unsigned)wrong);
}

CHECK_SLOW

int main(void)
{
    static const double rates[] = {1, 10, 36, 100}, dry[] = {1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 0.1};
    check_limits();
    for (int d = 0; d < 9; d++)
        for (int s = 0; s < 4; s++) {
            for (int r = 0; r < 4; r++)
                rain(128, depths[d], steps[s], rates[r]);
            for (int r = 0; r < 6; r++)
                evaporation(64, depths[d], steps[s], dry[r]);
            if (s == 1 && d % 2 == 0)
                rain(MOST, depths[d], steps[s], 1), evaporation(128, depths[d], steps[s], 1e-7);
        }
    return check_failures != 0;
}
