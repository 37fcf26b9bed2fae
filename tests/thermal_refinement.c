/* thermal_refinement.c - claim: with `thermal.diffusivity` a pile slumps in the same time on every
   grid: until the middle 4 m square of a cone of 45 degrees, 8 cells in radius on the coarsest
   grid, has lost half of what it loses in the end, the times at l = 2, 1 and 0.5 m are within 5 %.
   The bits are those of rate = diffusivity / l^2, which goes on where one is changed into the
   other. CHECK_SLOW */
#include "scene.h"

#include <math.h>

enum { LOOKS = 1200, DURATION = 300 };

static const char pile[] =
    "otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\n"
    "base: [{cone: {height: 16, radius: 16}}]\n"
    "phases: [{name: slump, iterations: %d, thermal: {dt: %.17g, talus: 25, law: %s, %s: %g}}]\n";

/* Mean height of the middle cells. */
static double summit(otok_sim *sim, int n, int middle)
{
    static float map[96 * 96];
    double sum = 0;
    MUST(otok_sim_get(sim, OTOK_TERRAIN, map));
    for (int j = (n - middle) / 2; j < (n + middle) / 2; j++)
        for (int i = (n - middle) / 2; i < (n + middle) / 2; i++)
            sum += (double)map[j * n + i];
    return sum / (middle * middle);
}

/* Seconds until half is lost, of diffusivity 1 m2 s-1. */
static double half_time(const char *backend, int middle)
{
    double height[LOOKS + 1];
    const double l = 4.0 / middle, look = (double)DURATION / LOOKS;
    const int n = 12 * middle, every = (int)ceil(look / (0.125 * l * l)), steps = LOOKS * every;
    otok_scenario *s = scene(pile, n, n, l, steps, look / every, "excess", "diffusivity", 1.0);
    otok_sim *sim = scene_sim(s, backend);
    height[0] = summit(sim, n, middle);
    for (int k = 1; k <= LOOKS; k++) {
        MUST(otok_sim_run(sim, every));
        height[k] = summit(sim, n, middle);
    }
    scene_destroy(sim, s);
    const double half = (height[0] + height[LOOKS]) / 2;
    int k = 1;
    while (height[k] > half)
        k++;
    const double time = (k - 1 + (height[k - 1] - half) / (height[k - 1] - height[k])) * look;
    CHECK(height[0] - height[LOOKS] > 3 && height[LOOKS / 2] - height[LOOKS] < 0.05,
          "l = %g: at half the time %g m, in the end %g", l, height[LOOKS / 2], height[LOOKS]);
    return time;
}

/* The fingerprint after 20 iterations of one, and 20 of the other. */
static uint64_t fingerprint_of_slide(const char *backend, const char *law, const char *key,
                                     double value, const char *path, const char *then)
{
    otok_scenario *s = scene(pile, 31, 31, 4.0, 40, 0.125, law, key, value);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 20));
    if (path) MUST(otok_sim_change(sim, path, then));
    MUST(otok_sim_run(sim, 20));
    const uint64_t fingerprint = scene_fingerprint(sim);
    scene_destroy(sim, s);
    return fingerprint;
}

int main(int argc, char **argv)
{
    static const char *const laws[] = {"share", "excess"}, rate[] = "phases.slump.thermal.rate";
    static const char diffusivity[] = "phases.slump.thermal.diffusivity";
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const double fine = half_time(backend, 8), middle = half_time(backend, 4),
                 coarse = half_time(backend, 2);
    CHECK(fabs(middle / fine - 1) < 0.05 && fabs(coarse / fine - 1) < 0.05 &&
              fabs(coarse / middle - 1) < 0.05,
          "half after %g, %g and %g s", coarse, middle, fine);
    for (int law = 0; law < 2; law++) {
        const uint64_t same = fingerprint_of_slide(backend, laws[law], "rate", 0.5, NULL, NULL);
        CHECK(fingerprint_of_slide(backend, laws[law], "diffusivity", 8, NULL, NULL) == same,
              "%s: diffusivity is not rate l^2", laws[law]);
        CHECK(fingerprint_of_slide(backend, laws[law], "diffusivity", 8, rate, "0.5") == same,
              "%s: a live rate", laws[law]);
        CHECK(fingerprint_of_slide(backend, laws[law], "rate", 0.5, diffusivity, "8") == same,
              "%s: a live diffusivity", laws[law]);
        CHECK(fingerprint_of_slide(backend, laws[law], "rate", 0.5, diffusivity, "0") == same,
              "%s: no diffusivity", laws[law]);
    }
    return check_failures != 0;
}
