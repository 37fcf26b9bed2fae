/* base_scene.h: base terrains for tests, from generators written as C values. */
#ifndef BASE_SCENE_H
#define BASE_SCENE_H

#include "base/compile.h"
#include "check.h"

#include <math.h>

/* Generators by their parameters; name further members after them: CONE(120, 450, 1.6, NAN, NAN, .combine = OTOK_MAX). */
#define CONSTANT(h, ...)                                                                                                           \
    {                                                                                                                              \
        .kind = OTOK_GEN_CONSTANT, .as.constant = {h}, __VA_ARGS__                                                                 \
    }
#define CONE(h, r, p, cx, cy, ...)                                                                                                 \
    {                                                                                                                              \
        .kind = OTOK_GEN_CONE, .as.cone = {h, r, p, cx, cy}, __VA_ARGS__                                                           \
    }
#define SIMPLEX(length, n, ...)                                                                                                    \
    {                                                                                                                              \
        .kind = OTOK_GEN_SIMPLEX, .as.simplex = {length, 2, 0.5, 1, n}, __VA_ARGS__                                                \
    }
#define BLEND(strength, reference, ...)                                                                                            \
    {                                                                                                                              \
        .kind = OTOK_GEN_POWER_BLEND, .as.power_blend = {strength, reference}, __VA_ARGS__                                         \
    }
#define CRATER(level, ...)                                                                                                         \
    {                                                                                                                              \
        .kind = OTOK_GEN_CRATER, .as.crater = {level}, __VA_ARGS__                                                                 \
    }

static inline otok_status scene_status(otok_base_code *code, otok_grid grid, int64_t seed, otok_generator *base, int n)
{
    otok_scenario *scenario = calloc(1, sizeof *scenario);
    if (!scenario) exit(1);
    scenario->grid = grid;
    scenario->seed = seed;
    scenario->base = base;
    scenario->nbase = n;
    const otok_status status = otok_base_compile(scenario, code);
    free(scenario);
    return status;
}

/* Code of a base that must compile; one at a time for each caller's `code`. */
static inline void scene(otok_base_code *code, otok_grid grid, int64_t seed, otok_generator *base, int n)
{
    MUST(scene_status(code, grid, seed, base, n));
}

#endif
