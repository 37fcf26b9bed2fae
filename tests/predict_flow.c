/* predict_flow.c - claim: the limits of water that flows down slopes or stands deep, which otok
   predict reads from the ground and the water of iteration 0, are those of runs: a sheet, a single
   steep face, a train of waves and a torrent with momentum stay calm just below them and not just
   above, and a pit whose water is too deep chatters. */
#include "sheet.h"

#include <math.h>

/* The scenario at this ratio of a limit, by the time step. */
static otok_scenario *at_margin(sheet *s, const char *name, double ratio)
{
    for (int n = 0; n < 40; n++) {
        otok_scenario *out = sheet_scenario(s, "capacity: 0", "");
        const double margin = otok_limit_margin((otok_limit[]){sheet_limit(out, name)});
        if (fabs(margin / ratio - 1) < 1e-4) return out;
        s->dt *= sqrt(ratio / margin);
        otok_scenario_destroy(out);
    }
    CHECK(0, "%s: no time step has the margin %g", name, ratio);
    return sheet_scenario(s, "capacity: 0", "");
}

/* d/(S l) from 0.05 to 0.5, well below the limit of roll waves. */
static void films(const char *backend)
{
    static const sheet all[] = {{1, 0.2, 0, 0.01, 0.1, 0.5, 0},
                                {1, 0.1, 0, 0.05, 0.1, 0.6, 0},
                                {1, 0.1, 0, 0.02, 0.1, 0.6, 0}};
    for (int n = 0; n < 3; n++)
        for (int beyond = 0; beyond < 2; beyond++) {
            sheet s = all[n];
            otok_scenario *scenario = at_margin(&s, "film", beyond ? 1.08 : 0.92);
            otok_sim *sim = sheet_start(&s, scenario, backend, 1e-4, 0);
            const double before = sheet_flips(sim, OTOK_WATER, 100, 360);
            MUST(otok_sim_run(sim, 500));
            const double grown = sheet_flips(sim, OTOK_WATER, 100, 360) / before;
            CHECK(beyond ? grown > 100 : grown < 1, "film %d at %s of its limit: flips grew by %g",
                  n, beyond ? "1.08" : "0.92", grown);
            scene_destroy(sim, scenario);
        }
}

/* How much the depth above the steep face changes from an iteration to the next, over itself. */
static double flicker(otok_sim *sim)
{
    static float before[NX * NY], after[NX * NY];
    scene_run(sim, 999, OTOK_WATER, before);
    scene_run(sim, 1, OTOK_WATER, after);
    return fabs((double)after[FACE - 1] / (double)before[FACE - 1] - 1);
}

static void face(const char *backend)
{
    for (int beyond = 0; beyond < 2; beyond++) {
        sheet s = {1, 0.05, 0.5, 0.01, 0.1, 0.5, 0};
        otok_scenario *scenario = at_margin(&s, "steep face", (beyond ? 1.3 : 1.15) / 1.2);
        otok_sim *sim = sheet_start(&s, scenario, backend, 1e-4, 0);
        const double change = flicker(sim);
        CHECK(beyond ? change > 0.1 : change < 1e-3, "a face at c = %g: depth changes by %g",
              beyond ? 1.3 : 1.15, change);
        scene_destroy(sim, scenario);
    }
}

enum { WAVE = 50 };

/* The amplitude of waves of WAVE cells, among three of them. */
static double amplitude(otok_sim *sim)
{
    static float map[NX * NY];
    double real = 0, imaginary = 0;
    MUST(otok_sim_get(sim, OTOK_WATER, map));
    for (int x = 180; x < 180 + 3 * WAVE; x++) {
        real += (double)map[x] * cos(2 * M_PI * x / WAVE);
        imaginary += (double)map[x] * sin(2 * M_PI * x / WAVE);
    }
    return hypot(real, imaginary) / (1.5 * WAVE);
}

/* A train of waves, which is still on the plane after 400 iterations. */
static void rolls(const char *backend)
{
    for (int beyond = 0; beyond < 2; beyond++) {
        sheet s = {1, 0.1, 0, 1, 0.03, 0.1, 0};
        const double bound = 0.36 + 0.6 * s.slope * s.spacing / s.depth;
        s.manning = sqrt(s.slope * cbrt(s.depth) / 9.81 / bound / (beyond ? 1.2 : 0.8));
        otok_scenario *scenario = sheet_scenario(&s, "capacity: 0", "");
        const double margin =
            otok_limit_margin((otok_limit[]){sheet_limit(scenario, "roll waves")});
        CHECK(fabs(margin - (beyond ? 1.2 : 0.8)) < 1e-3, "roll waves: margin %g", margin);
        otok_sim *sim = sheet_start(&s, scenario, backend, 1e-3, WAVE);
        const double before = amplitude(sim);
        MUST(otok_sim_run(sim, 400));
        const double grown = amplitude(sim) / before;
        CHECK(beyond ? grown > 1 : grown < 1, "roll waves at %g: grew by %g", margin, grown);
        scene_destroy(sim, scenario);
    }
}

/* Froude 1. The limit is for the worst direction; this flow, along an axis and 3 cells wide, keeps
   calm up to 1.22 of it. */
static void torrent(const char *backend)
{
    for (int beyond = 0; beyond < 2; beyond++) {
        sheet s = {1, 0.03 * 0.03 * 9.81, 0, 1, 0.03, 0.1, 1};
        otok_scenario *scenario = at_margin(&s, "Courant number", beyond ? 1.6 : 0.95);
        otok_sim *sim = sheet_start(&s, scenario, backend, 1e-4, 0);
        const double before = sheet_flips(sim, OTOK_WATER, 200, 300);
        MUST(otok_sim_run(sim, 300));
        const double grown = sheet_flips(sim, OTOK_WATER, 200, 300) / before;
        CHECK(beyond ? grown > 100 : grown < 1, "a torrent at C = %g: flips grew by %g",
              beyond ? 1.6 : 0.95, grown);
        scene_destroy(sim, scenario);
    }
}

/* A pit of 20 x 20 cells, 22 m deep, in a sea of 2 m. The depth that is known makes the waves'
   limit a margin, and the pit flips although the sea around it is calm. */
static void pit(const char *backend)
{
    enum { N = 48 };
    static float ground[N * N], water[N * N];
    uint64_t state = 5;
    for (int deep = 0; deep < 2; deep++) {
        for (int n = 0; n < N * N; n++) {
            const int x = n % N, y = n / N, in = x >= 14 && x < 34 && y >= 14 && y < 34;
            ground[n] = in ? (deep ? -20.0f : -2.0f) : 0.0f;
            water[n] = 2 - ground[n] + 1e-3f * (scene_random(&state) - 0.5f);
        }
        springs_write("base.asc", N, N, 2, "", ground);
        springs_write("rain.asc", N, N, 2, "", water);
        otok_scenario *scenario =
            scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nbase: [{raster: {file: "
                  "%s/base.asc}}]\ninitial: {water: [{raster: {file: %s/rain.asc}}]}\nphases:\n  "
                  "- {name: a, iterations: 100000, hydraulic: {dt: 0.2, pipes: signed, area: "
                  "depth, manning: 0.03, capacity: 0, evaporation: 0}}\n",
                  N, N, springs_folder, springs_folder);
        const otok_limit waves = sheet_limit(scenario, "water waves");
        CHECK(fabs(waves.value - 0.04 * 9.81 * (deep ? 22 : 4) / 4) < 1e-3 * waves.value &&
                  waves.bound == 0.5 && waves.certainty == OTOK_MEASURED,
              "water %d m deep: %g of %g", deep ? 22 : 4, waves.value, waves.bound);
        otok_sim *sim = scene_sim(scenario, backend);
        scene_run(sim, 1000, OTOK_WATER, water);
        double rough = 0;
        for (int x = 16; x < 32; x++)
            rough = fmax(rough, fabs((double)water[24 * N + x] - (double)water[24 * N + x - 1]));
        CHECK(deep ? rough > 1 : rough < 1e-2, "water %d m deep: neighbours differ by %g m",
              deep ? 22 : 4, rough);
        scene_destroy(sim, scenario);
    }
}

/* Rain runs together in a bowl without outlet, or with one at its open sides that is 1 m above the
   middle. The pond is as deep as predict says. */
static void pond(int open, const char *backend)
{
    enum { N = 48 };
    static float ground[N * N], water[N * N];
    for (int n = 0; n < N * N; n++) {
        const double out = hypot(n % N - 23.5, (double)(n / N) - 23.5) / 23.5;
        ground[n] = (float)(2 * fmin(out, 1) - (open && out > 1 ? 2 * (out - 1) + 1 : 0));
    }
    if (open)
        for (int n = 0; n < N * N; n++)
            if (ground[n] > 1) ground[n] = 1;
    springs_write("base.asc", N, N, 2, "", ground);
    otok_scenario *scenario = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nedges: {%s}\nbase: [{raster: {file: "
        "%s/base.asc}}]\nphases:\n  - {name: a, iterations: 12000, rain: {rate: 1e-3, during: "
        "[[0, 4000]]}, hydraulic: {dt: 0.1, pipes: signed, area: depth, manning: 0.03, capacity: "
        "0, evaporation: 0}}\n",
        N, N, open ? "left: open, right: open, bottom: open, top: open" : "", springs_folder);
    const otok_limit ponds = sheet_limit(scenario, "ponds");
    otok_sim *sim = scene_sim(scenario, backend);
    scene_run(sim, 12000, OTOK_WATER, water);
    double deepest = 0;
    for (int n = 0; n < N * N; n++)
        deepest = fmax(deepest, (double)water[n]);
    CHECK(ponds.certainty == OTOK_HEURISTIC && fabs(ponds.value / deepest - 1) < 0.1,
          "a pond %s outlet: %g m deep, predicted are %g m", open ? "with an" : "without", deepest,
          ponds.value);
    scene_destroy(sim, scenario);
}

CHECK_SLOW

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    springs_begin();
    films(backend);
    face(backend);
    rolls(backend);
    torrent(backend);
    pit(backend);
    pond(0, backend);
    pond(1, backend);
    springs_remove("base.asc");
    springs_remove("rain.asc");
    springs_end();
    return check_failures != 0;
}
