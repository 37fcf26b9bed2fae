/* marine_exact.c - claim: marine diffusion is Landlab's formula: 200 steps over a rough coast are
   within 1e-3 of the largest change from the same scheme in double with tanh, written here on its
   own; a step longer than its longest is divided. The ledger explains every bit. Over layers a cell
   gives no more than its loose top layer: the rock below stays, and loose soil that is thick enough
   moves as without layers. */
#include "scene.h"

#include <math.h>

enum { NX = 40, NY = 24, CELLS = NX * NY, STEPS = 200 };

/* K dt / l^2 = 0.2 */
static const double l = 100, dt = 2000, diffusivity = 1, wave_base = 15, tidal_range = 2, sea = 3;

static const char *backend;
static float start[CELLS], end[CELLS], loose[CELLS], rock[CELLS];

static void make_coast(void)
{
    uint64_t x = 3;
    for (int n = 0; n < CELLS; n++) {
        const int i = n % NX;
        start[n] = 25 - 2.5f * (float)i + 6 * scene_random(&x);
    }
}

static otok_sim *run(const char *layers, int iterations, double clock, otok_ledger *ledger)
{
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nsea: {level: %g}\nbase: [{constant: "
        "{height: 0}}]\n%sphases: [{iterations: %d, uplift: {dt: %g}, marine_diffusion: {dt: %g, "
        "diffusivity: %g, wave_base: %g, tidal_range: %g}}]\n",
        NX, NY, l, sea, layers, iterations, clock, dt, diffusivity, wave_base, tidal_range);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN_BASE, start));
    if (*layers) MUST(otok_sim_get(sim, OTOK_LAYER_BOTTOM, rock));
    scene_run(sim, iterations, OTOK_TERRAIN, end);
    *ledger = scene_ledger(sim);
    otok_scenario_destroy(s);
    return sim;
}

static double strength(double h)
{
    const double d = sea - h, k = diffusivity * (1 + tanh(d / tidal_range)) / 2;
    return d > wave_base ? k * exp(-(d - wave_base) / wave_base) : k;
}

static void step(double *to, const double *h)
{
    static const int x[] = {-1, 1, 0, 0}, y[] = {0, 0, -1, 1};
    for (int n = 0; n < CELLS; n++) {
        to[n] = h[n];
        for (int side = 0; side < 4; side++) {
            const int i = n % NX + x[side], j = n / NX + y[side], other = j * NX + i;
            if (i < 0 || i >= NX || j < 0 || j >= NY) continue;
            to[n] += dt / (l * l) * fmax(strength(h[n]), strength(h[other])) * (h[other] - h[n]);
        }
    }
}

static void check_formula(int divided)
{
    static double h[2][CELLS];
    double most = 0, far = 0, sum = 0;
    otok_ledger ledger;
    otok_sim_destroy(divided ? run("", STEPS / 4, 4 * dt, &ledger) : run("", STEPS, dt, &ledger));
    for (int n = 0; n < CELLS; n++)
        h[0][n] = (double)start[n];
    for (int n = 0; n < STEPS; n++)
        step(h[(n + 1) % 2], h[n % 2]);
    for (int n = 0; n < CELLS; n++) {
        most = fmax(most, fabs(h[STEPS % 2][n] - (double)start[n]));
        far = fmax(far, fabs(h[STEPS % 2][n] - (double)end[n]));
        sum += (double)end[n] - (double)start[n];
    }
    CHECK(most > 5 && far < 1e-3 * most, "%g m off, where the ground moved by %g m", far, most);
    CHECK(ledger.solid_error == 0 && fabs(ledger.ground_rounded) < 1e-6 * CELLS * l * l &&
              fabs(sum) < 1e-6 * CELLS * STEPS,
          "%g m3 unexplained, %g by rounding, %g m moved in or out", ledger.solid_error,
          ledger.ground_rounded, sum);
}

static void check_layers(void)
{
    static const char thin[] = "layers: [{name: sand, thickness: 0.5}, {name: rock}]\n",
                      thick[] = "layers: [{name: sand, thickness: 500}, {name: rock}]\n";
    double moved = 0;
    int broken = 0, differs = 0;
    otok_ledger ledger;
    otok_sim_destroy(run("", STEPS, dt, &ledger));
    memcpy(loose, end, sizeof loose);
    otok_sim_destroy(run(thick, STEPS, dt, &ledger));
    for (int n = 0; n < CELLS; n++)
        differs += loose[n] != end[n];
    CHECK(!differs, "%d cells differ under thick sand", differs);
    otok_sim *sim = run(thin, STEPS, dt, &ledger);
    MUST(otok_sim_get(sim, OTOK_LAYER_BOTTOM, loose));
    for (int n = 0; n < CELLS; n++) {
        broken += fabsf(loose[n] - rock[n]) > 1e-6f;
        moved = fmax(moved, (double)(start[n] - end[n]));
    }
    CHECK(!broken && moved > 0.4999 && moved < 0.50001, "rock broken in %d cells, %g m moved",
          broken, moved);
    CHECK(fabs(ledger.layers[1].error) < 1e-6 * CELLS * l * l &&
              fabs(ledger.layers[1].eroded) < 1e-6 * CELLS * l * l,
          "rock: %g m3 unexplained, %g eroded", ledger.layers[1].error, ledger.layers[1].eroded);
    otok_sim_destroy(sim);
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    make_coast();
    check_formula(0);
    check_formula(1);
    check_layers();
    return check_failures > 0;
}
