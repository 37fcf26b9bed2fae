/* study_rerun.c - claim: run again with half the time step and half the cell size, growth that is
   physics keeps its rate - a reef that light lets grow where it is high, a river that cuts into a
   slope - and growth that is not does not: the same river where rates are per iteration cuts, with
   half the step, as one that dissolves twice as much per second. What chatters, and what is not to
   be run again, keeps its verdict. */
#include "study_member.h"

#include <math.h>

#define REEF                                                                                       \
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nedges: {left: periodic, right: periodic, "       \
    "bottom: periodic, top: periodic}\n"                                                           \
    "sea: {level: 12}\nbase: [{constant: {height: 2}}, {simplex: {octaves: 3, wavelength: 12, "    \
    "amplitude: 0.02, combine: add}}]\n"                                                           \
    "phases: [{name: a, iterations: 1600, reef: {dt: 0.01, calcification: 25, uptake: 0.1, "       \
    "min_depth: 0.3, absorption: 0.15}}]\n"
#define RIVER(rates)                                                                               \
    "otok: 1\ngrid: {nx: 32, ny: 16, spacing: 3}\nedges: {left: open}\nbase: [{cone: {height: "    \
    "10, radius: 100, x: 100, y: 24, power: 1}}, {simplex: {octaves: 2, wavelength: 32, "          \
    "amplitude: 0.1, combine: add}}]\nphases: [{name: a, iterations: 2000, rivers: [{x: 84, y: "   \
    "24, radius: 6, discharge: 0.5}], hydraulic: {dt: 0.2, manning: 0.1, pipes: signed, area: "    \
    "depth, slope: downhill, capacity: 4, deposit: 0, evaporation: 0, " rates "}}]\n"
#define WATER                                                                                      \
    "otok: 1\ngrid: {nx: 16, ny: 16}\nedges: {left: periodic, right: periodic, bottom: periodic, " \
    "top: periodic}\n"                                                                             \
    "base: [{simplex: {octaves: 3, wavelength: 8, amplitude: 0.004}}]\nphases: [{name: a, "        \
    "iterations: 600, rain: {rate: 20, during: [[0, 1]]}, hydraulic: {dt: 0.1, pipe_area: 2.7, "   \
    "evaporation: 0, capacity: 0}}]\n"

static const char *backend;

static otok_result run(const char *scenario, int rerun)
{
    char text[512];
    snprintf(text, sizeof text,
             "study: 1\nscenario: base.yaml\ndesign: {kind: grid}\nvary: {seed: {values: "
             "[0]}}\nmonitor: {every: 10%s}\n",
             rerun ? ", rerun: true" : "");
    const otok_result r = run_member(scenario, text, backend);
    if (getenv("OTOK_TEST_SHOW"))
        printf("%s: %.9g %.9g %.9g\n", otok_verdict_name((otok_verdict)r.verdict), r.growth[0],
               r.growth[1], r.growth[2]);
    return r;
}

static otok_result expect(const char *name, const char *scenario, int rerun, otok_verdict verdict)
{
    const otok_result r = run(scenario, rerun);
    CHECK(r.verdict == (int64_t)verdict, "%s: %s, not %s: rates %g, %g, %g", name,
          otok_verdict_name((otok_verdict)r.verdict), otok_verdict_name(verdict), r.growth[0],
          r.growth[1], r.growth[2]);
    return r;
}

static void check_verdict(double own, double half_dt, double half_l, otok_verdict verdict)
{
    const double rates[3] = {own, half_dt, half_l};
    CHECK(otok_verdict_growth(rates) == verdict, "%g, %g, %g are %s", own, half_dt, half_l,
          otok_verdict_name(otok_verdict_growth(rates)));
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    file_create();
    otok_result r = expect("reef", REEF, 1, OTOK_GROWING_PHYSICAL);
    CHECK(fabs(r.growth[1] / r.growth[0] - 1) < 0.01 && fabs(r.growth[2] / r.growth[1] - 1) < 0.01,
          "reef: %g, %g, %g", r.growth[0], r.growth[1], r.growth[2]);
    CHECK(r.growth[1] != r.growth[0] && r.growth[2] != r.growth[1],
          "reef: the same run three times");
    const otok_result again = run(REEF, 1);
    CHECK(memcmp(&r, &again, sizeof r) == 0, "the same member has another result");
    r = expect("river", RIVER("dissolve: 0.04"), 1, OTOK_GROWING_PHYSICAL);
    CHECK(fabs(r.growth[1] / r.growth[0] - 1) < 0.01 && fabs(r.growth[2] / r.growth[1] - 1) < 0.1,
          "river: %g, %g, %g", r.growth[0], r.growth[1], r.growth[2]);
    const uint64_t fingerprint = r.fingerprint;
    r = expect("river, rates per iteration", RIVER("dissolve: 0.008, rates: per_iteration"), 1,
               OTOK_GROWING_NUMERICAL);
    const otok_result twice =
        expect("river, twice the rate", RIVER("dissolve: 0.08"), 1, OTOK_GROWING_PHYSICAL);
    CHECK(r.growth[1] / r.growth[0] > 1.25 && fabs(r.growth[1] / twice.growth[1] - 1) < 0.1,
          "per iteration: %g, %g, at twice the rate %g", r.growth[0], r.growth[1], twice.growth[1]);
    CHECK(fabs(twice.growth[1] / twice.growth[0] - 1) < 0.01 &&
              fabs(twice.growth[2] / twice.growth[1] - 1) < 0.1,
          "river, twice the rate: %g, %g, %g", twice.growth[0], twice.growth[1], twice.growth[2]);
    r = expect("not to be run again", RIVER("dissolve: 0.04"), 0, OTOK_GROWING);
    CHECK(isnan(r.growth[0]) && r.fingerprint == fingerprint && r.rough_start > 0,
          "not run again: rate %g", r.growth[0]);
    r = expect("with a change",
               REEF "changes: [{at: 10, path: phases.a.reef.absorption, value: 0.1501}]\n", 1,
               OTOK_GROWING);
    CHECK(isnan(r.growth[0]), "with a change: rate %g", r.growth[0]);
    r = expect("with a change in seconds",
               REEF "changes: [{at: 2 s, path: phases.a.reef.absorption, value: 0.25}]\n", 1,
               OTOK_GROWING_PHYSICAL);
    CHECK(fabs(r.growth[1] / r.growth[0] - 1) < 0.01 && r.growth[1] != r.growth[0] &&
              isnan(r.growth[2]),
          "with a change in seconds: rates %g, %g, %g", r.growth[0], r.growth[1], r.growth[2]);
    r = expect("water beyond its limit", WATER, 1, OTOK_CHATTERING);
    CHECK(isnan(r.growth[0]), "chattering: rate %g", r.growth[0]);
    check_verdict(1, 1.1, 1.2, OTOK_GROWING_PHYSICAL);
    check_verdict(1, 1.1, 1.4, OTOK_GROWING_GRID);
    check_verdict(1, 0.5, 0.5, OTOK_GROWING_NUMERICAL);
    check_verdict(1, 2, 1, OTOK_GROWING_NUMERICAL);
    check_verdict(1, 0, 1, OTOK_GROWING_NUMERICAL);
    check_verdict(1, 1, 0, OTOK_GROWING_GRID);
    check_verdict(1, 1, NAN, OTOK_GROWING_PHYSICAL);
    check_verdict(1, NAN, 1, OTOK_GROWING);
    unlink(base_path);
    file_remove();
    return check_failures != 0;
}
