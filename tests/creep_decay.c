/* creep_decay.c - claim: under linear creep a sine decays by 1 - 4 share sin^2(k l / 2) a step,
   which is exp(-D k^2 dt) to second order in k l; the ledger explains all of the ground. */
#include "scene.h"

#include <math.h>

enum { N = 64, STEPS = 400 };

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const double l = 2, diffusivity = 0.7, dt = 0.5, k = 4 * 3.14159265358979323846 / N;
    const double discrete = pow(1 - 4 * diffusivity * dt / (l * l) * pow(sin(k / 2), 2), STEPS);
    const double exact = exp(-diffusivity * (k / l) * (k / l) * dt * STEPS);
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\n"
                             "edges: {left: periodic, right: periodic}\nphases: [{name: a, "
                             "iterations: %d, creep: {dt: %g, diffusivity: %g}}]\n",
                             N, N, l, STEPS, dt, diffusivity);
    static float map[N * N];
    double left = 0;
    for (int n = 0; n < N * N; n++)
        map[n] = (float)(100 + 10 * sin(k * (n % N)) + n / N);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, map));
    const otok_ledger before = scene_ledger(sim);
    scene_run(sim, STEPS, OTOK_TERRAIN, map);
    const otok_ledger after = scene_ledger(sim);
    for (int n = 0; n < N * N; n++)
        left += map[n] * sin(k * (n % N)) * 2 / (10.0 * N * N);
    CHECK(fabs(left / discrete - 1) < 1e-5, "%.8f of the wave is left, not %.8f", left, discrete);
    CHECK(fabs(left / exact - 1) < k * k, "%.8f of the wave is left, exactly %.8f", left, exact);
    CHECK(after.ground_rounded != 0 && after.solid == before.solid + after.ground_rounded,
          "%.17g m3 became %.17g, %g by rounding", before.solid, after.solid, after.ground_rounded);
    scene_destroy(sim, s);
    return check_failures > 0;
}
