/* states.h: random states, schedules and programs for the phases of phases.h. */
#ifndef OTOK_STATES_H
#define OTOK_STATES_H

#include "core/walls.h"
#include "model/dither.h"
#include "phases.h"

#include <stdlib.h>

#define RISE (0x100005a1p6 * 0x1p-39) /* [s], at 1 m/s; a number that can be scaled */

/* Marsaglia's xorshift; 0 <= x < 1. */
static float draw(uint32_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 17;
    *x ^= *x << 5;
    return (float)(*x >> 8) * 0x1p-24f;
}

/* Walls, as OTOK_WALLS has them, in three of ten cells, wherever chance puts them. */
static inline void place_walls(float *walls, int nx, int ny, const int *edge, uint32_t seed)
{
    int64_t *runs = malloc((size_t)nx * (size_t)ny * 2 * sizeof *runs), n = 0;
    uint32_t x = 2463534242u + seed;
    for (int c = 0; runs && c < nx * ny; c++)
        if (draw(&x) < 0.3f) runs[2 * n] = c, runs[2 * n++ + 1] = 1;
    CHECK(runs, "no memory for walls");
    if (runs) otok_walls_map(walls, nx, ny, runs, n, edge);
    free(runs);
}

/* Does the flow in this direction from cell n go into a wall? */
static inline int is_blocked(const float *walls, int nx, int ny, const int *edge, int buffer, int n)
{
    static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
    const int dam = buffer >= OTOK_DAM_RIGHT && buffer <= OTOK_DAM_PART_TOP;
    if (!dam && (buffer < OTOK_OUTFLOW_LEFT || buffer > OTOK_OUTFLOW_TOP)) return 0;
    const int up = buffer == OTOK_DAM_TOP || buffer == OTOK_DAM_PART_TOP;
    const int side = !dam ? buffer - OTOK_OUTFLOW_LEFT : up ? OTOK_TOP : OTOK_RIGHT;
    const int i = otok_beside(n % nx + dx[side], nx, edge[OTOK_LEFT] == OTOK_PERIODIC),
              j = otok_beside(n / nx + dy[side], ny, edge[OTOK_BOTTOM] == OTOK_PERIODIC);
    return walls[j * nx + i] == OTOK_IN_WALL;
}

static float value(int buffer, uint32_t *x)
{
    const float a = draw(x), b = draw(x);
    switch (buffer) {
    case OTOK_TERRAIN_BASE: return 20 * a;
    case OTOK_TERRAIN_CHANGE: return 2 * a - 1;
    case OTOK_WATER:
        return b < 0.3f   ? 0
               : b < 0.4f ? 1e-7f * a
               : b < 0.5f ? 1e-40f * a
                          : a; /* denormals too: long dry spells end there */
    case OTOK_SEDIMENT: return b < 0.2f ? 0 : 0.1f * a;
    case OTOK_OUTFLOW_LEFT:
    case OTOK_OUTFLOW_RIGHT:
    case OTOK_OUTFLOW_BOTTOM:
    case OTOK_OUTFLOW_TOP: return b < 0.3f ? 0 : 0.3f * a;
    case OTOK_VELOCITY_X:
    case OTOK_VELOCITY_Y: return 4 * a - 2;
    case OTOK_CARBON: return 0.5f * a;
    case OTOK_REEF:
    case OTOK_REEF_SECOND:
    case OTOK_REEF_THIRD: return 2 * a;
    case OTOK_RECEIVER: return 8;
    case OTOK_MAP_ERODIBILITY: return b < 0.2f ? 0 : 0.1f * a;
    case OTOK_REEF_TIME:
    case OTOK_ARRIVED:
    case OTOK_PEAKED:
    case OTOK_DURATION:
    case OTOK_MAX_DEPTH:
    case OTOK_MAX_SPEED:
    case OTOK_MAX_DEPTH_SPEED: return b < 0.3f ? 0 : a;
    case OTOK_PEAK_LEVEL: return 20 * a;
    case OTOK_CHANGE_BY_WATER:
    case OTOK_CHANGE_BY_SLIDES:
    case OTOK_CHANGE_BY_UPLIFT:
    case OTOK_CHANGE_BY_WAVES:
    case OTOK_CHANGE_BY_SEABED: return 8 * a - 4;
    case OTOK_EXPOSURE: return a;
    case OTOK_WAVE_LOSS: return 0.02f * a;
    case OTOK_WAVE_X:
    case OTOK_WAVE_Y: return 2 * a - 1;
    case OTOK_MAP_RAIN: return b < 0.3f ? 0 : 3 * a;
    case OTOK_MAP_UPLIFT: return floorf(4 * a) - 1; /* times RISE, it can be scaled */
    case OTOK_MAP_MANNING: return b < 0.2f ? 0 : 1e-3f * a;
    case OTOK_INFILTRATED: return b < 0.3f ? 0 : 0.1f * a;
    case OTOK_MAP_CONDUCTIVITY: return b < 0.2f ? 0 : 1e-4f * a;
    case OTOK_MAP_SUCTION: return b < 0.2f ? 0 : 0.1f * a;
    case OTOK_SPRINGS: return b < 0.7f ? 0 : 0.02f * a;
    case OTOK_SPRING_OF: return floorf(4 * a);
    case OTOK_DAM_RIGHT:
    case OTOK_DAM_TOP: return b < 0.7f ? 0 : 1 + floorf(2 * a);
    case OTOK_DAM_PART_RIGHT:
    case OTOK_DAM_PART_TOP: return 0.75f + 0.25f * a;
    case OTOK_WETNESS: return floorf(256 * a);
    case OTOK_ERODIBILITY: return 2 * a;
    case OTOK_LAYER_BOTTOM:
        return 0.6f + 0.3f * a; /* in some cells the ground is below it: no soil there */
    case OTOK_LAYER_BOTTOM + 1: return 0.3f + 0.3f * a;
    default:
        if (buffer >= OTOK_MAPS) return a;
        return NAN; /* scratch: whoever reads before writing shows it */
    }
}

/* The schedule of every run: rain in two of three iterations, coarse in some depths or in few;
   a sea that rises or falls, batches of droplets, 0.03 s of uplift. A value that nothing is said of
   is the number of the step. */
static void describe_steps(otok_step steps[STEPS])
{
    for (int n = 0; n < STEPS; n++)
        steps[n] = (otok_step){.rain = n % 3 == 1 ? 1e-4f
                                       : n % 3    ? 3e-8f
                                                  : 0,
                               .phase = 12345 + OTOK_DITHER_ITERATION * (uint32_t)n,
                               .sea = 10 + 0.25f * (float)n,
                               .sea_to = 10.25f + 0.25f * (float)n - (float)(n % 3 / 2),
                               .first_droplet = INT64_C(1) << (8 * n),
                               .droplets = n ? BATCH - 100 * n : BATCH,
                               .uplift_from = n * RISE,
                               .uplift_to = (n + 1) * RISE,
                               .turns = n == 0,
                               .levels = {9, 10.5f, 11 - (float)n, 8 + (float)n},
                               .enters = {2, 3, 0.5f + (float)n, 1},
                               .rivers = {{1, 0.5f * (float)n, 0.3f + (float)n, 10},
                                          {0, 5.0f / 3, 1.5f, -1},
                                          {0, NAN, 10}},
                               .crests = {10, 10.5f + 0.5f * (float)n},
                               .waves = n % 3 == 0 || n == 1,
                               .begin = 0.5f + (float)(n * n),
                               .end = 0.5f + (float)((n + 1) * (n + 1)),
                               .iteration = 283 + n,
                               .draw = 0x9e3779b9u,
                               .drains = n % 2 ? 15 : 5,
                               .held = n % 2 ? 15 : 5,
                               .rainfall = n % 2 ? 0.75f : 1.0f};
#define OTOK_ROW(type, member, unit)                                                               \
    for (int n = 0, set = 0; n < 2 * STEPS; n++)                                                   \
        if (n < STEPS)                                                                             \
            set |= steps[n].member != 0;                                                           \
        else if (!set)                                                                             \
            steps[n - STEPS].member = (type)(n - STEPS + 1);
    OTOK_STEP_VALUES(OTOK_ROW)
#undef OTOK_ROW
}

/* The program, coefficients and buffers of a phase, over the ground in layers or over a plain
 * one.
 */
typedef struct prepared {
    otok_program program;
    otok_coefficients k;
    otok_set needed;
} prepared;

static void prepare(prepared *out, const otok_phase *phase, const otok_scenario *layers,
                    const int *edges, double spacing)
{
    MUST(otok_program_for_phase(&out->program, phase, edges));
    otok_coefficients_for_phase(&out->k, phase, spacing);
    out->needed = otok_program_all(&out->program, phase);
    if (!layers) return;
    const uint64_t fields = otok_scenario_ground(layers) | BIT(OTOK_ERODIBILITY);
    MUST(otok_program_layer(&out->program, fields, phase->name));
    otok_scenario there = *layers;
    there.grid.spacing = spacing;
    otok_coefficients_for_layers(&out->k, &there, phase);
    out->needed = otok_set_or(out->needed, otok_set_of(fields));
}

/* A sample of the state, as of a phase with these bounds of speed and depth. */
static otok_diagnostics_result diagnose(const otok_backend *backend, otok_patch *patch,
                                        const otok_phase *phase, otok_set needed)
{
    const otok_view *v = &patch->view;
    otok_diagnostics_request request = {.patch = patch, .fields = otok_set_fields(needed)};
    request.maps = (otok_diagnostics_maps){
        .nx = v->nx, .ny = v->ny, .flows = (phase->processes & OTOK_HYDRAULIC) != 0};
    request.maps.wrap_x = patch->edges[OTOK_LEFT] == OTOK_PERIODIC;
    request.maps.wrap_y = patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    request.maps.is_signed = phase->hydraulic.pipes == OTOK_SIGNED;
    request.maps.has_speeds = phase->hydraulic.law == OTOK_LAW_SHALLOW_WATER;
    request.maps.k = (otok_detect_coefficients){.arrived = 0.05f, .fast = 4.0f, .dry = 0.01f};
    MUST(backend->diagnose(patch, &request));
    return request.found;
}

/* Fills all ghosts of a new patch with NaN, so that reading one that was not renewed shows;
   those of flows stay 0, as created, because a side that does not wrap never renews them. A
   GPU's memory is out of reach here. */
static void poison(otok_patch *patch, const otok_backend *backend, otok_set needed)
{
#ifndef OTOK_CUDA_EMULATED
    if (strncmp(backend->name, "cuda", 4) == 0) return;
#endif
    (void)backend;
    const otok_view *v = &patch->view;
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        const int flows = (b >= OTOK_OUTFLOW_LEFT && b <= OTOK_OUTFLOW_TOP) ||
                          (b >= OTOK_FLUX_RIGHT && b <= OTOK_PIPE_TOP_RIGHT);
        for (int j = -1; j <= v->ny && !flows && otok_set_has(needed, b) && v->at[b]; j++)
            for (int i = -1; i <= v->nx; i += j < 0 || j == v->ny ? 1 : v->nx + 1)
                v->at[b][j * v->pitch + i] = NAN;
    }
}

#endif
