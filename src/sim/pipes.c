/* pipes.c: converts the flows of a checkpoint with which a scenario begins to what the scenario
   keeps. Momentum is kept: a signed pipe carries the difference of two one-way pipes. A speed is
   that of the flow at the depth of the face. */
#include "../model/pipes.h"
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The faces of one row or column, whose cells are `step` apart: `ahead` to the next cell, `back`
   to the one before. */
typedef struct line {
    float *ahead, *back;
    const float *h, *d;
    int n, periodic, open_start;
    size_t step;
} line;

/* Makes pipes of another kind. Flows that are already of the wanted kind stay as they are, so the
   caller need not know their kind. */
static void convert_pipes(const line *l, int kind)
{
    for (int i = 0; i < l->n; i++) {
        float *here = l->ahead + (size_t)i * l->step;
        float *other = i + 1 < l->n  ? l->back + (size_t)(i + 1) * l->step
                       : l->periodic ? l->back
                                     : NULL;
        if (kind != OTOK_ONE_WAY && other) *here -= *other;
        if (kind == OTOK_ONE_WAY && *here < 0) {
            if (other) *other -= *here;
            *here = 0.0f;
        }
    }
    for (int i = l->open_start ? 1 : 0; i < l->n && kind != OTOK_ONE_WAY; i++)
        l->back[(size_t)i * l->step] = 0.0f;
}

/* The depth at the face after cell i; before cell 0 for i = -1. Beyond a side it is dry. */
static float face_depth(const line *l, int i)
{
    const size_t a = (size_t)(i < 0 ? 0 : i) * l->step, b = (size_t)(i + 1 < l->n  ? i + 1
                                                                     : l->periodic ? 0
                                                                                   : i) *
                                                            l->step;
    const otok_column here = {l->h[a], l->d[a]},
                      next = {l->h[b], i >= 0 && (b != a || l->periodic) ? l->d[b] : 0.0f};
    return otok_face_depth(here, next);
}

/* A speed to the flow through the face of a cell of size `spacing`, or that flow to the speed,
   which is at most `most`. */
static float converted(float value, float depth, int to_speed, double spacing, double most)
{
    if (!to_speed) return (float)(spacing * (double)depth * (double)value);
    if (!(depth > 0)) return 0.0f;
    const double speed = (double)value / (spacing * (double)depth);
    return (float)fmax(-most, fmin(most, speed));
}

static void convert_speeds(const line *l, int to_speed, double spacing, double most)
{
    if (l->open_start)
        l->back[0] = converted(l->back[0], face_depth(l, -1), to_speed, spacing, most);
    for (int i = 0; i < l->n; i++) {
        float *here = l->ahead + (size_t)i * l->step;
        *here = converted(*here, face_depth(l, i), to_speed, spacing, most);
    }
}

/* The time step of the first phase with water. */
static double first_step(const otok_scenario *s)
{
    int p = 0;
    while (p < s->nphases - 1 && !(s->phases[p].processes & OTOK_HYDRAULIC))
        p++;
    return s->phases[p].hydraulic.dt;
}

/* maps: the flows, then the ground and the water. */
static void convert(float *const *maps, const otok_scenario *s, int kind, int has_speeds)
{
    const int nx = (int)s->grid.nx, ny = (int)s->grid.ny, *edges = s->edges;
    const double spacing = s->grid.spacing, most = spacing / first_step(s);
    for (int n = 0; n < nx + ny; n++) {
        const int up = n >= ny, first = up ? OTOK_BOTTOM : OTOK_LEFT;
        const size_t at = up ? (size_t)(n - ny) : (size_t)n * (size_t)nx;
        const line l = {.ahead = maps[first + 1] + at,
                        .back = maps[first] + at,
                        .h = maps[OTOK_SIDES] + at,
                        .d = maps[OTOK_SIDES + 1] + at,
                        .n = up ? ny : nx,
                        .periodic = edges[first] == OTOK_PERIODIC,
                        .open_start = edges[first] == OTOK_OPEN,
                        .step = up ? (size_t)nx : 1};
        if (has_speeds && kind != OTOK_SPEEDS) convert_speeds(&l, 0, spacing, most);
        if (!has_speeds || kind != OTOK_SPEEDS) convert_pipes(&l, kind);
        if (!has_speeds && kind == OTOK_SPEEDS) convert_speeds(&l, 1, spacing, most);
    }
}

otok_status otok_sim_set_pipes(otok_sim *sim, const otok_snapshot *from, int kind)
{
    const size_t cells = otok_sim_cells(sim);
    float *memory = calloc((OTOK_SIDES + 2) * cells, sizeof *memory), *maps[OTOK_SIDES + 2];
    if (!memory) return OTOK_FAIL(OTOK_NOMEM, "no memory for the flow through the pipes");
    for (int n = 0; n < OTOK_SIDES + 2; n++)
        maps[n] = memory + (size_t)n * cells;
    for (int side = 0; side < OTOK_SIDES; side++)
        if (from->maps[OTOK_OUTFLOW_LEFT + side])
            memcpy(maps[side], from->maps[OTOK_OUTFLOW_LEFT + side], cells * sizeof *memory);
    otok_status status = otok_sim_get(sim, OTOK_TERRAIN, maps[OTOK_SIDES]);
    if (status == OTOK_OK) status = otok_sim_get(sim, OTOK_WATER, maps[OTOK_SIDES + 1]);
    if (status == OTOK_OK) convert(maps, sim->scenario, kind, from->speeds);
    for (int side = 0; side < OTOK_SIDES && status == OTOK_OK; side++)
        if (sim->fields & BIT(OTOK_OUTFLOW_LEFT + side))
            status = otok_sim_set(sim, (otok_field)(OTOK_OUTFLOW_LEFT + side), maps[side]);
    free(memory);
    return status;
}
