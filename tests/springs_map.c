/* springs_map.c - claim: rain falls as its map says, times the rate, while it rains, on every
   backend; a map that cannot be meant is refused by a text that names scenario, line, key, file and
   cell. */
#include "springs_file.h"

#include <math.h>

enum { NX = 37, NY = 22 };

static float map[NX * NY];

/* Weightless water stays where it falls. */
static const char form[] =
    "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 4}\nphases:\n  - name: a\n    iterations: 5\n    "
    "rain:\n      rate: 0.25\n      map: %s/%s\n      during: [[0, 1], [3, 4]]\n      fit: %s\n    "
    "hydraulic: {dt: 0.5, gravity: 1e-40, evaporation: 0}\n";

static int is(float depth, float expected)
{
    return fabsf(depth - expected) < 1e-30f; /* what flows, flows by denormals */
}

static void rain(const char *backend)
{
    static float water[NX * NY];
    otok_scenario *s = scene(form, NX, NY, springs_folder, "good.asc", "exact");
    otok_sim *sim = scene_sim(s, backend);
    double sum = 0;
    for (int n = 0; n < NX * NY; n++)
        sum += (double)map[n];
    for (int times = 1; times <= 2; times++) {
        scene_run(sim, times == 1 ? 3 : 2, OTOK_WATER, water);
        int wrong = 0;
        for (int n = 0; n < NX * NY; n++)
            wrong += !is(water[n], (float)times * (0.125f * map[n]));
        CHECK(wrong == 0, "%d depths are not rate times map, %d times", wrong, times);
    }
    const otok_ledger l = scene_ledger(sim);
    CHECK(l.rain == 2 * 0.125 * sum * 16 && l.rivers == 0 && l.water == l.rain,
          "booked %.17g, fallen %.17g", l.rain, 2 * 0.125 * sum * 16);
    scene_destroy(sim, s);
}

static void stretched(const char *backend)
{
    static float water[74 * 44];
    otok_scenario *s = scene(form, 74, 44, springs_folder, "good.asc", "stretch");
    otok_sim *sim = scene_sim(s, backend);
    scene_run(sim, 1, OTOK_WATER, water);
    CHECK(is(water[0], 0.125f * map[0]) && is(water[74 * 44 - 1], 0.125f * map[NX * NY - 1]),
          "the corners are %g, %g", (double)water[0], (double)water[74 * 44 - 1]);
    const float expected = 0.125f * (0.75f * map[3] + 0.25f * map[4]); /* centre 3.25 of row 0 */
    CHECK(water[7] > 0.999f * expected && water[7] < 1.001f * expected, "%g, not %g",
          (double)water[7], (double)expected);
    scene_destroy(sim, s);
}

static void refused(const char *file, const char *fit, otok_status status, const char *cause)
{
    otok_scenario *s = scene(form, NX, NY, springs_folder, file, fit);
    otok_sim *sim;
    char path[64];
    const otok_status found = otok_sim_create(&sim, s, "cpu");
    snprintf(path, sizeof path, "%s/%s: ", springs_folder, file);
    CHECK(found == status && !sim, "%s: status %d", file, (int)found);
    CHECK(strstr(otok_why(), ".yaml:8: phases.a.rain.map: ") && strstr(otok_why(), path) &&
              strstr(otok_why(), cause),
          "%s lacks: %s", otok_why(), cause);
    otok_scenario_destroy(s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    springs_begin();
    for (int n = 0; n < NX * NY; n++)
        map[n] = (float)(n * 37 % 101) / 16;
    springs_write("good.asc", NX, NY, 4, "", map);
    rain(backend);
    stretched(backend);
    refused("none.asc", "exact", OTOK_IO, "Check the path");
    springs_write("small.asc", NX - 1, NY, 4, "", map);
    refused("small.asc", "exact", OTOK_DATA, "has 36 x 22 cells, the grid 37 x 22; write");
    springs_write("spacing.asc", NX, NY, 5, "", map);
    refused("spacing.asc", "exact", OTOK_DATA, "its cells are 5 m, the grid's spacing is 4");
    map[3 * NX + 5] = -2;
    springs_write("below.asc", NX, NY, 4, "", map);
    refused("below.asc", "exact", OTOK_DATA,
            "cell 5 from the left, 3 from the bottom (counted from 0) is -2; allowed: at least 0");
    refused("below.asc", "stretch", OTOK_DATA, "is -2");
    springs_write("hole.asc", NX, NY, 4, "nodata_value -2\n", map);
    refused("hole.asc", "exact", OTOK_DATA,
            "cell 5 from the left, 3 from the bottom (counted from 0) has no finite value, like 1");
    static const char *const files[] = {"good.asc", "small.asc", "spacing.asc", "below.asc",
                                        "hole.asc"};
    for (int n = 0; n < 5; n++)
        springs_remove(files[n]);
    springs_end();
    return check_failures != 0;
}
