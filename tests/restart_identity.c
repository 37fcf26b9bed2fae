/* restart_identity.c - claim: a run saved and loaded at any iteration equals the run that went
   through, in every bit of every field, in the bookings and in the clock, for all processes and in
   every phase. */
#include "io/checkpoint.h"
#include "scene.h"
#include "sim/sim.h"

#include <unistd.h>

static const char scenario[] =
    "otok: 1\nseed: 9\ngrid: {nx: 61, ny: 47, spacing: 2}\nedges: {left: periodic, right: "
    "periodic, bottom: open, top: closed}\nsea: {level: 5}\n"
    "base:\n  - cone: {height: 40, radius: 60}\n  - simplex: {wavelength: 40, amplitude: 6, "
    "combine: add}\n"
    "phases:\n"
    "  - {name: rain, iterations: 40, rain: {rate: 0.02, during: [[0, 9], [17, 31]]}, hydraulic: "
    "{dt: 0.07, capacity: 2, dissolve: 0.3, deposit: 0.2}, thermal: {dt: 0.1}}\n"
    "  - {name: published, iterations: 25, rain: {rate: 0.02}, hydraulic: {dt: 0.1, transport: "
    "semi_lagrangian, diffusion_sweeps: 1, displace_water: true}}\n"
    "  - {name: seabed, iterations: 5, seabed: {sweeps: 3}}\n"
    "  - {name: drops, droplets: {count: 480, batch: 50, losses: as_published}}\n"
    "  - {name: slide, iterations: 15, thermal: {dt: 0.1, law: excess}}\n"
    "  - {name: reef, iterations: 40, reef: {dt: 0.1, absorption: 0.2, calcification: 2, "
    "sea_history: [[0, 5], [2, 7], [3, 6.5]]}}\n";

static const char converging[] = "otok: 1\nseed: 9\ngrid: {nx: 61, ny: 47, spacing: 2}\nedges: "
                                 "{left: periodic, right: periodic, bottom: open}\n"
                                 "base:\n  - cone: {height: 40, radius: 60}\n  - simplex: "
                                 "{wavelength: 40, amplitude: 6, combine: add}\n"
                                 "phases:\n"
                                 "  - {name: rain, iterations: 40, rain: {rate: 0.02}, hydraulic: "
                                 "{dt: 0.1, pipes: signed, area: depth, manning: 0.04}}\n"
                                 "  - {name: constant, iterations: 30, rain: {rate: 0.02}, "
                                 "hydraulic: {dt: 0.1, pipes: signed}}\n";

static const char momentum[] =
    "otok: 1\nseed: 9\ngrid: {nx: 61, ny: 47, spacing: 2}\nedges: {left: open, bottom: open}\n"
    "base:\n  - cone: {height: 40, radius: 60}\n  - simplex: {wavelength: 40, amplitude: 6, "
    "combine: add}\n"
    "phases:\n"
    "  - {name: rain, iterations: 40, rain: {rate: 0.02}, rivers: [{x: 60, y: 50, discharge: 9}], "
    "hydraulic: {law: shallow_water, dt: 0.1}}\n"
    "  - {name: slides, iterations: 10, thermal: {dt: 0.1}}\n"
    "  - {name: smooth, iterations: 15, rain: {rate: 0.02}, hydraulic: {law: shallow_water, dt: "
    "0.05, manning: 0, transport: semi_lagrangian}}\n"
    "  - {name: local, iterations: 10, rain: {rate: 0.02}, hydraulic: {law: local_inertia, dt: "
    "0.05}}\n"
    "  - {name: again, iterations: 10, rain: {rate: 0.02}, hydraulic: {law: shallow_water, dt: "
    "0.05}}\n";

static const char island[] =
    "otok: 1\nseed: 9\ngrid: {nx: 61, ny: 47, spacing: 100}\nedges: {left: open, bottom: open}\n"
    "base:\n  - cone: {height: 400, radius: 2500}\n  - constant: {height: -150, combine: add}\n"
    "layers: [{name: sand, thickness: 0}, {name: reef, thickness: 0}, {name: lava}]\n"
    "phases:\n"
    "  - {name: rain, iterations: 40, uplift: {rate: -1.58e-11}, hydraulic: {dt: 0.05}}\n"
    "  - {name: reef, iterations: 50, waves: {every: 7}, marine_diffusion: {}, uplift: {rate: "
    "-1.58e-11}, reef: {law: light_saturation, dt: 15778462987.4, rubble: 0.3, denudation: "
    "1.58e-12, sea_history: {saw: {amplitude: 30, period: 6.31e+11, rise: 0.1}}, producers: "
    "[{max_growth: 6.34e-11, absorption: 0.05}, {max_growth: 3.17e-11, sheltered_growth: 2}]}}\n"
    "  - {name: rivers, iterations: 30, uplift: {dt: 1.0e11, rate: 1.0e-11}, incision: {dt: "
    "5.0e10, area: multiple, depressions: lake, inflows: [{x: 3000, y: 2000, area: 1e7}]}, "
    "marine_diffusion: {}}\n";

static const char varied[] =
    "erodibility: [{simplex: {wavelength: 20}}, {constant: {height: 1, combine: add}}]\n";
static const char layers[] = "layers: [{name: soil, thickness: 0.3, erodibility: 2}, {name: cap, "
                             "thickness: 1, erodibility: 0.2, talus: 50}, {name: rock}]\n";

static void check(const char *backend, const char *words, int restarts)
{
    char path[] = "/tmp/otok-restart-XXXXXX";
    otok_scenario *s = scene_load(words, NULL, 0);
    const int64_t end = otok_scenario_iterations(s);
    otok_sim *through = scene_sim(s, backend), *again;
    uint64_t seed = (uint64_t)getpid();
    if (!mkdtemp(path)) exit(1);
    char file[64];
    snprintf(file, sizeof file, "%s/x.vtkhdf", path);

    MUST(otok_sim_run(through, end));
    CHECK(otok_sim_iteration(through) == end, "ended at %lld of %lld",
          (long long)otok_sim_iteration(through), (long long)end);

    for (int n = 0; n < restarts; n++) {
        const int64_t fixed[] = {0, 1, 40, 65, 70, 85, 120, end};
        const int64_t at = n < 8 ? fixed[n] : (int64_t)(scene_random(&seed) * (float)end);
        char how[64];
        snprintf(how, sizeof how, "restart at %lld", (long long)at);
        again = scene_sim(s, backend);
        MUST(otok_sim_run(again, at));
        MUST(otok_sim_save(again, file));
        otok_sim_destroy(again);
        again = scene_sim(s, backend);
        MUST(otok_sim_load(again, file));
        CHECK(otok_sim_iteration(again) == at, "loaded iteration %lld, saved %lld",
              (long long)otok_sim_iteration(again), (long long)at);
        MUST(otok_sim_run(again, end - at));
        scene_check_same(through, again, how);
        otok_sim_destroy(again);
    }

    otok_scenario *other =
        scene_load(words, (const char *const[]){"phases.rain.hydraulic.dt=0.06"}, 1);
    MUST(otok_sim_create(&again, other, backend));
    CHECK(otok_sim_load(again, file) == OTOK_DATA && strstr(otok_why(), "hydraulic.dt"),
          "a changed scenario: %s", otok_why());
    otok_sim_destroy(again);
    otok_scenario_destroy(s); /* which `through` still uses */
    scene_destroy(through, other);
    unlink(file);
    rmdir(path);
}

/* A checkpoint whose scenario lacks a key, as one of an older build does, goes on if the key has
   its default; else the difference is named. */
static void check_older(const char *backend, const char *set, const char *differs)
{
    char file[] = "/tmp/otok-older-XXXXXX";
    otok_snapshot older = {0};
    otok_scenario *s = scene_load(momentum, set ? &set : NULL, set ? 1 : 0);
    otok_sim *sim = scene_sim(s, backend), *again = scene_sim(s, backend);
    close(mkstemp(file));
    MUST(otok_sim_run(sim, 60));
    MUST(otok_sim_save(sim, file));
    MUST(otok_checkpoint_read(&older, file));
    for (char *key; (key = strstr(older.scenario, "      bed_steps: "));)
        memmove(key, strchr(key, '\n') + 1, strlen(strchr(key, '\n')));
    CHECK(!strstr(older.scenario, "bed_steps"), "the key is still there");
    if (differs)
        CHECK(otok_sim_restore(again, &older, file) == OTOK_DATA && strstr(otok_why(), differs),
              "%s: %s", set, otok_why());
    else {
        int noted = 0;
        MUST(otok_sim_restore(again, &older, file));
        for (int n = 0; otok_sim_note_at(again, n); n++)
            noted |= strstr(otok_sim_note_at(again, n), "bed_steps: \"critical\" here") != NULL;
        CHECK(noted, "no note of a key that an older build did not know");
        MUST(otok_sim_run(again, 40));
        MUST(otok_sim_run(sim, 40));
        const uint64_t before = scene_fingerprint(sim), after = scene_fingerprint(again);
        CHECK(before == after, "an older checkpoint: %016llx, not %016llx",
              (unsigned long long)after, (unsigned long long)before);
    }
    otok_snapshot_destroy(&older);
    otok_sim_destroy(again);
    scene_destroy(sim, s);
    unlink(file);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    char text[sizeof scenario + sizeof varied + sizeof layers];
    check(backend, scenario, 12);
    check(backend, converging, 5);
    check(backend, momentum, 5);
    check(backend, island, 6);
    check_older(backend, NULL, NULL);
    check_older(backend, "phases.local.hydraulic.bed_steps=smooth",
                "phases.local.hydraulic.bed_steps: \"smooth\" here, \"critical\" there");
    snprintf(text, sizeof text, "%s%s", scenario, varied);
    check(backend, text, 5);
    strcat(text, layers);
    char *drops = strstr(text, "  - {name: drops"),
         *next = strchr(drops, '\n') + 1; /* which know no layers */
    memmove(drops, next, strlen(next) + 1);
    check(backend, text, 5);
    return check_failures != 0;
}
