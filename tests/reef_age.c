/* reef_age.c - claim: reef_age is the time since a cell's reef last grew. In every cell it agrees
   with an account of all iterations; a column that the sea leaves dates from the moment at which it
   left; land, and reef that no phase has dated, have no value; phases without a reef go on
   counting; a restart and all other fields keep their bits. */
#include "scene.h"

#include <math.h>

#define YEAR 31556925.9747
enum { N = 24, CELLS = N * N, DT = 100, STEPS = 60, REST = 20 };

/* Heights from -40 to 60 m. The sea is at 30 m for 2000 years, falls by 1 cm a year, and is at 10 m
   from 4000 years on. */
static const char head[] =
    "otok: 1\nseed: 3\ngrid: {nx: 24, ny: 24, spacing: 100}\nedges: {left: open}\naudit: "
    "false\nsea: {level: 30}\n"
    "base: [{constant: {height: -40}}, {cone: {height: 100, radius: 1000, combine: add}}]\n";
#define REEF                                                                                       \
    "reef: {dt: 3155692597.47, sea_history: [[0, 30], [63113851949.4, 30], [126227703898.8, 10], " \
    "[189341555848.2, 10]], "
#define LIGHT REEF "law: light_saturation, %s}"
#define THREE                                                                                      \
    "producers: [{max_growth: 3e-11, absorption: 0.04}, {max_growth: 2e-11}], rubble: 0.3, "       \
    "denudation: 1e-12, "
#define LAYERS "layers: [{name: sand, thickness: 0}, {name: reef, thickness: 0}, {name: rock}]\n"
#define SINKS "uplift: {rate: -1e-11}, waves: {every: 5}, "
#define CARBON REEF "calcification: 1e-9, absorption: 0.1, %s}"

typedef struct kind {
    const char *name, *layers, *before, *reef, *more;
} kind;
static const kind kinds[] = {{"light", "", "", LIGHT, ""},
                             {"three producers", LAYERS, SINKS, LIGHT, THREE},
                             {"carbon", "", "", CARBON, ""}};

static otok_scenario *scenario(const kind *of, const char *age)
{
    char reef[800], more[300];
    snprintf(more, sizeof more, "%s%s", of->more, age);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(reef, sizeof reef, of->reef, more);
#pragma GCC diagnostic pop
    return scene("%s%sphases:\n  - {name: reef, iterations: %d, %s%s}\n"
                 "  - {name: rest, iterations: %d, creep: {dt: 3155692597.47, diffusivity: 0}}\n",
                 head, of->layers, STEPS, of->before, reef, REST);
}

static void get(float *map, otok_sim *sim, otok_field field)
{
    MUST(otok_sim_get(sim, field, map));
}

/* The field reef_age of a state. */
static void age_of(float *age, otok_sim *sim)
{
    static float reef[CELLS], time[CELLS];
    otok_derived_from from = {.scenario = otok_scenario_text(otok_sim_scenario(sim)),
                              .iteration = otok_sim_iteration(sim)};
    get(reef, sim, OTOK_REEF);
    get(time, sim, OTOK_REEF_TIME);
    from.maps[OTOK_REEF] = reef;
    from.maps[OTOK_REEF_TIME] = time;
    MUST(otok_derive(otok_derived_find("reef_age"), &from, age));
}

/* Is the age that of the last iteration, of `done`, in which the reef of each cell grew? Two times
   below 2^38 s are each rounded to 2^13 s. */
static void check_ages(const kind *of, otok_sim *sim, const int *last, int done)
{
    static float age[CELLS];
    int none = 0, old = 0;
    age_of(age, sim);
    for (int n = 0; n < CELLS; n++) {
        const double wanted = DT * (done - last[n]);
        const int bad =
            last[n] ? !(fabs((double)age[n] - wanted) <= 2 * 0x1p13 / YEAR) : !isnan(age[n]);
        CHECK(!bad, "%s after %d: cell %d is %g yr old, not %g", of->name, done, n, (double)age[n],
              last[n] ? wanted : NAN);
        CHECK(last[n] != done || age[n] == 0, "%s: %g yr where the reef grows", of->name,
              (double)age[n]);
        none += !last[n];
        old += last[n] && last[n] < done;
    }
    CHECK(none > 20 && none < CELLS - 100, "%s: %d cells without a reef", of->name, none);
    CHECK(done == STEPS / 4 || old > 20, "%s: %d cells have an older reef", of->name, old);
}

/* An account of all iterations, from the field `reef` alone. */
static void check_account(const char *backend, const kind *of)
{
    static float before[CELLS], after[CELLS];
    static int last[CELLS];
    otok_scenario *s = scenario(of, "age: true");
    otok_sim *sim = scene_sim(s, backend);
    get(before, sim, OTOK_REEF);
    memset(last, 0, sizeof last);
    for (int done = 1; done <= STEPS + REST; done++) {
        MUST(otok_sim_run(sim, 1));
        get(after, sim, OTOK_REEF);
        for (int n = 0; n < CELLS; n++)
            if (after[n] > before[n]) last[n] = done;
        memcpy(before, after, sizeof before);
        if (done == STEPS / 4 || done == STEPS || done == STEPS + REST)
            check_ages(of, sim, last, done);
    }
    scene_destroy(sim, s);
}

/* A reef at the surface of the sea, whose crest is at 29.5 m, dies in the iteration in which the
   sea begins to fall, after 2000 years; one whose crest is at z m when the sea is 0.5 m above it,
   at 2000 + (29.5 - z)/0.01 years. */
static void check_known(const char *backend)
{
    static float age[CELLS], top[CELLS], reef[CELLS];
    int seen = 0;
    otok_scenario *s = scenario(&kinds[0], "age: true");
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, STEPS + REST));
    age_of(age, sim);
    get(top, sim, OTOK_TERRAIN);
    get(reef, sim, OTOK_REEF);
    for (int n = 0; n < CELLS; n++) {
        const double z = (double)top[n], left = 2000 + (29.5 - z) / 0.01;
        if (!(reef[n] > 0) || z < 11 || z > 29.4) continue;
        const double wanted = DT * (STEPS + REST) - left;
        CHECK(fabs((double)age[n] - wanted) <= DT, "a reef at %g m is %g yr old, not %g", z,
              (double)age[n], wanted);
        seen++;
    }
    CHECK(seen > 20, "%d cells are known", seen);
    scene_destroy(sim, s);
}

/* Reef on land that was there before the run has no age, under water it has. */
static void check_undated(const char *backend)
{
    static float reef[CELLS], age[CELLS], top[CELLS];
    otok_scenario *s = scenario(&kinds[0], "age: true");
    otok_sim *sim = scene_sim(s, backend);
    for (int n = 0; n < CELLS; n++)
        reef[n] = 1;
    MUST(otok_sim_set(sim, OTOK_REEF, reef));
    MUST(otok_sim_run(sim, 1));
    age_of(age, sim);
    get(top, sim, OTOK_TERRAIN);
    for (int n = 0; n < CELLS; n++)
        CHECK(top[n] > 30 ? isnan(age[n]) : top[n] > 29 || age[n] == 0, "%g m: %g yr",
              (double)top[n], (double)age[n]);
    scene_destroy(sim, s);
}

/* A run with age has the bits of one without it, and one in two pieces those of a whole one. */
static void check_bits(const char *backend, const kind *of)
{
    static float with[CELLS], without[CELLS];
    otok_scenario *s = scenario(of, "age: true"), *t = scenario(of, "age: false");
    otok_sim *whole = scene_sim(s, backend), *plain = scene_sim(t, backend),
             *first = scene_sim(s, backend);
    MUST(otok_sim_run(whole, STEPS));
    MUST(otok_sim_run(plain, STEPS));
    MUST(otok_sim_run(first, 31));
    otok_sim *second = scene_resume(first, s, backend);
    MUST(otok_sim_run(second, STEPS - 31));
    CHECK(scene_fingerprint(whole) == scene_fingerprint(second), "%s: a restart changes the age",
          of->name);
    for (int f = 0; f < OTOK_STORED; f++) {
        if (!otok_sim_has(plain, (otok_field)f)) continue;
        get(with, whole, (otok_field)f);
        get(without, plain, (otok_field)f);
        CHECK(memcmp(with, without, sizeof with) == 0, "%s: age changes %s", of->name,
              otok_field_at(f)->name);
    }
    CHECK(!otok_sim_has(plain, OTOK_REEF_TIME), "%s: times that nobody asked for", of->name);
    otok_sim_destroy(whole);
    otok_sim_destroy(plain);
    otok_sim_destroy(first);
    scene_destroy(second, s);
    otok_scenario_destroy(t);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        check_account(backend, &kinds[n]);
        check_bits(backend, &kinds[n]);
    }
    check_known(backend);
    check_undated(backend);
    return check_failures > 0;
}
