/* view_rain.c - claim: rain by hand ends with what the phase had before, however long its list of
   times is; rain and water poured by hand go on in the next phase, and are refused in words in one
   where no water flows, after the last iteration, and in a scenario without water. CHECK_ONCE */
#include "scene.h"
#include "viz/requests.h"

enum { SPANS = 64 }; /* as many as a phase can have */

static void next_phase(void)
{
    static otok_live live;
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: 4, ny: 4}\nphases:\n  - {name: a, iterations: 2, hydraulic: {}}\n"
        "  - {name: b, iterations: 2, hydraulic: {}}\n"
        "  - {name: dry, iterations: 2, thermal: {}}\n");
    otok_live_defaults(&live);
    MUST(otok_sim_create(&live.sim, s, "cpu"));
    live.grid = otok_scenario_grid(s);
    live.rains = 1;
    live.brush.on = 1, live.brush.x = live.brush.y = 2, live.brush.radius = 1,
    live.brush.discharge = 1;
    otok_requests_apply(&live);
    MUST(otok_sim_run(live.sim, 2));
    otok_requests_apply(&live);
    const char *b = strstr(otok_scenario_text(otok_sim_scenario(live.sim)), "name: \"b\"");
    CHECK(b && strstr(b, "rate: 0.01\n") && strstr(b, "discharge"), "dry: %s", live.message);
    live.rains = live.brush.on = 0;
    otok_requests_apply(&live);
    b = strstr(otok_scenario_text(otok_sim_scenario(live.sim)), "name: \"b\"");
    CHECK(b && !strstr(b, "rain:") && !strstr(b, "discharge"), "not dry: %s", b);
    for (int end = 0; end < 2; end++) {
        MUST(otok_sim_run(live.sim, 2));
        live.pours = 1, live.message[0] = 0;
        otok_requests_apply(&live);
        CHECK(strstr(live.message, end ? "after the last iteration no water flows"
                                       : "in phase dry no water flows") &&
                  !live.pours,
              "poured into nothing: %s", live.message);
        live.message[0] = 0;
        otok_requests_apply(&live);
        CHECK(!live.message[0], "said again: %s", live.message);
    }
    scene_destroy(live.sim, s);
}

/* Without a phase that has water, going back would not help. */
static void without_water(void)
{
    static otok_live live;
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 4, ny: 4}\nphases:\n"
                             "  - {name: dry, iterations: 2, thermal: {}}\n");
    otok_live_defaults(&live);
    MUST(otok_sim_create(&live.sim, s, "cpu"));
    for (int end = 0; end < 2; end++) {
        live.pours = 1, live.message[0] = 0;
        otok_requests_apply(&live);
        CHECK(strstr(live.message, "no phase has `hydraulic`"), "%s", live.message);
        MUST(otok_sim_run(live.sim, 2));
    }
    scene_destroy(live.sim, s);
}

int main(void)
{
    static otok_live live;
    char during[SPANS * 24] = "", *end = during;
    for (int n = 0; n < SPANS; n++)
        end += sprintf(end, "%s[%d, %d]", n ? ", " : "", 100000 + 20 * n, 100010 + 20 * n);
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 4, ny: 4}\nphases:\n  - {name: a, iterations: "
                             "900000, hydraulic: {}, rain: {rate: 0.125, during: [%s]}}\n",
                             during);
    otok_live_defaults(&live);
    MUST(otok_sim_create(&live.sim, s, "cpu"));
    live.grid = otok_scenario_grid(s);
    live.rains = 1;
    otok_requests_apply(&live);
    MUST(otok_sim_run(live.sim, 3));
    const char *now = otok_scenario_text(otok_sim_scenario(live.sim));
    CHECK(strstr(now, "rate: 0.01\n") && !strstr(now, "during"), "no rain by hand: %s",
          live.message);
    live.rains = 0;
    otok_requests_apply(&live);
    now = otok_scenario_text(otok_sim_scenario(live.sim));
    CHECK(strstr(now, "rate: 0.125\n") && strstr(now, during), "not the rain from before: %s",
          live.message);
    scene_destroy(live.sim, s);
    next_phase();
    without_water();
    return check_failures != 0;
}
