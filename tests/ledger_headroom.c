/* ledger_headroom.c - claim: the books of a long run on a large grid do not leave their 64 bits:
   where their fine parts have grown large they are carried into the coarse ones, without a change
   of value, at iterations that no restart moves. */
#include "scene.h"

#include "../src/model/fixed.h"
#include "../src/sim/sim.h"

static const char rainy[] =
    "otok: 1\ngrid: {nx: 64, ny: 64, spacing: 1}\nbase: [{constant: {height: 1}}]\n"
    "phases: [{name: rain, iterations: 600000, rain: {rate: 0.01}, hydraulic: {dt: 0.05}}]\n";

enum { APART = (1 << 30) / 64 / 64 };

/* A simulation 2 iterations before books are carried, with books as of a long run. */
static otok_sim *late(const otok_scenario *s, const char *backend, int64_t lo)
{
    otok_sum sums[OTOK_SUMS];
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_seek(sim, APART - 2));
    MUST(otok_sim_sums(sim, sums));
    sums[OTOK_SUM_RAIN] = (otok_sum){3, lo};
    sums[OTOK_SUM_EVAPORATED] = (otok_sum){-3, -lo};
    MUST(sim->backend->set_sums(&sim->patch, sums));
    return sim;
}

static otok_sum booked(otok_sim *sim, int which)
{
    otok_sum sums[OTOK_SUMS];
    MUST(otok_sim_sums(sim, sums));
    return sums[which];
}

/* In 2^-39 m. */
static __int128 units(otok_sum s)
{
    return (__int128)s.hi * (INT64_C(1) << 31) + s.lo;
}

static void check_carry(const otok_scenario *s, const char *backend, int64_t lo, int carries)
{
    otok_sim *plain = late(s, backend, 0), *sim = late(s, backend, lo);
    MUST(otok_sim_run(plain, 5));
    MUST(otok_sim_run(sim, 1));
    CHECK(booked(sim, OTOK_SUM_RAIN).lo >= lo, "carried too early");
    MUST(otok_sim_start(sim, 4));
    MUST(otok_sim_wait(sim));
    for (int n = 0; n < 2; n++) {
        const int which = n ? OTOK_SUM_EVAPORATED : OTOK_SUM_RAIN;
        const otok_sum now = booked(sim, which), other = booked(plain, which);
        CHECK(units(now) - units(other) == (n ? -1 : 1) * (__int128)lo, "book %d: another value",
              n);
        CHECK((llabs(now.lo) < INT64_C(1) << 50) == carries, "book %d: lo is %lld", n,
              (long long)now.lo);
    }
    otok_sim_destroy(plain);
    otok_sim_destroy(sim);
}

/* Books near the end of 64 bits, which would turn negative within the run. */
static void check_end(const otok_scenario *s, const char *backend)
{
    const int64_t lo = INT64_C(0x7fffffffffffffff) - (INT64_C(1) << 42);
    otok_sim *sim = late(s, backend, lo);
    MUST(otok_sim_run(sim, 6)); /* of 4096 times 0.0005 m, 2^40 of lo, each */
    const otok_ledger l = scene_ledger(sim);
    CHECK(l.rain > otok_fixed_value(3, lo), "%.17g m3 of rain, after %.17g", l.rain,
          otok_fixed_value(3, lo));
    otok_sim_destroy(sim);
}

/* A run that was saved between has the same books. */
static void check_restart(const otok_scenario *s, const char *backend)
{
    const int64_t lo = (INT64_C(1) << 61) + 12345;
    otok_sim *through = late(s, backend, lo), *first = late(s, backend, lo);
    MUST(otok_sim_run(through, 9));
    MUST(otok_sim_run(first, 1));
    otok_sim *second = scene_resume(first, s, backend);
    MUST(otok_sim_run(second, 8));
    for (int n = 0; n < OTOK_SUMS; n++) {
        const otok_sum a = booked(through, n), b = booked(second, n);
        CHECK(a.hi == b.hi && a.lo == b.lo, "sum %d is (%lld, %lld), through (%lld, %lld)", n,
              (long long)b.hi, (long long)b.lo, (long long)a.hi, (long long)a.lo);
    }
    otok_sim_destroy(through);
    otok_sim_destroy(first);
    otok_sim_destroy(second);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    otok_scenario *s = scene_load(rainy, NULL, 0);
    char bands[64];
    snprintf(bands, sizeof bands, "%s/3", backend);
    for (int n = 0; n < 2; n++) {
        check_carry(s, n ? bands : backend, (INT64_C(1) << 61) + (INT64_C(1) << 45), 1);
        check_carry(s, n ? bands : backend, INT64_C(1) << 60, 0);
        check_end(s, n ? bands : backend);
        check_restart(s, n ? bands : backend);
    }
    otok_scenario_destroy(s);
    return check_failures != 0;
}
