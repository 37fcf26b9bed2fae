/* walls.c: cells without data in a simulation: walls (core/walls.h). They hold a height, for
   pictures, and nothing else. */
#include "../core/walls.h"
#include "../base/raster.h"
#include "../core/status.h"
#include "sim.h"

#include <stdlib.h>

static otok_status new_map(float **out, const otok_sim *sim)
{
    *out = malloc(otok_sim_cells(sim) * sizeof **out);
    return *out ? OTOK_OK
                : OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu cells", otok_sim_cells(sim));
}

const otok_holes *otok_sim_holes(const otok_sim *sim)
{
    return &sim->holes;
}

int64_t otok_sim_open_cells(const otok_sim *sim)
{
    return (int64_t)otok_sim_cells(sim) - otok_holes_count(&sim->holes);
}

void otok_sim_walls(const otok_sim *sim, float *out)
{
    const otok_grid g = sim->scenario->grid;
    otok_walls_map(out, g.nx, g.ny, sim->holes.runs, sim->holes.n, sim->scenario->edges);
}

/* The cell beside cell n in the direction of a side, or n itself beyond a side that does not
   wrap. */
static int64_t beside(const otok_sim *sim, int64_t n, int side)
{
    const int nx = (int)sim->scenario->grid.nx, ny = (int)sim->scenario->grid.ny;
    const int dx = (side == OTOK_RIGHT) - (side == OTOK_LEFT),
              dy = (side == OTOK_TOP) - (side == OTOK_BOTTOM);
    const int i = otok_beside((int)(n % nx) + dx, nx, sim->scenario->edges[side] == OTOK_PERIODIC),
              j = otok_beside((int)(n / nx) + dy, ny, sim->scenario->edges[side] == OTOK_PERIODIC);
    return (int64_t)j * nx + i;
}

void otok_sim_clear_walls(const otok_sim *sim, int field, float *map)
{
    const otok_holes *h = &sim->holes;
    if (field == OTOK_TERRAIN_BASE || field == OTOK_TERRAIN) return;
    for (int64_t r = 0; r < h->n; r++)
        for (int64_t n = h->runs[2 * r]; n < h->runs[2 * r] + h->runs[2 * r + 1]; n++) {
            map[n] = 0.0f;
            if (field >= OTOK_OUTFLOW_LEFT && field <= OTOK_OUTFLOW_TOP) /* nor into it */
                map[beside(sim, n, (field - OTOK_OUTFLOW_LEFT) ^ 1)] = 0.0f;
        }
}

/* Empties the walls. */
static otok_status clear_all(otok_sim *sim, float *map)
{
    for (int f = 0; f < OTOK_STORED; f++) {
        if (f == OTOK_TERRAIN_BASE || !(sim->fields >> f & 1)) continue;
        OTOK_TRY(sim->backend->get(otok_sim_patch(sim), f, map));
        otok_sim_clear_walls(sim, f, map);
        OTOK_TRY(sim->backend->put(otok_sim_patch(sim), f, map));
    }
    return OTOK_OK;
}

static otok_status put(otok_sim *sim, float *map, int clears)
{
    if (!sim->patch.ensemble) OTOK_TRY(sim->backend->extend(otok_sim_patch(sim), BIT(OTOK_WALLS)));
    sim->buffers |= BIT(OTOK_WALLS);
    otok_sim_walls(sim, map);
    OTOK_TRY(sim->backend->put(otok_sim_patch(sim), OTOK_WALLS, map));
    return clears ? clear_all(sim, map) : OTOK_OK;
}

/* May the scenario have cells without data? */
int otok_scenario_may_have_walls(const otok_scenario *s)
{
    otok_scenario pipeline;
    for (int p = 0; p < otok_scenario_pipelines(s); p++)
        if (otok_scenario_pipeline(&pipeline, s, p) && otok_pipeline_buffer(s, p) < OTOK_STORED &&
            otok_base_raster_count(pipeline.base, pipeline.nbase))
            return 1;
    return s->initial[0] != 0;
}

otok_status otok_sim_put_walls(otok_sim *sim, int clears)
{
    float *map;
    OTOK_TRY(otok_springs_heed_walls(&sim->springs, sim->scenario, &sim->holes));
    if (otok_sim_open_cells(sim) > 0) OTOK_TRY(otok_springs_check(sim->scenario, &sim->holes));
    if (!sim->holes.n && !(sim->buffers & BIT(OTOK_WALLS))) {
        if (sim->patch.ensemble) /* which has room for walls, in case a member has some */
            sim->patch.view.at[OTOK_WALLS] = NULL;
        return OTOK_OK;
    }
    if (otok_sim_open_cells(sim) == 0)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: no cell of the grid has data, so that all are walls; move the grid "
                         "over the data, or write `fill` with a height",
                         sim->scenario->path);
    OTOK_TRY(new_map(&map, sim));
    const otok_status status = put(sim, map, clears);
    free(map);
    return status;
}
