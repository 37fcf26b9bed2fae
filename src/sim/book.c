/* book.c: changes of ground and water from outside, that the ledger books; see otok.h. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>

/* Adds a map to a buffer, whose new values are in `now`; those of water are not below 0. */
static otok_status add(otok_sim *sim, int buffer, const float *map, float *now)
{
    OTOK_TRY(sim->backend->get(otok_sim_patch(sim), buffer, now));
    for (size_t n = 0; n < otok_sim_cells(sim); n++) {
        now[n] += map[n];
        if (buffer == OTOK_WATER && now[n] < 0.0f) now[n] = 0.0f;
    }
    otok_sim_clear_walls(sim, buffer == OTOK_WATER ? OTOK_WATER : OTOK_TERRAIN_CHANGE, now);
    return sim->backend->put(otok_sim_patch(sim), buffer, now);
}

/* No bottom of a layer lies above the ground. */
static otok_status cut_layers(otok_sim *sim, const float *ground)
{
    float *bottom;
    otok_status status = OTOK_OK;
    if (sim->scenario->nlayers < 2) return OTOK_OK;
    OTOK_TRY(otok_sim_new_map(&bottom, sim));
    for (int i = OTOK_LAYER_BOTTOM; i < OTOK_LAYER_BOTTOM + sim->scenario->nlayers - 1; i++) {
        if (status == OTOK_OK) status = sim->backend->get(otok_sim_patch(sim), i, bottom);
        if (status != OTOK_OK) break;
        for (size_t n = 0; n < otok_sim_cells(sim); n++)
            if (bottom[n] > ground[n]) bottom[n] = ground[n];
        status = sim->backend->put(otok_sim_patch(sim), i, bottom);
    }
    free(bottom);
    return status;
}

otok_status otok_sim_raise(otok_sim *sim, int buffer, const float *map)
{
    float *now;
    OTOK_TRY(otok_sim_new_map(&now, sim));
    otok_status status = add(sim, buffer, map, now);
    if (status == OTOK_OK && buffer == OTOK_TERRAIN_CHANGE) status = cut_layers(sim, now);
    free(now);
    return status;
}

static otok_status check_cells(otok_sim *sim, const char *name, const float *map,
                               const float *water)
{
    const int64_t nx = sim->scenario->grid.nx;
    for (int64_t n = 0; n < (int64_t)otok_sim_cells(sim); n++) {
        const float now = water ? water[n] + map[n] : map[n];
        if (isfinite(now) && !(water && now < 0)) continue;
        if (otok_holes_have(&sim->holes, n)) continue;
        return OTOK_FAIL(OTOK_DATA, "%s: a change of %g m in cell (%lld, %lld); allowed: %s", name,
                         (double)map[n], (long long)(n % nx), (long long)(n / nx),
                         water ? "finite numbers that leave at least 0 m of water"
                               : "finite numbers");
    }
    return OTOK_OK;
}

otok_status otok_sim_check_book(otok_sim *sim, otok_field field, const float *map)
{
    float *water = NULL;
    if (field != OTOK_TERRAIN && !(field == OTOK_WATER && sim->fields & BIT(OTOK_WATER)))
        return OTOK_FAIL(OTOK_USAGE, "%s: changes from outside are booked of terrain and water",
                         otok_field_at((int)field) ? otok_field_at((int)field)->name : "?");
    otok_status status = OTOK_OK;
    if (field == OTOK_WATER) {
        OTOK_TRY(otok_sim_new_map(&water, sim));
        status = sim->backend->get(otok_sim_patch(sim), OTOK_WATER, water);
    }
    if (status == OTOK_OK) status = check_cells(sim, otok_field_at((int)field)->name, map, water);
    free(water);
    return status;
}
