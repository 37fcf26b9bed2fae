/* reef_light_integral.c - claim: under `law: light_saturation` columns grow by the integral of the
   law within 1e-3 of it, with the sea and the ground moving, at time steps of 50 to 1000 years. The
   integral is that of small steps in double. */
#include "scene.h"

#include <math.h>

#define YEAR 31556952.0

enum { DEPTHS = 16, SPAN = 100000, EACH = 4 /* steps of the integral in a year */ };

static const double sea[][2] = {{0, 0},    {15, -50}, {20, -45}, {25, -110}, {30, -20}, {40, 0},
                                {60, -10}, {80, -90}, {90, 5},   {100, 0}}; /* [kyr], [m] */
static const double motions[] = {-2, -0.5, -0.1, 0, 0.4};                   /* [mm/yr] */
static const double steps[] = {50, 100, 500, 1000};                         /* [yr] */

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

/* [m/yr]; Bosscher & Schlager 1992, with their constants */
static double rate(double depth)
{
    return 0.01 * tanh(2000.0 / 250.0 * exp(-0.1 * depth));
}

/* The reef grows in water deeper than 0.5 m, and up to this depth. */
static double integral(double ground, double motion)
{
    const double m = 0.5, dt = 1.0 / EACH;
    double grown = 0;
    for (int n = 0; n < SPAN * EACH; n++) {
        const double before = sea_at(n * dt) - ground - 1e-3 * motion * n * dt - grown,
                     w = (sea_at((n + 1) * dt) - sea_at(n * dt)) / dt - 1e-3 * motion,
                     after = before + w * dt;
        if (before <= m && after <= m) continue;
        const double half = fmax(before + 0.5 * dt * (w - rate(fmax(before, m))), m);
        grown += fmin(dt * rate(half), fmax(after - m, 0));
    }
    return grown;
}

static void run(double reef[DEPTHS], const char *backend, double dt, double motion)
{
    char points[600] = "";
    float map[DEPTHS];
    otok_sim *sim;
    for (size_t n = 0; n < sizeof sea / sizeof sea[0]; n++)
        snprintf(points + strlen(points), sizeof points - strlen(points), "%s[%.15g, %g]",
                 n ? ", " : "", 1000 * YEAR * sea[n][0], sea[n][1]);
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: 1, spacing: 100}\nphases: [{name: a, iterations: %d, uplift: "
        "{rate: %.17g}, reef: {law: light_saturation, dt: %.15g, sea_history: [%s]}}]\n",
        DEPTHS, (int)(SPAN / dt), 1e-3 * motion / YEAR, dt * YEAR, points);
    for (int i = 0; i < DEPTHS; i++)
        map[i] = (float)start_of(i);
    MUST(otok_sim_create(&sim, s, backend));
    MUST(otok_sim_set(sim, OTOK_TERRAIN, map));
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    MUST(otok_sim_get(sim, OTOK_REEF, map));
    for (int i = 0; i < DEPTHS; i++)
        reef[i] = map[i];
    otok_sim_destroy(sim);
    otok_scenario_destroy(s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    double worst = 0;
    for (int m = 0; m < (int)(sizeof motions / sizeof motions[0]); m++) {
        double exact[DEPTHS], reef[DEPTHS];
        for (int i = 0; i < DEPTHS; i++)
            exact[i] = integral((float)start_of(i), motions[m]);
        for (int k = 0; k < (int)(sizeof steps / sizeof steps[0]); k++) {
            run(reef, backend, steps[k], motions[m]);
            for (int i = 0; i < DEPTHS; i++) {
                const double miss = fabs(reef[i] - exact[i]) / fmax(exact[i], 1);
                CHECK(miss <= 1e-3,
                      "%g mm/yr, from %g m: %.6g m in steps of %g yr, not %.6g (%.2g)", motions[m],
                      start_of(i), reef[i], steps[k], exact[i], miss);
                worst = fmax(worst, miss);
            }
        }
    }
    printf("worst of %d columns: %.2g\n",
           DEPTHS * (int)(sizeof motions / sizeof motions[0] * sizeof steps / sizeof steps[0]),
           worst);
    return check_failures > 0;
}
