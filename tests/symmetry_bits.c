/* symmetry_bits.c - claim: a mirrored, turned or transposed input gives the mirrored, turned or
   transposed output, bit for bit, for all processes, pipes, transports and edges. */
#include "scene.h"
#include "square.h"

enum { N = 48 };

static const char *const processes[] = {
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, capacity: 1, dissolve: 0.2, deposit: 0.2, "
    "diffusivity: 0.5}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, capacity: 1, dissolve: 0.2, transport: "
    "semi_lagrangian, diffusion_sweeps: 2}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, slope: downhill, capacity_law: speed_depth, "
    "displace_water: true}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, capacity: 1, dissolve: 0.2, pipes: signed, "
    "pipe_area: 4}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, capacity: 1, dissolve: 0.2, pipes: signed, area: "
    "depth, manning: 0.05}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, capacity: 1, transport: semi_lagrangian, pipes: "
    "signed, area: depth, manning: 0.05}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, capacity: 1, dissolve: 0.2, pipes: signed, "
    "pipe_area: 4, manning: 0.05, friction: axis}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, capacity: 1, dissolve: 0.2, pipes: signed, "
    "pipe_area: 4, theta: 0.7}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, capacity: 1, dissolve: 0.2, pipes: signed, area: "
    "depth, manning: 0.05, theta: 0.7}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, law: shallow_water}",
    "rain: {rate: 0.01}, hydraulic: {dt: 0.1, law: shallow_water, manning: 0, transport: "
    "semi_lagrangian}",
    "thermal: {dt: 0.2}",
    "thermal: {dt: 0.1, law: excess, diagonal: one}",
    "seabed: {sweeps: 2}",
    "reef: {dt: 0.1, absorption: 0.1, calcification: 1, sea_rise: 0.1}",
    "uplift: {rate: -1}, reef: {law: light_saturation, dt: 0.1, max_growth: 2, sea_rise: 0.1, "
    "producers: [{max_growth: 1, absorption: 0.3}, {max_growth: 0.2, saturating_light: 50}]}",
};

static const char *const edges[] = {"closed", "open", "periodic"};

static void simulate(const otok_scenario *s, const char *backend, const float *terrain,
                     float out[3][N * N])
{
    static const otok_field fields[3] = {OTOK_TERRAIN_CHANGE, OTOK_WATER, OTOK_SEDIMENT};
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, terrain));
    MUST(otok_sim_run(sim, 60));
    for (int f = 0; f < 3; f++) {
        memset(out[f], 0, sizeof out[f]);
        if (otok_sim_has(sim, fields[f])) MUST(otok_sim_get(sim, fields[f], out[f]));
    }
    otok_sim_destroy(sim);
}

CHECK_SLOW

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static float terrain[N * N], moved[N * N], plain[3][N * N], turned[3][N * N], expected[N * N];
    uint64_t state = 5;
    for (int n = 0; n < N * N; n++)
        terrain[n] = 20.0f * scene_random(&state) * scene_random(&state);
    for (size_t p = 0; p < sizeof processes / sizeof processes[0]; p++)
        for (int e = 0; e < 3; e++) {
            otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nedges: {left: "
                                     "%s, right: %s, bottom: %s, top: %s}\nsea: {level: 8}\n"
                                     "phases:\n  - {iterations: 60, %s}\n",
                                     N, N, edges[e], edges[e], edges[e], edges[e], processes[p]);
            simulate(s, backend, terrain, plain);
            for (int symmetry = 1; symmetry < 8; symmetry++) {
                square_move(symmetry, N, terrain, moved);
                simulate(s, backend, moved, turned);
                for (int f = 0; f < 3; f++) {
                    square_move(symmetry, N, plain[f], expected);
                    CHECK(memcmp(expected, turned[f], sizeof expected) == 0,
                          "symmetry %d, field %d, edges %s, %s", symmetry, f, edges[e],
                          processes[p]);
                }
            }
            float most = 0;
            for (int n = 0; n < N * N; n++)
                most = plain[0][n] > most ? plain[0][n] : most;
            CHECK(most > 0, "no ground moved: %s", processes[p]);
            otok_scenario_destroy(s);
        }
    return check_failures != 0;
}
