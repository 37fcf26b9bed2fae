/* fields_set.c - claim: a map of wetness with a count that is none, or of a field that the
   simulation has not, is refused by name, and nothing changes; a map that is right comes back as it
   was set. */
#include "scene.h"

#include <math.h>

enum { N = 16 };

static void refused(otok_sim *sim, otok_field field, const float *map, otok_status expected,
                    const char *word)
{
    const uint64_t before = scene_fingerprint(sim);
    CHECK(otok_sim_set(sim, field, map) == expected && strstr(otok_why(), word), "%s: %s", word,
          otok_why());
    CHECK(scene_fingerprint(sim) == before, "%s: the state changed", word);
}

int main(int argc, char **argv)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 1}\nphases:\n  - "
                             "{iterations: 9, hydraulic: {dt: 0.1}}\n",
                             N, N);
    static float map[N * N], back[N * N];
    otok_sim *sim = scene_sim(s, CHECK_BACKEND(argc, argv)->name);
    for (int n = 0; n < N * N; n++)
        map[n] = (float)(n % 256);
    MUST(otok_sim_set(sim, OTOK_WETNESS, map));
    MUST(otok_sim_get(sim, OTOK_WETNESS, back));
    CHECK(memcmp(map, back, sizeof map) == 0, "wetness came back otherwise");
    const float wrong[] = {-1, 256, NAN, INFINITY};
    for (int k = 0; k < 4; k++) {
        map[35] = wrong[k];
        refused(sim, OTOK_WETNESS, map, OTOK_DATA, "wetness[35]");
    }
    refused(sim, OTOK_REEF, back, OTOK_USAGE, "reef");
    refused(sim, OTOK_FIELDS, back, OTOK_USAGE, "?");
    scene_destroy(sim, s);
    return check_failures != 0;
}
