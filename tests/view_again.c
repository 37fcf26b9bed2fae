/* view_again.c - claim: a simulation that begins again while it is looked at shows the fields that
   it has then, not those of the one before, and those that its scenario's changes bring; where it
   cannot begin, the one before goes on. A change of the base begins another one with the values of
   now, and without the rain and the water that were poured by hand, in whatever phase. The map is
   cut out in each state whose border is not all under the sea. CHECK_ONCE */
#include "drawing.h"
#include "scene.h"
#include "viz/live.h"

static otok_live live;

/* The simulation's next rest, and as many iterations more. */
static void run_until_rest(int64_t more)
{
    live.steps = more;
    do {
        otok_live_frame_begin(&live);
        otok_live_frame_end(&live);
    } while (!live.rests || live.steps > 0);
}

static float top(void)
{
    static float terrain[256];
    float most = 0;
    MUST(otok_sim_get(live.sim, OTOK_TERRAIN, terrain));
    for (int i = 0; i < 256; i++)
        most = terrain[i] > most ? terrain[i] : most;
    return most;
}

/* The scenario itself lowers the sea below the map's border, and raises it again. */
static void tide(void)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 16, ny: 16}\nsea: {level: 8}\nbase:\n"
                             "  - cone: {height: 9, radius: 20}\n"
                             "phases:\n  - {name: a, iterations: 900, thermal: {}}\n"
                             "changes:\n  - {at: 2, path: sea.level, value: 1}\n"
                             "  - {at: 4, path: sea.level, value: 8}\n");
    otok_live_defaults(&live);
    live.scenario = s;
    live.backend = "auto"; /* fields stay on a GPU */
    MUST(otok_live_begin(&live, 64, 48));
    for (int n = 1; n <= 5; n++) {
        run_until_rest(1);
        CHECK(live.iteration == n && live.shot.block == (live.sea_level < 8),
              "iteration %lld, sea at %g: block %d", (long long)live.iteration, live.sea_level,
              live.shot.block);
    }
    CHECK(live.sea_level == 8, "the sea stays at %g", live.sea_level);
    otok_live_end(&live);
    otok_scenario_destroy(s);
}

/* Water and rain by hand in one phase, in the next, and while it begins again. */
static void by_hand(void)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 16, ny: 16}\nbase:\n"
                             "  - cone: {height: 9, radius: 20}\n"
                             "phases:\n  - {name: a, iterations: 2, hydraulic: {}}\n"
                             "  - {name: b, iterations: 2, hydraulic: {}, rain: {rate: 0.125}}\n"
                             "  - {name: dry, iterations: 9, thermal: {}}\n");
    otok_live_defaults(&live);
    live.scenario = s;
    live.backend = "cpu";
    MUST(otok_live_begin(&live, 64, 48));
    for (int until = 1; until <= 5; until++) {
        live.rains = 1;
        live.brush.on = live.pours = 1, live.brush.x = live.brush.y = 8;
        for (int n = 0; n < until; n++)
            run_until_rest(1);
        otok_live_frame_begin(&live);
        live.begin_again = 2;
        live.rains = live.brush.on = live.pours = 0;
        run_until_rest(1);
        const char *now = otok_scenario_text(otok_sim_scenario(live.sim));
        CHECK(!strstr(now, "discharge") && !strstr(now, "rate: 0.01\n") &&
                  strstr(now, "rate: 0.125\n"),
              "after %d iterations it begins again with what was poured: %s", until, now);
        CHECK(live.iteration == 1 && scene_ledger(live.sim).rivers == 0, "%g m3 of rivers",
              scene_ledger(live.sim).rivers);
        live.begin_again = 1;
        otok_live_frame_begin(&live);
    }
    otok_live_end(&live);
    otok_scenario_destroy(s);
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    tide();
    by_hand();
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 16, ny: 16}\nbase:\n  - cone: {height: 9, radius: 20}\n"
              "phases:\n  - {name: a, iterations: 900, thermal: {}}\n"
              "changes:\n  - {at: 8, path: phases.a.hydraulic, value: {}}\n");
    otok_live_defaults(&live);
    live.scenario = s;
    live.backend = "cpu";
    MUST(otok_live_begin(&live, 64, 48));
    CHECK(!otok_live_has_style(&live, OTOK_STYLE_WATER), "water where there is none");
    MUST(otok_live_change(&live, "phases.a.hydraulic", "{}"));
    run_until_rest(3);
    CHECK(live.iteration == 3 && otok_live_has_style(&live, OTOK_STYLE_WATER), "no water: %s",
          live.message);

    live.shot.style = OTOK_STYLE_WATER;
    live.backend = "abacus";
    live.begin_again = 1;
    run_until_rest(2);
    CHECK(live.iteration == 5 && strstr(live.message, "abacus"), "iteration %lld: %s",
          (long long)live.iteration, live.message);

    live.backend = "cpu";
    live.begin_again = 1;
    run_until_rest(1);
    CHECK(live.iteration == 1 && live.status == OTOK_OK, "iteration %lld: %s",
          (long long)live.iteration, live.message);
    CHECK(!otok_live_has_style(&live, OTOK_STYLE_WATER), "water of the one before");
    run_until_rest(8);
    CHECK(live.iteration == 9 && otok_live_has_style(&live, OTOK_STYLE_WATER), "iteration %lld: %s",
          (long long)live.iteration, live.message);

    /* Another base: from iteration 0, with the values of now; `again` has the file's base, `again
     * as now` the other one. */
    MUST(otok_live_change(&live, "phases.a.thermal.talus", "21"));
    MUST(otok_live_change(&live, "base.0.cone.height", "12"));
    run_until_rest(2);
    CHECK(live.iteration == 2 && top() > 10.5, "iteration %lld, top %g: %s",
          (long long)live.iteration, top(), live.message);
    CHECK(strstr(otok_scenario_text(otok_sim_scenario(live.sim)), "talus: 21"),
          "the talus is another");
    live.begin_again = 2;
    run_until_rest(1);
    CHECK(live.iteration == 1 && top() > 10.5, "iteration %lld, top %g", (long long)live.iteration,
          top());
    MUST(otok_live_change(&live, "base.0.cone.radius", "-4"));
    run_until_rest(1);
    CHECK(live.iteration == 2 && live.refused == 2 && strstr(live.message, "radius"), "%s",
          live.message);
    live.begin_again = 1;
    run_until_rest(1);
    CHECK(live.iteration == 1 && top() < 9, "iteration %lld, top %g", (long long)live.iteration,
          top());

    /* The map is cut out while its border is not all under the sea. */
    CHECK(live.shot.block, "the sea is at %g", live.sea_level);
    MUST(otok_live_change(&live, "sea.level", "8"));
    run_until_rest(1);
    CHECK(!live.shot.block && live.sea_level == 8, "a block at %g: %s", live.sea_level,
          live.message);
    otok_live_end(&live);
    otok_scenario_destroy(s);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
