/* droplets_rain.c - claim: in a phase with a rain map droplets start where it rains and nowhere
   else, and a phase without one, or with another, does not keep it. */
#include "scene.h"

enum { NX = 24, NY = 16 };

/* An Esri ASCII grid, the top row first: rain in the columns from..to-1. */
static void write_rain(const char *path, int from, int to)
{
    FILE *file = fopen(path, "w");
    if (!file) exit(1);
    fprintf(file, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 1\n", NX, NY);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            fprintf(file, "%d%c", i >= from && i < to, i == NX - 1 ? '\n' : ' ');
    if (fclose(file) != 0) exit(1);
}

/* Does any droplet take or leave something in the columns from..to-1? */
static int any_changed(const float *change, int from, int to)
{
    int n = 0;
    for (int j = 0; j < NY; j++)
        for (int i = from; i < to; i++)
            n += change[j * NX + i] != 0;
    return n;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    char left[] = "/tmp/otok-rain-XXXXXX.asc", right[] = "/tmp/otok-rain-XXXXXX.asc";
    if (mkstemps(left, 4) < 0 || mkstemps(right, 4) < 0) return 1;
    write_rain(left, 0, 8);
    write_rain(right, 16, 24);
    /* a steep plane and one short step: a droplet touches its own cell and at most a neighbour */
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 1}\nphases:\n"
              "  - {name: left, rain: {map: %s}, droplets: {count: 500, batch: 500, max_steps: 1, "
              "dt: 0.5}}\n"
              "  - {name: right, rain: {map: %s}, droplets: {count: 500, batch: 500, max_steps: 1, "
              "dt: 0.5}}\n"
              "  - {name: anywhere, droplets: {count: 2000, batch: 500, max_steps: 1, dt: 0.5}}\n",
              NX, NY, left, right);
    static float plane[NX * NY], change[NX * NY];
    for (int n = 0; n < NX * NY; n++)
        plane[n] = 3.0f * (float)(n / NX);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, plane));
    scene_run(sim, 1, OTOK_TERRAIN_CHANGE, change);
    CHECK(any_changed(change, 0, 8) > 60, "%d cells under the rain changed",
          any_changed(change, 0, 8));
    CHECK(any_changed(change, 9, NX) == 0, "%d dry cells changed", any_changed(change, 9, NX));
    scene_run(sim, 1, OTOK_TERRAIN_CHANGE, change);
    CHECK(any_changed(change, 16, NX) > 60, "%d cells under the second rain changed",
          any_changed(change, 16, NX));
    CHECK(any_changed(change, 9, 15) == 0, "%d cells that never saw rain changed",
          any_changed(change, 9, 15));
    scene_run(sim, 4, OTOK_TERRAIN_CHANGE, change);
    CHECK(any_changed(change, 9, 15) > 60, "%d cells of the middle changed at last",
          any_changed(change, 9, 15));
    scene_destroy(sim, s);
    write_rain(right, 0, 0); /* nowhere */
    s = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 1}\nphases:\n  - {iterations: 9, seabed: {}}\n"
        "  - {name: dry, rain: {map: %s}, droplets: {}}\n",
        NX, NY, right);
    CHECK(otok_sim_create(&sim, s, backend) == OTOK_DATA &&
              strstr(otok_why(), ":5: phases.dry.rain.map: ") &&
              strstr(otok_why(), "it rains nowhere"),
          "droplets without rain: %s", otok_why());
    otok_scenario_destroy(s);
    unlink(left);
    unlink(right);
    return check_failures != 0;
}
