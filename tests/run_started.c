/* run_started.c - claim: iterations that are started a few at a time, and not waited for, are those
   of one run: across phases, changes of parameters, reads in between, and more than a backend takes
   at once. Started iterations may be held back until there are many; whatever reads, sets or
   changes the simulation finds them done. */
#include "scene.h"

#include <otok_live.h>

enum { N = 24, DRY = 40 };

static otok_sim *begin(const otok_scenario *s, const char *backend)
{
    otok_sim *sim;
    MUST(otok_sim_create(&sim, s, backend));
    MUST(otok_sim_change(sim, "phases.dry.thermal.talus", "20"));
    return sim;
}

/* What a caller finds after the iterations so far, in one of six ways. */
static double found(otok_sim *sim, int way, float *map)
{
    float cell[OTOK_FIELDS];
    otok_ledger ledger;
    otok_loan loan;
    uint64_t print;
    switch (way) {
    case 0: MUST(otok_sim_get(sim, OTOK_TERRAIN, map)); return (double)map[N * N / 2];
    case 1: MUST(otok_sim_cell(sim, N / 2, N / 2, cell)); return (double)cell[OTOK_WATER];
    case 2: MUST(otok_sim_measure(sim, &ledger, &print)); return (double)(print >> 12);
    case 3: MUST(otok_sim_set(sim, OTOK_WATER, map)); return 0;
    case 4: MUST(otok_sim_change(sim, "phases.dry.thermal.talus", "25")); return 0;
    default: MUST(otok_sim_lend(sim, OTOK_WATER, &loan)); return (double)(loan.data == NULL);
    }
}

static void read_between(const otok_scenario *s, const char *backend)
{
    otok_sim *whole = begin(s, backend), *parts = begin(s, backend);
    float map[N * N], same[N * N];
    for (int n = 0; n < 24; n++) {
        for (int part = 0; part < 4; part++)
            MUST(otok_sim_start(parts, 1 + (n + part) % 3));
        MUST(otok_sim_run(whole, otok_sim_iteration(parts) - otok_sim_iteration(whole)));
        MUST(otok_sim_get(whole, OTOK_WATER, map)); /* for found to set */
        memcpy(same, map, sizeof map);
        const double a = found(whole, n % 6, map), b = found(parts, n % 6, same);
        CHECK(a == b, "reader %d after %lld iterations: %.17g and %.17g", n % 6,
              (long long)otok_sim_iteration(whole), a, b);
    }
    otok_sim_destroy(whole);
    otok_sim_destroy(parts);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const int wet = argc > 2 ? 300 : 4500, all = wet + DRY;
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\n"
                             "base: [{cone: {height: 30, radius: 20}}]\n"
                             "phases: [{name: wet, iterations: %d, rain: {rate: 0.001},\n"
                             "hydraulic: {dt: 0.05}}, {name: dry, iterations: %d, thermal: {}}]\n",
                             N, N, wet, DRY);
    otok_sim *whole = begin(s, backend), *parts = begin(s, backend);
    otok_ledger ledger[2];
    uint64_t print[2];
    float map[N * N];
    MUST(otok_sim_run(whole, all));
    for (int n = 1; otok_sim_iteration(parts) < all; n++) {
        MUST(otok_sim_start(parts, n % 70));
        if (n % 11 == 0) MUST(otok_sim_get(parts, OTOK_WATER, map));
        if (n % 13 == 0) MUST(otok_sim_run(parts, 1));
    }
    CHECK(otok_sim_iteration(parts) == all, "iteration %lld", (long long)otok_sim_iteration(parts));
    MUST(otok_sim_measure(parts, &ledger[1], &print[1]));
    MUST(otok_sim_wait(parts));
    MUST(otok_sim_measure(whole, &ledger[0], &print[0]));
    CHECK(print[0] == print[1], "fingerprints %016llx and %016llx", (unsigned long long)print[0],
          (unsigned long long)print[1]);
    CHECK(ledger[0].rain == ledger[1].rain && ledger[0].solid == ledger[1].solid,
          "rain %.17g and %.17g, solid %.17g and %.17g", ledger[0].rain, ledger[1].rain,
          ledger[0].solid, ledger[1].solid);
    MUST(otok_sim_start(whole, 1)); /* at the end nothing is left to start */
    otok_sim_destroy(whole);
    otok_sim_destroy(parts);
    read_between(s, backend);
    otok_scenario_destroy(s);
    return check_failures > 0;
}
