/* springs_symmetry.c - claim: terrain, rain map and rivers mirrored, turned or transposed give the
   mirrored, turned or transposed output, bit for bit. */
#include "springs_file.h"
#include "square.h"

enum { N = 48, NRIVERS = 3 };

static const double rivers[NRIVERS][4] = {
    {33, 20.5, 9, 6}, {70, 66, 13.25, 2.5}, {12.5, 80.75, 0, 1}}; /* x, y, radius, discharge */

static void simulate(const char *backend, int symmetry, const float *terrain, const float *rain,
                     float out[2][N * N])
{
    char list[256];
    int n = 0;
    for (int r = 0; r < NRIVERS; r++) {
        const double x = symmetry & 1 ? 2 * N - rivers[r][0] : rivers[r][0],
                     y = symmetry & 2 ? 2 * N - rivers[r][1] : rivers[r][1];
        n += sprintf(list + n, "{x: %.9g, y: %.9g, radius: %.9g, discharge: %.9g}, ",
                     symmetry & 4 ? y : x, symmetry & 4 ? x : y, rivers[r][2], rivers[r][3]);
    }
    springs_write("rain.asc", N, N, 2, "", rain);
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: 48, ny: 48, spacing: 2}\nphases:\n  - {iterations: 60, rain: {rate: "
        "0.01, map: %s}, rivers: [%s], hydraulic: {dt: 0.1, capacity: 1, dissolve: 0.2}}\n",
        springs_path, list);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, terrain));
    scene_run(sim, 60, OTOK_TERRAIN_CHANGE, out[0]);
    MUST(otok_sim_get(sim, OTOK_WATER, out[1]));
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static float terrain[N * N], rain[N * N], ground[N * N], fallen[N * N], plain[2][N * N],
        turned[2][N * N], expected[N * N];
    uint64_t state = 5;
    for (int n = 0; n < N * N; n++) {
        terrain[n] = 20.0f * scene_random(&state) * scene_random(&state);
        rain[n] = scene_random(&state);
    }
    springs_begin();
    simulate(backend, 0, terrain, rain, plain);
    for (int symmetry = 1; symmetry < 8; symmetry++) {
        square_move(symmetry, N, terrain, ground);
        square_move(symmetry, N, rain, fallen);
        simulate(backend, symmetry, ground, fallen, turned);
        for (int f = 0; f < 2; f++) {
            square_move(symmetry, N, plain[f], expected);
            CHECK(memcmp(expected, turned[f], sizeof expected) == 0, "symmetry %d, %s", symmetry,
                  f ? "water" : "change");
        }
    }
    springs_remove("rain.asc");
    springs_end();
    return check_failures != 0;
}
