/* walls.c: cells without data in a simulation: walls (core/walls.h). They hold a height, for
   pictures, and nothing else. */
#include "../core/walls.h"
#include "../base/raster.h"
#include "../core/status.h"
#include "../scenario/program.h"
#include "gauges.h"

#include <stdlib.h>

const otok_holes *otok_sim_holes(const otok_sim *sim)
{
    return &sim->holes;
}

int64_t otok_sim_open_cells(const otok_sim *sim)
{
    return (int64_t)otok_sim_cells(sim) - otok_holes_count(&sim->holes);
}

otok_status otok_sim_new_map(float **out, const otok_sim *sim)
{
    *out = malloc(otok_sim_cells(sim) * sizeof **out);
    return *out ? OTOK_OK
                : OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu cells", otok_sim_cells(sim));
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
    if (!sim->patch.ensemble)
        OTOK_TRY(sim->backend->extend(otok_sim_patch(sim), otok_set_one(OTOK_WALLS)));
    otok_set_add(&sim->buffers, OTOK_WALLS);
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

/* The cells without data along the open part of a side, and all cells there. */
static int64_t walled_of(int64_t *all, const otok_phase *p, otok_grid g, int side,
                         const otok_holes *walls)
{
    const int upright = side == OTOK_LEFT || side == OTOK_RIGHT;
    const int64_t start = side == OTOK_RIGHT ? g.nx - 1
                          : side == OTOK_TOP ? (g.ny - 1) * g.nx
                                             : 0,
                  step = upright ? g.nx : 1;
    int first, end;
    int64_t n = 0;
    otok_side_part(&first, &end, p, side, g);
    for (int k = first; k < end; k++)
        n += otok_holes_have(walls, start + k * step);
    *all = end - first;
    return n;
}

/* Water crosses a side that a phase says something about. */
static otok_status check_sides(const otok_scenario *s, const otok_phase *p, const otok_holes *walls)
{
    static const char *const names[] = {
        [OTOK_LEFT] = "left", [OTOK_RIGHT] = "right", [OTOK_BOTTOM] = "bottom", [OTOK_TOP] = "top"};
    for (int side = 0; side < OTOK_SIDES; side++) {
        int64_t all;
        const int64_t walled =
            otok_side_is_given(p, side) ? walled_of(&all, p, s->grid, side, walls) : 0;
        if (walled && walled == all)
            return OTOK_FAIL(OTOK_DATA,
                             "%s: phases.%s.sides: along the %s side are only cells without data, "
                             "which are walls, so no water crosses it; leave its keys out, or crop "
                             "the raster to its data",
                             s->path, p->name, names[side]);
        if (walled && (p->sides.discharge[side].n || p->sides.kind[side] == OTOK_RATING))
            return OTOK_FAIL(OTOK_DATA,
                             "%s: phases.%s.sides: %lld of %lld cells along the %s side have no "
                             "data and are walls, through which a share of the discharge would go; "
                             "write %s_from and %s_to of a part that has data",
                             s->path, p->name, (long long)walled, (long long)all, names[side],
                             names[side], names[side]);
    }
    return OTOK_OK;
}

otok_status otok_walls_check(const otok_scenario *s, const otok_holes *walls)
{
    OTOK_TRY(otok_springs_check(s, walls));
    OTOK_TRY(otok_gauges_check(s, walls));
    for (int p = 0; p < s->nphases && walls->n; p++)
        OTOK_TRY(check_sides(s, &s->phases[p], walls));
    return OTOK_OK;
}

otok_status otok_sim_put_walls(otok_sim *sim, int clears)
{
    float *map;
    OTOK_TRY(otok_springs_heed_walls(&sim->springs, sim->scenario, &sim->holes));
    if (otok_sim_open_cells(sim) > 0) OTOK_TRY(otok_walls_check(sim->scenario, &sim->holes));
    if (!sim->holes.n && !otok_set_has(sim->buffers, OTOK_WALLS)) {
        if (sim->patch.ensemble) /* which has room for walls, in case a member has some */
            sim->patch.view.at[OTOK_WALLS] = NULL;
        return OTOK_OK;
    }
    if (otok_sim_open_cells(sim) == 0)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: no cell of the grid has data, so that all are walls; move the grid "
                         "over the data, or write `fill` with a height",
                         sim->scenario->path);
    OTOK_TRY(otok_sim_new_map(&map, sim));
    const otok_status status = put(sim, map, clears);
    free(map);
    return status;
}
