/* water_exact.c - claim: what a scenario says of rain, of rain by a map, of rivers and of
   evaporation is what water 30 m deep gains and loses in 1000 iterations, to 0.1 %, at rates of
   which nearest rounding makes nothing or the double; the ledger has both, also after `during`, a
   change by hand and a restart, and its balance closes. CHECK_SLOW */
#include "springs_file.h"

#include <math.h>

enum { NX = 64, NY = 48, ITERATIONS = 1000 };

static const double l2 = 4, depth = 30;

static float water[NX * NY];

static otok_sim *begin(const char *backend, otok_scenario *s)
{
    otok_sim *sim = scene_sim(s, backend);
    for (int n = 0; n < NX * NY; n++)
        water[n] = (float)depth;
    MUST(otok_sim_set(sim, OTOK_WATER, water));
    return sim;
}

static void check_near(double value, double wanted, double part, const char *what,
                       const char *where)
{
    CHECK(fabs(value - wanted) <= part * wanted, "%s: %s is %.9g m3, not %.9g", where, what, value,
          wanted);
}

/* Delivered and nominal entries of a run with this much rain and river water. */
static void entries(otok_ledger l, double rain, double rivers, const char *where)
{
    const double start = depth * l2 * NX * NY, gained = l.rain + l.rivers - l.evaporated;
    check_near(l.rain_nominal, rain, 1e-12, "nominal rain", where);
    check_near(l.rivers_nominal, rivers, 1e-12, "nominal river water", where);
    check_near(l.rain, rain, 1e-3, "rain", where);
    check_near(l.rivers, rivers, 1e-3, "river water", where);
    CHECK(fabs(l.water - start - gained) <= 1e-6 * start, "%s: %.3g m3 unexplained", where,
          l.water - start - gained);
}

/* Even rain of 36 mm/h, from iteration 100 to 900, and of 20 mm/h from 600 on; stopped and
 * continued at 300. */
static void check_even_rain(const char *backend, const char *pipes)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nphases:\n  - {name: a, "
                             "iterations: 1000, rain: {rate: 1e-5, during: [[100, 900]]}, "
                             "hydraulic: {dt: 0.05, capacity: 0, evaporation: 0, %s}}\n",
                             NX, NY, pipes);
    otok_sim *sim = begin(backend, s);
    MUST(otok_sim_run(sim, 300));
    otok_sim *const both[] = {sim, scene_resume(sim, s, backend)};
    otok_ledger l[2];
    for (int n = 0; n < 2; n++) {
        MUST(otok_sim_run(both[n], 300));
        MUST(otok_sim_change(both[n], "phases.a.rain.rate", "5.5e-6"));
        MUST(otok_sim_run(both[n], ITERATIONS));
        l[n] = scene_ledger(both[n]);
        entries(l[n], (500 * 1e-5 + 300 * 5.5e-6) * 0.05 * l2 * NX * NY, 0, pipes);
        otok_sim_destroy(both[n]);
    }
    CHECK(l[0].rain_nominal == l[1].rain_nominal && l[0].rain == l[1].rain,
          "%s: the restarted run has other entries", pipes);
    otok_scenario_destroy(s);
}

/* Rain by a map, and rivers into some cells and into one; less than an ulp of the depth in most. */
static void springs(const char *backend)
{
    static float map[NX * NY];
    uint64_t state = 8;
    double sum = 0;
    for (int n = 0; n < NX * NY; n++) {
        map[n] = n % 3 ? 2 * scene_random(&state) : 0;
        sum += (double)map[n];
    }
    springs_begin();
    springs_write("rain.asc", NX, NY, 2, "", map);
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nphases:\n  - {iterations: 1000, rain: "
              "{rate: 1e-5, map: %s}, rivers: [{x: 60, y: 40, radius: 30, discharge: 0.02}, {x: "
              "20, y: 80, discharge: 0.5}], hydraulic: {dt: 0.05, capacity: 0, evaporation: 0}}\n",
              NX, NY, springs_path);
    otok_sim *sim = begin(backend, s);
    MUST(otok_sim_run(sim, ITERATIONS));
    entries(scene_ledger(sim), 1e-5 * 0.05 * ITERATIONS * l2 * sum, 0.52 * 0.05 * ITERATIONS,
            "rain by a map");
    scene_destroy(sim, s);
    springs_remove("rain.asc");
    springs_end();
}

/* Evaporation of which 1 - evaporation dt is 1, or has two digits. */
static void evaporation(const char *backend, double rate)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nphases:\n  - {iterations: 1000, "
              "hydraulic: {dt: 0.05, capacity: 0, evaporation: %.9g}}\n",
              NX, NY, rate);
    otok_sim *sim = begin(backend, s);
    MUST(otok_sim_run(sim, ITERATIONS));
    check_near(scene_ledger(sim).evaporated,
               -depth * l2 * NX * NY * expm1(ITERATIONS * log1p(-0.05 * rate)), 1e-3, "evaporation",
               "alone");
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    check_even_rain(backend, "pipes: one_way");
    check_even_rain(backend, "pipes: signed, area: depth, manning: 0.03");
    springs(backend);
    evaporation(backend, 1e-6);
    evaporation(backend, 2e-4);
    return check_failures != 0;
}
