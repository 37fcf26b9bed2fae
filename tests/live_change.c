/* live_change.c - claim: parameters changed while a simulation runs act from the next iteration on,
   as if it had been made with them; the same changes give the same bits on every backend, scheduled
   in the scenario or made by hand, and after a restart; clock and ledger go on. */
#include "scene.h"

#include <math.h>

static const char scenario[] =
    "otok: 1\nseed: 3\ngrid: {nx: 43, ny: 37, spacing: 2}\nedges: "
    "{left: periodic, right: periodic, bottom: open, top: closed}\n"
    "sea: {level: 6}\nbase:\n  - cone: {height: 40, radius: 50}\n  - "
    "simplex: {wavelength: 30, amplitude: 6, combine: add}\n"
    "phases:\n"
    "  - {name: rain, iterations: 60, rain: {rate: 0.02}, hydraulic: "
    "{dt: 0.07, pipes: signed, capacity: 2, dissolve: 0.3, deposit: 0.2}}\n"
    "  - {name: grow, iterations: 40, reef: {dt: 0.1, absorption: 0.2, "
    "calcification: 2, sea_rise: 0.3}}\n";

typedef struct act {
    int64_t at;
    const char *path, *value;
} act;

static const act acts[] = {
    {10, "phases.rain.hydraulic.capacity", "9"},
    {10, "phases.rain.thermal", "{dt: 0.1, talus: 20}"}, /* buffers that were not there */
    {17, "phases.rain.hydraulic.dt", "0.05"},
    {17, "phases.rain.rivers", "[{x: 30, y: 40, radius: 6, discharge: 3}]"},
    {23, "phases.rain.hydraulic.manning", "0.02"},
    {29, "phases.0.hydraulic.area", "depth"},
    {31, "phases.rain.rain", "off"},
    {37, "phases.rain.hydraulic.manning", "0"},
    {40, "phases.rain.hydraulic", "off"}, /* and the rivers with it */
    {44, "phases.rain.iterations", "70"},
    {48, "sea.level", "7"},
    {50, "phases.grow.reef.calcification", "3"},
    {78, "phases.grow.reef.sea_rise", "-0.5"},
    {85, "phases.grow.seabed", "{sweeps: 2}"},
    {92, "phases.grow.reef.law", "light_saturation"}, /* without the keys of the other law */
    {93, "phases.grow.reef.max_growth", "2"},
    {110, "phases.grow.iterations", "50"}, /* it goes on after its end */
};
enum { ACTS = sizeof acts / sizeof acts[0], END = 120 };

static void make(otok_sim *sim, const act *a)
{
    if (strcmp(a->value, "off") == 0 && strstr(a->path, ".hydraulic"))
        MUST(otok_sim_change(sim, "phases.rain.rivers", "null"));
    if (strcmp(a->path, "phases.grow.seabed") == 0)
        MUST(otok_sim_change(sim, "phases.grow.mix_reef_and_erosion", "true"));
    MUST(otok_sim_change(sim, a->path, a->value));
}

static void run_to(otok_sim *sim, int64_t end)
{
    for (int i = 0; i < ACTS; i++) {
        if (acts[i].at < otok_sim_iteration(sim) || acts[i].at > end) continue;
        MUST(otok_sim_run(sim, acts[i].at - otok_sim_iteration(sim)));
        make(sim, &acts[i]);
    }
    MUST(otok_sim_run(sim, end - otok_sim_iteration(sim)));
}

/* The state given to a simulation that was made with the new value goes on alike. */
static void acts_at_once(const otok_scenario *s, const char *backend)
{
    const char *const set[] = {"phases.rain.hydraulic.capacity=9"};
    otok_scenario *with = scene_load(scenario, set, 1);
    float *map = malloc(43 * 37 * sizeof *map), *other = malloc(43 * 37 * sizeof *other);
    otok_sim *a = scene_sim(s, backend), *b = scene_sim(with, backend);
    MUST(otok_sim_run(a, 20));
    for (int f = 0; f < OTOK_STORED; f++)
        if (otok_sim_has(a, (otok_field)f)) {
            MUST(otok_sim_get(a, (otok_field)f, map));
            MUST(otok_sim_set(b, (otok_field)f, map));
        }
    MUST(otok_sim_seek(b, 20));
    MUST(otok_sim_change(a, "phases.rain.hydraulic.capacity", "9"));
    MUST(otok_sim_run(a, 1));
    MUST(otok_sim_run(b, 1));
    for (int f = 0; f < OTOK_STORED; f++)
        if (otok_sim_has(a, (otok_field)f)) {
            MUST(otok_sim_get(a, (otok_field)f, map));
            MUST(otok_sim_get(b, (otok_field)f, other));
            CHECK(memcmp(map, other, 43 * 37 * sizeof *map) == 0,
                  "field %s differs an iteration after the change", otok_field_at(f)->name);
        }
    free(map);
    free(other);
    otok_sim_destroy(a);
    scene_destroy(b, with);
}

/* Where a history says the level, it cannot be said otherwise. */
static void history_refuses(const char *backend)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 9, ny: 8}\nphases:\n  - {name: a, iterations: 9, thermal: {}}\n"
              "  - {name: b, iterations: 9, reef: {dt: 0.1, sea_history: [[0, 1], [1, 2]]}}\n");
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_change(sim, "sea.level", "-3"));
    CHECK(otok_sim_sea_level(sim) == -3, "%g", otok_sim_sea_level(sim));
    MUST(otok_sim_run(sim, 14));
    CHECK(otok_sim_sea_level(sim) == 1.5, "%g", otok_sim_sea_level(sim));
    CHECK(otok_sim_change(sim, "sea.level", "4") == OTOK_USAGE &&
              strstr(otok_why(), "b: its reef.sea_history"),
          "%s", otok_why());
    CHECK(otok_sim_sea_level(sim) == 1.5, "%g", otok_sim_sea_level(sim));
    scene_destroy(sim, s);
}

#define PHASE                                                                                      \
    "iterations: %d, rain: {rate: 0.03}, hydraulic: {dt: 0.1, pipes: signed, area: %s, dissolve: " \
    "0.2}}\n"

/* A phase changed on its way is two phases. */
static void as_two_phases(const char *backend)
{
    static const char head[] =
        "otok: 1\ngrid: {nx: 31, ny: 29}\nbase: [{cone: {height: 9, radius: 14}}]\nphases:\n";
    otok_scenario *two =
        scene("%s  - {name: a, " PHASE "  - {name: b, " PHASE, head, 30, "depth", 25, "constant");
    otok_scenario *one = scene("%s  - {name: a, " PHASE, head, 55, "depth");
    otok_sim *a = scene_sim(two, backend), *b = scene_sim(one, backend);
    MUST(otok_sim_run(a, 55));
    MUST(otok_sim_run(b, 30));
    MUST(otok_sim_change(b, "phases.a.hydraulic.area", "constant"));
    MUST(otok_sim_run(b, 25));
    CHECK(scene_fingerprint(a) == scene_fingerprint(b),
          "%016llx of two phases, %016llx of one that changed",
          (unsigned long long)scene_fingerprint(a), (unsigned long long)scene_fingerprint(b));
    otok_sim_destroy(a);
    scene_destroy(b, one);
    otok_scenario_destroy(two);
}

/* Water keeps its kind of pipes, and also when it stops flowing and begins again. */
static void pipes_stay(const char *backend)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 9, ny: 8}\nphases:\n"
                             "  - {name: a, iterations: 9, thermal: {}}\n");
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_change(sim, "phases.a.hydraulic", "{law: local_inertia}"));
    MUST(otok_sim_run(sim, 3));
    MUST(otok_sim_change(sim, "phases.a.hydraulic", "off"));
    for (int n = 0; n < 2; n++) {
        CHECK(otok_sim_change(sim, "phases.a.hydraulic", "{dt: 0.1}") == OTOK_USAGE &&
                  strstr(otok_why(), "water in signed pipes cannot change to one-way ones"),
              "other pipes, %d: %s", n, otok_why());
        MUST(otok_sim_change(sim, "phases.a.hydraulic", "{dt: 0.1, pipes: signed}"));
    }
    scene_destroy(sim, s);
}

static void restarts(const otok_scenario *s, otok_sim *through, const char *backend,
                     const char *file)
{
    static const int64_t at[] = {0, 10, 24, 40, 60, 85, 110, 115};
    for (size_t n = 0; n < sizeof at / sizeof at[0]; n++) {
        otok_sim *sim = scene_sim(s, backend);
        run_to(sim, at[n]);
        MUST(otok_sim_save(sim, file));
        otok_sim_destroy(sim);
        MUST(otok_sim_create(&sim, s, backend));
        MUST(otok_sim_run(sim, 3)); /* and forgotten */
        MUST(otok_sim_change(sim, "phases.rain.hydraulic.gravity", "5"));
        MUST(otok_sim_load(sim, file));
        CHECK(otok_sim_iteration(sim) == at[n], "loaded %lld, saved %lld",
              (long long)otok_sim_iteration(sim), (long long)at[n]);
        for (int i = 0; i < ACTS; i++)
            if (acts[i].at > at[n]) {
                MUST(otok_sim_run(sim, acts[i].at - otok_sim_iteration(sim)));
                make(sim, &acts[i]);
            }
        MUST(otok_sim_run(sim, END));
        scene_check_same(through, sim, "restarted");
        otok_sim_destroy(sim);
    }
}

/* The last checkpoint's scenario replays the interactive changes. */
static void scheduled(otok_sim *through, const char *backend, const char *file)
{
    char yaml[64];
    otok_checkpoint *checkpoint;
    otok_scenario *s;
    MUST(otok_sim_save(through, file));
    MUST(otok_checkpoint_load(&checkpoint, file));
    snprintf(yaml, sizeof yaml, "%s.yaml", file);
    FILE *out = fopen(yaml, "w");
    fputs(otok_checkpoint_scenario(checkpoint), out);
    fclose(out);
    MUST(otok_scenario_load(&s, yaml, NULL, 0));
    CHECK(strcmp(otok_scenario_text(s), otok_checkpoint_scenario(checkpoint)) == 0,
          "its text is not canonical");
    CHECK(otok_scenario_iterations(s) == END, "%lld iterations",
          (long long)otok_scenario_iterations(s));
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 37));
    MUST(otok_sim_run(sim, END));
    CHECK(otok_sim_iteration(sim) == END, "ended at %lld", (long long)otok_sim_iteration(sim));
    CHECK(otok_sim_changes(sim) == ACTS + 2, "%d changes", otok_sim_changes(sim));
    scene_check_same(through, sim, "scheduled");
    MUST(otok_sim_load(sim, file));
    scene_check_same(through, sim, "scheduled and loaded");
    MUST(otok_sim_seek(sim, 20));
    CHECK(strstr(otok_scenario_text(otok_sim_scenario(sim)), "dt: 0.05\n"),
          "the values of iteration 20 are not those of then");
    unlink(yaml);
    scene_destroy(sim, s);
    otok_checkpoint_destroy(checkpoint);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    char file[] = "/tmp/otok-live-XXXXXX";
    otok_scenario *s = scene("%s", scenario);
    otok_ledger l;
    uint64_t print;
    close(mkstemp(file));
    otok_sim *through = scene_sim(s, backend), *plain = scene_sim(s, "cpu:plain");
    otok_sim *unchanged = scene_sim(s, backend);
    run_to(through, 45);
    run_to(plain, 45);
    scene_check_same(through, plain, "plain, half way");
    MUST(otok_sim_run(unchanged, 45));
    MUST(otok_sim_measure(through, &l, &print));
    CHECK(fabs(l.water_error) < 1e-6 * l.rain && fabs(l.solid_error) < 1e-6 * l.solid,
          "errors of water %g, solid %g", l.water_error, l.solid_error);
    CHECK(l.rivers > 0, "no river came");
    CHECK(scene_fingerprint(unchanged) != print, "the changes changed nothing");
    run_to(through, END);
    run_to(plain, END);
    scene_check_same(through, plain, "plain, at the end");
    const double time = 17 * 0.07 + 23 * 0.05 + 30 * 0.1 + 50 * 0.1,
                 sea = 7 + 8 * 0.1 * 0.3 - 42 * 0.1 * 0.5;
    CHECK(fabs(otok_sim_time(through) - time) < 1e-9, "time %.12g, not %.12g",
          otok_sim_time(through), time);
    CHECK(fabs(otok_sim_sea_level(through) - sea) < 1e-9, "sea level %.12g, not %.12g",
          otok_sim_sea_level(through), sea);
    acts_at_once(s, backend);
    as_two_phases(backend);
    history_refuses(backend);
    pipes_stay(backend);
    restarts(s, through, backend, file);
    scheduled(through, backend, file);
    unlink(file);
    otok_sim_destroy(through);
    otok_sim_destroy(plain);
    scene_destroy(unchanged, s);
    return check_failures != 0;
}
