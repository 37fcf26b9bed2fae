/* parts_sum.c - claim: the parts of the change of the ground (phase.parts) are what each process
   did. A process alone has all of the change, bit for bit; of many together the parts and the reef
   add up to it; a part much larger than the change loses none of many tiny moves; a restart and
   other fields keep their bits. */
#include "scene.h"

#include <math.h>

enum { N = 40, CELLS = N * N };

static const char head[] =
    "otok: 1\nseed: 3\ngrid: {nx: 40, ny: 40, spacing: 20}\naudit: false\nsea: {level: 4}\nedges: "
    "{left: open, right: open, bottom: open, top: open}\n"
    "base: [{cone: {height: 60, radius: 300}}, {constant: {height: -20, combine: add}}, {simplex: "
    "{wavelength: 150, amplitude: 6, combine: add}}]\n";
#define WAVES "waves: {every: 2}, coast: {dt: 0.5, drift: 1e-5}"
#define WATER "rain: {rate: 0.001}, hydraulic: {dt: 0.5}"
#define UPLIFT "uplift: {rate: -0.003}"

static const struct one {
    const char *processes;
    otok_field part;
} ones[] = {{WATER, OTOK_CHANGE_BY_WATER},
            {"droplets: {count: 4000, batch: 100}", OTOK_CHANGE_BY_WATER},
            {"thermal: {dt: 0.5, talus: 8}", OTOK_CHANGE_BY_SLIDES},
            {"creep: {dt: 0.5, diffusivity: 2}", OTOK_CHANGE_BY_SLIDES},
            {"uplift: {dt: 0.5, rate: 0.003}", OTOK_CHANGE_BY_UPLIFT},
            {WAVES, OTOK_CHANGE_BY_WAVES},
            {"marine_diffusion: {dt: 0.5, diffusivity: 20}", OTOK_CHANGE_BY_SEABED},
            {"seabed: {sweeps: 2}", OTOK_CHANGE_BY_SEABED}};

static void get(float *map, otok_sim *sim, otok_field field)
{
    MUST(otok_sim_get(sim, field, map));
}

/* The scenarios of the simulations, which read them to their end. */
static otok_scenario *scenarios[64];
static int nscenarios;

static otok_sim *simulate(const char *backend, const char *processes, const char *more)
{
    otok_scenario *s =
        scene("%sphases: [{name: a, %s%s%s}]\n", head,
              strstr(processes, "droplets") ? "" : "iterations: 40, ", processes, more);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    scenarios[nscenarios++] = s;
    return sim;
}

static void check_alone(const char *backend, const struct one *of)
{
    static float change[CELLS], part[CELLS], plain[CELLS];
    otok_sim *with = simulate(backend, of->processes, ", parts: true"),
             *without = simulate(backend, of->processes, "");
    int moved = 0;
    get(change, with, OTOK_TERRAIN_CHANGE);
    get(part, with, of->part);
    get(plain, without, OTOK_TERRAIN_CHANGE);
    for (int n = 0; n < CELLS; n++)
        moved += change[n] != 0;
    CHECK(moved > 20, "%s moves %d cells", of->processes, moved);
    CHECK(memcmp(change, part, sizeof part) == 0, "%s: the part is not the change", of->processes);
    CHECK(memcmp(change, plain, sizeof plain) == 0, "%s: parts change the bits", of->processes);
    CHECK(!otok_sim_has(without, of->part), "%s: a part that nobody asked for", of->processes);
    otok_sim_destroy(with);
    otok_sim_destroy(without);
}

static void check_together(const char *backend)
{
    static float map[CELLS];
    double rest[CELLS], most = 0;
    otok_sim *sim =
        simulate(backend,
                 WATER ", thermal: {dt: 0.5, talus: 8}, creep: {dt: 0.5, diffusivity: 1}, " WAVES
                       ", marine_diffusion: {diffusivity: 5}, reef: {dt: 0.5, law: "
                       "light_saturation, max_growth: 0.01}, mix_reef_and_erosion: true, " UPLIFT,
                 ", parts: true");
    get(map, sim, OTOK_TERRAIN_CHANGE);
    for (int n = 0; n < CELLS; n++)
        rest[n] = (double)map[n];
    for (int f = OTOK_CHANGE_BY_WATER; f <= OTOK_CHANGE_BY_SEABED + 1; f++) {
        int moved = 0;
        const otok_field field = f > OTOK_CHANGE_BY_SEABED ? OTOK_REEF : (otok_field)f;
        get(map, sim, field);
        for (int n = 0; n < CELLS; n++)
            rest[n] -= (double)map[n], moved += map[n] != 0;
        CHECK(moved > 20, "%s is 0 but in %d cells", otok_field_at((int)field)->name, moved);
    }
    for (int n = 0; n < CELLS; n++)
        most = fmax(most, fabs(rest[n]));
    /* each part is rounded at most once an iteration, to 2^-24 of less than 4 m */
    CHECK(most < 6 * 40 * 0x1p-22, "the parts miss %g m of the change", most);
    otok_sim_destroy(sim);
}

/* A run in two pieces has the bits of one. */
static void check_restart(const char *backend)
{
    const char *processes = WATER ", thermal: {dt: 0.5, talus: 8}";
    otok_sim *whole = simulate(backend, processes, ", parts: true");
    otok_scenario *s =
        scene("%sphases: [{name: a, iterations: 40, %s, parts: true}]\n", head, processes);
    otok_sim *first = scene_sim(s, backend);
    MUST(otok_sim_run(first, 17));
    otok_sim *second = scene_resume(first, s, backend);
    MUST(otok_sim_run(second, 23));
    CHECK(scene_fingerprint(whole) == scene_fingerprint(second), "a restart changes the parts");
    otok_sim_destroy(whole);
    otok_sim_destroy(first);
    scene_destroy(second, s);
}

/* Uplift by 64 m beside an equal sinking in another phase, and then 4000 moves of 1e-6 m, less than
   the last digit of 64 m: 4 mm. */
static void check_tiny(const char *backend)
{
    static float map[CELLS];
    double mean = 0;
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 40, ny: 40}\naudit: false\nphases:\n"
              "  - {name: up, iterations: 1, parts: true, uplift: {dt: 1, rate: 64.00001}}\n"
              "  - {name: down, iterations: 1, uplift: {dt: 1, rate: -64.00001}}\n"
              "  - {name: tiny, iterations: 4000, parts: true, uplift: {dt: 1, rate: 1e-6}}\n");
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 1));
    get(map, sim, OTOK_CHANGE_BY_UPLIFT);
    const double before = (double)map[0];
    MUST(otok_sim_run(sim, 4001));
    get(map, sim, OTOK_CHANGE_BY_UPLIFT);
    for (int n = 0; n < CELLS; n++)
        mean += ((double)map[n] - before) / CELLS;
    CHECK(fabs(mean / 4e-3 - 1) < 1e-3, "4000 moves of 1e-6 m are %.6g m", mean);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (size_t n = 0; n < sizeof ones / sizeof *ones; n++)
        check_alone(backend, &ones[n]);
    check_together(backend);
    check_restart(backend);
    check_tiny(backend);
    while (nscenarios)
        otok_scenario_destroy(scenarios[--nscenarios]);
    return check_failures > 0;
}
