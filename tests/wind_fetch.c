/* wind_fetch.c - claim: the mean of q leaves a field of sand, also in gusts shorter than a step
   from below the threshold. It goes over bare rock by q / h0, which is out / 2 h0 in the mean. */
#include "scene.h"

#include <math.h>

int main(int argc, char **argv)
{
    const char *winds[] = {"speed: 0.4",
                           "history: {points: [[0, 0], [12500, 0.4], [25000, 0]], repeat: true}"};
    for (int run = 0; run < 2; run++) {
        float sand[96];
        double out = 0, way = 0, exact = 300 * (run ? 0.009 : 0.048); /* m2 */
        otok_scenario *s = scene("{otok: 1, grid: {nx: 96, ny: 1, spacing: 2}, layers: [{name: a, "
                                 "thickness: 0}, {name: b}], phases: [{iterations: 60, wind: {dt: "
                                 "5e4, thickness: 0.25, from: 270, %s}}]}",
                                 winds[run]);
        otok_sim *sim = scene_sim(s, CHECK_BACKEND(argc, argv)->name);
        for (int n = 0; n < 96; n++)
            sand[n] = n >= 16 && n < 32;
        MUST(otok_sim_set(sim, OTOK_TERRAIN_CHANGE, sand));
        scene_run(sim, 60, OTOK_TERRAIN_CHANGE, sand);
        for (int n = 32; n < 96; n++)
            out += 2 * sand[n], way += 2 * sand[n] * 2 * (n - 32);
        way /= out * exact / 0.5 * 59 / 60; /* a step waits */
        CHECK(fabs(out / exact - 1) < 1e-3, "%.7g m2 left, not %.7g", out, exact);
        CHECK(fabs(way - 1) < 2e-3, "it went %.6f of its way", way);
        scene_destroy(sim, s);
    }
    return check_failures > 0;
}
