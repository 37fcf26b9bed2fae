/* view_dials.c - claim: a dial shows what the simulation has: what it was turned to, and where that is refused, what it had. */
#ifdef OTOK_WITH_WINDOW
#include "scene.h"
#include "viz/dials.h"
#include "viz/requests.h"

static otok_live live;
static otok_dials dials;

/* The value that is shown once the simulation rests. */
static double turned(int dial, double to)
{
    otok_dial_turn(&dials, &live, dial, to, 6);
    otok_requests_apply(&live);
    otok_dials_look(&dials, &live);
    return dials.value[dial];
}

int main(void)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 4, ny: 4}\nphases:\n  - {name: a, iterations: 9, thermal: {talus: 33}}\n");
    int talus = 0;
    otok_live_defaults(&live);
    MUST(otok_sim_create(&live.sim, s, "cpu"));
    live.grid = otok_scenario_grid(s);
    otok_dials_look(&dials, &live);
    while (otok_parameter_at(talus) != otok_parameter_find("thermal", "talus"))
        talus++;
    CHECK(dials.value[talus] == 33, "%g", dials.value[talus]);
    CHECK(turned(talus, 40) == 40, "%g: %s", dials.value[talus], live.said);
    CHECK(turned(talus, 500) == 40 && strstr(live.said, "talus"), "%g: %s", dials.value[talus], live.said);
    otok_dials_forget(&dials);
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
