/* study_detect.c - claim: the detectors of studies find what was put there: the roughness of a
   checkerboard and of stripes, a cell that the limiter emptied, a spike of the ground, a value that
   is not finite; and nothing of it on still water over rough ground.
 */
#include "scene.h"
#include "sim/detect.h"

#include <math.h>

enum { N = 24, CELL = 7 * N + 11 };

static float ground[N * N], water[N * N];

typedef struct seen {
    otok_sample sample;
    otok_suspects where;
    uint64_t fingerprint;
} seen;

static const char *backend, *pipes;

static otok_sim *sim_of(otok_scenario **s, double dt)
{
    *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nphases:\n  - {iterations: 100, "
               "hydraulic: {dt: %.9g, evaporation: 0, "
               "capacity: 0, dissolve: 0, deposit: 0, pipes: %s}}\n",
               N, N, dt, pipes);
    otok_sim *sim = scene_sim(*s, backend);
    scene_set(sim, ground, water);
    MUST(otok_sim_open_ledger(sim));
    return sim;
}

static seen sample_after(double dt, int n)
{
    seen found;
    otok_scenario *s;
    otok_detector detector;
    otok_ledger ledger;
    otok_sim *sim = sim_of(&s, dt);
    otok_audit none = {.run = sim};
    MUST(otok_detector_create(&detector, sim, &none, 0));
    MUST(otok_detector_advance(&detector, n, &found.sample, &found.where, &ledger));
    CHECK(found.sample.iteration == n, "%g iterations, not %d", found.sample.iteration, n);
    found.fingerprint = scene_fingerprint(sim);
    otok_detector_destroy(&detector);
    scene_destroy(sim, s);
    return found;
}

static void fill(float *map, float value)
{
    for (int n = 0; n < N * N; n++)
        map[n] = value;
}

static int check_near(double found, double expected, double by)
{
    return fabs(found - expected) <= by;
}

/* Sides are closed: rough cells at a side see themselves beyond it. The time step is too small to
 * move anything. */
static void patterns(void)
{
    fill(ground, 3);
    for (int n = 0; n < N * N; n++)
        water[n] = 2 + ((n % N + n / N) % 2 ? 0.25f : -0.25f);
    otok_sample s = sample_after(1e-4, 1).sample;
    CHECK(check_near(s.roughness, 0.5, 0.06), "checkerboard: %g", s.roughness);
    CHECK(s.wet == N * N && check_near(s.depth, 2, 1e-6) && s.flips < 1e-3 && s.limited == 0 &&
              s.fast == 0 && s.chatter == 0,
          "checkerboard: %g %g %g %g %g %g", s.wet, s.depth, s.flips, s.limited, s.fast, s.chatter);
    for (int n = 0; n < N * N; n++)
        water[n] = 2 + (n / N % 2 ? 0.25f : -0.25f);
    s = sample_after(1e-4, 1).sample;
    CHECK(check_near(s.roughness, 0.25, 0.03), "stripes: %g", s.roughness);
}

/* A lake over rough ground, and a thin film on it, are not rough. */
static void rough_ground(void)
{
    uint64_t state = 5;
    for (int n = 0; n < N * N; n++) {
        ground[n] = 4 * scene_random(&state);
        water[n] = 10 - ground[n];
    }
    otok_sample s = sample_after(0.1, 20).sample;
    CHECK(s.roughness < 1e-4 && s.flips < 1e-4 && s.ground_roughness > 0.5, "lake: %g %g over %g",
          s.roughness, s.flips, s.ground_roughness);
    fill(water, 0.01f);
    s = sample_after(1e-4, 1).sample;
    CHECK(s.roughness < 1e-4 && s.ground_roughness > 0.5, "film: %g over %g", s.roughness,
          s.ground_roughness);
}

/* All that stands on a peak leaves it in one iteration; its neighbours lose nothing. */
static void check_emptied(void)
{
    fill(ground, 0);
    fill(water, 0);
    ground[CELL] = 8;
    water[CELL] = 0.1f;
    const seen f = sample_after(0.5, 1);
    CHECK(check_near(f.sample.limited, 1 / 5.0, 1e-9) && f.sample.wet == 4,
          "peak: %g limited, %g wet", f.sample.limited, f.sample.wet);
    CHECK(f.sample.peaks == 1 && f.sample.prominence == 8 && f.where.prominent == CELL &&
              f.sample.relief == 8 && f.sample.change == 0,
          "peak: %g %g %lld %g %g", f.sample.peaks, f.sample.prominence,
          (long long)f.where.prominent, f.sample.relief, f.sample.change);
}

/* A sample compares with the one before. */
static void spike(void)
{
    seen f;
    otok_scenario *s;
    otok_detector detector;
    otok_ledger ledger;
    fill(ground, 0);
    fill(water, 0);
    otok_sim *sim = sim_of(&s, 0.1);
    otok_audit none = {.run = sim};
    MUST(otok_detector_create(&detector, sim, &none, 0));
    for (int turn = 0; turn < 2; turn++) {
        ground[CELL] = -2;
        MUST(otok_sim_set(sim, OTOK_TERRAIN, ground));
        MUST(otok_detector_advance(&detector, 1, &f.sample, &f.where, &ledger));
        CHECK(f.sample.peaks == 1 && f.sample.prominence == 2 && f.where.prominent == CELL &&
                  f.sample.change == (turn ? 0 : 2),
              "pit, look %d: %g %g %lld %g", turn, f.sample.peaks, f.sample.prominence,
              (long long)f.where.prominent, f.sample.change);
        CHECK(f.where.changed == (turn ? -1 : CELL), "pit, look %d: changed at %lld", turn,
              (long long)f.where.changed);
    }
    CHECK(f.sample.iteration == 2, "%g looks", f.sample.iteration);
    ground[CELL] = NAN; /* which otok_sim_set refuses */
    MUST(sim->backend->put(otok_sim_patch(sim), OTOK_TERRAIN_CHANGE, ground));
    MUST(otok_detector_advance(&detector, 1, &f.sample, &f.where, &ledger));
    CHECK(f.sample.not_finite >= 1 && f.where.not_finite >= CELL - N && f.where.not_finite <= CELL,
          "NaN: %g values, first at %lld", f.sample.not_finite, (long long)f.where.not_finite);
    otok_detector_destroy(&detector);
    scene_destroy(sim, s);
}

/* Looking changes nothing: the state is that of a run without samples. */
static void check_unchanged(void)
{
    otok_scenario *s;
    uint64_t state = 9;
    for (int n = 0; n < N * N; n++) {
        ground[n] = 4 * scene_random(&state);
        water[n] = 0.3f;
    }
    const seen f = sample_after(0.1, 37);
    otok_sim *sim = sim_of(&s, 0.1);
    MUST(otok_sim_run(sim, 37));
    CHECK(scene_fingerprint(sim) == f.fingerprint, "looks change the state");
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    static const char *const kinds[] = {"one_way", "signed"};
    backend = CHECK_BACKEND(argc, argv)->name;
    for (int k = 0; k < 2; k++) {
        pipes = kinds[k];
        patterns();
        rough_ground();
        check_emptied();
        spike();
        check_unchanged();
    }
    return check_failures != 0;
}
