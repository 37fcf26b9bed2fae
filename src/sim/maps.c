/* maps.c: copies whole fields of a simulation in and out; see otok.h. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static otok_status fill_map(otok_sim *sim, int buffer, float value)
{
    float *map;
    OTOK_TRY(otok_sim_new_map(&map, sim));
    for (size_t n = 0; n < otok_sim_cells(sim); n++)
        map[n] = value;
    otok_sim_clear_walls(sim, buffer, map);
    const otok_status status = sim->backend->put(otok_sim_patch(sim), buffer, map);
    free(map);
    return status;
}

int otok_sim_has(const otok_sim *sim, otok_field field)
{
    if (OTOK_GIVEN(sim)) return 0;
    if (field >= OTOK_LAYER && field <= OTOK_LAYER_LAST)
        field = (otok_field)(OTOK_LAYER_BOTTOM + (field - OTOK_LAYER));
    return field == OTOK_TERRAIN ||
           (field >= 0 && field < OTOK_STORED && (sim->fields >> field & 1));
}

static otok_status get_terrain(otok_sim *sim, float *map)
{
    float *change;
    OTOK_TRY(otok_sim_new_map(&change, sim));
    otok_status status = sim->backend->get(otok_sim_patch(sim), OTOK_TERRAIN_BASE, map);
    if (status == OTOK_OK)
        status = sim->backend->get(otok_sim_patch(sim), OTOK_TERRAIN_CHANGE, change);
    for (size_t n = 0; n < otok_sim_cells(sim) && status == OTOK_OK; n++)
        map[n] += change[n];
    free(change);
    return status;
}

static otok_status fail_field(otok_field field)
{
    return OTOK_FAIL(OTOK_USAGE, "field %s is not part of this simulation",
                     field < OTOK_FIELDS ? otok_field_at((int)field)->name : "?");
}

otok_status otok_sim_get(otok_sim *sim, otok_field field, float *map)
{
    OTOK_TRY(OTOK_GIVEN(sim, map));
    OTOK_ROUNDING;
    if (field == OTOK_TERRAIN) return get_terrain(sim, map);
    if (!otok_sim_has(sim, field)) return fail_field(field);
    if (field >= OTOK_LAYER && field <= OTOK_LAYER_LAST)
        return otok_sim_thickness(sim, field - OTOK_LAYER, map);
    return sim->backend->get(otok_sim_patch(sim), (int)field, map);
}

/* No flow passes a closed side, whatever the map says. */
static otok_status set_outflow(otok_sim *sim, int field, const float *map)
{
    const int side = field - OTOK_OUTFLOW_LEFT, nx = (int)sim->scenario->grid.nx,
              ny = (int)sim->scenario->grid.ny;
    if (sim->scenario->edges[side] != OTOK_CLOSED)
        return sim->backend->put(otok_sim_patch(sim), field, map);
    float *copy;
    OTOK_TRY(otok_sim_new_map(&copy, sim));
    memcpy(copy, map, otok_sim_cells(sim) * sizeof *copy);
    if (side == OTOK_LEFT || side == OTOK_RIGHT)
        for (int j = 0; j < ny; j++)
            copy[(size_t)j * (size_t)nx + (side == OTOK_LEFT ? 0 : (size_t)nx - 1)] = 0.0f;
    else
        memset(copy + (side == OTOK_BOTTOM ? 0 : (size_t)(ny - 1) * (size_t)nx), 0,
               (size_t)nx * sizeof *copy);
    const otok_status status = sim->backend->put(otok_sim_patch(sim), field, copy);
    free(copy);
    return status;
}

/* Depths and factors are not negative; flows and heights may be. */
static otok_status check_values(const otok_sim *sim, int field, const float *map)
{
    const int positive = field == OTOK_WATER || field == OTOK_SEDIMENT || field == OTOK_CARBON ||
                         field == OTOK_ERODIBILITY || field == OTOK_ROAD;
    for (size_t i = 0; i < otok_sim_cells(sim); i++) {
        if (isfinite(map[i]) && (!positive || map[i] >= 0)) continue;
        return OTOK_FAIL(OTOK_DATA, "%s: %g in cell (%zu, %zu); allowed: %s",
                         otok_field_at(field)->name, (double)map[i],
                         i % (size_t)sim->scenario->grid.nx, i / (size_t)sim->scenario->grid.nx,
                         positive ? "finite numbers, at least 0" : "finite numbers");
    }
    return OTOK_OK;
}

static otok_status set_field(otok_sim *sim, otok_field field, const float *map)
{
    if (field == OTOK_TERRAIN) {
        OTOK_TRY(otok_sim_lift_layers(sim));
        OTOK_TRY(sim->backend->put(otok_sim_patch(sim), OTOK_TERRAIN_BASE, map));
        return fill_map(sim, OTOK_TERRAIN_CHANGE, 0.0f);
    }
    if (!otok_sim_has(sim, field) || (field >= OTOK_LAYER && field <= OTOK_LAYER_LAST))
        return fail_field(field);
    for (size_t i = 0; field == OTOK_WETNESS && i < otok_sim_cells(sim); i++)
        if (!(map[i] >= 0 && map[i] <= 255))
            return OTOK_FAIL(OTOK_DATA, "wetness[%zu] is %g; it counts from 0 to 255", i,
                             (double)map[i]);
    if (field >= OTOK_OUTFLOW_LEFT && field <= OTOK_OUTFLOW_TOP)
        return set_outflow(sim, (int)field, map);
    return sim->backend->put(otok_sim_patch(sim), (int)field, map);
}

/* Walls stay empty, whatever the map says. */
static otok_status set_between_walls(otok_sim *sim, otok_field field, const float *map)
{
    float *copy;
    if (!sim->holes.n || field >= OTOK_FIELDS) return set_field(sim, field, map);
    OTOK_TRY(otok_sim_new_map(&copy, sim));
    memcpy(copy, map, otok_sim_cells(sim) * sizeof *copy);
    otok_sim_clear_walls(sim, (int)field, copy);
    const otok_status status = set_field(sim, field, copy);
    free(copy);
    return status;
}

otok_status otok_sim_set(otok_sim *sim, otok_field field, const float *map)
{
    OTOK_TRY(OTOK_GIVEN(sim, map));
    OTOK_ROUNDING;
    if (otok_field_at((int)field) && field != OTOK_WETNESS)
        OTOK_TRY(check_values(sim, (int)field, map));
    OTOK_TRY(set_between_walls(sim, field, map));
    sim->is_handed |= sim->iteration > 0;
    return sim->is_opened && sim->iteration == 0 ? otok_sim_open_ledger(sim) : OTOK_OK;
}

otok_status otok_sim_initial_carbon(otok_sim *sim, const otok_scenario *s)
{
    const double carbon = otok_scenario_carbon(s);
    if (otok_scenario_initial(s) & BIT(OTOK_CARBON) || isnan(carbon)) return OTOK_OK;
    return fill_map(sim, OTOK_CARBON, (float)carbon);
}
