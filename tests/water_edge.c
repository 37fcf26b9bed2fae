/* water_edge.c - claim: a small checkerboard on flat water grows just above the edge of stability
   and does not just below it: S = dt^2 A g / l^3 = 1/4 for one-way pipes and 1/2 for signed ones,
   these of constant area or as deep as the water. Just below it the amplitude
   of signed pipes swings up to 1 / sqrt(1 - S/S*) times the first, 14 here; it does not grow. */
#include "scene.h"

#include <math.h>

enum { N = 32, STEPS = 1200 };

/* How many times larger the checkerboard is at the end, its largest value over the last steps. */
static double growth(const char *backend, const char *pipes, double courant)
{
    const double depth = 4, start = 1e-3;
    static float d[N * N];
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 1}\nphases:\n"
                             "  - {iterations: %d, hydraulic: {dt: %.17g, evaporation: 0, "
                             "capacity: 0, dissolve: 0, deposit: 0, %s}}\n",
                             N, N, STEPS, sqrt(courant / 9.81 / depth), pipes);
    for (int n = 0; n < N * N; n++)
        d[n] = (float)(depth + start * ((n % N + n / N) % 2 ? 1 : -1));
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_WATER, d));
    MUST(otok_sim_run(sim, STEPS - 64));
    double most = 0;
    for (int step = 0; step < 64; step++) {
        double sum = 0;
        scene_run(sim, 1, OTOK_WATER, d);
        for (int n = 0; n < N * N; n++)
            sum += (double)d[n] * ((n % N + n / N) % 2 ? 1 : -1);
        most = fmax(most, fabs(sum) / (N * N));
    }
    scene_destroy(sim, s);
    return most / start;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static const struct {
        const char *pipes;
        double edge;
    } kinds[] = {
        {"pipe_area: 4", 0.25},
        {"pipe_area: 4, pipes: signed", 0.5},
        {"area: depth, pipes: signed", 0.5},
    };
    for (int n = 0; n < 3; n++) {
        const double below = growth(backend, kinds[n].pipes, 0.995 * kinds[n].edge);
        const double above = growth(backend, kinds[n].pipes, 1.005 * kinds[n].edge);
        CHECK_FOUND(below < 20, "%s: below S = %g the checkerboard grew %g times", kinds[n].pipes,
                    kinds[n].edge, below);
        CHECK_FOUND(above > 200, "%s: above S = %g the checkerboard grew only %g times",
                    kinds[n].pipes, kinds[n].edge, above);
    }
    return check_failures != 0;
}
