/* live_pour.c - claim: water poured by hand is booked with the rivers to the last bit, moves where
   it is told to, ends when told to, leaves the scenario's own rivers alone, and is among the
   changes; a change of one number at one iteration is one change. */
#include "scenario/scenario.h"
#include "scene.h"

#include <math.h>

enum { N = 32 };

static const char scenario[] = "otok: 1\ngrid: {nx: 32, ny: 32}\nphases:\n  - {name: a, "
                               "iterations: 50, hydraulic: {dt: 0.1}}\n"
                               "  - {name: b, iterations: 50, hydraulic: {dt: 0.1}, rivers: [{x: "
                               "4.5, y: 4.5, radius: 0.1, discharge: 2}]}\n";

/* What is within a cell of it. */
static double water_at(otok_sim *sim, int i, int j)
{
    float map[N * N];
    double sum = 0;
    MUST(otok_sim_get(sim, OTOK_WATER, map));
    for (int y = j - 1; y <= j + 1; y++)
        for (int x = i - 1; x <= i + 1; x++)
            sum += map[y * N + x];
    return sum;
}

static otok_ledger books(otok_sim *sim)
{
    const otok_ledger l = scene_ledger(sim);
    CHECK(fabs(l.water_error) < 1e-6 * (l.rivers + 1), "error %g of %g m3", l.water_error,
          l.rivers);
    return l;
}

/* A river with a hydrograph along a line keeps both, when another is poured beside it. */
static void check_history(const char *backend)
{
    otok_scenario *s =
        scene_load("otok: 1\ngrid: {nx: 32, ny: 32}\nphases:\n  - {iterations: 50, hydraulic: {dt: "
                   "0.1}, rivers: [{x: 0, y: 4, to_x: 0, to_y: 9, history: {between: steps, "
                   "repeat: true, points: [[0, 3], [1, 5], [2, 0]]}}]}\n",
                   NULL, 0);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 5));
    MUST(otok_sim_pour(sim, 20.5, 20.5, 0.1, 1));
    const otok_phase *phase = &otok_sim_scenario(sim)->phases[0];
    const otok_series *h = &phase->rivers[0].history;
    CHECK(phase->rivers[0].to_x == 0 && phase->rivers[0].to_y == 9, "its line is lost");
    CHECK(phase->nrivers == 2 && h->n == 3 && h->stepwise && h->repeat && h->at[1].value == 5,
          "%d rivers, %d points", phase->nrivers, h->n);
    MUST(otok_sim_run(sim, 25));
    CHECK(fabs(books(sim).rivers - (3 + 5 + 3 + 2.5)) < 1e-4, "%.9g m3", books(sim).rivers);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    check_history(backend);
    otok_scenario *s = scene("%s", scenario);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 5));
    MUST(otok_sim_pour(sim, 1, 1, 1, 0));
    CHECK(otok_sim_changes(sim) == 0, "nothing poured is a change");
    MUST(otok_sim_pour(sim, 9.5, 9.5, 0.1, 4));
    MUST(otok_sim_pour(sim, 20.5, 20.5, 0.1, 4)); /* moved before it acted */
    MUST(otok_sim_run(sim, 5));
    CHECK(water_at(sim, 20, 20) > 0 && water_at(sim, 9, 9) == 0,
          "%g m where it was told to be, %g m where it was before", water_at(sim, 20, 20),
          water_at(sim, 9, 9));
    CHECK(otok_sim_changes(sim) == 1, "%d changes", otok_sim_changes(sim));
    MUST(otok_sim_pour(sim, 20.5, 20.5, 0.1, 0));
    MUST(otok_sim_run(sim, 40));
    CHECK(fabs(books(sim).rivers - 4 * 0.1 * 5) < 1e-5, "poured %.9g m3", books(sim).rivers);
    CHECK(strcmp(otok_sim_change_at(sim, 1)->after, "null") == 0, "it ended as %s",
          otok_sim_change_at(sim, 1)->after);

    MUST(otok_sim_pour(sim, 20.5, 20.5, 0.1, 1)); /* beside the river of phase b */
    MUST(otok_sim_run(sim, 10));
    MUST(otok_sim_pour(sim, 20.5, 20.5, 0.1, 0));
    MUST(otok_sim_run(sim, 10));
    CHECK(fabs(books(sim).rivers - (2 + 0.1 * (1 * 10 + 2 * 20))) < 1e-4,
          "poured and flowed %.9g m3", books(sim).rivers);
    CHECK(otok_scenario_has_process(otok_sim_scenario(sim), 1, "rivers"),
          "the scenario's own river is gone");

    const int before = otok_sim_changes(sim);
    for (int i = 1; i < 9; i++) {
        char value[8];
        snprintf(value, sizeof value, "%d", i);
        MUST(otok_sim_change(sim, "phases.b.hydraulic.capacity", value));
    }
    const otok_change *c = otok_sim_change_at(sim, before);
    CHECK(otok_sim_changes(sim) == before + 1 && c && strcmp(c->after, "8") == 0 &&
              c->iteration == 70,
          "%d changes", otok_sim_changes(sim) - before);
    const otok_parameter *capacity = otok_parameter_find("hydraulic", "capacity");
    CHECK(c && atof(c->before) == capacity->standard, "before: %s", c ? c->before : "");
    CHECK(otok_scenario_value(otok_sim_scenario(sim), 1, capacity) == 8,
          "the value is not that of now");
    scene_destroy(sim, s);
    return check_failures != 0;
}
