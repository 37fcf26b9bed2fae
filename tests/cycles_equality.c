/* cycles_equality.c - claim: a cycle of phases is the same run as its rounds written out, in every
   bit of every field, in the bookings, the clock, the sea and the windows of the audit, also after
   a restart within a round. What would make the rounds unlike is refused. A clock after many
   rounds needs no more time than after few. */
#include "scenario/scenario_audit.h"
#include "scene.h"

#include <time.h>

static const char begin[] =
    "otok: 1\nseed: 9\ngrid: {nx: 45, ny: 37, spacing: 20}\nsea: {level: 3}\n"
    "edges: {left: open, right: open, bottom: open, top: open}\n"
    "base:\n  - cone: {height: 90, radius: 400}\n  - constant: {height: -20, combine: add}\n";
static const char land[] =
    "phases:\n"
    "  - {name: wet%1$s, iterations: 11, rain: {rate: 0.002, history: [[0, 0], [0.5, 1]]}, rivers: "
    "[{x: 400, y: 300, history: [[0, 0], [1, 90]]}], hydraulic: {law: shallow_water, dt: 0.1, "
    "capacity: 2, dissolve: 0.3, deposit: 0.2}}\n"
    "  - {name: drops%1$s, droplets: {count: 120, batch: 50}}\n"
    "  - {name: slides%1$s, iterations: 7, thermal: {dt: 0.1}, uplift: {rate: 1e-3, dt: 2, "
    "history: [[0, 0], [14, 1]]}%2$s}\n";
static const char water[] = "phases:\n"
                            "  - {name: flows, iterations: 5, rain: {rate: 0.002}, hydraulic: "
                            "{law: local_inertia, dt: 0.1}}\n"
                            "  - {name: alone%1$s, iterations: 9, rain: {rate: 0.002, during: "
                            "[[0.2 s, 0.5 s]]}, hydraulic: {law: shallow_water, dt: 0.1}%2$s}\n";
static const char reef[] =
    "phases:\n"
    "  - {name: flood%1$s, iterations: 6, rain: {rate: 0.002}, hydraulic: {dt: 0.05, "
    "morphological_factor: 30}}\n"
    "  - {name: years%1$s, iterations: 8, waves: {every: 3}, marine_diffusion: {}, uplift: {rate: "
    "-1e-11}, reef: {law: light_saturation, dt: 3155692597, sea_rise: 2e-11}%2$s}\n";

enum { ROUNDS = 4 };

/* The phases once, with the cycle, or ROUNDS times; from the phase of this name on, which begins a
   round. */
static otok_scenario *phases(const char *form, const char *from, int written_out)
{
    static const char *const names[ROUNDS] = {"", "_b", "_c", "_d"};
    char text[8192], cycle[64];
    snprintf(cycle, sizeof cycle, ", cycle: {times: %d, from: %s}", ROUNDS, from);
    strcpy(text, begin);
    for (int n = 0; n < (written_out ? ROUNDS : 1); n++) {
        char round[2048], name[32];
        snprintf(round, sizeof round, form, names[n], written_out ? "" : cycle);
        snprintf(name, sizeof name, "  - {name: %s", from);
        strcat(text, n ? strstr(round, name) : round);
    }
    return scene_load(text, NULL, 0);
}

static void check(const char *backend, const char *form, const char *from)
{
    otok_scenario *cycle = phases(form, from, 0), *whole = phases(form, from, 1);
    const int64_t end = otok_scenario_iterations(whole);
    const otok_audit_windows a = otok_scenario_audit(cycle), b = otok_scenario_audit(whole);
    CHECK(otok_scenario_iterations(cycle) == end, "%lld iterations, not %lld",
          (long long)otok_scenario_iterations(cycle), (long long)end);
    CHECK(memcmp(&a, &b, sizeof a) == 0, "windows of the audit");
    otok_sim *mine = scene_sim(cycle, backend), *written = scene_sim(whole, backend);
    for (int64_t at = 0; at <= end; at += 13) { /* often within a round */
        MUST(otok_sim_run(mine, at - otok_sim_iteration(mine)));
        MUST(otok_sim_run(written, at - otok_sim_iteration(written)));
        scene_check_same(mine, written, "on the way");
    }
    otok_sim *again = scene_resume(mine, cycle, backend);
    MUST(otok_sim_run(again, end));
    MUST(otok_sim_run(written, end));
    scene_check_same(again, written, "after a restart");
    otok_sim_destroy(mine);
    otok_sim_destroy(written);
    scene_destroy(again, cycle);
    otok_scenario_destroy(whole);
}

static void refused(const char *backend)
{
    static const struct {
        const char *path, *value, *words; /* NULL: it may change */
    } cases[] = {{"phases.wet.hydraulic.capacity", "3", NULL},
                 {"phases.wet.iterations", "12", "the cycle of phase wet has begun"},
                 {"phases.wet.hydraulic.dt", "0.05", "the cycle of phase wet has begun"},
                 {"phases.slides.cycle.times", "9", "the cycle of phase slides has begun"}};
    otok_scenario *s = phases(land, "wet", 0);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 40)); /* in the slides of a round that is not the last one */
    for (int n = 0; n < 4; n++) {
        const otok_status status = otok_sim_change(sim, cases[n].path, cases[n].value);
        CHECK(cases[n].words ? status == OTOK_USAGE && strstr(otok_why(), cases[n].words)
                             : status == OTOK_OK,
              "%s: %s", cases[n].path, otok_why());
    }
    MUST(otok_sim_run(sim, otok_scenario_iterations(s) - 8 - 40)); /* in the last round */
    MUST(otok_sim_run(sim, 3));
    CHECK(otok_sim_change(sim, "phases.wet.hydraulic.capacity", "4") == OTOK_USAGE, "it ended");
    scene_destroy(sim, s);
}

/* The processor time of 20,000 looks at the clock [s]. */
static double looks(otok_sim *sim)
{
    double sum = 0;
    const clock_t started = clock();
    for (int n = 0; n < 20000; n++)
        sum += otok_sim_time(sim) + otok_sim_sea_level(sim);
    CHECK(sum > 0, "no time passes");
    return (double)(clock() - started) / CLOCKS_PER_SEC;
}

/* In the last of 9999 rounds the clock is read about as soon as in the first, and is right. */
static void many_rounds(const char *backend)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 4, ny: 4, spacing: 20}\naudit: false\nphases:\n"
                             "  - {name: up, iterations: 1, uplift: {rate: 1e-3, dt: 0.3}}\n"
                             "  - {name: down, iterations: 1, uplift: {rate: -1e-3, dt: 0.7}, "
                             "cycle: {from: up, times: 9999}}\n");
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 3));
    const double first = looks(sim);
    MUST(otok_sim_run(sim, 19990));
    const double last = looks(sim);
    CHECK(last < 50 * (first + 1e-3), "looks at the clock need %g s, %g s in the first round", last,
          first);
    CHECK(otok_sim_time(sim) == otok_scenario_moment(s, 19993).time, "%.17g s", otok_sim_time(sim));
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    check(backend, land, "wet");
    check(backend, water, "alone");
    check(backend, reef, "flood");
    refused(backend);
    if (strcmp(backend, "cpu") == 0) many_rounds(backend); /* the clock is the host's */
    return check_failures != 0;
}
