/* conservation_ledger.c - claim: 10,000 conservative iterations at 256 x 256, hydraulic and thermal
   under intermittent rain, close the ledgers of water and of solid to 1e-6 of the total; the drift
   of semi-Lagrangian transport and of Jacobi sweeps is booked to the same error. */
#include "scene.h"

#include <math.h>

static const char island[] =
    "otok: 1\nseed: 3\ngrid: {nx: %d, ny: %d, spacing: 2}\nedges: {left: %s}\n"
    "base:\n  - cone: {height: 100, radius: %g, power: 1.5}\n  - simplex: {wavelength: 200, "
    "amplitude: 20, combine: add}\n"
    "phases:\n  - name: erosion\n    iterations: %d\n    rain: {rate: 0.005, during: [[0, %d]]}\n"
    "    hydraulic: {dt: 0.05, capacity: 1, dissolve: 0.05, deposit: 0.1, evaporation: 0.05, "
    "transport: %s%s}\n    thermal: {dt: 0.02}\n";

static void run(const char *backend, int n, int iterations, const char *transport, const char *more)
{
    otok_scenario *s = scene(island, n, n, strcmp(transport, "none") == 0 ? "open" : "closed",
                             0.9 * n, iterations, iterations / 2, transport, more);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, iterations));
    const otok_ledger l = scene_ledger(sim);
    const double water = l.water_error / (l.water_start + l.rain),
                 solid = l.solid_error / l.solid_start;
    printf("%s, %d^2, %d iterations: water %.1e of %.4g m3, solid %.1e of %.4g m3, drift %+.3g m3, "
           "diffused %+.3g m3\n",
           transport, n, iterations, water, l.rain, solid, l.solid_start, l.drift, l.diffused);
    CHECK(l.rain > 0 && l.evaporated > 0, "nothing happened");
    CHECK(fabs(water) <= 1e-6, "water error %.3e", water);
    CHECK(fabs(solid) <= 1e-6, "solid error %.3e", solid);
    CHECK(l.not_finite == 0, "%lld values are not finite", (long long)l.not_finite);
    CHECK(strcmp(transport, "none") != 0 || (l.water_out > 0 && l.sediment_out == 0),
          "left: %g of water, %g of sediment, which stays", l.water_out, l.sediment_out);
    CHECK(strcmp(transport, "semi_lagrangian") != 0 || l.drift != 0,
          "semi-Lagrangian transport without drift");
    scene_destroy(sim, s);
}

CHECK_SLOW

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    run(backend, 256, 10000, "conservative", "");
    run(backend, 128, 2000, "conservative", ", diffusivity: 2");
    run(backend, 128, 2000, "conservative", ", law: shallow_water");
    run(backend, 128, 2000, "none", "");
    run(backend, 128, 2000, "semi_lagrangian", ", diffusion_sweeps: 1");
    return check_failures != 0;
}
