/* reef_karst.c - claim: emerged reef dissolves at the rate `denudation` times the time above the
   sea, within 1e-3 at steps of 50 to 1000 years and under a sea that rises and falls; sand goes
   first, then the reef's rock, and the rock below never; the books of all layers are closed. */
#include "scene.h"

#include <math.h>

#define YEAR 31556925.9747

enum { N = 12, SPAN = 60000 };

/* Reef of 2 m under sand of 0.5 m, from 0.25 m below the sea up to 54.75 m above it. */
static float height_of(int i)
{
    return -0.25f + 5 * (float)i;
}

/* The sea goes up from 0 to 20 m and down again in 20,000 years. */
static void run(const char *backend, double dt, double rate, const char *sea, float change[N],
                otok_ledger *ledger)
{
    float map[N];
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: 1, spacing: 100}\nlayers: [{name: sand, thickness: 0.5}, "
        "{name: reef, thickness: 2}, {name: lava}]\nphases: [{iterations: %d, reef: {law: "
        "light_saturation, max_growth: 0, rubble: 0.3, dt: %.15g, denudation: %.15g%s}}]\n",
        N, (int)(SPAN / dt), dt * YEAR, rate / 1e6 / YEAR, sea);
    for (int i = 0; i < N; i++)
        map[i] = height_of(i);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, map));
    scene_run(sim, otok_scenario_iterations(s), OTOK_TERRAIN, change);
    *ledger = scene_ledger(sim);
    for (int i = 0; i < N; i++)
        change[i] -= map[i];
    scene_destroy(sim, s);
}

static void check_steady(const char *backend, double dt, double rate)
{
    float change[N];
    otok_ledger l;
    const double falls = fmin(rate * SPAN / 1e6, 2.5);
    run(backend, dt, rate, "", change, &l);
    CHECK(change[0] == 0, "a reef under water dissolves by %g m", (double)-change[0]);
    for (int i = 1; i < N; i++)
        CHECK(fabs(-change[i] / fmin(falls, (double)height_of(i)) - 1) < 1e-3,
              "%g mm/kyr, dt %g yr: ground at %g m falls by %g m of %g", rate, dt,
              (double)height_of(i), (double)-change[i], falls);
    CHECK(fabs(l.layers[0].eroded - fmin(falls, 0.5) * 1e4 * (N - 1)) < 1e-3 * l.dissolved &&
              l.layers[2].eroded == 0 && l.solid_error == 0 &&
              fabs(l.layers[0].eroded + l.layers[1].eroded - l.dissolved) < 1e-9 * l.dissolved,
          "%g m3 dissolved: %g of sand, %g of reef, %g of lava", l.dissolved, l.layers[0].eroded,
          l.layers[1].eroded, l.layers[2].eroded);
    for (int i = 0; i < 3; i++)
        CHECK(fabs(l.layers[i].error) < 1e-6 * l.dissolved, "%s: %g m3 unexplained",
              l.layers[i].name, l.layers[i].error);
}

/* Ground at height h, slow to dissolve, is above a sea of amplitude 20 m for h/20 of the time. */
static void check_tides(const char *backend, double dt)
{
    float change[N];
    otok_ledger l;
    run(backend, dt, 1,
        ", sea_history: {points: [[0, 0], [315569259747, 20], [631138519494, 0]], repeat: true}",
        change, &l);
    for (int i = 1; i < N; i++) {
        const double falls = 1e-6 * SPAN * fmin(1, (double)height_of(i) / 20);
        CHECK(fabs(-change[i] / falls - 1) < 3e-3,
              "dt %g yr: ground at %g m falls by %g m of %g under a sea that moves", dt,
              (double)height_of(i), (double)-change[i], falls);
    }
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static const double steps[] = {50, 100, 500, 1000};
    for (int k = 0; k < 4; k++) {
        check_steady(backend, steps[k], 5);
        check_steady(backend, steps[k], 30);
        check_steady(backend, steps[k], 100);
        check_tides(backend, steps[k]);
    }
    return check_failures > 0;
}
