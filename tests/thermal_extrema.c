/* thermal_extrema.c - claim: law share makes no new extrema for dt rate <= 1/4 and overshoots a pit
   by (4c - 1) H beyond; a bed below the talus is left alone; a sine mode under law excess without
   talus decays by 1 - c Lambda a step; debris is conserved; nothing leaves the grid. */
#include "scene.h"

#include <math.h>

enum { N = 32 };

static void simulate(const char *backend, float *h, const char *law, double dt, double talus,
                     int steps, const char *edge)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d}\nedges: {left: %s, right: %s, bottom: %s, top: "
              "%s}\nphases:\n"
              "  - {iterations: %d, thermal: {dt: %.17g, talus: %g, law: %s, diagonal: one}}\n",
              N, N, edge, edge, edge, edge, steps, dt, talus, law);
    double sum = 0, after = 0, size = 0;
    for (int n = 0; n < N * N; n++)
        sum += (double)h[n], size += fabs((double)h[n]);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    scene_run(sim, steps, OTOK_TERRAIN, h);
    for (int n = 0; n < N * N; n++)
        after += (double)h[n];
    scene_destroy(sim, s);
    CHECK(fabs(after - sum) <= 1e-7 * size, "law %s: sum %.9g became %.9g", law, sum, after);
}

static void pit(const char *backend, double c)
{
    static float h[N * N];
    for (int n = 0; n < N * N; n++)
        h[n] = 10;
    const int middle = N / 2 * N + N / 2;
    h[middle] = 9;
    simulate(backend, h, "share", c, 0, 1, "closed");
    const double expected = 9 + 8 * c / 2; /* eight neighbours each give c H/2 */
    CHECK(fabs((double)h[middle] - expected) < 1e-5, "c %g: the pit rose to %g, expected %g", c,
          (double)h[middle], expected);
    CHECK((h[middle] > 10) == (c > 0.25), "c %g: pit at %g", c, (double)h[middle]);
}

static void random_field(const char *backend)
{
    static float h[N * N];
    uint64_t state = 3;
    for (int trial = 0; trial < 20; trial++) {
        float low = 1e9f, high = -1e9f;
        for (int n = 0; n < N * N; n++) {
            h[n] = 10 * scene_random(&state);
            low = fminf(low, h[n]);
            high = fmaxf(high, h[n]);
        }
        simulate(backend, h, "share", 0.25, 0, 50, trial & 1 ? "periodic" : "closed");
        for (int n = 0; n < N * N; n++)
            CHECK(h[n] >= low - 1e-5f && h[n] <= high + 1e-5f, "a new extremum %g beyond %g..%g",
                  (double)h[n], (double)low, (double)high);
    }
}

static void mode(const char *backend)
{
    static float h[N * N];
    const double c = 0.05, k = 2 * M_PI * 3 / N;
    for (int n = 0; n < N * N; n++)
        h[n] = (float)cos(k * (n % N));
    simulate(backend, h, "excess", c, 0, 1, "periodic");
    const double lambda = 6 * (1 - cos(k)); /* a wave along x: three of the eight on either side */
    for (int n = 0; n < N * N; n++)
        CHECK(fabs((double)h[n] - cos(k * (n % N)) * (1 - c * lambda)) < 1e-6, "cell %d: %g", n,
              (double)h[n]);
}

static void gentle(const char *backend)
{
    static float h[N * N], before[N * N];
    for (int n = 0; n < N * N; n++)
        before[n] = h[n] = 0.5f * (float)(n % N); /* 26.6 degrees */
    simulate(backend, h, "share", 0.2, 30, 10, "closed");
    CHECK(memcmp(h, before, sizeof h) == 0, "a slope below the talus moved");
    simulate(backend, h, "share", 0.2, 20, 10, "closed");
    CHECK(memcmp(h, before, sizeof h) != 0, "a slope above the talus stood still");
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const double c[] = {0.1, 0.25, 0.26, 0.4};
    for (int n = 0; n < 4; n++)
        pit(backend, c[n]);
    random_field(backend);
    mode(backend);
    gentle(backend);
    return check_failures != 0;
}
