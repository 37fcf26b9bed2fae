/* process_steps.c - claim: every process keeps to the clock of its phase. Creep whose time step is
   shorter than the clock makes equal steps within an iteration, and gives the bits of creep alone
   with as many iterations; one whose time step is longer advances by the clock. predict tells the
   number of steps, and how much faster than the clock thermal erosion runs. */
#include "scenario/process.h"
#include "scene.h"

enum { N = 24 };

static const char head[] =
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{cone: {height: 30, radius: 20}}]\n";

static otok_scenario *with(const char *phase)
{
    char text[1000];
    snprintf(text, sizeof text, "%sphases: [{name: a, %s}]\n", head, phase);
    return scene_load(text, NULL, 0);
}

/* The terrain at the end, and the simulated time. */
static double run(const char *phase, const char *backend, float map[N * N])
{
    otok_scenario *s = with(phase);
    otok_sim *sim = scene_sim(s, backend);
    scene_run(sim, otok_scenario_iterations(s), OTOK_TERRAIN, map);
    const double time = otok_sim_time(sim);
    scene_destroy(sim, s);
    return time;
}

static void check_same(const char *one, const char *other, const char *backend)
{
    static float a[N * N], b[N * N];
    const double time = run(one, backend, a), then = run(other, backend, b);
    CHECK(time == then, "%s ends at %.17g s, %s at %.17g s", one, time, other, then);
    CHECK(memcmp(a, b, sizeof a) == 0, "%s and %s: other bits", one, other);
}

/* Does predict say this of the phase? */
static void check_said(const char *phase, const char *words)
{
    otok_limit limits[OTOK_LIMITS];
    otok_scenario *s = with(phase);
    int said = 0;
    for (int n = otok_predict(limits, s, 0, NULL) - 1; n >= 0; n--)
        said |= strstr(limits[n].text, words) != NULL;
    CHECK(said, "predict does not say: %s", words);
    otok_scenario_destroy(s);
}

static void check_unsaid(const char *phase)
{
    otok_limit limits[OTOK_LIMITS];
    otok_scenario *s = with(phase);
    for (int n = otok_predict(limits, s, 0, NULL) - 1; n >= 0; n--)
        CHECK(!strstr(limits[n].text, "an iteration of"), "%s: %s", phase, limits[n].text);
    otok_scenario_destroy(s);
}

static void check_halved(void)
{
    otok_scenario *s = with("iterations: 3, hydraulic: {dt: 1}, creep: {dt: 0.3}");
    otok_phase half = s->phases[0];
    otok_phase_halve_steps(&half);
    CHECK(otok_process_steps(&otok_process_creep, &half) == 4 &&
              otok_process_step(&otok_process_creep, &half) == 0.125,
          "half the clock: %lld steps of %g s",
          (long long)otok_process_steps(&otok_process_creep, &half),
          otok_process_step(&otok_process_creep, &half));
    otok_scenario_destroy(s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    check_same("iterations: 6, hydraulic: {dt: 1}, creep: {dt: 0.3}",
               "iterations: 24, creep: {dt: 0.25}", backend);
    check_same("iterations: 6, hydraulic: {dt: 0.3}, creep: {dt: 0.1}",
               "iterations: 6, hydraulic: {dt: 0.3}, creep: {dt: 0.14}", backend); /* 3 steps */
    check_same("iterations: 6, hydraulic: {dt: 0.5}, creep: {dt: 7}",
               "iterations: 6, creep: {dt: 0.5}", backend);
    check_same("iterations: 6, thermal: {dt: 0.1, talus: 89}, creep: {dt: 0.5}",
               "iterations: 6, creep: {dt: 0.5}", backend);
    check_said("iterations: 6, hydraulic: {dt: 1}, creep: {dt: 0.3}",
               "creep makes 4 steps of 0.25 s in an iteration of 1 s");
    check_said("iterations: 6, hydraulic: {dt: 0.2}, thermal: {dt: 0.008}",
               "thermal advances by its own 0.008 s an iteration, while the clock advances by 0.2 "
               "s: 0.04 times as fast");
    check_unsaid("iterations: 6, hydraulic: {dt: 0.2}, thermal: {dt: 0.2}, creep: {dt: 1}");
    check_halved();
    return check_failures > 0;
}
