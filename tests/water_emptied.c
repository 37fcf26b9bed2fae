/* water_emptied.c - claim: how deep water cuts where it empties cells does not depend on the step.
   A lake runs off an island through open sides. The limiter K empties cells on its way, so that
   their speed is l/dt: at a quarter of the step they were cut 4 to 6 times as deep, before capacity
   was bounded by OTOK_SWIFT. 10 % is what experiments/stability/falsify calls false. */
#include "scene.h"

#include <math.h>

enum { N = 24 };

static double deepest(const char *backend, const char *base, int finer)
{
    static float change[N * N];
    double least = 0;
    otok_scenario *s =
        scene("otok: 1\n%s\ngrid: {nx: %d, ny: %d, spacing: 3}\nedges: {left: open, right: open, "
              "bottom: open, top: open}\nphases: [{name: a, iterations: %d, hydraulic: {dt: %.17g, "
              "law: local_inertia, capacity_law: speed, capacity: 0.01, dissolve: 3, deposit: "
              "0.2, manning: 0.025}}]\n",
              base, N, N, 150 * finer, 0.04 / finer);
    otok_sim *sim = scene_sim(s, backend);
    scene_run(sim, otok_scenario_iterations(s), OTOK_TERRAIN_CHANGE, change);
    for (int n = 0; n < N * N; n++)
        least = fmin(least, (double)change[n]);
    scene_destroy(sim, s);
    return -least;
}

static void compare(const char *backend, const char *base)
{
    const double whole = deepest(backend, base, 1), quarter = deepest(backend, base, 4);
    CHECK(whole > 0.01, "it cuts %g m only", whole);
    CHECK(fabs(quarter / whole - 1) < 0.1, "at a quarter of dt it cuts %g m instead of %g", quarter,
          whole);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    compare(backend, "seed: 53\nbase: [cone: {height: 10.4, radius: 36}, simplex: {octaves: 2, "
                     "wavelength: 55, amplitude: 0.054, combine: add}]\ninitial: {water: 0.64}");
    compare(backend, "seed: 26\nbase: [cone: {height: 7.3, radius: 36}, simplex: {octaves: 2, "
                     "wavelength: 15.6, amplitude: 0.26, combine: add}]\ninitial: {water: 1.08}");
    return check_failures != 0;
}
