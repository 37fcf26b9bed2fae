/* checkpoint_moment.c - claim: snapshots hold the state of the moment when they were begun, though
   the simulation ran on while their maps were on the way, several of them at once and completed in
   any order; and taking them changes nothing. */
#include "scene.h"
#include "sim/sim.h"

enum { SNAPSHOTS = 5, BETWEEN = 2 };

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    otok_scenario *s = scene(
        "otok: 1\nseed: 4\ngrid: {nx: 603, ny: 451, spacing: 2}\n"
        "base:\n  - cone: {height: 90, radius: 800}\n  - simplex: {wavelength: 300, amplitude: 9, "
        "combine: add}\n"
        "phases:\n  - {name: a, iterations: 100, rain: {rate: 0.01}, hydraulic: {dt: 0.1}}\n");
    otok_snapshot shots[SNAPSHOTS];
    uint64_t prints[SNAPSHOTS];
    otok_sim *sim = scene_sim(s, backend), *other = scene_sim(s, backend);
    for (int n = 0; n < SNAPSHOTS; n++)
        MUST(otok_snapshot_create(&shots[n], s->grid, otok_sim_snapshot_fields(sim),
                                  sim->backend->host));
    for (int n = 0; n < SNAPSHOTS; n++) {
        MUST(otok_sim_snapshot(sim, &shots[n]));
        MUST(otok_sim_run(sim, BETWEEN));
        prints[n] = scene_fingerprint(other);
        MUST(otok_sim_run(other, BETWEEN));
    }
    for (int k = 0; k < SNAPSHOTS; k++) {
        otok_snapshot *shot = &shots[(2 * k + 1) % SNAPSHOTS];
        const uint64_t moment = prints[(2 * k + 1) % SNAPSHOTS];
        MUST(otok_snapshot_complete(shot, 2));
        CHECK(shot->fingerprint == moment && otok_snapshot_fingerprint(shot) == moment,
              "iteration %lld: %016llx in the snapshot's header, %016llx in its maps, %016llx in "
              "the simulation",
              (long long)shot->iteration, (unsigned long long)shot->fingerprint,
              (unsigned long long)otok_snapshot_fingerprint(shot), (unsigned long long)moment);
        for (int64_t i = 0; i < s->grid.nx * s->grid.ny; i += 997)
            CHECK(shot->maps[OTOK_TERRAIN][i] ==
                      shot->maps[OTOK_TERRAIN_BASE][i] + shot->maps[OTOK_TERRAIN_CHANGE][i],
                  "terrain at %lld", (long long)i);
    }
    CHECK(scene_fingerprint(sim) == scene_fingerprint(other), "snapshots change the simulation");
    MUST(otok_sim_snapshot(sim, &shots[0])); /* destroyed on its way */
    for (int n = 0; n < SNAPSHOTS; n++)
        otok_snapshot_destroy(&shots[n]);
    otok_sim_destroy(sim);
    scene_destroy(other, s);
    return check_failures != 0;
}
