/* ground.c: the ground at iteration 0 and its layers, as maps on the host. Runs do not use it.
   model/layers.h says what layers do. */
#include "../base/compile.h"
#include "../base/raster.h"
#include "../core/status.h"
#include "../model/common.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>

/* Two scratch maps. */
typedef struct desk {
    size_t cells;
    float *map, *other;
} desk;

otok_status otok_sim_evaluate(otok_sim *sim, const otok_scenario *scenario, const char *unit,
                              otok_georeference *georeference, double *seconds)
{
    otok_base_rasters rasters = {0};
    const otok_view *v = &sim->patch.view;
    otok_base_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain");
    otok_status status =
        otok_base_compile(scenario, (otok_box){v->x0, v->x0 + v->nx, v->y0, v->y0 + v->ny}, plan);
    if (status == OTOK_OK) status = otok_base_rasters_read(&rasters, scenario, unit, &sim->place);
    if (status == OTOK_OK) status = otok_base_plan_rasters(plan, rasters.maps, scenario->grid);
    if (status == OTOK_OK) status = sim->backend->base(otok_sim_patch(sim), plan, seconds);
    if (status == OTOK_STOPPED)
        OTOK_FAIL(status, "stopped while the base terrain was made; nothing was written");
    if (status == OTOK_OK && rasters.holes)
        status = otok_holes_join(&sim->holes, rasters.holes, (int64_t)otok_sim_cells(sim));
    *georeference = rasters.georeference;
    sim->filled += rasters.filled;
    sim->raster_cells += rasters.cells;
    rasters.georeference = (otok_georeference){0};
    otok_base_rasters_destroy(&rasters);
    otok_base_plan_destroy(plan);
    free(plan);
    return status;
}

static otok_status set_up(desk *d, const otok_sim *sim)
{
    d->cells = otok_sim_cells(sim);
    d->map = malloc(2 * d->cells * sizeof *d->map);
    d->other = d->map + d->cells;
    return d->map ? OTOK_OK
                  : OTOK_FAIL(OTOK_NOMEM, "no memory for two maps of %zu cells", d->cells);
}

static otok_status get_map(otok_sim *sim, int field, float *map)
{
    return sim->backend->get(otok_sim_patch(sim), field, map);
}

static otok_status put_map(otok_sim *sim, int field, const float *map)
{
    return sim->backend->put(otok_sim_patch(sim), field, map);
}

/* Makes the map of a pipeline; values below 0 count as 0. */
static otok_status make_map(otok_sim *sim, const otok_scenario *pipeline, int field, desk *d)
{
    otok_georeference georeference = {0};
    double seconds;
    const otok_status status =
        otok_sim_evaluate(sim, pipeline, otok_field_at(field)->unit, &georeference, &seconds);
    otok_georeference_destroy(&georeference);
    OTOK_TRY(status);
    OTOK_TRY(get_map(sim, OTOK_TERRAIN_BASE, d->map));
    size_t above = 0, below = 0;
    for (size_t n = 0; n < d->cells; n++) {
        above += d->map[n] > 0;
        below += d->map[n] < 0;
        d->map[n] = otok_positive(d->map[n]);
    }
    if (below && !above)
        OTOK_TRY(otok_sim_note(sim,
                               "%s: %s is above 0 nowhere; values below 0 count as 0. If its "
                               "raster is a depth (`positive: down`), turn its sign",
                               sim->scenario->path, otok_field_at(field)->name));
    return put_map(sim, field, d->map);
}

static otok_status make_all(otok_sim *sim, desk *d)
{
    otok_scenario pipeline;
    const otok_scenario *s = sim->scenario;
    for (int p = 1; p < otok_scenario_pipelines(s); p++)
        if (otok_scenario_pipeline(&pipeline, s, p) && otok_pipeline_buffer(s, p) < OTOK_STORED)
            OTOK_TRY(make_map(sim, &pipeline, otok_pipeline_buffer(s, p), d));
    return OTOK_OK;
}

static otok_status put_difference(otok_sim *sim, int layer, desk *d)
{
    for (size_t n = 0; n < d->cells; n++)
        d->map[n] -= d->other[n];
    return put_map(sim, OTOK_LAYER_BOTTOM + layer, d->map);
}

/* bottom = bottom of the layer above - thickness */
static otok_status bottoms_from_thicknesses(otok_sim *sim, desk *d)
{
    OTOK_TRY(get_map(sim, OTOK_TERRAIN_CHANGE, d->map));
    for (int i = 0; i < sim->scenario->nlayers - 1; i++) {
        OTOK_TRY(get_map(sim, OTOK_LAYER_BOTTOM + i, d->other));
        OTOK_TRY(put_difference(sim, i, d));
    }
    return OTOK_OK;
}

static otok_status thicknesses_from_bottoms(otok_sim *sim, desk *d)
{
    OTOK_TRY(get_map(sim, OTOK_TERRAIN_CHANGE, d->other));
    for (int i = 0; i < sim->scenario->nlayers - 1; i++) {
        OTOK_TRY(get_map(sim, OTOK_LAYER_BOTTOM + i, d->map));
        OTOK_TRY(put_difference(sim, i, d));
    }
    return OTOK_OK;
}

static otok_status with_buffers(otok_sim *sim, otok_status (*work)(otok_sim *, desk *), int wanted)
{
    desk d;
    if (!wanted) return OTOK_OK;
    OTOK_TRY(set_up(&d, sim));
    const otok_status status = work(sim, &d);
    free(d.map);
    return status;
}

otok_status otok_sim_ground(otok_sim *sim)
{
    return with_buffers(
        sim, make_all,
        (otok_scenario_ground(sim->scenario) | otok_scenario_initial(sim->scenario)) != 0);
}

otok_status otok_sim_lay_layers(otok_sim *sim)
{
    return with_buffers(sim, bottoms_from_thicknesses, sim->scenario->nlayers > 1);
}

otok_status otok_sim_lift_layers(otok_sim *sim)
{
    return with_buffers(sim, thicknesses_from_bottoms, sim->scenario->nlayers > 1);
}

otok_status otok_sim_thickness(otok_sim *sim, int layer, float *map)
{
    desk d;
    OTOK_TRY(set_up(&d, sim));
    otok_status status =
        get_map(sim, layer ? OTOK_LAYER_BOTTOM + layer - 1 : OTOK_TERRAIN_CHANGE, map);
    if (status == OTOK_OK) status = get_map(sim, OTOK_LAYER_BOTTOM + layer, d.other);
    for (size_t n = 0; n < d.cells && status == OTOK_OK; n++)
        map[n] -= d.other[n];
    free(d.map);
    return status;
}

otok_status otok_sim_take_layers(otok_sim *sim, const otok_snapshot *from, int *found)
{
    const otok_scenario *s = sim->scenario;
    int index[OTOK_MAX_LAYERS], next = 0, count = 0, ordered = 1;
    for (int i = 0; i < s->nlayers - 1; i++) {
        index[i] = -1;
        for (int j = 0; j < from->nlayers - 1; j++)
            if (strcmp(from->layers[j], s->layers[i].name) == 0) index[i] = j;
        ordered &= index[i] >= next;
        next = index[i] + 1;
        count += index[i] >= 0;
    }
    *found = count > 0;
    if (count && (!ordered || from->nlayers != s->nlayers))
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: initial.file %s has some of the scenario's layers, but not all of them, or "
            "others, or in another order; name all layers as there, or none of them",
            s->path, s->initial);
    for (int i = 0; i < s->nlayers - 1 && count; i++)
        OTOK_TRY(put_map(sim, OTOK_LAYER_BOTTOM + i, from->maps[OTOK_LAYER_BOTTOM + index[i]]));
    return OTOK_OK;
}
