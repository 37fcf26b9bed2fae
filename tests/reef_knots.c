/* reef_knots.c - claim: a reef by light in steps of 1000 years, in which the sea turns or jumps, or
   the ground turns, is within 0.2 m of the same reef in steps of 100 years: a history of the sea as
   lines, as steps, again and again, with five turns in a step, and a history of
   uplift by a number and by a map; so is karst. Points on the ends of steps, and points on a line,
   change no bit. */
#include "scene.h"

#include <math.h>

enum { COLUMNS = 48, YEARS = 60000 };

static const char *backend;
static float ground[COLUMNS];

static double farthest(const float *a, const float *b)
{
    double far = 0;
    for (int i = 0; i < COLUMNS; i++)
        far = fmax(far, fabs((double)a[i] - (double)b[i]));
    return far;
}

/* Runs the phase in steps of so many years, and leaves the ground. */
static uint64_t run(float *out, int dt, const char *sea, const char *more)
{
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: 1, spacing: 100}\nlayers: [{name: sand, thickness: 300}, "
        "{name: rock}]\nphases: [{name: a, iterations: %d, reef: {law: light_saturation, dt: %d "
        "yr, max_growth: 7 mm/yr, absorption: 0.07, saturating_light: 300, %s}%s}]\n",
        COLUMNS, YEARS / dt, dt, sea, more);
    otok_sim *sim = scene_sim(s, backend);
    for (int i = 0; i < COLUMNS; i++)
        ground[i] = (float)(-130 + 3.1 * i);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, ground));
    scene_run(sim, otok_scenario_iterations(s), OTOK_TERRAIN, out);
    const uint64_t fingerprint = scene_fingerprint(sim);
    scene_destroy(sim, s);
    return fingerprint;
}

static const char lines[] = "sea_history: [[0, 0], [12430 yr, -60], [20430 yr, 10], [36430 yr, "
                            "-100], [44430 yr, 0], [53770 yr, -70], [60 kyr, -20]]";

static void check(const char *what, const char *sea, const char *more)
{
    float long_steps[COLUMNS], short_steps[COLUMNS];
    run(long_steps, 1000, sea, more);
    run(short_steps, 100, sea, more);
    const double grown = farthest(short_steps, ground), apart = farthest(long_steps, short_steps);
    CHECK(grown > 10 && apart < 0.2, "%s: %g m apart, of %g m", what, apart, grown);
}

int main(int argc, char **argv)
{
    float one[COLUMNS], other[COLUMNS];
    backend = CHECK_BACKEND(argc, argv)->name;
    check("lines", lines, "");
    check("steps",
          "sea_history: {between: steps, points: [[0, 0], [7310 yr, -40], [22 kyr, 5], "
          "[41770 yr, -15]]}",
          "");
    check("again and again",
          "sea_history: {repeat: true, points: [[0, 0], [4370 yr, -30], [7 kyr, "
          "-3], [9130 yr, -35]]}",
          "");
    check("many turns",
          "sea_history: {repeat: true, points: [[0, 0], [370 yr, -8], [470 yr, 3], "
          "[610 yr, -5], [890 yr, 0]]}",
          "");
    check("uplift by a number", "sea_rise: 0.1 mm/yr",
          ", uplift: {rate: 6 mm/yr, history: [[0, -1], [30570 yr, -1], [30580 yr, 1], [60 kyr, "
          "1]]}");
    check(
        "uplift by a map", lines,
        ", uplift: {rate: {constant: {height: 1e-10}}, history: [[0, -1], [21670 yr, 1], [60 kyr, "
        "-1]]}");
    check("karst",
          "denudation: 0.1 mm/yr, sea_history: [[0, 0], [12430 yr, -60], [20430 yr, 10], "
          "[36430 yr, -100], [60 kyr, 0]]",
          "");
    const uint64_t few = run(one, 1000, "sea_history: [[0, 0], [30 kyr, -60], [60 kyr, 0]]", ""),
                   many = run(other, 1000,
                              "sea_history: [[0, 0], [15500 yr, -31], [30 kyr, -60], "
                              "[41250 yr, -37.5], [60 kyr, 0]]",
                              "");
    CHECK(few == many && farthest(one, other) == 0, "points on a line: %g m", farthest(one, other));
    return check_failures > 0;
}
