/* pipes.c: converts the flows of a checkpoint with which a scenario begins to the kind of pipes of
   the scenario. Momentum is kept: a signed pipe carries the difference of two one-way pipes. */
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>

/* The pipes of one row or column, whose cells are `step` apart: `ahead` to the next cell, `back`
   to the one before. Flows that are already of the wanted kind stay as they are, so the caller
   need not know their kind. */
static void convert_line(float *ahead, float *back, int n, size_t step, int kind, int periodic,
                         int open_start)
{
    for (int i = 0; i < n; i++) {
        float *here = ahead + (size_t)i * step;
        float *other = i + 1 < n ? back + (size_t)(i + 1) * step : periodic ? back : NULL;
        if (kind == OTOK_SIGNED && other) *here -= *other;
        if (kind == OTOK_ONE_WAY && *here < 0) {
            if (other) *other -= *here;
            *here = 0.0f;
        }
    }
    for (int i = open_start ? 1 : 0; i < n && kind == OTOK_SIGNED; i++)
        back[(size_t)i * step] = 0.0f;
}

static void convert(float *const *maps, const otok_scenario *s, int kind)
{
    const int nx = (int)s->grid.nx, ny = (int)s->grid.ny, *edges = s->edges;
    float *left = maps[0], *right = maps[1], *bottom = maps[2], *top = maps[3];
    for (size_t j = 0; j < (size_t)ny; j++)
        convert_line(right + j * (size_t)nx, left + j * (size_t)nx, nx, 1, kind,
                     edges[OTOK_LEFT] == OTOK_PERIODIC, edges[OTOK_LEFT] == OTOK_OPEN);
    for (int i = 0; i < nx; i++)
        convert_line(top + i, bottom + i, ny, (size_t)nx, kind, edges[OTOK_BOTTOM] == OTOK_PERIODIC,
                     edges[OTOK_BOTTOM] == OTOK_OPEN);
}

otok_status otok_sim_set_pipes(otok_sim *sim, float *const *given, int kind)
{
    const size_t cells = otok_sim_cells(sim);
    float *memory = calloc(4 * cells, sizeof *memory), *maps[4];
    if (!memory) return OTOK_FAIL(OTOK_NOMEM, "no memory for the flow through the pipes");
    for (int side = 0; side < 4; side++) {
        maps[side] = memory + (size_t)side * cells;
        if (given[side]) memcpy(maps[side], given[side], cells * sizeof *memory);
    }
    convert(maps, sim->scenario, kind);
    otok_status status = OTOK_OK;
    for (int side = 0; side < 4 && status == OTOK_OK; side++)
        if (sim->fields & BIT(OTOK_OUTFLOW_LEFT + side))
            status = otok_sim_set(sim, (otok_field)(OTOK_OUTFLOW_LEFT + side), maps[side]);
    free(memory);
    return status;
}
