/* fingerprint_frozen.c - claim: a run through every process ends in the bits that it ended in when
   this line was written, with any compiler and backend. A change of the model changes the number,
   on purpose, and says so in the changelog. */
#include "scene.h"

static const char scenario[] =
    "otok: 1\nseed: 9\ngrid: {nx: 83, ny: 67, spacing: 2}\nedges: {left: periodic, right: "
    "periodic, bottom: open, top: closed}\nsea: {level: 5}\n"
    "base:\n  - cone: {height: 40, radius: 60, power: 1.3}\n  - power_blend: {strength: 0.3, "
    "reference: 40, with: [{simplex: {wavelength: 40}}]}\n"
    "  - crater: {level: 30}\n"
    "phases:\n"
    "  - {name: rain, iterations: 200, rain: {rate: 0.02, during: [[0, 90], [100, 150]]}, "
    "hydraulic: {dt: 0.07, capacity: 2, dissolve: 0.3, deposit: 0.2, diffusivity: 1, slope: "
    "downhill}, thermal: {dt: 0.1}}\n"
    "  - {name: published, iterations: 100, rain: {rate: 0.02}, hydraulic: {dt: 0.1, transport: "
    "semi_lagrangian, diffusion_sweeps: 1, displace_water: true, capacity_law: speed_depth, rates: "
    "per_iteration}}\n"
    "  - {name: seabed, iterations: 5, seabed: {sweeps: 3}}\n"
    "  - {name: slide, iterations: 50, thermal: {dt: 0.1, law: excess, diagonal: one}}\n"
    "  - {name: reef, iterations: 200, reef: {dt: 0.1, absorption: 0.2, calcification: 2, "
    "sea_history: [[0, 5], [2, 7], [3, 6.5]]}}\n";

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    otok_scenario *s = scene_load(scenario, NULL, 0);
    otok_sim *sim = scene_sim(s, backend);
    const uint64_t base = scene_fingerprint(sim);
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    const uint64_t end = scene_fingerprint(sim);
    CHECK(base == UINT64_C(0x0fa361d8127521d8), "the base is %016llx", (unsigned long long)base);
    CHECK(end == UINT64_C(0x6dbc9ba3ea971bcf), "the end is %016llx", (unsigned long long)end);
    scene_destroy(sim, s);
    return check_failures != 0;
}
