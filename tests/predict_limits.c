/* predict_limits.c - claim: where otok predict says that a scheme leaves its limit, it does: just
   below, a small disturbance stays small, just above it grows; the time step it offers lies on the
   limit; and the numbers of the published constants are those of the theory. */
#include "scene.h"

#include <math.h>

enum { N = 32 };

static otok_limit find(const otok_scenario *s, int phase, const char *name)
{
    otok_limit all[OTOK_LIMITS];
    const int n = otok_predict(all, s, phase, NULL);
    for (int i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0) return all[i];
    CHECK(0, "phase %d has no limit '%s'", phase, name);
    return (otok_limit){0};
}

/* Root mean square of the deviations from the mean. */
static double roughness(const float *map)
{
    double sum = 0, square = 0;
    for (int i = 0; i < N * N; i++) {
        sum += (double)map[i];
        square += (double)map[i] * (double)map[i];
    }
    return sqrt(fmax(0, square / (N * N) - sum * sum / (N * N) / (N * N)));
}

/* Growth of the roughness of still water 1 m deep, disturbed by 1e-4 m. */
static double water_growth(const otok_scenario *s, const char *backend)
{
    static float map[N * N];
    uint64_t state = 3;
    for (int i = 0; i < N * N; i++)
        map[i] = 1 + 1e-4f * scene_random(&state);
    const double before = roughness(map);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_WATER, map));
    scene_run(sim, 4000, OTOK_WATER, map);
    otok_sim_destroy(sim);
    return roughness(map) / before;
}

static otok_scenario *water(double dt, const char *pipes)
{
    return scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nedges: {left: periodic, right: "
                 "periodic, bottom: periodic, top: periodic}\nphases:\n  - {iterations: 4000, "
                 "hydraulic: {dt: %.9g, pipe_area: 3, evaporation: 0, capacity: 0, pipes: %s}}\n",
                 N, N, dt, pipes);
}

/* Signed pipes let a disturbance swing up to 1/sqrt(1 - 0.98^2) = 5 times just below their edge. */
static void water_edge(const char *backend, const char *pipes, double most)
{
    otok_scenario *s = water(0.1, pipes);
    const otok_limit edge = find(s, 0, "water waves");
    otok_scenario_destroy(s);
    const double factors[] = {0.98, 1.02};
    for (int i = 0; i < 2; i++) {
        s = water(edge.dt * factors[i], pipes);
        const double margin = otok_limit_margin((otok_limit[]){find(s, 0, "water waves")});
        CHECK(fabs(margin - factors[i] * factors[i]) < 1e-6, "margin %g at %g of the offered dt",
              margin, factors[i]);
        const double growth = water_growth(s, backend);
        CHECK(i ? growth > 1000 : growth < most,
              "%s pipes at %g of the limit: the roughness grew by %g", pipes, margin, growth);
        otok_scenario_destroy(s);
    }
}

/* Highest peak of sliding debris above the highest at the start. A pit of 3 m under a rate of 1. */
static double overshoot(double dt, const char *law, double spacing, const char *fast,
                        const char *backend)
{
    static float map[N * N];
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nphases:\n  - {iterations: 1, thermal: "
              "{dt: %.9g, talus: 0, %s, law: %s, diagonal: one}}\n",
              N, N, spacing, dt, fast, law);
    for (int i = 0; i < N * N; i++)
        map[i] = 3;
    map[N / 2 * N + N / 2] = 0;
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, map));
    scene_run(sim, 1, OTOK_TERRAIN, map);
    const double margin = otok_limit_margin((otok_limit[]){find(s, 0, "sliding")});
    CHECK((margin > 1) == (map[N / 2 * N + N / 2] > 3),
          "%s, dt %g: margin %g, the pit is now %g m high", law, dt, margin,
          (double)map[N / 2 * N + N / 2]);
    scene_destroy(sim, s);
    return margin;
}

static otok_scenario *flat(double dt, double uptake)
{
    return scene("otok: 1\ngrid: {nx: 4, ny: 4}\nedges: {left: periodic, right: periodic, bottom: "
                 "periodic, top: periodic}\nphases:\n"
                 "  - {iterations: 1, reef: {dt: %.9g, uptake: %g, calcification: 0.25, "
                 "absorption: 0, min_depth: 0.001, carbon: 0.25}}\n",
                 dt, uptake);
}

/* Does some carbon, at some depth of a flat bed without shade, last for less than one iteration? */
static int runs_out(double dt, double uptake, const char *backend)
{
    otok_scenario *s = flat(dt, uptake);
    float map[16];
    int out = 0;
    for (int c = 1; c <= 48 && !out; c++) {
        const double carbon = 0.25 * c / 48;
        const float depth =
            (float)(0.001 + 0.25 * carbon * carbon * dt); /* where it takes the most */
        otok_sim *sim = scene_sim(s, backend);
        for (int i = 0; i < 16; i++)
            map[i] = -depth;
        MUST(otok_sim_set(sim, OTOK_TERRAIN, map));
        for (int i = 0; i < 16; i++)
            map[i] = (float)carbon;
        MUST(otok_sim_set(sim, OTOK_CARBON, map));
        scene_run(sim, 1, OTOK_CARBON, map);
        out = map[0] == 0;
        otok_sim_destroy(sim);
    }
    otok_scenario_destroy(s);
    return out;
}

/* Little uptake: the worst is carbon that has become rare; much: fresh carbon. */
static void carbon(double uptake, const char *backend)
{
    otok_scenario *s = flat(0.01, uptake);
    const double dt = find(s, 0, "carbon at the crest").dt;
    otok_scenario_destroy(s);
    CHECK(!runs_out(0.97 * dt, uptake, backend),
          "uptake %g: carbon runs out below the offered dt %g", uptake, dt);
    CHECK(runs_out(1.03 * dt, uptake, backend), "uptake %g: carbon lasts above the offered dt %g",
          uptake, dt);
}

/* A limit of phase 1, with the ground read; value NAN: there is none. */
static otok_limit digit(const char *uplift, const char *phase, const char *name)
{
    otok_limit all[OTOK_LIMITS], none = {.value = NAN};
    otok_site site;
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 48, ny: 48, spacing: 10}\nedges: {left: open}\n"
                             "base: [{cone: {height: 200, radius: 230}}]\nphases: [{name: u, "
                             "iterations: 100, uplift: {rate: %s, dt: 1}}, {name: a, iterations: "
                             "100, %s}]\n",
                             uplift, phase);
    otok_site_read(&site, s);
    const int n = otok_predict(all, s, 1, &site);
    for (int i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0) none = all[i];
    const char *worst;
    const double slow = otok_predict_slow(&worst, s, &site);
    CHECK((otok_limit_margin(&none) > 1) == (slow > 1), "%s: %g among slow limits", name, slow);
    otok_scenario_destroy(s);
    return none;
}

/* On a cone that 4000 m of uplift raised, slides in steps of 1, 10 and 100 s lost 29, 0.4 and 0 %
   of what slid; erosion by a film of water all of it. */
static void digits(void)
{
    static const char slides[] = "thermal: {dt: %g, rate: 1e-4, law: excess, talus: 30}",
                      film[] =
                          "rain: {rate: 1e-6}, hydraulic: {law: local_inertia, dt: 1, manning: "
                          "0.05, capacity: 1e-3, dissolve: 1e-3, deposit: 1e-3}";
    static const double steps[] = {1, 10, 100};
    for (int i = 0; i < 3; i++) {
        char phase[160];
        snprintf(phase, sizeof phase, slides, steps[i]);
        const otok_limit l = digit("40", phase, "last digit, slides"),
                         flat = digit("0", phase, "last digit, slides");
        CHECK((otok_limit_margin(&l) > 1) == (i == 0) && isnan(flat.value) && isnan(l.dt) &&
                  l.certainty == OTOK_HEURISTIC,
              "slides in steps of %g s: %g", steps[i], l.value);
    }
    const otok_limit eroded = digit("40", film, "last digit, erosion");
    CHECK(otok_limit_margin(&eroded) > 1, "a film of water: %g", eroded.value);
    CHECK(strstr(digit("40", "creep: {dt: 1}", "last digit, dither").text, "less than 0.33 m"),
          "creep: %s", digit("40", "creep: {dt: 1}", "last digit, dither").text);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    digits();
    carbon(0.04, backend);
    carbon(0.4, backend);
    carbon(2, backend);
    water_edge(backend, "one_way", 2);
    water_edge(backend, "signed", 6);
    water_edge(backend, "signed, theta: 0.7", 2);
    const double below = overshoot(0.245, "share", 1, "rate: 1", backend),
                 above = overshoot(0.255, "share", 1, "rate: 1", backend);
    CHECK(below < 1 && above > 1, "share: margins %g and %g", below, above);
    overshoot(0.124, "excess", 2, "diffusivity: 4", backend);
    overshoot(0.126, "excess", 2, "diffusivity: 4", backend);

    otok_scenario *k17, *none;
    MUST(otok_scenario_load(&k17, "experiments/published/k17.yaml", NULL, 0));
    const otok_limit s = find(k17, 0, "water waves");
    CHECK(fabs(s.value - 0.04 * 2.5 * 9.81 / 8) < 1e-12 && s.bound == 0.25, "K17: S = %g of %g",
          s.value, s.bound);
    const otok_limit fast = find(k17, 0, "speed on slopes");
    CHECK(isnan(fast.value) && strstr(fast.text, "= 10 m/s"), "K17: %s", fast.text);
    otok_limit binding;
    CHECK(otok_predict_binding(&binding, k17, NULL) && strcmp(binding.name, "water waves") == 0,
          "K17: bound by %s", binding.name);
    char *text = otok_predict_text(k17, NULL);
    CHECK(text && strstr(text, "\"value\": 0.122625, \"bound\": 0.25"), "K17: %s", text);
    free(text);
    none = scene("otok: 1\ngrid: {nx: 9, ny: 9, spacing: 3}\nphases: [{iterations: 1, hydraulic: "
                 "{dt: 0.5, pipes: signed, area: depth, manning: 0.03}}]\n");
    const otok_limit deep = find(none, 0, "water waves");
    CHECK(isnan(deep.value) && strstr(deep.text, "up to 1.835 m"), "pipes of depth: %s",
          deep.text); /* l^2 / (2 g dt^2) */
    otok_scenario_destroy(none);
    none =
        scene("otok: 1\ngrid: {nx: 9, ny: 9, spacing: 3}\nphases: [{iterations: 1, hydraulic: {dt: "
              "0.5, pipes: signed, area: depth, manning: 0.03, theta: 0.8, friction: axis}}]\n");
    const otok_limit leant = find(none, 0, "water waves"),
                     axis = find(none, 0, "speed off the axes");
    CHECK(strstr(leant.text, "up to 1.468 m"), "theta 0.8: %s", leant.text);
    CHECK(strstr(axis.text, "friction: vector"), "friction: axis: %s", axis.text);
    otok_scenario_destroy(none);
    none = scene("otok: 1\n");
    CHECK(!otok_predict_binding(&binding, none, NULL), "a scenario without phases is bound by %s",
          binding.name);
    otok_scenario_destroy(none);
    otok_scenario_destroy(k17);
    return check_failures != 0;
}
