/* pipes.c: converts flows from one kind of pipes to the other, at the beginning of a phase whose
   pipes differ from those of the hydraulic phase before, and of a scenario that begins with a
   checkpoint. Momentum is kept: a signed pipe carries the difference of two one-way pipes. It
   runs on the host, once a phase. */
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
    otok_status status = OTOK_OK;
    for (int side = 0; side < 4 && status == OTOK_OK; side++) {
        const int field = OTOK_OUTFLOW_LEFT + side;
        maps[side] = memory + (size_t)side * cells;
        if (given && given[side]) memcpy(maps[side], given[side], cells * sizeof *memory);
        if (!given && (sim->fields & BIT(field)))
            status = sim->backend->get(otok_sim_patch(sim), field, maps[side]);
    }
    if (status == OTOK_OK) convert(maps, sim->scenario, kind);
    for (int side = 0; side < 4 && status == OTOK_OK; side++)
        if (sim->fields & BIT(OTOK_OUTFLOW_LEFT + side))
            status = otok_sim_set(sim, (otok_field)(OTOK_OUTFLOW_LEFT + side), maps[side]);
    free(memory);
    return status;
}

otok_status otok_sim_enter(otok_sim *sim, int phase)
{
    const int kind = otok_pipes_of_phase(sim->scenario, phase),
              before = otok_scenario_flow_kind(sim->scenario, sim->iteration);
    return kind >= 0 && before >= 0 && kind != before ? otok_sim_set_pipes(sim, NULL, kind)
                                                      : OTOK_OK;
}
