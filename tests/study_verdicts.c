/* study_verdicts.c - claim: members get the verdict that their physics is known to deserve, on
   either side of each edge, and its first sign lies where it can; the result is the same for every
   interval of samples that sees it. A run that is not in a study gets the same verdict. */
#include "scenario_file.h"
#include "sim/watch.h"
#include "study/member.h"

#define WATER(rest)                                                                                \
    "otok: 1\naudit: off\ngrid: {nx: 24, ny: 24}\nedges: {left: periodic, right: periodic, "       \
    "bottom: periodic, top: periodic}\n"                                                           \
    "base: [{simplex: {octaves: 3, wavelength: 8, amplitude: 0.004}}]\n"                           \
    "phases: [{name: a, iterations: 600, rain: {rate: 20, during: [[0, 1]]}, hydraulic: {dt: "     \
    "0.1, evaporation: 0, capacity: 0, " rest "}}]\n"
#define SLOPE(rest)                                                                                \
    "otok: 1\ngrid: {nx: 48, ny: 16}\nedges: {left: open, right: open}\nbase: [{cone: {height: "   \
    "48, radius: 48, x: 48, y: 8, power: 1}}]\nphases: [{name: a, iterations: 600, rain: {rate: "  \
    "0.001}, hydraulic: {dt: 0.05, capacity: 0, evaporation: 0, " rest "}}]\n"
#define EROSION(rest)                                                                              \
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{cone: {height: 12, radius: 20}}]\n"      \
    "phases: [{name: a, iterations: 600, rain: {rate: 0.002}, hydraulic: {dt: 0.05, manning: "     \
    "0.05, pipes: signed, area: depth, capacity: 0.5, " rest "}}]\n"

#define FRICTIONLESS                                                                               \
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{cone: {height: 12, radius: "             \
    "20}}]\nphases: [{name: a, iterations: 600, rain: {rate: 0.002}, hydraulic: {dt: 0.05, "       \
    "dissolve: 1, deposit: 1, rates: per_iteration}}]\n"
#define REEF                                                                                       \
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nedges: {left: periodic, right: periodic, "       \
    "bottom: periodic, top: periodic}\n"                                                           \
    "sea: {level: 12}\nbase: [{constant: {height: 2}}, {simplex: {octaves: 3, wavelength: 12, "    \
    "amplitude: 0.02, combine: add}}]\n"                                                           \
    "phases: [{name: a, iterations: 1600, reef: {dt: 0.01, calcification: 25, uptake: 0.1, "       \
    "min_depth: 0.3}}]\n"

static const struct known {
    const char *name, *scenario, *axis, *values;
    otok_verdict verdicts[3];
    int n;
} cases[] = {
    {"one-way pipes",
     WATER("pipes: one_way"),
     "pipe_area",
     "2.4, 2.7, 8",
     {OTOK_STABLE, OTOK_CHATTERING, OTOK_CHATTERING},
     3},
    {"signed pipes",
     WATER("pipes: signed"),
     "pipe_area",
     "4.8, 5.4, 16",
     {OTOK_STABLE, OTOK_CHATTERING, OTOK_CHATTERING},
     3},
    {"slope", SLOPE("pipe_area: 1"), "manning", "0", {OTOK_SPEED_LIMITED}, 1},
    {"slope with friction",
     SLOPE("pipes: signed, area: depth"),
     "manning",
     "0.05",
     {OTOK_STABLE},
     1},
    {"erosion without friction",
     FRICTIONLESS,
     "capacity",
     "1e-4, 1, 1e6",
     {OTOK_SPEED_LIMITED, OTOK_DIVERGED, OTOK_DIVERGED},
     3},
    {"reef in dim and in clear water",
     REEF,
     "reef.absorption",
     "0, 0.15",
     {OTOK_STABLE, OTOK_GROWING},
     2},
    {"transport",
     EROSION("dissolve: 0.5"),
     "transport",
     "conservative, semi_lagrangian",
     {OTOK_STABLE, OTOK_NON_CONSERVATIVE},
     2},
    {"drying", EROSION("dissolve: 0.5"), "evaporation", "0.1, 21", {OTOK_STABLE, OTOK_REFUSED}, 2},
};

static char other[sizeof file_path];

static otok_study *study_of(const struct known *k, int every)
{
    char text[1024];
    otok_study *study;
    FILE *file = fopen(other, "w");
    if (!file || fputs(k->scenario, file) < 0 || fclose(file) != 0) exit(1);
    snprintf(text, sizeof text,
             "study: 1\nscenario: base.yaml\ndesign: {kind: grid}\nvary: {phases.a.%s%s: {values: "
             "[%s]}}\nmonitor: {every: %d}\n",
             strchr(k->axis, '.') ? "" : "hydraulic.", k->axis, k->values, every);
    file_write(text, strlen(text));
    MUST(otok_study_load(&study, file_path));
    return study;
}

static void check(const struct known *k, const char *backend, int every)
{
    otok_study *study = study_of(k, every);
    for (int row = 0; row < k->n; row++) {
        otok_result r;
        otok_sample *samples;
        MUST(otok_member_run(&r, &samples, study, row, backend));
        CHECK(r.verdict == (int64_t)k->verdicts[row], "%s, member %d: %s, not %s %s", k->name, row,
              otok_verdict_name((otok_verdict)r.verdict), otok_verdict_name(k->verdicts[row]),
              r.cause);
        const int sign = r.verdict != OTOK_STABLE && r.verdict != OTOK_REFUSED;
        CHECK(sign ? r.first > 0 && r.first <= r.iterations : r.first == -1,
              "%s, member %d: first sign at %lld", k->name, row, (long long)r.first);
        CHECK((r.verdict == OTOK_REFUSED) == (r.cause[0] != 0) && !strstr(r.cause, file_folder),
              "%s, member %d: cause \"%s\"", k->name, row, r.cause);
        if (r.verdict == OTOK_DIVERGED)
            CHECK(r.iterations < 600, "%s: ran on after it diverged", k->name);
        if (r.verdict != OTOK_REFUSED && r.verdict != OTOK_DIVERGED)
            CHECK(r.nsamples == (r.iterations + every - 1) / every, "%s: %lld samples", k->name,
                  (long long)r.nsamples);
        if (getenv("OTOK_TEST_SHOW") && r.nsamples) {
            const otok_sample *s = &samples[r.nsamples - 1];
            printf("%s %d: %s, rough %g flips %g depth %g fast %g limited %g drift %g ground %g\n",
                   k->name, row, otok_verdict_name((otok_verdict)r.verdict), s->roughness, s->flips,
                   s->depth, s->fast, s->limited, s->drift, s->ground_roughness);
        }
        free(samples);
    }
    otok_study_destroy(study);
}

/* As otok_run looks. */
static otok_judge judge_of_run(otok_scenario *s, const char *backend)
{
    otok_judge judge;
    otok_sim *sim;
    otok_status status = OTOK_OK;
    MUST(otok_sim_create(&sim, s, backend));
    MUST(otok_watch_begin(&judge, sim));
    judge.audits = 0;
    while (status == OTOK_OK && otok_sim_iteration(sim) < otok_sim_end(sim)) {
        MUST(otok_sim_run(sim, otok_watch_due(sim)));
        status = otok_watch_sample(&judge, sim);
    }
    if (status != OTOK_OK) judge.seen[OTOK_DIVERGED].held++; /* no longer finite */
    otok_sim_destroy(sim);
    return judge;
}

static void check_runs(const struct known *k, const char *backend)
{
    otok_study *study = study_of(k, 10);
    for (int row = 0; row < k->n; row++) {
        otok_scenario *s;
        if (k->verdicts[row] == OTOK_REFUSED) continue;
        MUST(otok_study_member(&s, study, row));
        const otok_judge here = judge_of_run(s, backend);
        const otok_diagnosis f = otok_judge_diagnosis(&here, 24);
        CHECK(f.verdict == k->verdicts[row], "%s, run %d: %s, not %s", k->name, row,
              otok_verdict_name(f.verdict), otok_verdict_name(k->verdicts[row]));
        otok_scenario_destroy(s);
    }
    otok_study_destroy(study);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    file_create();
    snprintf(other, sizeof other, "%s/base.yaml", file_folder);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check(&cases[i], backend, 10);
        check(&cases[i], backend, 7);
        check_runs(&cases[i], backend);
    }
    unlink(other);
    file_remove();
    return check_failures != 0;
}
