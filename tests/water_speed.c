/* water_speed.c - claim: |u| + |w| <= l/dt in every scene and for all kinds of pipes, and on a
   plane slope under rain the speed is l/dt whatever the step: the published model's artefact,
   pinned. CHECK_SLOW */
#include "scene.h"

#include <math.h>

enum { N = 64, STEPS = 600 };

static double fastest_cell(const char *backend, const char *pipes, double dt, int plane,
                           double *middle)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 1}\nedges: {left: %s, right: %s, bottom: "
              "open, top: closed}\nphases:\n"
              "  - {iterations: %d, rain: {rate: 0.001}, hydraulic: {dt: %g, evaporation: 0, "
              "capacity: 0, dissolve: 0, deposit: 0, %s}}\n",
              N, N, plane ? "periodic" : "open", plane ? "periodic" : "closed", STEPS, dt, pipes);
    static float h[N * N], u[N * N], w[N * N];
    uint64_t state = 11;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            h[j * N + i] = plane ? 0.5f * (float)j : 30 * scene_random(&state);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    double most = 0;
    for (int n = 0; n < STEPS; n += 50) {
        scene_run(sim, 50, OTOK_VELOCITY_X, u);
        MUST(otok_sim_get(sim, OTOK_VELOCITY_Y, w));
        for (int i = 0; i < N * N; i++)
            most = fmax(most, fabs((double)u[i]) + fabs((double)w[i]));
    }
    *middle = fabs((double)w[N / 2 * N + N / 2]);
    scene_destroy(sim, s);
    return most;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const double steps[] = {0.1, 0.05, 0.025, 0.0125};
    double middle;
    for (int n = 0; n < 4; n++) {
        const double bound = 1 / steps[n],
                     rough = fastest_cell(backend, "pipes: one_way", steps[n], 0, &middle);
        CHECK(rough <= bound * (1 + 1e-6) && rough > 0, "rough bed, dt %g: %g m/s, bound %g",
              steps[n], rough, bound);
        const double slope = fastest_cell(backend, "pipes: one_way", steps[n], 1, &middle);
        CHECK(slope <= bound * (1 + 1e-6), "plane, dt %g: %g m/s, bound %g", steps[n], slope,
              bound);
        CHECK(fabs(middle / bound - 1) < 1e-3, "plane, dt %g: %g m/s in the middle, l/dt %g",
              steps[n], middle, bound);
    }
    const char *const pipes[] = {"pipes: signed", "pipes: signed, area: depth",
                                 "pipes: signed, pipe_area: 90, manning: 0.01"};
    for (int n = 0; n < 3; n++) {
        const double rough = fastest_cell(backend, pipes[n], 0.1, 0, &middle);
        CHECK(rough <= 10 * (1 + 1e-6) && rough > 1, "rough bed, %s: %g m/s, bound 10", pipes[n],
              rough);
    }
    return check_failures != 0;
}
