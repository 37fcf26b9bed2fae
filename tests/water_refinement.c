/* water_refinement.c - claim: what rain erodes from a rough hill in a given time does not depend on
   the step with pipes as deep as the water and friction (3 % from dt to dt/4), with `damping:
   courant` too; with the published pipes it grows with every halving, and with theta 0.5
   the second halving changes it by more than the first. CHECK_SLOW */
#include "scene.h"

#include <math.h>

enum { N = 64, SECONDS = 20 };

/* Ground lost where it was lost, a mean over all cells [m]. */
static double eroded(const char *backend, const char *pipes, double dt)
{
    static float change[N * N];
    otok_scenario *s = scene(
        "otok: 1\nseed: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nbase:\n  - cone: {height: 60, "
        "radius: 90}\n"
        "  - simplex: {wavelength: 60, amplitude: 8, combine: add}\nphases:\n  - iterations: %d\n"
        "    rain: {rate: 0.005}\n"
        "    hydraulic: {dt: %g, capacity: 0.05, dissolve: 0.05, deposit: 0.1, evaporation: 0.05, "
        "%s}\n",
        N, N, (int)(SECONDS / dt + 0.5), dt, pipes);
    otok_sim *sim = scene_sim(s, backend);
    scene_run(sim, (int64_t)(SECONDS / dt + 0.5), OTOK_TERRAIN_CHANGE, change);
    double sum = 0;
    for (int n = 0; n < N * N; n++)
        sum += change[n] < 0 ? -(double)change[n] : 0;
    scene_destroy(sim, s);
    return sum / (N * N);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const char *const pipes[] = {"pipes: one_way", "pipes: signed, area: depth, manning: 0.03",
                                 "pipes: signed, area: depth, manning: 0.03, damping: courant",
                                 "pipes: signed, area: depth, manning: 0.03, theta: 0.5"};
    for (int p = 0; p < 4; p++) {
        const double first = eroded(backend, pipes[p], 0.1), half = eroded(backend, pipes[p], 0.05);
        const double last = eroded(backend, pipes[p], 0.025);
        if (p == 0)
            CHECK_FOUND(half > 1.4 * first && last > 1.4 * half, "%s: %g m, %g m, %g m", pipes[p],
                        first, half, last);
        else if (p == 3)
            CHECK_FOUND(fabs(last - half) > fabs(half - first), "%s: %g m, %g m, %g m", pipes[p],
                        first, half, last);
        else
            CHECK_FOUND(fabs(last / first - 1) < 0.03, "%s: %g m, %g m, %g m", pipes[p], first,
                        half, last);
    }
    return check_failures != 0;
}
