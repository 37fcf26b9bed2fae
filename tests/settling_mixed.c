/* settling_mixed.c - claim: under conservative transport a cell that dries lays its sediment down
   before anything is mixed. Pools of one cell each dry one after the other; mixing has nothing to
   mix there, so any of it leaves the bits of none, the solid is what it was, and what a dry pool
   keeps suspended is less than an ulp of its ground. */
#include "scene.h"

#include <math.h>

enum { N = 40, CELLS = N * N, STEPS = 80 };

static const char pools[] = "otok: 1\ngrid: {nx: 40, ny: 40, spacing: 2}\n"
                            "phases: [{name: dry, iterations: 80, hydraulic: {dt: 0.05, "
                            "evaporation: 1, dry_depth: 0.001, deposit: 0%s}}]\n";

/* A pool of its own depth, load and ground in every fourth cell, among walls. */
static void fill(otok_sim *sim)
{
    static float base[CELLS], change[CELLS], water[CELLS], sediment[CELLS];
    uint64_t state = 5;
    for (int n = 0; n < CELLS; n++) {
        const int pool = n % 2 && n / N % 2;
        base[n] = pool ? 0 : 100;
        change[n] = pool ? 40 * scene_random(&state) - 20 : 0;
        water[n] = pool ? 0.1f * scene_random(&state) : 0;
        sediment[n] = pool ? 0.2f * scene_random(&state) : 0;
    }
    MUST(otok_sim_set(sim, OTOK_TERRAIN_BASE, base));
    MUST(otok_sim_set(sim, OTOK_TERRAIN_CHANGE, change));
    MUST(otok_sim_set(sim, OTOK_WATER, water));
    MUST(otok_sim_set(sim, OTOK_SEDIMENT, sediment));
}

static double solid(otok_sim *sim, float *change, float *sediment)
{
    double sum = 0;
    MUST(otok_sim_get(sim, OTOK_TERRAIN_CHANGE, change));
    MUST(otok_sim_get(sim, OTOK_SEDIMENT, sediment));
    for (int n = 0; n < CELLS; n++)
        sum += (double)change[n] + (double)sediment[n];
    return sum;
}

static void run(const char *backend, const char *more, float *change, float *sediment)
{
    static float water[CELLS];
    otok_scenario *s = scene(pools, more);
    otok_sim *sim = scene_sim(s, backend);
    fill(sim);
    const double before = solid(sim, change, sediment);
    int dried = 0, wet = 0, settled = 0;
    for (int step = 0; step < STEPS; step += 20) {
        MUST(otok_sim_run(sim, 20));
        const double lost = before - solid(sim, change, sediment);
        CHECK(fabs(lost) < 1e-9, "%s, step %d: %g m lost", more, step + 20, lost);
    }
    MUST(otok_sim_get(sim, OTOK_WATER, water));
    for (int n = 0; n < CELLS; n++) {
        if (!(n % 2 && n / N % 2)) continue;
        const float ulp = nextafterf(change[n], INFINITY) - change[n];
        wet += water[n] > 0.001f;
        dried += water[n] < 0.00095f; /* since the last iteration but one */
        settled += water[n] < 0.00095f && sediment[n] < ulp;
    }
    CHECK(dried > 150 && settled == dried && wet > 100,
          "%s: of %d dry pools %d have settled, %d are wet", more, dried, settled, wet);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    static const char *const mixing[] = {"diffusion_sweeps: 1", "diffusion_sweeps: 3",
                                         "diffusivity: 2", "diffusion_sweeps: 2, diffusivity: 2"};
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static float change[2][CELLS], sediment[2][CELLS];
    for (int pipes = 0; pipes < 2; pipes++) {
        char more[100];
        const char *const kind = pipes ? ", pipes: signed" : "";
        run(backend, kind, change[0], sediment[0]);
        for (size_t i = 0; i < sizeof mixing / sizeof mixing[0]; i++) {
            snprintf(more, sizeof more, "%s, %s", kind, mixing[i]);
            run(backend, more, change[1], sediment[1]);
            CHECK(memcmp(change[0], change[1], sizeof change[0]) == 0 &&
                      memcmp(sediment[0], sediment[1], sizeof sediment[0]) == 0,
                  "%s: other bits than without", more);
        }
    }
    return check_failures != 0;
}
