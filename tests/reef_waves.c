/* reef_waves.c - claim: an iteration of a reef by light in water with waves grows
   e_min + (1 - e_min)(1 - exp(-p / e_ref)) of that without waves, at the exposure p of the cell; a
   whole run, mirrored or turned, has the mirrored or turned bits; waves can be taken away during a
   run, and the keys that need them with them. */
#include "scene.h"
#include "square.h"

#include <math.h>

enum { N = 40 };

static float island[N * N];

static otok_scenario *scene_of(const char *waves, const char *keys, double dt, int iterations)
{
    return scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 50}\nedges: {left: open, right: open, "
                 "bottom: open, top: open}\nphases: [{name: a, iterations: %d, %s uplift: {rate: "
                 "-1e-11}, reef: {law: light_saturation, dt: %g, sea_rise: 3e-11%s}}]\n",
                 N, N, iterations, waves, dt, keys);
}

static void run(const otok_scenario *s, const char *backend, const float *ground, int n,
                float *reef, float *exposure)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, ground));
    scene_run(sim, n, OTOK_REEF, reef);
    if (exposure) MUST(otok_sim_get(sim, OTOK_EXPOSURE, exposure));
    otok_sim_destroy(sim);
}

static void share(const char *backend)
{
    static float with[N * N], without[N * N], exposure[N * N];
    otok_scenario *calm = scene_of("", "", 3e7, 1),
                  *wavy = scene_of("waves: {every: 1},",
                                   ", sheltered_growth: 0.2, exposure_scale: 0.3", 3e7, 1);
    int grown = 0, sheltered = 0;
    run(calm, backend, island, 1, without, NULL);
    run(wavy, backend, island, 1, with, exposure);
    for (int n = 0; n < N * N; n++) {
        const double e = 0.2 + 0.8 * (1 - exp(-exposure[n] / 0.3));
        if (!(without[n] > 1e-4f)) continue;
        grown++;
        sheltered += e < 0.5;
        CHECK(fabs(with[n] / without[n] - e) < 2e-3, "cell %d: %g of %g m at the exposure %g", n,
              (double)with[n], (double)without[n], (double)exposure[n]);
    }
    CHECK(grown > 100 && sheltered > 20 && sheltered < grown - 20, "%d of %d cells are sheltered",
          sheltered, grown);
    otok_scenario_destroy(calm);
    otok_scenario_destroy(wavy);
}

static void symmetries(const char *backend)
{
    static float plain[N * N], moved[N * N], found[N * N], expected[N * N];
    otok_scenario *s = scene_of("waves: {every: 4},", "", 3e9, 30);
    run(s, backend, island, 30, plain, NULL);
    for (int symmetry = 1; symmetry < 8; symmetry++) {
        square_move(symmetry, N, island, moved);
        run(s, backend, moved, 30, found, NULL);
        square_move(symmetry, N, plain, expected);
        CHECK(memcmp(expected, found, sizeof found) == 0, "symmetry %d", symmetry);
    }
    otok_scenario_destroy(s);
}

static void taken_away(const char *backend)
{
    otok_scenario *s = scene_of("waves: {},", ", exposure_scale: 0.3", 3e9, 20);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 5));
    MUST(otok_sim_change(sim, "phases.a.waves", "off"));
    MUST(otok_sim_run(sim, 5));
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    uint64_t state = 5;
    for (int n = 0; n < N * N; n++) { /* an island with a ring around it, off the middle */
        const double away = hypot(n % N - 17, n / N - 22.5) / N;
        island[n] = (float)(60 * exp(-80 * away * away) - 45 +
                            42 * exp(-900 * (away - 0.3) * (away - 0.3))) +
                    4 * scene_random(&state);
    }
    share(backend);
    symmetries(backend);
    taken_away(backend);
    return check_failures > 0;
}
