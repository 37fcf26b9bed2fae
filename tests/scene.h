/* scene.h: small scenarios for tests, from text. */
#ifndef OTOK_SCENE_H
#define OTOK_SCENE_H

#include "check.h"

#include <unistd.h>

/* Loads a scenario from YAML text, with overrides. */
static inline otok_status scene_try(otok_scenario **out, const char *text, const char *const *sets,
                                    int nsets)
{
    char path[] = "/tmp/otok-scene-XXXXXX.yaml";
    const int file = mkstemps(path, 5);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) {
        perror(path);
        exit(1);
    }
    close(file);
    const otok_status status = otok_scenario_load(out, path, sets, nsets);
    unlink(path);
    return status;
}

/* The same; the test ends if it cannot. */
static inline otok_scenario *scene_load(const char *text, const char *const *sets, int nsets)
{
    otok_scenario *scenario;
    MUST(scene_try(&scenario, text, sets, nsets));
    return scenario;
}

/* The same with one printf-like text and no overrides. */
__attribute__((format(printf, 1, 2))) static inline otok_scenario *scene(const char *format, ...)
{
    char text[8192];
    __builtin_va_list args;
    __builtin_va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    __builtin_va_end(args);
    return scene_load(text, NULL, 0);
}

/* A simulation at iteration 0; the test ends if there can be none. */
static inline otok_sim *scene_sim(const otok_scenario *scenario, const char *backend)
{
    otok_sim *sim;
    MUST(otok_sim_create(&sim, scenario, backend));
    return sim;
}

/* Sets the ground and the water on it. */
static inline void scene_set(otok_sim *sim, const float *ground, const float *water)
{
    MUST(otok_sim_set(sim, OTOK_TERRAIN, ground));
    MUST(otok_sim_set(sim, OTOK_WATER, water));
}

/* Runs on, and copies a field. */
static inline void scene_run(otok_sim *sim, int64_t iterations, otok_field field, float *map)
{
    MUST(otok_sim_run(sim, iterations));
    MUST(otok_sim_get(sim, field, map));
}

/* Another simulation in the same state, from a checkpoint. */
static inline otok_sim *scene_resume(otok_sim *from, const otok_scenario *scenario,
                                     const char *backend)
{
    char path[] = "/tmp/otok-scene-XXXXXX.vtkhdf";
    otok_sim *sim = scene_sim(scenario, backend);
    close(mkstemps(path, 7));
    MUST(otok_sim_save(from, path));
    MUST(otok_sim_load(sim, path));
    unlink(path);
    return sim;
}

static inline void scene_destroy(otok_sim *sim, otok_scenario *scenario)
{
    otok_sim_destroy(sim);
    otok_scenario_destroy(scenario);
}

/* The text makes no scenario, and the failure has these words. */
__attribute__((format(printf, 2, 3))) static inline void scene_refused(const char *words,
                                                                       const char *format, ...)
{
    char text[2048];
    otok_scenario *scenario = NULL;
    __builtin_va_list args;
    __builtin_va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    __builtin_va_end(args);
    CHECK(scene_try(&scenario, text, NULL, 0) == OTOK_DATA && strstr(otok_why(), words), "%s: %s",
          text, scenario ? "accepted" : otok_why());
    otok_scenario_destroy(scenario);
}

/* A reproducible value in [0, 1) for test maps, not the model's generator. */
static inline float scene_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (float)(*state >> 40) * 0x1p-24f;
}

/* A state and its ledger. */
typedef struct scene_end {
    uint64_t print;
    otok_ledger ledger;
} scene_end;

static inline scene_end scene_ended(otok_sim *sim)
{
    scene_end end;
    MUST(otok_sim_measure(sim, &end.ledger, &end.print));
    return end;
}

static inline uint64_t scene_fingerprint(otok_sim *sim)
{
    return scene_ended(sim).print;
}

static inline otok_ledger scene_ledger(otok_sim *sim)
{
    return scene_ended(sim).ledger;
}

static inline void scene_check_end(otok_sim *sim, const scene_end *expected, const char *how)
{
    const scene_end found = scene_ended(sim);
    CHECK(found.print == expected->print, "%s: %016llx, not %016llx", how,
          (unsigned long long)found.print, (unsigned long long)expected->print);
    CHECK(memcmp(&found.ledger, &expected->ledger, sizeof found.ledger) == 0,
          "%s: the ledgers differ", how);
}

/* Two simulations have the same state, ledger and clock. */
static inline void scene_check_same(otok_sim *a, otok_sim *b, const char *what)
{
    const scene_end expected = scene_ended(a);
    scene_check_end(b, &expected, what);
    CHECK(otok_sim_time(a) == otok_sim_time(b) && otok_sim_sea_level(a) == otok_sim_sea_level(b),
          "%s: clock or sea differ", what);
}

#endif
