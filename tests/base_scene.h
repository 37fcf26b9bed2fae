/* base_scene.h: base terrains for tests, from generators written as C values. */
#ifndef BASE_SCENE_H
#define BASE_SCENE_H

#include "base/compile.h"
#include "check.h"
#include "model/base.h"

#include <math.h>

/* Generators by their parameters; name further members after them: CONE(120, 450, 1.6, NAN, NAN,
 * .combine = OTOK_MAX). */
#define CONSTANT(h, ...)                                                                           \
    {                                                                                              \
        .kind = OTOK_GEN_CONSTANT, .as.constant = {h}, __VA_ARGS__                                 \
    }
#define CONE(h, r, p, cx, cy, ...)                                                                 \
    {                                                                                              \
        .kind = OTOK_GEN_CONE, .as.cone = {h, r, p, cx, cy}, __VA_ARGS__                           \
    }
#define SIMPLEX(length, n, ...)                                                                    \
    {                                                                                              \
        .kind = OTOK_GEN_SIMPLEX, .as.simplex = {length, 2, 0.5, 1, n}, __VA_ARGS__                \
    }
#define BLEND(strength, reference, ...)                                                            \
    {                                                                                              \
        .kind = OTOK_GEN_POWER_BLEND, .as.power_blend = {strength, reference}, __VA_ARGS__         \
    }
#define CRATER(level, ...)                                                                         \
    {                                                                                              \
        .kind = OTOK_GEN_CRATER, .as.crater = {level}, __VA_ARGS__                                 \
    }

#define DIAMOND_SQUARE(lo, hi, k, ...)                                                             \
    {                                                                                              \
        .kind = OTOK_GEN_DIAMOND_SQUARE, .as.diamond_square = {                                    \
            .low = lo,                                                                             \
            .high = hi,                                                                            \
            .gain = k,                                                                             \
            .levels = __VA_ARGS__ + 0                                                              \
        }                                                                                          \
    }
#define FAULTS(h, s, f, n, ...)                                                                    \
    {                                                                                              \
        .kind = OTOK_GEN_FAULTS, .as.faults = {h, s, f, 0, n}, __VA_ARGS__                         \
    }
#define PLANET(h, far, n, ...)                                                                     \
    {                                                                                              \
        .kind = OTOK_GEN_PLANET, .as.faults = {h, 0, 0, far, n}, __VA_ARGS__                       \
    }

static inline otok_status scene_status(otok_base_plan *code, otok_grid grid, int64_t seed,
                                       otok_generator *base, int n)
{
    otok_scenario *scenario = calloc(1, sizeof *scenario);
    if (!scenario) exit(1);
    scenario->grid = grid;
    scenario->seed = seed;
    scenario->base = base;
    scenario->nbase = n;
    otok_base_plan_destroy(code);
    const otok_status status =
        otok_base_compile(scenario, (otok_box){0, (int)grid.nx, 0, (int)grid.ny}, code);
    free(scenario);
    return status;
}

/* The plan of a base that must compile; one at a time for each caller's `code`. */
static inline void scene(otok_base_plan *code, otok_grid grid, int64_t seed, otok_generator *base,
                         int n)
{
    MUST(scene_status(code, grid, seed, base, n));
}

/* Height of a cell of the terrain, for a plan that needs no maps. */
static inline float scene_cell(const otok_base_plan *code, int i, int j)
{
    if (code->nmaps) exit(1);
    return otok_base_cell(code, &code->passes[code->npasses - 1], i, j);
}

/* The whole terrain of a plan by a backend, in dense rows. */
static inline void scene_make(const otok_backend *backend, const otok_base_plan *plan, otok_box box,
                              float *map)
{
    double seconds;
    otok_patch patch = {
        .view = {.nx = box.x1 - box.x0, .ny = box.y1 - box.y0, .x0 = box.x0, .y0 = box.y0}};
    MUST(backend->create(&patch, otok_set_one(OTOK_TERRAIN_BASE), 1));
    MUST(backend->base(&patch, plan, &seconds));
    MUST(backend->get(&patch, OTOK_TERRAIN_BASE, map));
    CHECK(seconds > 0 && seconds < 1000, "the base took %g s", seconds);
    backend->destroy(&patch);
}

#endif
