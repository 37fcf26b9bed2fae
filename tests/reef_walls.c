/* reef_walls.c - claim: slides that keep to the clock of the phase (`thermal.clock: phase`) give
   the outer wall of a reef one angle on cells of 25, 50, 100 and 200 m: its steepest face is within
   5 degrees of the talus; with sand that marine diffusion spreads, the slopes from 20 to 200 m deep
   are within 5 degrees of each other. Without slides the faces are 30 degrees apart. With
   `coast.runup` storms build land on the rim of this atoll, no higher than the run-up, and none in
   its lagoon; without it nothing is above the sea. CHECK_SLOW */
#include "scene.h"

#include <math.h>

enum { LENGTH = 19200, TALUS = 45 };

static const char *backend;

/* A volcano that sinks for 400,000 years, seen in profile. */
static void grow(float *out, int l, const char *processes)
{
    otok_scenario *s = scene(
        "otok: 1\nseed: 7\ngrid: {nx: %d, ny: 1, spacing: %d}\nedges: {left: open, right: open}\n"
        "base: [{constant: {height: -420}}, {cone: {height: 600, radius: 7500, combine: add}}]\n"
        "layers: [{name: sand, thickness: 0}, {name: reef, thickness: 0}, {name: lava}]\nphases: "
        "[{iterations: 4000, waves: {every: 1, directions: 4, rose: [0, 1, 0, 1]}, %s uplift: "
        "{rate: -0.5 mm/yr}, reef: {law: light_saturation, dt: 100 yr, rubble: 0.3, sea_history: "
        "{pleistocene: -400 kyr}}}]\n",
        LENGTH / l, l, processes);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 4000));
    MUST(otok_sim_get(sim, OTOK_TERRAIN, out));
    scene_destroy(sim, s);
}

static double degrees(double rise, double run)
{
    return atan2(rise, run) * (180 / M_PI);
}

static double steepest(const float *h, int l)
{
    double most = 0;
    for (int i = 1; i < LENGTH / l; i++)
        most = fmax(most, fabs((double)h[i] - (double)h[i - 1]));
    return degrees(most, l);
}

/* Where the left wall first comes up to a height, between the middles of cells [m]. */
static double meets(const float *h, int l, double height)
{
    int i = 1;
    while (h[i] < height)
        i++;
    return l * (i - (h[i] - height) / ((double)h[i] - (double)h[i - 1]));
}

static void check_walls(void)
{
    static float h[LENGTH / 25];
    double face[2] = {90, 0}, slope[2] = {90, 0}; /* the least and the most */
    for (int l = 25; l <= 200; l *= 2) {
        grow(h, l, "");
        const double bare = steepest(h, l);
        face[0] = fmin(face[0], bare), face[1] = fmax(face[1], bare);
        grow(h, l,
             "thermal: {clock: phase, dt: 9 yr, law: excess, talus: 45, diffusivity: 8 m2/yr},");
        CHECK(fabs(steepest(h, l) - TALUS) < 5, "cells of %d m: a wall of %g degrees", l,
              steepest(h, l));
        grow(h, l,
             "marine_diffusion: {}, thermal: {clock: phase, dt: 9 yr, law: excess, talus: 35, "
             "diffusivity: 8 m2/yr},");
        const double sandy = degrees(180, meets(h, l, -20) - meets(h, l, -200));
        slope[0] = fmin(slope[0], sandy), slope[1] = fmax(slope[1], sandy);
    }
    CHECK(face[1] - face[0] > 20, "without slides the faces have %g to %g degrees", face[0],
          face[1]);
    CHECK(slope[1] - slope[0] < 5 && slope[0] > 20, "slopes with sand have %g to %g degrees",
          slope[0], slope[1]);
}

static void check_motus(void)
{
    enum { L = 100, N = LENGTH / L };
    static float h[2][N];
    int rim[2] = {N, 0}, land = 0;
    for (int high = 0; high < 2; high++) {
        char words[256];
        snprintf(words, sizeof words,
                 "marine_diffusion: {}, coast: {dt: 100 yr, drift: 5e-12, beach_slope: 0.5, runup: "
                 "%d}, thermal: {clock: phase, dt: 9 yr, law: excess, talus: 45, diffusivity: 8 "
                 "m2/yr},",
                 3 * high);
        grow(h[high], L, words);
    }
    for (int i = 0; i < N; i++) {
        CHECK(h[0][i] <= 0 && h[1][i] < 3, "cell %d: %g m, without run-up %g", i, (double)h[1][i],
              (double)h[0][i]);
        land += h[1][i] > 0.25f;
        if (h[1][i] > -10) rim[0] = i < rim[0] ? i : rim[0], rim[1] = i;
    }
    for (int i = rim[0] + 10; i <= rim[1] - 10; i++)
        CHECK(h[1][i] <= 0, "cell %d, %d from the rim: %g m", i, i - rim[0], (double)h[1][i]);
    CHECK(land > 0, "no land on the rim");
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    check_walls();
    check_motus();
    return check_failures > 0;
}
