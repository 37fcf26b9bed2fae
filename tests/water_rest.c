/* water_rest.c - claim: a lake at rest stays at rest for ever, over an immersed bump and around a
   dry island, whose cells stay dry, with every kind of pipes (lake at rest). CHECK_SLOW */
#include "scene.h"

#include <math.h>

enum { N = 64, STEPS = 1000 };

static void lake(const char *backend, float bump, const char *pipes)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 1}\nphases:\n"
                             "  - {iterations: %d, hydraulic: {dt: 0.1, evaporation: 0, capacity: "
                             "0, dissolve: 0, deposit: 0%s}}\n",
                             N, N, STEPS, pipes);
    static float h[N * N], d[N * N], u[N * N], after[N * N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const float x = (float)(i - N / 2) / 12, y = (float)(j - N / 2) / 12,
                        r = 1 - x * x - y * y;
            h[j * N + i] =
                r > 0 ? floorf(bump * r * 64) / 64 : 0; /* multiples of 1/64: h + d is exact */
            d[j * N + i] = h[j * N + i] < 4 ? 4 - h[j * N + i] : 0;
        }
    otok_sim *sim = scene_sim(s, backend);
    scene_set(sim, h, d);
    scene_run(sim, STEPS, OTOK_WATER, after);
    CHECK(memcmp(d, after, sizeof d) == 0, "bump of %g m%s: the surface moved", (double)bump,
          pipes);
    for (int field = OTOK_VELOCITY_X; field <= OTOK_VELOCITY_Y; field++) {
        MUST(otok_sim_get(sim, (otok_field)field, u));
        float most = 0;
        for (int n = 0; n < N * N; n++)
            most = fabsf(u[n]) > most ? fabsf(u[n]) : most;
        CHECK(most == 0, "bump of %g m%s: speed %g m/s", (double)bump, pipes, (double)most);
    }
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const char *const pipes[] = {"", ", pipes: signed, area: depth", ", pipes: signed",
                                 ", pipes: signed, area: depth, manning: 0.03"};
    for (int n = 0; n < 4; n++) {
        lake(backend, 2, pipes[n]);
        lake(backend, 7, pipes[n]);
    }
    return check_failures != 0;
}
