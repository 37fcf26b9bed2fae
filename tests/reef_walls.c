/* reef_walls.c - claim: slides that keep to the clock of the phase (`thermal.clock: phase`) give
   the outer wall of a reef one angle on cells of 25, 50, 100 and 200 m: its steepest face is within
   5 degrees of the talus; with sand that marine diffusion spreads, the slopes from 20 to 200 m deep
   are within 5 degrees of each other. Without slides the faces are 30 degrees apart. With
   `coast.runup` storms build land on the rim of an atoll, no higher than the run-up, and none in
   its lagoon; without it nothing is above the sea. CHECK_SLOW */
#include "scene.h"

#include <math.h>

enum { LENGTH = 19200, TALUS = 45, N = 48 };

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
    scene_run(sim, 4000, OTOK_TERRAIN, out);
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

/* An atoll: the last state of a cone that sinks, with storms that throw rubble so high [m]. */
static void grow_atoll(float out[N * N], int runup)
{
    otok_scenario *s = scene(
        "otok: 1\nseed: 7\ngrid: {nx: %d, ny: %d, spacing: 200}\nedges: {left: open, right: open, "
        "bottom: open, top: open}\nbase: [{constant: {height: -420}}, {cone: {height: 560, radius: "
        "7000, combine: add}}, {simplex: {wavelength: 2500, octaves: 6, amplitude: 25, combine: "
        "add}}]\nlayers: [{name: sand, thickness: 0, talus: 33}, {name: reef, thickness: 0, talus: "
        "45}, {name: lava, talus: 45}]\nphases: [{iterations: 4000, waves: {every: 1}, "
        "marine_diffusion: {}, thermal: {clock: phase, dt: 100 yr, law: excess, talus: 33, "
        "diffusivity: 8 m2/yr}, uplift: {rate: -0.5 mm/yr}, coast: {dt: 100 yr, drift: 5e-12, "
        "beach_slope: 0.5, runup: %d}, reef: {law: light_saturation, dt: 100 yr, rubble: 0.3, "
        "sea_history: {pleistocene: -400 kyr}}}]\n",
        N, N, runup);
    otok_sim *sim = scene_sim(s, backend);
    scene_run(sim, 4000, OTOK_TERRAIN, out);
    scene_destroy(sim, s);
}

static void check_motus(void)
{
    static float calm[N * N], thrown[N * N];
    int land = 0;
    grow_atoll(calm, 0);
    grow_atoll(thrown, 4);
    for (int n = 0; n < N * N; n++) {
        const int lagoon = hypot(n % N - 23.5, n / N - 23.5) < 8;
        CHECK(calm[n] <= 0 && thrown[n] < 4 && !(lagoon && thrown[n] > -5),
              "cell %d: %g m, without storms %g", n, (double)thrown[n], (double)calm[n]);
        land += thrown[n] > 0.5f;
    }
    CHECK(land >= 10 && land <= 100, "%d cells of land on the rim", land);
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    check_walls();
    check_motus();
    return check_failures > 0;
}
