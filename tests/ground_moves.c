/* ground_moves.c - claim: what moves the ground moves as much of it 600 m and 4000 m above the
   height from which its change counts as there, though a step is less than the last digit: creep,
   marine diffusion, drift, growth of a reef, karst and uplift (a number, a map, in a cycle with a
   second rate), within 1e-3 of the volume, in steps of 0.25, 5 and 500 years. No step moves a cell
   the other way. The books are closed. With dithers at work, bands, a restart and this backend have
   the bits of the CPU. */
#include "model/dither.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 16, CELLS = N * N, KM = 1000 };
#define YEAR 31556925.9747

static const char *backend;

typedef struct row {
    const char *name, *phase; /* rates in `/yr`; %g: its step in years */
    const char *layers;
    double sea; /* above the ground of height 0 [m] */
    double years;
    double dts[3]; /* 0: no more */
} row;

/* The times are such that the ground moves by about a metre. */
static const row rows[] = {
    {"creep", "creep: {diffusivity: 0.02 m2/yr, dt: %g yr}", "", -9, 20000, {500, 5, 1}},
    {"marine diffusion",
     "marine_diffusion: {diffusivity: 0.02 m2/yr, dt: %g yr}",
     "",
     60,
     20000,
     {500, 5, 1}},
    {"drift",
     "waves: {every: 4000, wind: 10}, coast: {drift: 1e-14, dt: %g yr}",
     "",
     5,
     2000,
     {5, 0.25, 0}},
    {"reef",
     "reef: {law: light_saturation, max_growth: 1 mm/yr, dt: %g yr}",
     "",
     40,
     5000,
     {500, 5, 0.25}},
    {"karst",
     "reef: {law: light_saturation, max_growth: 0, denudation: 0.2 mm/yr, dt: %g yr}",
     "layers: [{name: sand, thickness: 30}, {name: lava}]\n",
     -9,
     5000,
     {500, 5, 0.25}},
    {"uplift", "uplift: {rate: 0.2 mm/yr, dt: %g yr}", "", -9, 5000, {500, 5, 0.25}},
    {"uplift by a map",
     "uplift: {rate: [{cone: {height: 1e-11, radius: 100}}], dt: %g yr}",
     "",
     -9,
     5000,
     {500, 5, 0.25}},
    {"uplift at two rates",
     "uplift: {rate: 0.2 mm/yr, dt: %g yr}, cycle: {times: %d, from: other}",
     "",
     -9,
     5000,
     {5, 0.25, 0}},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The row's phase after the ground rose to `height` [m]. */
static otok_scenario *scenario_of(const row *r, double height, double dt, int64_t n)
{
    char phase[400], rise[200], head[400];
    const int cycles = strstr(r->phase, "cycle") != NULL;
    const char *side = strstr(r->phase, "waves") ? "open" : n % 2 ? "closed" : "periodic";
    snprintf(phase, sizeof phase, r->phase, dt, (int)(n / 2));
    snprintf(rise, sizeof rise, "{name: rise, iterations: 1, uplift: {rate: %.17g, dt: 1000 yr}}",
             height / (1000 * YEAR));
    snprintf(head, sizeof head,
             "otok: 1\nseed: 4\naudit: off\ngrid: {nx: %d, ny: %d, spacing: 10}\nedges: {left: "
             "%s, right: %s, bottom: %s, top: %s}\nsea: {level: %.17g}\n",
             N, N, side, side, side, side, height + r->sea);
    return scene("%s%sbase: [{simplex: {wavelength: 80, amplitude: 4}}]\nphases:\n  - %s\n%s  - "
                 "{name: moves, iterations: %lld, %s}\n",
                 head, r->layers, rise,
                 cycles ? "  - {name: other, iterations: 1, uplift: {rate: 0.07 mm/yr, dt: 1 yr}}\n"
                        : "",
                 (long long)(cycles ? 1 : n), phase);
}

/* How the ground moved after the rise [m]. */
static void run(const row *r, double height, double dt, double moved[CELLS])
{
    static float before[CELLS], after[CELLS];
    const int64_t n = (int64_t)(r->years / dt);
    otok_scenario *s = scenario_of(r, height, dt, n);
    otok_sim *sim = scene_sim(s, backend);
    scene_run(sim, 1, OTOK_TERRAIN_CHANGE, before);
    scene_run(sim, otok_scenario_iterations(s) - 1, OTOK_TERRAIN_CHANGE, after);
    for (int c = 0; c < CELLS; c++)
        moved[c] = (double)after[c] - (double)before[c];
    const otok_ledger l = scene_ledger(sim);
    CHECK(l.solid_error == 0, "%s at %g m, dt %g yr: %g m3 unexplained", r->name, height, dt,
          l.solid_error);
    scene_destroy(sim, s);
}

static void check_row(const row *r)
{
    static double still[CELLS], high[CELLS];
    for (int d = 0; d < 3 && r->dts[d] > 0; d++) {
        run(r, 0, r->dts[d], still);
        for (double height = 600; height < 5 * KM; height += 3400) {
            double volume = 0, wanted = 0, noise = 0;
            run(r, height, r->dts[d], high);
            for (int c = 0; c < CELLS; c++) {
                wanted += fabs(still[c]);
                volume += still[c] < 0 ? -high[c] : high[c];
                noise += (high[c] - still[c]) * (high[c] - still[c]);
            }
            printf("%-20s %4.0f m, %6.2f yr: %.3f m a cell, off by %+.1e, noise %.1e m\n", r->name,
                   height, r->dts[d], wanted / CELLS, volume / wanted - 1, sqrt(noise / CELLS));
            CHECK(wanted > 0.02 * CELLS && fabs(volume / wanted - 1) < 1e-3,
                  "%s at %g m, dt %g yr: %.6g of %.6g m moved", r->name, height, r->dts[d], volume,
                  wanted);
        }
    }
}

/* The sum is one of the two heights around the exact one, and its mean over dithers is exact. */
static void check_function(void)
{
    static const float heights[] = {0, 1e-3f, 0.5f, -0.5f, 600, -600, 1024, 4000.25f, -1e4f};
    for (int h = 0; h < 9; h++)
        for (int e = -30; e < 14; e++)
            for (int sign = -1; sign < 2; sign += 2) {
                enum { DITHERS = 4096 };
                const float at = heights[h], ulp = otok_binade(at) * 0x1p-23f,
                            more = (float)sign * ldexpf(1.37f, e) * (ulp > 0 ? ulp : 1e-9f);
                double mean = 0;
                for (uint32_t p = 0; p < DITHERS; p++) {
                    const float is = otok_ground_add(at, more, otok_dither((p << 11) + 1024));
                    mean += ((double)is - (double)at) / DITHERS;
                    CHECK((float)sign * (is - at) >= 0 &&
                              fabs((double)is - ((double)at + (double)more)) <= (double)ulp,
                          "%.9g and %.9g are %.9g", (double)at, (double)more, (double)is);
                }
                CHECK(fabs(mean - (double)more) <=
                          fmax((double)ulp / DITHERS, 1e-3 * fabs((double)more)),
                      "%.9g moves by %.9g of %.9g", (double)at, mean, (double)more);
                CHECK(otok_ground_add(at, 0, -0x1p-24f) == at, "%.9g moves by 0", (double)at);
            }
}

/* One phase of all that dithers. */
static const char together[] =
    "otok: 1\nseed: 4\naudit: off\ngrid: {nx: 37, ny: 41, spacing: 10}\nedges: {left: open}\n"
    "sea: {level: 602}\n"
    "layers: [{name: sand, thickness: 1}, {name: reef, thickness: 3}, {name: lava}]\n"
    "base: [{simplex: {wavelength: 80, amplitude: 6}}]\nphases:\n"
    "  - {name: rise, iterations: 1, uplift: {rate: 600 mm/yr, dt: 1000 yr}}\n"
    "  - {name: soil, iterations: 15, creep: {diffusivity: 0.01 m2/yr, dt: 1 yr}}\n"
    "  - {name: all, iterations: 45, uplift: {rate: 0.01 mm/yr, dt: 1 yr}, marine_diffusion: "
    "{diffusivity: 0.02 m2/yr, dt: 1 yr}, waves: {every: 20, wind: 10}, coast: {drift: 1e-13, "
    "abrasion: 1e-14, dt: 1 yr}, reef: {law: light_saturation, max_growth: 0.1 mm/yr, rubble: 0.3, "
    "denudation: 0.02 mm/yr, dt: 1 yr}}\n";

/* Programs that fast kernels do alone. */
static const char *const alone[] = {
    "marine_diffusion: {diffusivity: 0.02 m2/yr, dt: 1 yr}",
    "creep: {diffusivity: 0.01 m2/yr, dt: 1 yr}",
    "reef: {dt: 0.1, absorption: 0.2, calcification: 0.01}",
    ("reef: {law: light_saturation, max_growth: 0.1 mm/yr, dt: 1 yr}, marine_diffusion: "
     "{diffusivity: 0.02 m2/yr, dt: 1 yr}"),
};

static void check_alone(const char *layers, const char *process)
{
    otok_scenario *s =
        scene("otok: 1\nseed: 4\naudit: off\ngrid: {nx: 150, ny: 41, spacing: 10}\nedges: {left: "
              "periodic, right: periodic}\nsea: {level: 602}\n%sbase: [{simplex: {wavelength: 80, "
              "amplitude: 6}}]\nphases:\n  - {name: rise, iterations: 1, uplift: {rate: 600 mm/yr, "
              "dt: 1000 yr}}\n  - {name: moves, iterations: 40, %s}\n",
              layers, process);
    otok_sim *plain = scene_sim(s, "cpu:plain"), *here = scene_sim(s, backend);
    MUST(otok_sim_run(plain, 41));
    MUST(otok_sim_run(here, 41));
    scene_check_same(plain, here, process);
    otok_sim_destroy(plain);
    scene_destroy(here, s);
}

static void check_bits(void)
{
    otok_scenario *s = scene_load(together, NULL, 0);
    otok_sim *whole = scene_sim(s, "cpu:plain"), *here = scene_sim(s, backend),
             *first = scene_sim(s, backend);
    MUST(otok_sim_run(whole, 61));
    MUST(otok_sim_run(here, 61));
    scene_check_same(whole, here, "another backend");
    MUST(otok_sim_run(first, 23));
    otok_sim *again = scene_resume(first, s, backend);
    MUST(otok_sim_run(again, 38));
    scene_check_same(whole, again, "a restart");
    otok_sim *cut = scene_sim(s, strncmp(backend, "cuda", 4) ? "cpu/3" : "cuda/3");
    MUST(otok_sim_run(cut, 61));
    scene_check_same(whole, cut, "bands");
    otok_sim_destroy(whole), otok_sim_destroy(first), otok_sim_destroy(again),
        otok_sim_destroy(cut);
    scene_destroy(here, s);
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    check_function();
    check_bits();
    for (int p = 0; p < 4; p++) {
        check_alone("", alone[p]);
        check_alone("layers: [{name: sand, thickness: 1}, {name: lava}]\n", alone[p]);
    }
    for (int r = 0; r < ROWS && strncmp(backend, "cpu", 3) == 0; r++)
        check_row(&rows[r]);
    return check_failures != 0;
}
