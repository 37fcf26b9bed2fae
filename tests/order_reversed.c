/* order_reversed.c - claim: in a phase that is reversed the processes of an iteration come in the
   other order, but for what one hands to another: water keeps its rain and its losses, waves come
   before all that they move, and rivers before the reef on which their sediment falls. The result
   is another one, the same on every backend, and the two orders are C dt apart: half as far with
   half the step. A twin reverses a phase, and one that is reversed back. */
#include "scenario/process.h"
#include "scenario/twin.h"
#include "scene.h"

#include <math.h>

enum { N = 32 };

#define HEAD(edges)                                                                                \
    "otok: 1\nseed: 5\ngrid: {nx: 32, ny: 32, spacing: 100}\nedges: {left: open" edges             \
    "}\nbase: [{cone: {height: 400, radius: 1500}}, {simplex: {octaves: 3, amplitude: 20, "        \
    "wavelength: 600, combine: add}}, {constant: {height: -120, combine: add}}]\nsea: {level: "    \
    "0}\n"
#define COAST                                                                                      \
    "mix_reef_and_erosion: true, uplift: {dt: 100 yr, rate: 0.5 mm/yr}, incision: {erodibility: "  \
    "1e-5 yr-1, m: 0.45, plume: 300 m}, creep: {dt: 100 yr, diffusivity: 0.05 m2/yr}, "            \
    "marine_diffusion: {dt: 100 yr, diffusivity: 20 m2/yr, wave_base: 20}, waves: {every: 2}, "    \
    "reef: {dt: 100 yr, law: light_saturation, max_growth: 5 mm/yr}"
static const struct {
    const char *text, *order; /* of those that it has */
} scenes[] = {
    {HEAD("") "phases: [{name: a, iterations: 40, " COAST "}]\n",
     "waves marine_diffusion incision reef uplift creep "},
    {HEAD("") "layers: [{name: soil, thickness: 2, erodibility: 2}, {name: rock}]\nphases: [{name: "
              "a, iterations: 60, rain: {rate: 1e-5}, hydraulic: {law: local_inertia, dt: 1, "
              "capacity: 0.05, capacity_law: speed_depth}, infiltration: {conductivity: 1e-6}, "
              "thermal: "
              "{dt: 1, rate: 0.01, talus: 5}, creep: {diffusivity: 0.1}}]\n",
     "creep thermal rain hydraulic infiltration "},
    {HEAD(", right: open, bottom: open, top: open") "phases: [{name: a, iterations: 60, uplift: "
                                                    "{dt: 500 yr, rate: 1 mm/yr}, incision: "
                                                    "{erodibility: 1e-5 yr-1, m: 0.45}}]\n",
     "incision uplift "},
};

static void check_order(const otok_scenario *s, const char *expected)
{
    char found[256] = "";
    int order[OTOK_PROCESSES];
    otok_phase_order(order, &s->phases[0]);
    for (int n = 0; n < OTOK_PROCESSES; n++)
        if (s->phases[0].processes & otok_processes[order[n]]->bit) {
            strcat(found, otok_processes[order[n]]->group);
            strcat(found, " ");
        }
    CHECK(strcmp(found, expected) == 0, "the order is %snot %s", found, expected);
}

static uint64_t run(const otok_scenario *s, const char *backend, float *terrain)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    const uint64_t fingerprint = scene_fingerprint(sim);
    if (terrain) MUST(otok_sim_get(sim, OTOK_TERRAIN, terrain));
    otok_sim_destroy(sim);
    return fingerprint;
}

static void check_scene(int n, const char *backend)
{
    const otok_halves reversed = {0, 0, OTOK_REVERSED};
    otok_twin *twin, *back;
    otok_scenario *s = scene("%s", scenes[n].text);
    MUST(otok_scenario_twin(&twin, s, reversed));
    MUST(otok_scenario_twin(&back, &twin->scenario, reversed));
    check_order(&twin->scenario, scenes[n].order);
    CHECK(otok_scenario_reverses(s), "scene %d has but one order", n);
    const uint64_t own = run(s, backend, NULL), other = run(&twin->scenario, backend, NULL);
    CHECK(own != other, "scene %d: the order makes no difference", n);
    CHECK(other == run(&twin->scenario, "cpu:plain", NULL), "scene %d: other bits on %s", n,
          backend);
    CHECK(own == run(&back->scenario, backend, NULL), "scene %d: twice reversed is not the same",
          n);
    otok_twin_destroy(back);
    otok_twin_destroy(twin);
    otok_scenario_destroy(s);
}

/* The mean distance of the two orders, with steps halved so often. */
static double apart(int halved, const char *backend)
{
    static float a[N * N], b[N * N];
    otok_twin *one, *other;
    otok_scenario *s =
        scene("otok: 1\nseed: 5\ngrid: {nx: 32, ny: 32, spacing: 100}\nbase: [{simplex: {octaves: "
              "2, amplitude: 40, wavelength: 1600}}]\nphases: [{name: a, iterations: 50, thermal: "
              "{dt: 100 yr, rate: 2e-11, talus: 1}, creep: {dt: 100 yr, diffusivity: 0.4 "
              "m2/yr}}]\n");
    double sum = 0;
    MUST(otok_scenario_twin(&one, s, (otok_halves){halved, 0, 0}));
    MUST(otok_scenario_twin(&other, s, (otok_halves){halved, 0, OTOK_REVERSED}));
    run(&one->scenario, backend, a);
    run(&other->scenario, backend, b);
    for (int n = 0; n < N * N; n++)
        sum += fabs((double)a[n] - (double)b[n]);
    otok_twin_destroy(one);
    otok_twin_destroy(other);
    otok_scenario_destroy(s);
    return sum / (N * N);
}

static void check_single(void)
{
    otok_scenario *s =
        scene("%s", "otok: 1\ngrid: {nx: 8, ny: 8}\nedges: {left: open}\nphases: [{name: a, "
                    "iterations: 9, rain: {rate: 1e-5}, hydraulic: {law: local_inertia, dt: "
                    "0.1}, infiltration: {conductivity: 1e-6}}, {name: b, iterations: 3, creep: "
                    "{}}]\n");
    CHECK(!otok_scenario_reverses(s), "water alone has two orders");
    otok_scenario_destroy(s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (int n = 0; n < (int)(sizeof scenes / sizeof *scenes); n++)
        check_scene(n, backend);
    const double whole = apart(0, backend), half = apart(1, backend);
    CHECK(whole > 1e-4 && whole > 1.7 * half && whole < 2.3 * half,
          "the orders are %g m apart, %g m with half the step", whole, half);
    check_single();
    return check_failures > 0;
}
