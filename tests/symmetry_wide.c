/* symmetry_wide.c - claim: where columns are worked on in blocks does not matter: a grid much wider
   than high and the transposed one, which is one block wide, have the transposed bits. */
#include "scene.h"

enum { LONG = 1300, SHORT = 7, CELLS = LONG * SHORT };

static void transpose(float *to, const float *from, int nx, int ny)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            to[i * ny + j] = from[j * nx + i];
}

static otok_scenario *scene_of(int nx, int ny)
{
    return scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\n"
                 "phases: [{name: a, iterations: 9, hydraulic: {dt: 0.1, capacity: 1}, "
                 "thermal: {dt: 0.1}}]\n",
                 nx, ny);
}

static otok_sim *run(const otok_scenario *s, const char *backend, const float *ground,
                     const float *water)
{
    otok_sim *sim = scene_sim(s, backend);
    scene_set(sim, ground, water);
    MUST(otok_sim_run(sim, 9));
    return sim;
}

int main(int argc, char **argv)
{
    static const otok_field fields[] = {OTOK_TERRAIN, OTOK_WATER, OTOK_SEDIMENT};
    static float ground[CELLS], water[CELLS], turned[2][CELLS], wide[CELLS], high[CELLS];
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    uint64_t state = 3;
    for (int n = 0; n < CELLS; n++) {
        ground[n] = 6 * scene_random(&state);
        water[n] = scene_random(&state);
    }
    transpose(turned[0], ground, LONG, SHORT);
    transpose(turned[1], water, LONG, SHORT);
    otok_scenario *low = scene_of(LONG, SHORT), *tall = scene_of(SHORT, LONG);
    otok_sim *across = run(low, backend, ground, water);
    otok_sim *up = run(tall, backend, turned[0], turned[1]);
    for (int f = 0; f < 3; f++) {
        int differ = 0;
        double sum = 0;
        MUST(otok_sim_get(across, fields[f], wide));
        MUST(otok_sim_get(up, fields[f], turned[0]));
        transpose(high, turned[0], SHORT, LONG);
        for (int n = 0; n < CELLS; n++) {
            differ += memcmp(&wide[n], &high[n], sizeof wide[n]) != 0;
            sum += wide[n];
        }
        CHECK(differ == 0 && sum > 0, "%s differs in %d cells", otok_field_at(fields[f])->name,
              differ);
    }
    otok_sim_destroy(across);
    scene_destroy(up, low);
    otok_scenario_destroy(tall);
    return check_failures > 0;
}
