/* view_timeline.c - claim: a view that goes back to an earlier iteration, kept or not, and on again
   has the bits of a run that never went back, ledger included; values changed by hand change again
   on the way; a change after going back begins another course, which is that of a run with the
   changes until then; it runs at the speed that is asked for, and no faster; after the last
   iteration no water is poured. CHECK_ONCE */
#include "core/clock.h"
#include "drawing.h"
#include "scene.h"
#include "sim/sim.h"
#include "viz/live.h"

#include <stdlib.h>

static const char yaml[] =
    "otok: 1\ngrid: {nx: 24, ny: 16}\nseed: 3\nbase:\n  - cone: {height: 9, radius: 12}\n"
    "phases:\n"
    "  - {name: a, iterations: 60, thermal: {}, hydraulic: {}, rain: {rate: 0.001}}\n"
    "  - {name: b, iterations: 40, thermal: {talus: 20}}\n"
    "changes:\n  - {at: 30, path: phases.a.thermal.talus, value: 25}\n";

static otok_live live;

static uint64_t print(double *water)
{
    otok_ledger ledger;
    uint64_t fingerprint;
    MUST(otok_sim_measure(live.sim, &ledger, &fingerprint));
    *water = ledger.rain + ledger.solid_error;
    return fingerprint;
}

/* Frames until nothing is under way. */
static void rest(void)
{
    do {
        otok_live_frame_begin(&live);
        otok_live_frame_end(&live);
    } while (!live.rests || live.steps > 0 || live.go_to >= 0);
    otok_live_frame_begin(&live);
}

static void run_to(int64_t n)
{
    live.steps = n - live.iteration;
    rest();
    CHECK(live.iteration == n, "at %lld, not %lld", (long long)live.iteration, (long long)n);
}

static void go_to(int64_t n)
{
    live.go_to = n;
    rest();
    CHECK(live.iteration == n, "at %lld, not %lld: %s", (long long)live.iteration, (long long)n,
          live.message);
}

/* The state at iteration n of a run of the scenario that the view has now. */
static uint64_t straight(int64_t n)
{
    char *text = otok_scenario_with_changes(otok_scenario_text(live.sim->root), live.sim->changes,
                                            live.sim->nchanges);
    otok_scenario *s;
    MUST(otok_scenario_read(&s, text, "straight.yaml", NULL, 0));
    otok_sim *sim = scene_sim(s, "cpu");
    MUST(otok_sim_run(sim, n));
    const uint64_t fingerprint = scene_fingerprint(sim);
    scene_destroy(sim, s);
    free(text);
    return fingerprint;
}

/* The states at all tens, by going there in both directions. */
static void go_everywhere(void)
{
    uint64_t seen[11];
    double water[11], again;
    for (int i = 0; i <= 10; i++) {
        run_to(10 * i);
        seen[i] = print(&water[i]);
        if (i == 2) MUST(otok_live_change(&live, "phases.a.thermal.talus", "33"));
        if (i == 4) MUST(otok_live_change(&live, "phases.b.thermal.talus", "10"));
    }
    CHECK(otok_live_at_end(&live), "at %lld", (long long)live.iteration);
    static const int ways[] = {70, 20, 50, 0, 100, 10, 30, 100, 40};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const int i = ways[k] / 10;
        go_to(ways[k]);
        CHECK(print(&again) == seen[i] && again == water[i], "iteration %d: other bits", ways[k]);
    }
    CHECK(otok_sim_changes(live.sim) == 3, "%d changes", otok_sim_changes(live.sim));
    CHECK(straight(100) == seen[10], "a straight run has other bits");
}

/* From 40 on another course: the change at 20 stays, the one at 40 goes, and that of the scenario
   at 30 is made. */
static void take_another_course(void)
{
    double unused;
    go_to(15);
    MUST(otok_live_change(&live, "phases.a.thermal.talus", "40"));
    run_to(50);
    CHECK(otok_sim_changes(live.sim) == 2, "%d changes", otok_sim_changes(live.sim));
    CHECK(otok_sim_change_at(live.sim, 0)->iteration == 15, "the first change is another");
    CHECK(print(&unused) == straight(50), "another course has other bits than its scenario");
    const uint64_t there = print(&unused);
    go_to(12);
    go_to(50);
    CHECK(print(&unused) == there, "there and back on another course: other bits");
    for (int i = 0; otok_live_kept(&live, i) >= 0; i++)
        CHECK(i == 0 || otok_live_kept(&live, i) > otok_live_kept(&live, i - 1),
              "states are not in order");
    CHECK(otok_live_neighbour(&live, 1) == -1, "a state after the last one");
    const int64_t before = otok_live_neighbour(&live, 0);
    otok_live_beside(&live, 0);
    rest();
    CHECK(before >= 0 && live.iteration == before, "at %lld, not %lld: %s",
          (long long)live.iteration, (long long)before, live.message);
    CHECK(otok_live_neighbour(&live, 1) == 50, "the state after it is another");
    go_to(0);
    CHECK(otok_live_neighbour(&live, 0) == -1, "a state before the first one");
}

/* As many states as there is room for, the first one among them. */
static void keep_many(void)
{
    int n = 0;
    for (int i = 0; i < 100; i++)
        go_to(i);
    while (otok_live_kept(&live, n) >= 0)
        n++;
    CHECK(n > 2 && n <= 64 && otok_live_kept(&live, 0) == 0,
          "%d states are kept, the first at %lld", n, (long long)otok_live_kept(&live, 0));
    live.go_to = 1000;
    rest();
    CHECK(live.iteration == 100, "beyond the end: at %lld", (long long)live.iteration);
}

/* Iterations a second: no more than asked for, and a pause ends them. */
static void keep_pace(void)
{
    go_to(0);
    live.speed = 20;
    live.running = 1;
    const double began = otok_clock();
    while (live.iteration < 8) {
        otok_live_frame_begin(&live);
        otok_live_frame_end(&live);
    }
    const double seconds = otok_clock() - began;
    CHECK(seconds > 0.5 * 7 / live.speed, "8 iterations in %.3f s at %g per second", seconds,
          live.speed);
    live.running = 0;
    rest();
}

static void pour_at_the_end(void)
{
    live.go_to = 100;
    rest();
    const int before = otok_sim_changes(live.sim);
    live.rains = 1;
    live.brush.on = live.brush.seen = live.pours = 1;
    live.springs = 1;
    rest();
    CHECK(otok_sim_changes(live.sim) == before && !live.rains && !live.pours,
          "water after the end");
    CHECK(strstr(live.message, "after the last iteration"), "%s", live.message);
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    otok_scenario *s = scene("%s", yaml);
    otok_live_defaults(&live);
    live.scenario = s;
    live.backend = "cpu";
    live.keeps = 1;
    MUST(otok_live_begin(&live, 64, 48));
    go_everywhere();
    take_another_course();
    keep_many();
    keep_pace();
    pour_at_the_end();
    otok_live_end(&live);
    otok_scenario_destroy(s);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
