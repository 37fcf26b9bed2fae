/* springs_conservation.c - claim: with a rain map, rivers and open edges the books of water and of
   solid close to 1e-7 of what there was, and the rivers' entry is discharge times time, or
   the integral of a history. CHECK_SLOW */
#include "springs_file.h"

#include <math.h>

enum { N = 96, ITERATIONS = 600 };

static const char form[] =
    "otok: 1\nseed: 5\ngrid: {nx: 96, ny: 96, spacing: 2}\nedges: {bottom: open, left: open}\n"
    "base:\n  - cone: {height: 60, radius: 90, x: 150, y: 150}\n  - simplex: {wavelength: 60, "
    "amplitude: 6, combine: add}\n"
    "phases:\n  - name: a\n    iterations: 600\n    rain: {rate: 0.002, map: %s, during: [[0, "
    "300]]}\n"
    "    rivers: [{x: 150, y: 120, radius: 7, discharge: 12}, {x: 100, y: 150, discharge: 1.5}, "
    "{x: 190, y: 190, radius: 20, %s}]\n"
    "    hydraulic: {dt: 0.1, capacity: 0.3, dissolve: 0.02, deposit: 0.05, displace_water: %s, "
    "evaporation: 0.01}\n    thermal: {dt: 0.1}\n";

static void run(const char *backend, const char *displaces, const char *last, double mean)
{
    otok_scenario *s = scene(form, springs_path, last, displaces);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, ITERATIONS));
    const otok_ledger l = scene_ledger(sim);
    const double rivers = 17.5 * 0.1 * ITERATIONS, rain = 0.002 * 0.1 * 300 * mean * 4 * N * N;
    CHECK(fabs(l.rivers - rivers) < 1e-5 * rivers, "rivers brought %.9g m3, not %.9g", l.rivers,
          rivers);
    CHECK(fabs(l.rain - rain) < 1e-4 * rain, "rain brought %.9g m3, not %.9g", l.rain, rain);
    CHECK(l.water_out > 0 && l.sediment_out > 0 && l.evaporated > 0, "nothing left the grid");
    CHECK(fabs(l.water_error) < 1e-7 * (l.rain + l.rivers), "water: %.3g of %.3g m3", l.water_error,
          l.rain + l.rivers);
    CHECK(fabs(l.solid_error) < 1e-7 * l.solid_start, "solid: %.3g of %.3g m3", l.solid_error,
          l.solid_start);
    CHECK(l.not_finite == 0, "%lld values are not finite", (long long)l.not_finite);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static float map[N * N];
    uint64_t state = 8;
    double mean = 0;
    for (int n = 0; n < N * N; n++) {
        map[n] = 2 * scene_random(&state);
        mean += (double)map[n] / (N * N);
    }
    springs_begin();
    springs_write("rain.asc", N, N, 2, "", map);
    run(backend, "false", "discharge: 4", mean);
    run(backend, "true", "discharge: 4", mean);
    run(backend, "true", "history: [[0, 0], [20, 6], [40, 6], [60, 0]]", mean);
    springs_remove("rain.asc");
    springs_end();
    return check_failures != 0;
}
