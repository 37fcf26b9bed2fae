/* ground_high.c - claim: a ground at 2000 m that erodes by about 1e-6 m a step loses what the
   sediment gains. In plain float32 heights it would lose nothing. */
#include "scene.h"

#include <math.h>

enum { N = 64, STEPS = 2000 };

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nedges: {left: periodic, right: periodic}\n"
        "phases:\n  - {iterations: %d, rain: {rate: 0.001}, hydraulic: {dt: 0.05, capacity: 0.01, "
        "dissolve: 0.0005, deposit: 0.01, evaporation: 0}}\n",
        N, N, STEPS);
    static float terrain[N * N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            terrain[j * N + i] = 2000.0f + 0.5f * (float)j;
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, terrain));
    const otok_ledger before = scene_ledger(sim);
    MUST(otok_sim_run(sim, STEPS));
    const otok_ledger l = scene_ledger(sim);
    const double lost = before.solid - (l.solid - l.suspended),
                 a_step = lost / (4.0 * N * N) / STEPS;
    printf("ground lost %.6g m3 (%.1e m a step and cell), sediment gained %.6g m3, difference %.1e "
           "of it\n",
           lost, a_step, l.suspended, (lost - l.suspended) / l.suspended);
    CHECK(l.suspended > 0 && a_step > 3e-7 && a_step < 3e-6,
          "the scene does not erode as meant: %g m a step", a_step);
    CHECK(fabs(lost - l.suspended) <= 1e-5 * l.suspended, "ground lost %.9g, sediment gained %.9g",
          lost, l.suspended);
    scene_destroy(sim, s);
    return check_failures != 0;
}
