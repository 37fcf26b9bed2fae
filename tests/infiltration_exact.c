/* infiltration_exact.c - claim: under ponded water the depth F that has infiltrated follows Green
   and Ampt's implicit solution, K t = F - s ln(1 + F/s), at every step: within 1e-4 at steps up to
   10 s, 1e-3 at 60 s (the first step has a = 0.15 s, and the error of 2x/(2 + x) for the logarithm
   is x^3/12). All of a rain weaker than K enters. The ledger books what entered, and a map of one
   value is that number, bit for bit. A map of Manning's n does so under `law: shallow_water` to
   1e-5, and with steps that follow the water it is the same friction. */
#include "scene.h"

#include <math.h>

enum { N = 8 };
#define K 0x1p-17 /* [m/s], a number that float32 has */
#define S 0.0625  /* [m] */

static otok_ledger run(float *d, float *f, const char *ground, const char *rain, const char *soil,
                       const char *water, double dt, double seconds, double deep)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\n%sinitial: {water: "
                             "%g}\nphases:\n  - {iterations: 1000000, %s %s hydraulic: {dt: %g, "
                             "capacity: 0, dissolve: 0, %s}}\n",
                             N, N, ground, deep, rain, soil, dt, water);
    otok_sim *sim = scene_sim(s, "cpu");
    scene_run(sim, (int64_t)(seconds / dt + 0.5), OTOK_WATER, d);
    if (f) MUST(otok_sim_get(sim, OTOK_INFILTRATED, f));
    const otok_ledger l = scene_ledger(sim);
    scene_destroy(sim, s);
    return l;
}

static double implicit(double seconds)
{
    double low = 0, high = 10;
    for (int n = 0; n < 100; n++) {
        const double f = 0.5 * (low + high);
        if (f - S * log1p(f / S) < K * seconds)
            low = f;
        else
            high = f;
    }
    return low;
}

static const char soil[] = "infiltration: {conductivity: 7.62939453125e-06, suction_deficit: "
                           "0.0625},",
                  maps[] =
                      "infiltration: {conductivity: [{constant: {height: "
                      "7.62939453125e-06}}], suction_deficit: [{constant: {height: 0.0625}}]},",
                  still[] = "law: published, pipe_area: 1e-9, evaporation: 0";

static void check_ponded(void)
{
    static const double steps[] = {1, 10, 60};
    float d[N * N], f[N * N], again[N * N];
    for (int n = 0; n < 3; n++) {
        const otok_ledger l = run(d, f, "", "", soil, still, steps[n], 3600, 1);
        double sum = 0, exact = implicit(3600);
        for (int i = 0; i < N * N; i++)
            sum += (double)f[i] / (N * N);
        CHECK(fabs(sum / exact - 1) < (n < 2 ? 1e-4 : 1e-3),
              "%g m infiltrated in steps of %g s, exactly %g m", sum, steps[n], exact);
        CHECK(fabs(l.water_infiltrated - sum * 4 * N * N) < 1e-5 * l.water_infiltrated &&
                  fabs(l.water_error) < 1e-6 * l.water_start,
              "%g m3 are booked, %g m3 infiltrated, %g m3 unexplained", l.water_infiltrated,
              sum * 4 * N * N, l.water_error);
    }
    run(d, again, "", "", maps, still, 60, 3600, 1);
    CHECK(memcmp(f, again, sizeof f) == 0, "maps of one value infiltrate another depth");
}

static void check_rain(void)
{
    float d[N * N], f[N * N];
    const otok_ledger l = run(d, f, "", "rain: {rate: 5e-6},", soil, still, 10, 3600, 0);
    CHECK(l.rain > 0 && l.water == 0 && fabs(l.water_infiltrated / l.rain - 1) < 1e-9,
          "of %g m3 of weak rain %g infiltrated, and %g are left", l.rain, l.water_infiltrated,
          l.water);
}

static const char cone[] = "edges: {right: open}\nbase: [{cone: {height: 3, radius: 30, x: 0, "
                           "y: 8}}]\n";

/* Rain runs down a cone: its depth with a number of friction and with a map of it. */
static void check_friction(void)
{
    static const char *const ways[] = {"law: shallow_water,", "law: shallow_water, courant: 0.5,",
                                       "law: local_inertia, courant: 0.5,"};
    for (int n = 0; n < 3; n++) {
        float one[N * N], other[N * N];
        char number[99], map[99];
        double worst = 0;
        snprintf(number, sizeof number, "%s manning: 0.0625", ways[n]);
        snprintf(map, sizeof map, "%s manning: [{constant: {height: 0.0625}}]", ways[n]);
        run(one, NULL, cone, "rain: {rate: 1e-4},", "", number, 0.25, 60, 0.01);
        run(other, NULL, cone, "rain: {rate: 1e-4},", "", map, 0.25, 60, 0.01);
        for (int i = 0; i < N * N; i++)
            worst = fmax(worst, fabs((double)other[i] / (double)one[i] - 1));
        CHECK(worst < 1e-5, "%s: depths with a map of friction are %.2g off", ways[n], worst);
    }
}

int main(void)
{
    check_ponded();
    check_rain();
    check_friction();
    return check_failures != 0;
}
