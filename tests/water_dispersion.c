/* water_dispersion.c - claim: standing waves of the one-way pipes obey sin^2(w dt/2) = 2 S sum
   sin^2(k l/2), S = dt^2 A g / l^3, in one and two dimensions, while both pipes of every edge are
   open; from rest they keep 1/sqrt(2) of their amplitude. Those of signed pipes obey sin^2(w dt/2)
   = S sum sin^2(k l/2) and keep all of it. */
#include "scenario/scenario.h"
#include "scene.h"

#include <math.h>

enum { N = 64, MOST = 8192 };

static double project(const float *d, int nx, int ny, int kx, int ky)
{
    double sum = 0;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            sum +=
                (double)d[j * nx + i] * cos(2 * M_PI * kx * i / nx) * cos(2 * M_PI * ky * j / ny);
    return sum / (nx * ny);
}

static otok_scenario *pool(int nx, int ny, double dt, int pipes)
{
    return scene("otok: 1\ngrid: {nx: %d, ny: %d}\nedges: {left: periodic, right: periodic, "
                 "bottom: periodic, top: periodic}\nphases:\n"
                 "  - {iterations: %d, hydraulic: {dt: %.17g, evaporation: 0, capacity: 0, "
                 "dissolve: 0, deposit: 0, pipes: %s}}\n",
                 nx, ny, MOST, dt, pipes == OTOK_SIGNED ? "signed" : "one_way");
}

/* Amplitudes of the mode over `steps` iterations; `open` is the flow that runs to and fro through
 * every edge at the start. */
static void simulate(const char *backend, int pipes, int kx, int ky, double courant,
                     double amplitude, float open, int steps, double *a)
{
    static float d[N * N], f[N * N];
    const int nx = N, ny = ky ? N : 1;
    otok_scenario *s = pool(nx, ny, sqrt(courant / 9.81), pipes);
    for (int n = 0; n < nx * ny; n++) {
        d[n] = (float)(150 + amplitude * cos(2 * M_PI * kx * (n % nx) / nx) *
                                 cos(2 * M_PI * ky * (n / nx) / ny));
        f[n] = open;
    }
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_WATER, d));
    for (int side = OTOK_OUTFLOW_LEFT; side <= OTOK_OUTFLOW_TOP && open > 0; side++)
        MUST(otok_sim_set(sim, (otok_field)side, f));
    for (int n = 0; n <= steps; n++) {
        MUST(otok_sim_get(sim, OTOK_WATER, d));
        a[n] = project(d, nx, ny, kx, ky);
        if (n < steps) MUST(otok_sim_run(sim, 1));
    }
    scene_destroy(sim, s);
}

static void wave(const char *backend, int pipes, int kx, int ky, double courant)
{
    static double a[MOST + 1];
    const double sum = pow(sin(M_PI * kx / N), 2) + pow(sin(M_PI * ky / N), 2),
                 way = pipes == OTOK_SIGNED ? 1 : 2;
    const double expected = acos(1 - 2 * way * courant * sum), kept = 1 / sqrt(way);
    const float open = pipes == OTOK_SIGNED ? 0 : (float)(8 / sqrt(courant / 9.81));
    const int lag = (int)(M_PI / 2 / expected + 0.5), steps = 16 * lag;
    double up = 0, down = 0, most = 0;
    CHECK(steps <= MOST, "%d steps", steps);
    simulate(backend, pipes, kx, ky, courant, 10, open, steps, a);
    /* a(n+L) + a(n-L) = 2 cos(L w dt) a(n): fit it by least squares, L about a quarter period */
    for (int n = lag; n <= steps - lag; n++) {
        up += (a[n + lag] + a[n - lag]) * a[n];
        down += 2 * a[n] * a[n];
    }
    const double w = acos(up / down) / lag;
    CHECK(fabs(w / expected - 1) < 1e-6, "pipes %d, mode %d,%d S %g: w dt %.9f, theory %.9f", pipes,
          kx, ky, courant, w, expected);

    simulate(backend, pipes, kx, ky, courant, 100, 0, 8 * lag, a);
    for (int n = 4 * lag; n <= 8 * lag; n++)
        most = fabs(a[n]) > most ? fabs(a[n]) : most;
    CHECK(fabs(most / fabs(a[0]) - kept) < 0.02,
          "pipes %d, mode %d,%d S %g: %.4f of the amplitude kept", pipes, kx, ky, courant,
          most / fabs(a[0]));
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (int pipes = OTOK_ONE_WAY; pipes <= OTOK_SIGNED; pipes++) {
        wave(backend, pipes, 1, 0, 0.02);
        wave(backend, pipes, 4, 0, 0.02);
        wave(backend, pipes, 4, 0, 0.2);
        wave(backend, pipes, 2, 3, 0.1);
    }
    return check_failures != 0;
}
