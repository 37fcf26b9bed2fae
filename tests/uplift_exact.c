/* uplift_exact.c - claim: 10,000 steps of 2e-5 m raise 900 m of ground by 0.200 m within 1e-4 m, be
   the 900 m in its base, in its change, or in the depth of its layers. The layers keep their
   thicknesses, and the ledger explains every bit as uplift. A history of factors gives its
   integral, in few steps and in many, up and down, in rounds of a cycle and in many phases, and a
   restart changes nothing. A process whose
   time step is not the clock's is refused. */
#include "scenario/process.h"
#include "scene.h"

#include <math.h>

enum { N = 12, STEPS = 10000 };

static const char head[] = "otok: 1\ngrid: {nx: 12, ny: 12, spacing: 3}\nbase: [{cone: {height: 5, "
                           "radius: 15}}, {constant: {height: 900, combine: add}}]\n";
static const char rock[] =
    "layers: [{name: soil, thickness: 2}, {name: cap, thickness: 1100}, {name: rock}]\n";

static const char *backend;
static float start[N * N], end[N * N], above[N * N], below[N * N];

static otok_sim *begin(otok_scenario **s, const char *ground, const char *phase)
{
    char text[1000];
    snprintf(text, sizeof text, "%s%sphases: [{name: a, %s}]\n", head, ground, phase);
    *s = scene_load(text, NULL, 0);
    otok_sim *sim = scene_sim(*s, backend);
    return sim;
}

/* The largest difference of a cell's rise from this. */
static double farthest(double rise)
{
    double far = 0;
    for (int n = 0; n < N * N; n++)
        far = fmax(far, fabs((double)end[n] - (double)start[n] - rise));
    return far;
}

static void check_tiny(const char *ground, int by_change)
{
    static const char phase[] = "iterations: 10000, uplift: {dt: 1, rate: 2e-5}";
    otok_scenario *s;
    otok_ledger l;
    otok_sim *sim = begin(&s, ground, phase);
    if (by_change) {
        MUST(otok_sim_get(sim, OTOK_TERRAIN_BASE, start));
        MUST(otok_sim_set(sim, OTOK_TERRAIN_CHANGE, start));
        memset(end, 0, sizeof end);
        MUST(otok_sim_set(sim, OTOK_TERRAIN_BASE, end));
    }
    MUST(otok_sim_get(sim, OTOK_TERRAIN, start));
    if (*ground) MUST(otok_sim_get(sim, OTOK_LAYER, above));
    scene_run(sim, STEPS, OTOK_TERRAIN, end);
    CHECK(farthest(0.2) < 1e-4, "%s, by change %d: off by %g m", ground, by_change, farthest(0.2));
    l = scene_ledger(sim);
    CHECK(l.solid_error == 0 && l.uplift > 0 && l.solid == l.solid_start + l.uplift,
          "%.17g m3 became %.17g, %.17g of it by uplift, %g unexplained", l.solid_start, l.solid,
          l.uplift, l.solid_error);
    CHECK(fabs(l.uplift_nominal / (0.2 * N * N * 9) - 1) < 1e-9 &&
              fabs(l.uplift / l.uplift_nominal - 1) < 5e-4,
          "%g m3 of uplift, nominal %g", l.uplift, l.uplift_nominal);
    for (int i = 0; i < l.nlayers; i++) {
        const otok_layer_ledger *layer = &l.layers[i];
        CHECK(layer->deposited == 0 && layer->eroded == 0 && layer->error == 0 &&
                  layer->raised == (i == 2 ? l.uplift : 0),
              "layer %s: %g deposited, %g eroded, %g raised, %g unexplained", layer->name,
              layer->deposited, layer->eroded, layer->raised, layer->error);
    }
    if (*ground) MUST(otok_sim_get(sim, OTOK_LAYER, below));
    CHECK(memcmp(above, below, sizeof above) == 0, "the soil's thickness changes");
    scene_destroy(sim, s);
}

/* 30 m up, 53.5 m down, and rest. */
static void check_history(const char *phase, double ulps)
{
    otok_scenario *s;
    otok_sim *sim = begin(&s, "", phase);
    MUST(otok_sim_get(sim, OTOK_TERRAIN, start));
    scene_run(sim, otok_scenario_iterations(s), OTOK_TERRAIN, end);
    CHECK(farthest(-23.5) <= ulps * 0x1p-14, "%s: off by %g m", phase, farthest(-23.5));
    scene_destroy(sim, s);
}

/* 2000 rounds of a step that is a quarter of the last digit of 900 m, after a round of something
   else: 0.03 m, be the phases of a cycle or written one after another. */
static void check_rounds(const char *ground, const char *other, const char *history)
{
    otok_scenario *s = scene("%s%sphases:\n  - {name: first, iterations: 3, %s}\n  - {name: rises, "
                             "iterations: 1, uplift: {dt: 1, rate: 1.5e-5%s}, cycle: {times: 2000, "
                             "from: first}}\n",
                             head, ground, other, history);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_get(sim, OTOK_TERRAIN, start));
    scene_run(sim, otok_scenario_iterations(s), OTOK_TERRAIN, end);
    CHECK(farthest(0.03) < 1e-4, "%s, %s%s: off by %g m", ground, other, history, farthest(0.03));
    const otok_ledger l = scene_ledger(sim);
    CHECK(fabs(l.uplift / l.uplift_nominal - 1) < 3e-3, "%g m3 of %g", l.uplift, l.uplift_nominal);
    scene_destroy(sim, s);
}

static void check_phases(void)
{
    char text[8192];
    otok_scenario *s;
    snprintf(text, sizeof text, "%sphases:\n", head);
    for (int n = 0; n < 64; n++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  - {name: p%d, iterations: 1, uplift: {dt: 1, rate: 1.5e-5}}\n", n);
    s = scene_load(text, NULL, 0);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_get(sim, OTOK_TERRAIN, start));
    scene_run(sim, 64, OTOK_TERRAIN, end);
    CHECK(farthest(64 * 1.5e-5) <= 0x1p-14, "64 phases: off by %g m", farthest(64 * 1.5e-5));
    scene_destroy(sim, s);
}

static void check_restart(void)
{
    static const char phase[] = "iterations: 20, thermal: {dt: 0.1}, uplift: {dt: 7, rate: 0.001, "
                                "history: [[0, 1], [33, -2], [140, 3]]}";
    otok_scenario *s;
    otok_sim *sim = begin(&s, rock, phase);
    MUST(otok_sim_run(sim, 11));
    otok_sim *again = scene_resume(sim, s, backend);
    MUST(otok_sim_run(sim, 9));
    MUST(otok_sim_run(again, 9));
    scene_check_same(sim, again, "a restart");
    const double uplift = scene_ledger(sim).uplift;
    CHECK(uplift != 0 && otok_sim_time(again) == 140, "%g m3 until %g s", uplift,
          otok_sim_time(again));
    otok_sim_destroy(sim);
    scene_destroy(again, s);
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    check_tiny("", 0);
    check_tiny("", 1);
    check_tiny(rock, 0);
    check_history("iterations: 40, uplift: {dt: 1, rate: 1, history: [[0, 0], [10, 6], [10.5, "
                  "-10], [15.5, -10], [16, 0]]}",
                  1);
    check_history("iterations: 4000, uplift: {dt: 0.01, rate: 1, history: [[0, 0], [10, 6], [10.5, "
                  "-10], [15.5, -10], [16, 0]]}",
                  3);
    check_rounds("", "hydraulic: {dt: 0.1}", "");
    check_rounds(rock, "hydraulic: {dt: 0.1}", "");
    check_rounds("", "thermal: {dt: 0.1, rate: 0}", ", history: [[0, 0.5], [0.5, 1.5], [1, 0.5]]");
    check_phases();
    check_restart();
    scene_refused("phases.a.uplift.dt: uplift.dt 31556952 s and hydraulic.dt 0.1 s",
                  "%sphases: [{name: a, %s}]\n", head,
                  "iterations: 9, hydraulic: {dt: 0.1}, uplift: {dt: 31556952, rate: 1e-10}");
    scene_refused("phases.a.uplift: `dt` is missing", "%sphases: [{name: a, %s}]\n", head,
                  "iterations: 9, uplift: {rate: 1e-10}");
    scene_refused("phases.a.uplift.rate: the ground could rise or sink by 9e+09 m",
                  "%sphases: [{name: a, %s}]\n", head, "iterations: 9, uplift: {dt: 1e9, rate: 1}");
    return check_failures > 0;
}
