/* view_controls.c - claim: a control shows what the simulation has: what it was set to, and where
 * that is refused, what it had. CHECK_ONCE */
#ifdef OTOK_WITH_WINDOW
#include "scene.h"
#include "viz/controls.h"
#include "viz/requests.h"

static otok_live live;
static otok_controls controls;

/* The value that is shown once the simulation rests. */
static double set_to(int control, double to)
{
    otok_control_set(&controls, &live, control, to, 6);
    otok_requests_apply(&live);
    otok_controls_update(&controls, &live);
    return controls.value[control];
}

/* A switch off and on again: what the scenario says then. */
static void off_and_on(const char *name, const char *off, const char *on)
{
    int n = 0;
    while (n < OTOK_SWITCHES && strcmp(otok_switches[n].name, name) != 0)
        n++;
    for (int step = 0; n < OTOK_SWITCHES && step < 2; step++) {
        const int was = otok_switch_is_on(&controls, n);
        otok_switch_set(&controls, &live, n, !was);
        otok_requests_apply(&live);
        otok_controls_update(&controls, &live);
        const char *says = otok_switch_is_on(&controls, n) ? on : off,
                   *text = otok_scenario_text(otok_sim_scenario(live.sim));
        CHECK(otok_switch_is_on(&controls, n) != was, "%s stays as it is: %s", name, live.message);
        CHECK(strstr(text, says), "%s: not `%s` in %s", name, says, text);
    }
    CHECK(n < OTOK_SWITCHES, "there is no switch %s", name);
}

static void switches(void)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 4, ny: 4}\nphases:\n  - {name: a, iterations: 9, "
                             "hydraulic: {gravity: 5}}\n");
    MUST(otok_sim_create(&live.sim, s, "cpu"));
    otok_controls_update(&controls, &live);
    off_and_on("outflow", "gravity: 1.0e-30", "gravity: 5");
    off_and_on("transport", "transport: none", "transport: conservative");
    off_and_on("creep", "    hydraulic:", "    creep:");
    off_and_on("mixing", "mix_reef_and_erosion: false", "mix_reef_and_erosion: true");
    otok_controls_reset(&controls);
    scene_destroy(live.sim, s);
}

static int index_of(const char *group, const char *key)
{
    int i = 0;
    while (otok_parameter_at(i) != otok_parameter_find(group, key))
        i++;
    return i;
}

/* Requests are applied, by a simulation that begins again where they ask for one. */
static void apply(void)
{
    otok_scenario *fresh;
    if (otok_requests_change_base(&live)) {
        if (otok_requests_scenario(&live, &fresh) == OTOK_OK) {
            scene_destroy(live.sim, live.own);
            live.own = fresh;
            live.begun++;
            MUST(otok_sim_create(&live.sim, fresh, "cpu"));
        } else {
            otok_live_report(&live, "%s", otok_why());
            live.refused++;
        }
    }
    otok_requests_apply(&live);
    otok_controls_update(&controls, &live);
}

static void check_text(const char *words)
{
    const char *text = otok_scenario_text(otok_sim_scenario(live.sim));
    CHECK(strstr(text, words), "not `%s` in %s%s", words, text, live.message);
}

/* Droplets count the iterations: on, there are as many as the phase has iterations for; off and on
   again they are what they were; their number changes the iterations; their other values act in
   the run. */
static void droplets(void)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 8, ny: 8}\nphases:\n  - {name: a, iterations: 9, "
                             "thermal: {talus: 33}}\n");
    int n = 0;
    while (n < OTOK_SWITCHES && strcmp(otok_switches[n].name, "droplets") != 0)
        n++;
    CHECK(n < OTOK_SWITCHES, "there is no switch for droplets");
    if (n == OTOK_SWITCHES) return;
    live.grid = otok_scenario_grid(s);
    MUST(otok_sim_create(&live.sim, s, "cpu"));
    otok_controls_update(&controls, &live);
    otok_switch_set(&controls, &live, n, 1);
    apply();
    CHECK(otok_switch_is_on(&controls, n), "droplets stay off: %s", live.message);
    check_text("count: 18432");
    otok_control_set(&controls, &live, index_of("droplets", "friction"), 0.25, 6);
    otok_control_set(&controls, &live, index_of("droplets", "batch"), 1000, 6);
    apply();
    CHECK(otok_scenario_iterations(otok_sim_scenario(live.sim)) == 19, "%lld iterations",
          (long long)otok_scenario_iterations(otok_sim_scenario(live.sim)));
    CHECK(controls.value[index_of("droplets", "friction")] == 0.25, "friction: %s", live.message);
    otok_switch_set(&controls, &live, n, 0);
    apply();
    CHECK(!otok_switch_is_on(&controls, n), "droplets stay on: %s", live.message);
    otok_switch_set(&controls, &live, n, 1);
    apply();
    check_text("batch: 1000");
    check_text("friction: 0.25");
    MUST(otok_sim_run(live.sim, 2));
    otok_switch_set(&controls, &live, n, 0);
    apply();
    CHECK(otok_sim_iteration(live.sim) == 0, "it goes on from iteration %lld",
          (long long)otok_sim_iteration(live.sim));
    otok_controls_reset(&controls);
    scene_destroy(live.sim, live.own);
    live.own = NULL;
    otok_scenario_destroy(s);
}

int main(void)
{
    switches();
    droplets();
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 4, ny: 4}\nphases:\n  - {name: a, iterations: 9, "
                             "thermal: {talus: 33}}\n");
    const int talus = index_of("thermal", "talus");
    otok_live_defaults(&live);
    MUST(otok_sim_create(&live.sim, s, "cpu"));
    live.grid = otok_scenario_grid(s);
    otok_controls_update(&controls, &live);
    CHECK(controls.value[talus] == 33, "%g", controls.value[talus]);
    CHECK(set_to(talus, 40) == 40, "%g: %s", controls.value[talus], live.message);
    CHECK(set_to(talus, 500) == 40 && strstr(live.message, "talus"), "%g: %s",
          controls.value[talus], live.message);
    otok_control_type(&controls, &live, talus, "35 degree");
    otok_requests_apply(&live);
    otok_controls_update(&controls, &live);
    CHECK(controls.value[talus] == 35, "typed with a unit: %g: %s", controls.value[talus],
          live.message);
    otok_control_type(&controls, &live, talus, "2 km");
    otok_requests_apply(&live);
    otok_controls_update(&controls, &live);
    CHECK(controls.value[talus] == 35 && strstr(live.message, "km"), "%g: %s",
          controls.value[talus], live.message);
    otok_controls_reset(&controls);
    scene_destroy(live.sim, s);
    return check_failures != 0;
}
#else
#include <stdio.h>
int main(void)
{
    puts("skipped: no window in this build");
    return 77;
}
#endif
