/* study_responses.c - claim: the responses of a member are what they say: on a plane of known slope
   with water at its bound of a cell an iteration, the mean slope and the mean speed; the area
   deeper than 0.1 m; where debris slides and none is lost, as much is deposited as eroded, and that
   is what the ground's change holds. */
#include "scene.h"
#include "study/response.h"

#include <math.h>

static otok_sim *simulate(otok_scenario **scenario, const char *text, const char *backend,
                          int64_t iterations)
{
    *scenario = scene("%s", text);
    otok_sim *sim = scene_sim(*scenario, backend);
    MUST(otok_sim_run(sim, iterations));
    return sim;
}

static double verge;

static void measure(double r[OTOK_RESPONSES], otok_sim *sim)
{
    otok_state *state;
    MUST(otok_state_of(&state, sim, 0, NULL));
    MUST(otok_response_measure(r, &verge, sim, state));
    otok_state_end(state);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    double r[OTOK_RESPONSES];
    otok_scenario *s;

    /* A cone so far away that it is a plane; over the closed sides the slope counts half. */
    otok_sim *sim = simulate(&s,
                             "otok: 1\ngrid: {nx: 64, ny: 16}\nedges: {bottom: periodic, top: "
                             "periodic, left: open, right: open}\n"
                             "base: [{cone: {height: 8192, radius: 16384, x: 16000, y: 8}}]\n"
                             "phases: [{name: a, iterations: 600, rain: {rate: 0.001}, hydraulic: "
                             "{dt: 0.05, pipe_area: 1, capacity: 0, evaporation: 0}}]\n",
                             backend, 600);
    measure(r, sim);
    CHECK(r[0] == 0 && r[1] == 0, "nothing moved, and %g m3 eroded, %g deposited", r[0], r[1]);
    CHECK(fabs(r[2] - 0.5 * 63 / 64) < 1e-3, "mean slope %g of a plane of 0.5", r[2]);
    CHECK(fabs(r[3] - 20) < 0.2, "mean speed %g, the bound is 20 m/s", r[3]);
    scene_destroy(sim, s);

    static float change[24 * 24];
    sim = simulate(
        &s,
        "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{cone: {height: 60, radius: 16}}]\n"
        "phases: [{name: a, iterations: 200, thermal: {dt: 0.1}}]\n",
        backend, 200);
    measure(r, sim);
    MUST(otok_sim_get(sim, OTOK_TERRAIN_CHANGE, change));
    double lost = 0;
    for (int i = 0; i < 24 * 24; i++)
        lost += change[i] < 0 ? -4.0 * (double)change[i] : 0;
    CHECK(lost > 100 && fabs(r[0] - lost) < 1e-6 * lost, "%g m3 eroded, the ground lost %g", r[0],
          lost);
    CHECK(fabs(r[1] - r[0]) < 1e-4 * lost, "%g m3 eroded, %g deposited", r[0], r[1]);
    CHECK(r[3] == 0, "water runs at %g m/s without water", r[3]);
    scene_destroy(sim, s);

    sim = simulate(&s,
                   "otok: 1\ngrid: {nx: 10, ny: 8, spacing: 3}\nbase: [{cone: {height: 1, radius: "
                   "10, x: 15, y: 12}}]\ninitial: {water: 0.12}\nphases: [{name: a, iterations: "
                   "40, hydraulic: {law: local_inertia, dt: 0.2, capacity: 0, evaporation: 0}}]\n",
                   backend, 40);
    static float water[10 * 8];
    measure(r, sim);
    MUST(otok_sim_get(sim, OTOK_WATER, water));
    double flooded = 0;
    for (int i = 0; i < 10 * 8; i++)
        flooded += (double)water[i] > 0.1 ? 9 : 0;
    CHECK(flooded > 90 && flooded < 630 && fabs(r[4] - flooded) < 1e-9, "%g m2 flooded, by hand %g",
          r[4], flooded);
    for (int i = 0; i < 10 * 8; i++)
        water[i] = 0.0025f * (float)i; /* 39 cells are deeper than 0.1 m, 41 than 0.1/1.05 */
    MUST(otok_sim_set(sim, OTOK_WATER, water));
    measure(r, sim);
    CHECK(fabs(r[4] - 9 * 39) < 1e-9 && fabs(verge - 20 * 2.0 / 39) < 1e-9,
          "%g m2 are flooded, which grow %g times as much as depths", r[4], verge);
    scene_destroy(sim, s);
    return check_failures != 0;
}
