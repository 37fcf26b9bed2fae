/* water_celerity.c - claim: with `area: depth` small standing waves run as in shallow water of
   their own depth, sin(w dt/2) = sqrt(g d) dt/l sin(k l/2), so that the celerity is sqrt(g d) for
   depths from 0.1 m to 100 m, to 1e-4; constant pipes have one celerity for all. */
#include "scene.h"

#include <math.h>

enum { N = 128, MODE = 2, MOST = 4096 };

/* The wave's angle a step, by a least-squares fit of a(n+L) + a(n-L) = 2 cos(L w dt) a(n), L about
 * a quarter of a period. */
static double angle(const char *backend, double depth, double dt, double expected,
                    const char *pipes)
{
    static float d[N];
    static double a[MOST];
    const int lag = (int)(M_PI / 2 / expected + 0.5), steps = 12 * lag;
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: 1}\nedges: {left: periodic, right: periodic}\nphases:\n"
              "  - {iterations: %d, hydraulic: {dt: %.17g, evaporation: 0, capacity: 0, dissolve: "
              "0, deposit: 0, %s}}\n",
              N, MOST, dt, pipes);
    CHECK(steps < MOST, "%d steps", steps);
    for (int i = 0; i < N; i++)
        d[i] = (float)(depth * (1 + 0.002 * cos(2 * M_PI * MODE * i / N)));
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_WATER, d));
    for (int n = 0; n <= steps; n++) {
        double sum = 0;
        MUST(otok_sim_get(sim, OTOK_WATER, d));
        for (int i = 0; i < N; i++)
            sum += (double)d[i] * cos(2 * M_PI * MODE * i / N);
        a[n] = sum;
        MUST(otok_sim_run(sim, 1));
    }
    double up = 0, down = 0;
    for (int n = lag; n <= steps - lag; n++) {
        up += (a[n + lag] + a[n - lag]) * a[n];
        down += 2 * a[n] * a[n];
    }
    scene_destroy(sim, s);
    return acos(up / down) / lag;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const double depths[] = {0.1, 1, 10, 100}, kl = 2 * M_PI * MODE / N;
    for (int n = 0; n < 4; n++) {
        const double celerity = sqrt(9.81 * depths[n]), dt = 0.3 / celerity;
        const double expected = 2 * asin(0.3 * sin(kl / 2));
        const double w = angle(backend, depths[n], dt, expected, "pipes: signed, area: depth");
        CHECK_FOUND(fabs(w / expected - 1) < 1e-4, "depth %g m: w dt %.7f, theory %.7f", depths[n],
                    w, expected);
        CHECK_FOUND(fabs(w / dt / kl / celerity - 1) < 1e-3, "depth %g m: %g m/s, sqrt(g d) %g",
                    depths[n], w / dt / kl, celerity);
    }
    const double dt = 0.3 / sqrt(9.81), expected = 2 * asin(0.3 * sin(kl / 2));
    for (int n = 1; n < 4; n += 2) {
        const double w = angle(backend, depths[n], dt, expected, "pipes: signed, pipe_area: 1");
        CHECK(fabs(w / expected - 1) < 1e-4, "constant area, depth %g m: w dt %.7f, theory %.7f",
              depths[n], w, expected);
    }
    return check_failures != 0;
}
