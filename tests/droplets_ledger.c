/* droplets_ledger.c - claim: whatever droplets do, the solid of the ground, of what left the map,
   and under as_published of what was lost, adds up to 1e-9 of what they moved: counted by the
   ledger, and again from the map. Under `deposit` nothing is lost, and on a map without borders
   nothing leaves. */
#include "scene.h"

#include <math.h>

static const char land[] = "otok: 1\nseed: 5\ngrid: {nx: 150, ny: 120, spacing: 1.5}\nedges: "
                           "{left: %s, right: %s, bottom: %s, top: %s}\n"
                           "base:\n  - simplex: {wavelength: 80, amplitude: 25}\n"
                           "phases:\n  - droplets: {count: 9000, batch: %d, losses: %s, "
                           "evaporation: 0.01, min_volume: 0.3}\n";

static float change[120][150];

static otok_ledger run(const char *backend, const char *edge, int batch, const char *losses)
{
    otok_scenario *s = scene(land, edge, edge, edge, edge, batch, losses);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    const otok_ledger l = scene_ledger(sim);
    MUST(otok_sim_get(sim, OTOK_TERRAIN_CHANGE, change[0]));
    double sum = 0, moved = 0;
    for (int j = 0; j < 120; j++)
        for (int i = 0; i < 150; i++) {
            sum += (double)change[j][i] * 1.5 * 1.5;
            moved += fabs((double)change[j][i]) * 1.5 * 1.5;
        }
    const double booked = l.droplets_rounded - l.sediment_out - l.droplets_lost;
    CHECK(moved > 1000, "%s, batches of %d, %s: only %g m3 moved", edge, batch, losses, moved);
    CHECK(fabs(sum - booked) <= 1e-9 * moved,
          "%s, batches of %d, %s: the map gained %.9f m3, booked %.9f", edge, batch, losses, sum,
          booked);
    CHECK(fabs(l.solid_error) <= 1e-9 * moved, "%s, batches of %d, %s: %.3e m3 unexplained", edge,
          batch, losses, l.solid_error);
    CHECK(fabs(l.droplets_rounded) <= 1e-6 * moved, "%s, batches of %d, %s: %.3e m3 rounded", edge,
          batch, losses, l.droplets_rounded);
    scene_destroy(sim, s);
    return l;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const int batches[] = {1, 100, 9000};
    for (int n = 0; n < 3; n++) {
        const otok_ledger lost = run(backend, "closed", batches[n], "as_published"),
                          kept = run(backend, "open", batches[n], "deposit"),
                          held = run(backend, "periodic", batches[n], "deposit");
        CHECK(lost.droplets_lost > 0 && lost.sediment_out > 0, "lost %g m3, out %g m3",
              lost.droplets_lost, lost.sediment_out);
        CHECK(kept.droplets_lost == 0 && kept.sediment_out > 0, "lost %g m3, out %g m3",
              kept.droplets_lost, kept.sediment_out);
        CHECK(held.droplets_lost == 0 && held.sediment_out == 0, "lost %g m3, out %g m3",
              held.droplets_lost, held.sediment_out);
    }
    return check_failures != 0;
}
