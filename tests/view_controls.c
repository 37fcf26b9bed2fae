/* view_controls.c - claim: a control shows what the simulation has: what it was set to, and where
 * that is refused, what it had. */
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
    otok_sim_destroy(live.sim);
    otok_scenario_destroy(s);
}

int main(void)
{
    switches();
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 4, ny: 4}\nphases:\n  - {name: a, iterations: 9, "
                             "thermal: {talus: 33}}\n");
    int talus = 0;
    otok_live_defaults(&live);
    MUST(otok_sim_create(&live.sim, s, "cpu"));
    live.grid = otok_scenario_grid(s);
    otok_controls_update(&controls, &live);
    while (otok_parameter_at(talus) != otok_parameter_find("thermal", "talus"))
        talus++;
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
    otok_sim_destroy(live.sim);
    otok_scenario_destroy(s);
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
