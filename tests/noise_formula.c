/* noise_formula.c: the noise of a cell is simplex noise at its centre in metres over the
   wavelength, as a plain program in double finds it with floor; also in the far corner of the
   largest grid, and summed over octaves. */
#include "base_scene.h"

static double corner(const uint32_t seed[2], uint32_t stream, int64_t u, int64_t v, double x,
                     double y)
{
    const double t = 0.5 - x * x - y * y;
    if (t <= 0) return 0;
    for (uint32_t draw = 0;; draw++) {
        const uint64_t point = ((uint64_t)v & 0xffffff) << 32 | ((uint64_t)u & 0xffffff);
        const otok_random4 r = otok_random(seed[0], seed[1], stream, point, draw);
        for (int k = 0; k < 4; k += 2) {
            const double gx = 2.0 * otok_uniform(r.v[k]) - 1,
                         gy = 2.0 * otok_uniform(r.v[k + 1]) - 1, g = hypot(gx, gy);
            if (g <= 1 && g > 0.01) return pow(t, 4) * (gx * x + gy * y) / g;
        }
    }
}

static double plain(const uint32_t seed[2], uint32_t stream, double x, double y)
{
    const double skew = (x + y) * (sqrt(3) - 1) / 2, G = (3 - sqrt(3)) / 6;
    const int64_t u = (int64_t)floor(x + skew), v = (int64_t)floor(y + skew);
    double sum = 0;
    for (int a = 0; a < 2; a++) /* the corner off both sides of the diagonal adds 0 */
        for (int b = 0; b < 2; b++) {
            const double back = (double)(u + a + v + b) * G;
            sum += corner(seed, stream, u + a, v + b, x - ((double)(u + a) - back),
                          y - ((double)(v + b) - back));
        }
    return 99.2043345827 * sum;
}

static double compare(int i0, int j0, double spacing, double wavelength, int octaves)
{
    static otok_base_plan code;
    otok_generator base[] = {SIMPLEX(wavelength, octaves, .stream = 9)};
    scene(&code, (otok_grid){1 << 20, 1 << 20, spacing}, INT64_C(0x1234567890abc), base, 1);
    const uint32_t seed[2] = {0x67890abc, 0x12345};
    double worst = 0;
    for (int j = j0; j < j0 + 100; j++)
        for (int i = i0; i < i0 + 100; i++) {
            double want = 0;
            for (int n = 0; n < octaves; n++) {
                const double per = ldexp(1, n) / wavelength;
                want += ldexp(plain(seed, 9 * 32 + (uint32_t)n, (i + 0.5) * spacing * per,
                                    (j + 0.5) * spacing * per),
                              -n);
            }
            worst = fmax(worst, fabs(scene_cell(&code, i, j) - want));
        }
    return worst;
}

int main(void)
{
    const int far = (1 << 20) - 100;
    const double near = compare(0, 0, 2, 60, 1), middle = compare(70000, 300, 1, 13.7, 1),
                 end = compare(far, far, 0.7, 9.1, 1);
    const double sum = compare(200, 100, 2, 300, 8);
    CHECK(near < 1e-6, "origin: %g", near);
    CHECK(middle < 1e-5, "middle: %g", middle);
    CHECK(end < 1e-5, "far corner: %g", end);
    CHECK(sum < 4e-6, "eight octaves: %g", sum);
    printf("noise: largest difference from double %.2g near the origin, %.2g in the far corner of "
           "2^20 x 2^20\n",
           near, end);
    return check_failures != 0;
}
