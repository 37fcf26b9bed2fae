/* reef_light_integral.c - claim: under `law: light_saturation` columns grow by the integral of the
   law within 1e-3 of it, with the sea and the ground moving, at time steps of 50 to 1000 years, and
   so does the share of each of three producers. The integral is that of small steps in double.
   CHECK_SLOW */
#include "scene.h"

#include <math.h>

#define YEAR 31556952.0

enum { DEPTHS = 16, SPAN = 100000, EACH = 4 /* steps of the integral in a year */ };

static const double sea[][2] = {{0, 0},    {15.43, -50}, {20, -45},    {24.87, -110},
                                {30, -20}, {40, 0},      {60.31, -10}, {80, -90},
                                {90, 5},   {100, 0}};     /* [kyr], [m] */
static const double motions[] = {-2, -0.5, -0.1, 0, 0.4}; /* [mm/yr] */
static const double steps[] = {50, 100, 500, 1000};       /* [yr] */

static double start_of(int column)
{
    return -75 + 7.3 * column;
}

static double sea_at(double year)
{
    int n = 0;
    while (year > 1000 * sea[n + 1][0])
        n++;
    return sea[n][1] +
           (year / 1000 - sea[n][0]) / (sea[n + 1][0] - sea[n][0]) * (sea[n + 1][1] - sea[n][1]);
}

/* Bosscher & Schlager 1992, with their constants, and two more that grow in deeper water [m/yr,
   1/m, umol/m2/s] */
static const struct {
    double most, absorption, light;
} producers[] = {{0.01, 0.1, 250}, {0.003, 0.04, 250}, {0.001, 0.1, 50}};

/* [m/yr] */
static double rate(int producer, double depth)
{
    return producers[producer].most *
           tanh(2000.0 / producers[producer].light * exp(-producers[producer].absorption * depth));
}

static double rates(int n, double depth)
{
    double sum = 0;
    for (int p = 0; p < n; p++)
        sum += rate(p, depth);
    return sum;
}

/* The reef of n producers grows in water deeper than 0.5 m, and up to this depth; by[p]: what
   producer p made. */
static double integral(double ground, double motion, int n_producers, double by[3])
{
    const double m = 0.5, dt = 1.0 / EACH;
    double grown = 0;
    by[0] = by[1] = by[2] = 0;
    for (int n = 0; n < SPAN * EACH; n++) {
        const double before = sea_at(n * dt) - ground - 1e-3 * motion * n * dt - grown,
                     w = (sea_at((n + 1) * dt) - sea_at(n * dt)) / dt - 1e-3 * motion,
                     after = before + w * dt;
        if (before <= m && after <= m) continue;
        const double half = fmax(before + 0.5 * dt * (w - rates(n_producers, fmax(before, m))), m);
        const double all = rates(n_producers, half), more = fmin(dt * all, fmax(after - m, 0));
        grown += more;
        for (int p = 0; p < n_producers; p++)
            by[p] += more * rate(p, half) / all;
    }
    return grown;
}

static void run(double reef[DEPTHS], double third[DEPTHS], const char *backend, double dt,
                double motion, int n_producers)
{
    char points[600] = "";
    float map[DEPTHS];
    for (size_t n = 0; n < sizeof sea / sizeof sea[0]; n++)
        snprintf(points + strlen(points), sizeof points - strlen(points), "%s[%.15g, %g]",
                 n ? ", " : "", 1000 * YEAR * sea[n][0], sea[n][1]);
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: 1, spacing: 100}\nphases: [{name: a, iterations: %d, "
              "uplift: {rate: %.17g}, reef: {law: light_saturation, dt: %.15g, sea_history: [%s], "
              "producers: [%s]}}]\n",
              DEPTHS, (int)(SPAN / dt), 1e-3 * motion / YEAR, dt * YEAR, points,
              n_producers > 1 ? "{max_growth: 9.50662939225e-11, absorption: 0.04}, {max_growth: "
                                "3.16887646408e-11, saturating_light: 50}"
                              : "");
    for (int i = 0; i < DEPTHS; i++)
        map[i] = (float)start_of(i);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, map));
    scene_run(sim, otok_scenario_iterations(s), OTOK_REEF, map);
    for (int i = 0; i < DEPTHS; i++)
        reef[i] = map[i];
    if (n_producers > 1) MUST(otok_sim_get(sim, OTOK_REEF_THIRD, map));
    for (int i = 0; i < DEPTHS; i++)
        third[i] = map[i];
    scene_destroy(sim, s);
}

/* Three producers, in every third column. Returns the number of columns. */
static int check_shares(const char *backend, double *worst)
{
    double all[DEPTHS], by[DEPTHS][3], reef[DEPTHS], third[DEPTHS];
    int columns = 0;
    for (int i = 0; i < DEPTHS; i += 3)
        all[i] = integral((float)start_of(i), -0.5, 3, by[i]);
    for (int k = 0; k < (int)(sizeof steps / sizeof steps[0]); k++) {
        run(reef, third, backend, steps[k], -0.5, 3);
        for (int i = 0; i < DEPTHS; i += 3, columns++) {
            const double miss = fabs(reef[i] - all[i]) / fmax(all[i], 1),
                         missed = fabs(third[i] - by[i][2]) / fmax(by[i][2], 1);
            CHECK(miss <= 1e-3 && missed <= 1e-3,
                  "three producers, from %g m: %.6g m in steps of %g yr, not %.6g, and %.6g of "
                  "them by the third, not %.6g",
                  start_of(i), reef[i], steps[k], all[i], third[i], by[i][2]);
            *worst = fmax(*worst, fmax(miss, missed));
        }
    }
    return columns;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    double worst = 0;
    int columns = 0;
    for (int m = 0; m < (int)(sizeof motions / sizeof motions[0]); m++) {
        double exact[DEPTHS], reef[DEPTHS], by[3];
        for (int i = 0; i < DEPTHS; i++)
            exact[i] = integral((float)start_of(i), motions[m], 1, by);
        for (int k = 0; k < (int)(sizeof steps / sizeof steps[0]); k++) {
            run(reef, (double[DEPTHS]){0}, backend, steps[k], motions[m], 1);
            for (int i = 0; i < DEPTHS; i++, columns++) {
                const double miss = fabs(reef[i] - exact[i]) / fmax(exact[i], 1);
                CHECK(miss <= 1e-3,
                      "%g mm/yr, from %g m: %.6g m in steps of %g yr, not %.6g (%.2g)", motions[m],
                      start_of(i), reef[i], steps[k], exact[i], miss);
                worst = fmax(worst, miss);
            }
        }
    }
    columns += check_shares(backend, &worst);
    printf("worst of %d columns: %.2g\n", columns, worst);
    return check_failures > 0;
}
