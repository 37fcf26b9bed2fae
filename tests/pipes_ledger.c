/* pipes_ledger.c - claim: all kinds of pipes close the ledgers of water and of solid to 1e-6 over
   open, closed and periodic sides, with what leaves booked, and nothing flows in over an open side.
   CHECK_SLOW */
#include "scenario/scenario.h"
#include "scene.h"

#include <math.h>

enum { N = 64, STEPS = 600 };

static void run(const char *backend, const char *pipes, const char *edges)
{
    static float flow[N * N];
    otok_scenario *s =
        scene("otok: 1\nseed: 4\ngrid: {nx: %d, ny: %d, spacing: 2}\nedges: {%s}\n"
              "base:\n  - simplex: {wavelength: 60, amplitude: 15}\nphases:\n  - iterations: %d\n"
              "    rain: {rate: 0.003, during: [[0, %d]]}\n"
              "    hydraulic: {dt: 0.1, capacity: 1, dissolve: 0.05, deposit: 0.1, evaporation: "
              "0.01, %s}\n",
              N, N, edges, STEPS, STEPS / 2, pipes);
    otok_sim *sim = scene_sim(s, backend);
    for (int n = 0; n < 5; n++) {
        MUST(otok_sim_run(sim, STEPS / 5));
        for (int side = 0; side < OTOK_SIDES; side++) {
            if (s->edges[side] != OTOK_OPEN) continue;
            MUST(otok_sim_get(sim, (otok_field)(OTOK_OUTFLOW_LEFT + side), flow));
            const size_t first = side == OTOK_RIGHT ? N - 1 : side == OTOK_TOP ? N * (N - 1) : 0;
            for (size_t i = 0; i < N; i++) {
                const float f = flow[first + i * (side == OTOK_LEFT || side == OTOK_RIGHT ? N : 1)];
                CHECK(f >= 0, "%s, %s: an inflow of %g m3/s over side %d", pipes, edges, (double)f,
                      side);
            }
        }
    }
    const otok_ledger l = scene_ledger(sim);
    const double water = l.water_error / l.rain,
                 solid = l.solid_error / fabs(l.sediment_out + l.suspended + 1);
    CHECK(fabs(water) <= 1e-6, "%s, %s: water error %.2e of %.4g m3", pipes, edges, water, l.rain);
    CHECK(fabs(solid) <= 1e-6, "%s, %s: solid error %.2e, %.4g m3 out", pipes, edges, solid,
          l.sediment_out);
    CHECK((l.water_out > 0) == (strstr(edges, "open") != NULL) &&
              (l.sediment_out > 0) == (l.water_out > 0),
          "%s, %s: %g m3 of water and %g of sediment left", pipes, edges, l.water_out,
          l.sediment_out);
    CHECK(l.water_clamped < 1e-6 * l.rain && l.not_finite == 0, "%s, %s: %g m3 of water clamped",
          pipes, edges, l.water_clamped);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const char *const pipes[] = {"pipes: one_way", "pipes: signed", "pipes: signed, manning: 0.03",
                                 "pipes: signed, area: depth, manning: 0.03",
                                 "pipes: signed, area: depth, manning: 0.03, theta: 0.7"};
    const char *const edges[] = {"left: open, bottom: open", "right: open, top: open",
                                 "left: periodic, right: periodic, bottom: open",
                                 "left: open, bottom: periodic, top: periodic", "left: closed"};
    for (int p = 0; p < 5; p++)
        for (int e = 0; e < 5; e++)
            run(backend, pipes[p], edges[e]);
    return check_failures != 0;
}
