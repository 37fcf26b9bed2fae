/* calendar_forcing.c - claim: rain and changes that are given in seconds are the same forcing at
   every time step: they begin and end at the iterations nearest to their times, also after the time
   step itself has changed. A history of rain brings its integral, and otok predict counts it. */
#include "scenario_file.h"
#include "scene.h"

#include <math.h>

#define RAIN(during)                                                                               \
    "otok: 1\ngrid: {nx: 8, ny: 8}\nphases:\n  - {name: a, iterations: 100, rain: {rate: 0.01, "   \
    "during: " during "}, "                                                                        \
    "hydraulic: {dt: 0.1, evaporation: 0}}\n  - {name: b, iterations: 10, hydraulic: {dt: 0.5}}\n"

static const otok_scenario *load(otok_scenario **s, const char *text, const char *set)
{
    MUST(file_load(s, text, set));
    return *s;
}

static void check_span(const otok_scenario *s, int i, int64_t from, int64_t to)
{
    const struct otok_span *span = &s->phases[0].rain.during[i];
    CHECK(span->from == from && span->to == to, "span %d: %lld to %lld, not %lld to %lld", i,
          (long long)span->from, (long long)span->to, (long long)from, (long long)to);
}

static void check_rain(void)
{
    otok_scenario *s;
    load(&s, RAIN("[[0 s, 3 s], [4 s, 6 s]]"), NULL);
    check_span(s, 0, 0, 30);
    check_span(s, 1, 40, 60);
    CHECK(strstr(otok_scenario_text(s), "during: [[0 s, 3 s], [4 s, 6 s]]\n"), "%s",
          otok_scenario_text(s));
    otok_scenario_destroy(s);
    load(&s, RAIN("[[0, 3 s], [4 s, 6 s]]"), "phases.a.hydraulic.dt=0.05");
    check_span(s, 0, 0, 60);
    check_span(s, 1, 80, 100); /* the phase ends */
    otok_scenario_destroy(s);
    load(&s, RAIN("[[0 s, 3 s], [4 s, 6 s]]"), "phases.a.hydraulic.dt=0.07");
    check_span(s, 0, 0, 43);
    check_span(s, 1, 57, 86);
    otok_scenario_destroy(s);
}

/* All rain that fell [m3]. */
static double rained(const char *text, const char *set)
{
    otok_scenario *s;
    load(&s, text, set);
    otok_sim *sim = scene_sim(s, "cpu");
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    const double rain = scene_ledger(sim).rain_nominal;
    scene_destroy(sim, s);
    return rain;
}

static void check_amount(void)
{
    static const char text[] = RAIN("[[0 s, 3 s], [4 s, 6 s]]");
    const double amount = rained(text, NULL);
    CHECK(fabs(amount - 64 * 0.01 * 5) < 1e-6, "%g m3 of rain", amount);
    static const struct {
        double dt;
        int iterations;
    } others[] = {{0.05, 200}, {0.04, 250}, {0.2, 50}};
    for (int i = 0; i < 3; i++) {
        char set[200];
        snprintf(set, sizeof set,
                 "phases.a={name: a, iterations: %d, rain: {rate: 0.01, during: [[0 s, 3 s], [4 s, "
                 "6 s]]}, hydraulic: {dt: %g}}",
                 others[i].iterations, others[i].dt);
        CHECK(fabs(rained(text, set) - amount) < 1e-6, "%s: %g m3, not %g", set, rained(text, set),
              amount);
    }
    static const char slower[] = RAIN(
        "[[0 s, 3 s], [4 s, 6 s]]") "changes: [{at: 2 s, path: phases.a.hydraulic.dt, value: "
                                    "0.05}, {at: 3 s, path: phases.a.iterations, value: 180}]\n";
    CHECK(fabs(rained(slower, NULL) - amount) < 1e-6, "dt halved on the way: %g m3, not %g",
          rained(slower, NULL), amount);
}

/* 64 m2 under 0.01 m/s: from 0 to all of it in 2 s, 1 s of it, a half from 3 s on, until 8 s; then
   nothing. That is 1 + 1 + 2.5 s of the rate. With `during`, 0.25 + 0.5 s. */
#define HISTORY                                                                                    \
    "rain: {rate: 0.01, history: [[0, 0], [2, 1], [3, 1], [3.0000001, 0.5], [8, 0.5], "            \
    "[8.0000001, 0]]"

static void check_history(void)
{
    static const double steps[] = {0.1, 0.04, 0.3, 0.7};
    for (int i = 0; i < 4; i++) {
        char set[400];
        snprintf(set, sizeof set,
                 "phases.a={name: a, iterations: %d, " HISTORY "}, hydraulic: {dt: %g}}",
                 (int)ceil(10 / steps[i]), steps[i]);
        const double whole = rained(RAIN("[[0 s, 3 s]]"), set);
        CHECK(fabs(whole - 64 * 0.01 * 4.5) < 1e-5, "dt %g: %g m3 of rain", steps[i], whole);
    }
    const double part =
        rained(RAIN("[[0 s, 3 s]]"), "phases.a={name: a, iterations: 100, " HISTORY
                                     ", during: [[0 s, 1 s], [5 s, 6 s]]}, hydraulic: {dt: 0.1}}");
    CHECK(fabs(part - 64 * 0.01 * 0.75) < 1e-6, "%g m3 of rain", part);
    otok_scenario *s;
    otok_limit all[OTOK_LIMITS];
    otok_site site = {.cells = 64, .hollow = INFINITY, .slope = NAN, .surface = NAN};
    load(&s, RAIN("[[0 s, 3 s]]"),
         "phases=[{name: a, iterations: 100, " HISTORY
         "}, hydraulic: {dt: 0.1, evaporation: 0, law: local_inertia}}]");
    int ponds = 0;
    for (int n = otok_predict(all, s, 0, &site) - 1; n >= 0; n--)
        if (strcmp(all[n].name, "ponds") == 0 && ++ponds)
            CHECK(fabs(all[n].value - 0.045) < 1e-6, "a pond of %g m", all[n].value);
    CHECK(ponds == 1, "%d limits of ponds", ponds);
    otok_scenario_destroy(s);
}

static void check_changes(void)
{
    static const char text[] =
        RAIN("[[0 s, 3 s]]") "changes:\n  - {at: 4 s, path: phases.a.rain.rate, value: 1}\n"
                             "  - {at: 12.2 s, path: phases.b.hydraulic.capacity, value: 2}\n";
    otok_scenario *s;
    load(&s, text, NULL);
    CHECK(s->changes[0].iteration == 40 && s->changes[1].iteration == 104 && s->timed,
          "at %lld and %lld", (long long)s->changes[0].iteration,
          (long long)s->changes[1].iteration);
    otok_scenario_destroy(s);
    load(&s, text,
         "phases.a={name: a, iterations: 200, rain: {rate: 0.01}, hydraulic: {dt: 0.05}}");
    CHECK(s->changes[0].iteration == 80 && s->changes[1].iteration == 204,
          "half dt: at %lld and %lld", (long long)s->changes[0].iteration,
          (long long)s->changes[1].iteration);
    otok_scenario_destroy(s);
    load(&s, text, "changes.0.path=phases.a.hydraulic.dt");
    CHECK(!s->timed, "a changed time step leaves the clock as it is");
    otok_scenario_destroy(s);
    load(&s, text, "changes.0.at=40");
    CHECK(!s->timed, "an iteration is a time");
    otok_scenario_destroy(s);
#ifdef OTOK_WITH_UDUNITS
    load(&s, text, "changes.0={at: 0.05 min, path: phases.a.rain.rate, value: 36 m/h}");
    CHECK(s->changes[0].iteration == 30 && strcmp(s->changes[0].after, "36 m/h") == 0,
          "at %lld, %s", (long long)s->changes[0].iteration, s->changes[0].after);
    otok_scenario_destroy(s);
#endif
}

static void check_refused(const char *set, const char *why)
{
    otok_scenario *s;
    CHECK(file_load(&s, RAIN("[[0, 3]]"), set) == OTOK_DATA && strstr(otok_why(), why), "%s: %s",
          set, otok_why());
}

int main(void)
{
    file_create();
    check_rain();
    check_amount();
    check_history();
    check_changes();
    check_refused("phases.a.rain.during=[[1, 3 s]]",
                  "phases.a.rain.during.0.0: iterations beside a time");
    check_refused("phases.a.rain.during=[[1 s, 30]]",
                  "phases.a.rain.during.0.1: iterations beside a time");
    check_refused("phases.a.rain.during=[[3 s, 1 s]]", "holds no time; `from` must be below `to`");
    check_refused("phases.a.rain.during=[[1 s, 1.05 s]]", "is shorter than an iteration of 0.1 s");
    check_refused("phases.a.rain.during=[[0, 3 m]]", "\"3 m\" is not a number of s: `m` ");
    check_refused("phases.0={name: a, rain: {map: x.asc, during: [[0 s, 3 s]]}, droplets: {}}",
                  "count iterations, without a unit");
    check_refused("phases.0={name: a, rain: {map: x.asc, history: [[0, 1]]}, droplets: {}}",
                  "droplets have no time; a history of rain needs `hydraulic`");
    check_refused("phases.a.rain.history=[[0, 1], [3, -1]]", "-1");
    check_refused("changes=[{at: 16 s, path: phases.b.hydraulic.capacity, value: 1}]",
                  "16 s is out of range; the scenario ends after 15 s");
    file_remove();
    return check_failures != 0;
}
