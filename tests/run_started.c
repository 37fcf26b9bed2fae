/* run_started.c - claim: iterations that are started a few at a time, and not waited for, are those
   of calls that wait: across phases, and more than a backend takes at once. Whatever is read, set,
   changed, saved or loaded in between finds them done. (An emulated device is often busy, so that
   steps are put off.) */
#include "scene.h"

#include <otok_live.h>

enum { N = 24, DRY = 40, KINDS = 9 };

typedef struct seen {
    float map[N * N], cell[OTOK_FIELDS];
    uint64_t print;
    otok_ledger ledger;
} seen;

static otok_sim *begin(const otok_scenario *s, const char *backend)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_change(sim, "phases.dry.thermal.talus", "20"));
    return sim;
}

/* A lent field as it is; a GPU's cannot be read here. */
static void read_lent(otok_sim *sim, seen *out)
{
    otok_loan loan;
    MUST(otok_sim_lend(sim, OTOK_SEDIMENT, &loan));
#ifndef OTOK_CUDA_EMULATED
    if (loan.device >= 0) return;
#endif
    for (int j = 0; j < N; j++)
        memcpy(out->map + j * N, loan.data + j * loan.pitch, N * sizeof(float));
}

/* Goes back by a checkpoint, after iterations that do not count. */
static void restore_checkpoint(otok_sim *sim)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/otok-run-started-%d.vtkhdf", (int)getpid());
    MUST(otok_sim_save(sim, path));
    MUST(otok_sim_start(sim, 3));
    MUST(otok_sim_start(sim, 3));
    MUST(otok_sim_load(sim, path));
    unlink(path);
}

/* Does one thing of each kind; `kind` says which. */
static void do_one(otok_sim *sim, int n, int kind, seen *out)
{
    char rate[32];
    *out = (seen){0};
    for (int i = 0; i < N * N; i++)
        out->map[i] = 1e-3f * (float)((i * 7 + n) % 11);
    snprintf(rate, sizeof rate, "%g", 1e-3 + 1e-6 * n);
    if (kind == 0) MUST(otok_sim_get(sim, OTOK_WATER, out->map));
    if (kind == 1) MUST(otok_sim_cell(sim, n % N, n / 2 % N, out->cell));
    if (kind == 2) read_lent(sim, out);
    if (kind == 3) MUST(otok_sim_set(sim, OTOK_WATER, out->map));
    if (kind == 4) MUST(otok_sim_change(sim, "phases.wet.rain.rate", rate));
    if (kind == 5) restore_checkpoint(sim);
    if (kind == 6) MUST(otok_sim_measure(sim, &out->ledger, &out->print));
    if (kind == 7) MUST(otok_sim_pour(sim, 20, 20, 5, n % 2 ? 0.1 : 0));
    if (kind == 8) MUST(otok_sim_run(sim, 1));
}

static void compare(const seen found[2], int n, int kind)
{
    const seen *a = &found[0], *b = &found[1];
    CHECK(memcmp(a->map, b->map, sizeof a->map) == 0, "call %d, kind %d: maps differ", n, kind);
    CHECK(memcmp(a->cell, b->cell, sizeof a->cell) == 0, "call %d: cells differ", n);
    CHECK(a->print == b->print, "call %d: fingerprints %016llx and %016llx", n,
          (unsigned long long)a->print, (unsigned long long)b->print);
    CHECK(a->ledger.rain == b->ledger.rain && a->ledger.solid == b->ledger.solid,
          "call %d: rain %.17g and %.17g, solid %.17g and %.17g", n, a->ledger.rain, b->ledger.rain,
          a->ledger.solid, b->ledger.solid);
}

/* Likewise with a simulation that nothing has changed. */
static void check_unchanged(const otok_scenario *s, const char *backend)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_start(sim, 9));
    const uint64_t before = scene_fingerprint(sim);
    restore_checkpoint(sim);
    CHECK(scene_fingerprint(sim) == before && otok_sim_iteration(sim) == 9,
          "loaded at iteration %lld: another state", (long long)otok_sim_iteration(sim));
    otok_sim_destroy(sim);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const int wet = argc > 2 ? 300 : 4500, all = wet + DRY, longest = argc > 2 ? 9 : 70;
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\n"
                             "base: [{cone: {height: 30, radius: 20}}]\n"
                             "phases: [{name: wet, iterations: %d, rain: {rate: 0.001},\n"
                             "hydraulic: {dt: 0.05}}, {name: dry, iterations: %d, thermal: {}}]\n",
                             N, N, wet, DRY);
    otok_sim *sims[2] = {begin(s, backend), begin(s, backend)}; /* runs; starts */
    static seen found[2];
    for (int n = 1; otok_sim_iteration(sims[0]) < all; n++) {
        const int kind = n / 3 % (2 * KINDS); /* half the time nothing comes between */
        MUST(otok_sim_run(sims[0], n % longest));
        MUST(otok_sim_start(sims[1], n % longest));
        for (int i = 0; i < 2; i++)
            if (n % 3 == 0 && otok_sim_iteration(sims[i]) < wet)
                do_one(sims[i], n, kind, &found[i]);
        compare(found, n, kind);
        CHECK(otok_sim_iteration(sims[0]) == otok_sim_iteration(sims[1]), "call %d: at %lld, %lld",
              n, (long long)otok_sim_iteration(sims[0]), (long long)otok_sim_iteration(sims[1]));
    }
    MUST(otok_sim_wait(sims[1]));
    for (int i = 0; i < 2; i++)
        do_one(sims[i], 0, 6, &found[i]);
    compare(found, -1, 6);
    check_unchanged(s, backend);
    MUST(otok_sim_start(sims[0], 1)); /* at the end nothing is left to start */
    for (int i = 0; i < 2; i++)
        otok_sim_destroy(sims[i]);
    otok_scenario_destroy(s);
    return check_failures > 0;
}
