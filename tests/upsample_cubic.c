/* upsample_cubic.c: bicubic upsampling reproduces linear ramps exactly and parabolas to rounding
   away from the borders, cubics to 1/60 of their third difference, never leaves a constant, and by
   1 changes nothing. */
#include "base_scene.h"

enum { N = 32, SIDE = N + 1, MOST = 8 * SIDE };

static double heights[SIDE * SIDE];
static float fine[MOST * MOST];

static void make(int factor)
{
    static otok_base_plan plan;
    const otok_backend *cpu = NULL;
    otok_generator with[] = {DIAMOND_SQUARE(0, 1, 0.5, 5)};
    otok_generator base[] = {
        {.kind = OTOK_GEN_UPSAMPLE, .as.upsample = {factor}, .with = with, .nwith = 1}};
    with[0].nnumbers = SIDE * SIDE, with[0].numbers = heights;
    MUST(otok_backend_find(&cpu, "cpu"));
    scene(&plan, (otok_grid){SIDE * factor, SIDE * factor, 1}, 0, base, 1);
    scene_make(cpu, &plan, (otok_box){0, SIDE * factor, 0, SIDE * factor}, fine);
}

/* a x^3 + b x^2 + c x y + d x + e y + f, in units of coarse cells. */
static double at(const double k[6], double x, double y)
{
    return k[0] * x * x * x + k[1] * x * x + k[2] * x * y + k[3] * x + k[4] * y + k[5];
}

/* Largest error more than `border` coarse cells away from the border. */
static double error(const double k[6], int factor, double border)
{
    const int nx = SIDE * factor;
    double worst = 0;
    for (int n = 0; n < SIDE * SIDE; n++)
        heights[n] = at(k, n % SIDE, n / SIDE);
    make(factor);
    for (int j = 0; j < nx; j++)
        for (int i = 0; i < nx; i++) {
            const double x = (i + 0.5) / factor - 0.5, y = (j + 0.5) / factor - 0.5;
            if (x < border || y < border || x > N - border || y > N - border) continue;
            worst = fmax(worst, fabs(fine[j * nx + i] - at(k, x, y)));
        }
    return worst;
}

int main(void)
{
    static const double flat[6] = {0, 0, 0, 0, 0, 7.3}, ramp[6] = {0, 0, 0, 3, -5, 40},
                        parabola[6] = {0, 0.5, -0.25, 1, 2, 3},
                        cubic[6] = {0.01, -0.3, 0.1, 2, -1, 9};
    for (int factor = 2; factor <= 8; factor *= 2) {
        const double e = error(ramp, factor, 1);
        CHECK(e == 0, "a ramp by %d is off by %g", factor, e);
    }
    for (int factor = 1; factor <= 5; factor++) {
        const double f = error(flat, factor, -1), r = error(ramp, factor, 1),
                     p = error(parabola, factor, 1), c = error(cubic, factor, 1);
        CHECK(f < 1e-6, "a constant by %d is off by %g", factor, f);
        CHECK(r < 1e-4, "a ramp by %d is off by %g", factor, r);
        CHECK(p < 1e-4, "a parabola by %d is off by %g", factor, p);
        CHECK(c < 0.06 / 60 + 1e-4, "a cubic by %d is off by %g", factor,
              c); /* third difference 6 * 0.01 */
        CHECK(factor == 1 || factor == 2 || c > 2e-4, "a cubic by %d is off by %g: no trial",
              factor, c);
    }
    uint64_t state = 3;
    for (int n = 0; n < SIDE * SIDE; n++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        heights[n] = (double)(float)((double)(state >> 40) * 1e-3);
    }
    make(1);
    for (int n = 0; n < SIDE * SIDE; n++)
        CHECK(fine[n] == (float)heights[n], "by 1, %.9g became %.9g", heights[n], fine[n]);
    return check_failures != 0;
}
