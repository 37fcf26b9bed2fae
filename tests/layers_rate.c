/* layers_rate.c - claim: a steady stream cuts through a cap of erodibility e at the rate k e: its
   sediment is C (1 - (1 - k e)^n) until the cap is gone, and closes on C at the rate of the rock
   below from there; a map of erodibility slows a ground without layers alike; initial.file hands
   layers and map on. */
#include "scene.h"

#include <math.h>
#include <unistd.h>

enum { N = 12, STEPS = 400 };

/* v = 1 m/s, sin(alpha) = 1: C = capacity. */
static const char stream[] =
    "otok: 1\ngrid: {nx: 12, ny: 12}\nedges: {left: periodic, right: periodic}\n%s"
    "phases: [{iterations: 400, hydraulic: {dt: 0.01, capacity: 0.5, dissolve: 1, deposit: 0, "
    "evaporation: 0, min_tilt: 90}}]\n";

static double sediment(otok_sim *sim)
{
    static float map[N * N];
    MUST(otok_sim_get(sim, OTOK_SEDIMENT, map));
    for (int n = 1; n < N * N; n++)
        CHECK(map[n] == map[0], "cell %d: %.9g, cell 0: %.9g", n, (double)map[n], (double)map[0]);
    return map[0];
}

static otok_sim *start(const otok_scenario *s, const char *backend)
{
    static float map[N * N];
    for (int n = 0; n < N * N; n++)
        map[n] = 1;
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_WATER, map));
    MUST(otok_sim_set(sim, OTOK_OUTFLOW_RIGHT, map));
    return sim;
}

static void cap(const char *backend, double e, double thickness)
{
    char ground[200];
    snprintf(ground, sizeof ground,
             "layers: [{name: cap, thickness: %g, erodibility: %g}, {name: rock}]\n", thickness, e);
    otok_scenario *s = scene(stream, ground);
    otok_sim *sim = start(s, backend);
    const double k = -expm1(-0.01), c = 0.5, hard = fmin(k * e, 1);
    double was = 0, through = 0;
    int n = 0;
    for (; n < STEPS && through == 0; n++) { /* in the cap: the closed form */
        double now = c * (1 - pow(1 - hard, n + 1));
        if (now > thickness) { /* the step that goes through */
            const double share = (thickness - was) / (hard * (c - was));
            now = through = thickness + (1 - share) * k * (c - was);
        }
        MUST(otok_sim_run(sim, 1));
        CHECK(fabs(sediment(sim) - now) < 2e-5, "e %g, step %d: %.9g, expected %.9g", e, n,
              sediment(sim), now);
        was = now;
    }
    CHECK((through > 0) == (thickness < 0.4), "e %g: through the cap after %d steps", e, n);
    MUST(otok_sim_run(sim, STEPS - n));
    if (through > 0) was = c - (c - through) * pow(1 - k, STEPS - n);
    CHECK(fabs(sediment(sim) - was) < 2e-5, "e %g, end: %.9g, expected %.9g", e, sediment(sim),
          was);
    scene_destroy(sim, s);
}

/* A factor over the whole ground; the share of a step stays below 1. */
static void check_factor(const char *backend, const char *ground, double e)
{
    otok_scenario *s = scene(stream, ground);
    otok_sim *sim = start(s, backend);
    MUST(otok_sim_run(sim, STEPS));
    const double expected = 0.5 * (1 - pow(1 - fmin(e * -expm1(-0.01), 1), STEPS));
    CHECK(fabs(sediment(sim) - expected) < 2e-5, "%s: %.9g, expected %.9g", ground, sediment(sim),
          expected);
    scene_destroy(sim, s);
}

static void check_restart(const char *backend)
{
    char path[] = "/tmp/otok-layers-XXXXXX", file[64], ground[400];
    static float was[N * N], is[N * N];
    if (!mkdtemp(path)) exit(1);
    snprintf(file, sizeof file, "%s/a.vtkhdf", path);
    otok_scenario *s =
        scene(stream, "erodibility: 0.5\nlayers: [{name: cap, thickness: 0.2}, {name: rock}]\n");
    otok_sim *sim = start(s, backend);
    scene_run(sim, 100, OTOK_LAYER, was);
    MUST(otok_sim_save(sim, file));
    scene_destroy(sim, s);

    snprintf(ground, sizeof ground,
             "initial: {file: %s}\nlayers: [{name: cap, thickness: 9}, {name: rock}]\n", file);
    s = scene(stream, ground);
    MUST(otok_sim_create(&sim, s, backend));
    MUST(otok_sim_get(sim, OTOK_LAYER, is));
    CHECK(was[0] > 0 && was[0] < 0.2f && memcmp(was, is, sizeof was) == 0,
          "a cap of %g m became %g", (double)was[0], (double)is[0]);
    MUST(otok_sim_get(sim, OTOK_ERODIBILITY, is));
    CHECK(is[5] == 0.5f, "erodibility %g", (double)is[5]);
    scene_destroy(sim, s);

    snprintf(ground, sizeof ground,
             "initial: {file: %s}\nlayers: [{name: new, thickness: 9}, {name: rock}]\n", file);
    s = scene(stream, ground);
    MUST(otok_sim_create(&sim, s, backend)); /* other layers: laid under the ground that came */
    MUST(otok_sim_get(sim, OTOK_LAYER, is));
    CHECK(fabsf(is[7] - 9) < 1e-6f, "a layer of 9 m has %g", (double)is[7]);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, was));
    MUST(otok_sim_get(sim, OTOK_LAYER, is));
    CHECK(fabsf(is[7] - 9) < 1e-6f, "on a new terrain it has %g", (double)is[7]);
    scene_destroy(sim, s);

    snprintf(ground, sizeof ground,
             "initial: {file: %s}\nlayers: [{name: cap, thickness: 9}, {name: new, thickness: 1}, "
             "{name: rock}]\n",
             file);
    s = scene(stream, ground);
    CHECK(otok_sim_create(&sim, s, backend) == OTOK_DATA &&
              strstr(otok_why(), "some of the scenario's layers"),
          "'%s'", otok_why());
    otok_scenario_destroy(s);
    unlink(file);
    rmdir(path);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    cap(backend, 0.1, 0.1);
    cap(backend, 0.5, 0.3);
    cap(backend, 3, 0.05);
    cap(backend, 0.1, 0.45);
    check_factor(backend, "erodibility: 0.25\n", 0.25);
    check_factor(backend, "erodibility: 1000\n", 1000);
    check_factor(backend, "erodibility: 0.5\nlayers: [{name: rock, erodibility: 0.5}]\n", 0.25);
    check_factor(backend, "erodibility: [{constant: {height: -3}}]\n", 0);
    check_restart(backend);
    return check_failures != 0;
}
