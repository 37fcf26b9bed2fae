/* morphology_factor.c - claim: under the morphological factor M the bed of a steady flow changes in
   a time as it would in M times as much without it, within 5 %; M is the same as M times the
   capacity, bit for bit; and otok predict has the most that the bed may change in an iteration.
   CHECK_SLOW */
#include "sheet.h"

enum { FACTOR = 16, STEPS = 1000, SPIN = 400, INNER = 350 };
static const sheet flow = {10, 0.002, 0, 0.5, 0.03, 0.5, 1};

static otok_scenario *scenario(const char *keys)
{
    char more[200];
    snprintf(more, sizeof more, "dissolve: 0.05, deposit: 0.05, displace_water: false, %s", keys);
    return sheet_scenario(&flow, more, "");
}

/* The change of the ground after `steps`, the first SPIN left out, in which the clear water takes
   up what it can carry: ten times the time of that. */
static uint64_t run(double change[NX], const char *keys, int steps, const char *backend)
{
    static float map[NX * NY];
    otok_scenario *s = scenario(keys);
    otok_sim *sim = sheet_start(&flow, s, backend, 0, 0);
    scene_run(sim, SPIN, OTOK_TERRAIN_CHANGE, map);
    for (int x = 0; x < NX; x++)
        change[x] = -(double)map[x];
    scene_run(sim, steps, OTOK_TERRAIN_CHANGE, map);
    for (int x = 0; x < NX; x++)
        change[x] += (double)map[x];
    const uint64_t print = scene_fingerprint(sim);
    scene_destroy(sim, s);
    return print;
}

static void limit(void)
{
    otok_scenario *fast = scenario("capacity: 0.001, morphological_factor: 16"),
                  *plain = scenario("capacity: 0.001");
    otok_limit all[OTOK_LIMITS];
    const otok_limit l = sheet_limit(fast, "morphological factor");
    const double taken = -expm1(-0.05 * flow.dt) * FACTOR * 0.001 * sheet_speed(&flow) *
                         flow.depth * sin(atan(flow.slope)) / flow.spacing;
    CHECK(fabs(l.value / taken - 1) < 1e-3 && fabs(l.bound - tan(M_PI / 6)) < 1e-12,
          "%g of %g, not %g", l.value, l.bound, taken);
    for (int n = otok_predict(all, plain, 0, NULL) - 1; n >= 0; n--)
        CHECK(strcmp(all[n].name, l.name) != 0, "a limit without the factor");
    otok_scenario_destroy(fast);
    otok_scenario_destroy(plain);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static double fast[NX], same[NX], slow[NX];
    double differ = 0, all = 0;
    springs_begin();
    const uint64_t print = run(fast, "capacity: 0.001, morphological_factor: 16", STEPS, backend);
    CHECK(run(same, "capacity: 0.016", STEPS, backend) == print, "16 times the capacity");
    run(slow, "capacity: 0.001", STEPS * FACTOR, backend);
    for (int x = 0; x < INNER; x++) { /* beyond it the open side counts */
        differ += fabs(fast[x] - slow[x]);
        all += fabs(slow[x]);
    }
    CHECK(all > 0 && differ < 0.05 * all, "they differ by %g of %g m", differ, all);
    limit();
    springs_end();
    return check_failures != 0;
}
