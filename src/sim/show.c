/* show.c: what viewers and other programs need: where a field is in memory, whole fields as OpenGL
   textures, and all fields of one cell. */
#include "../core/rounding.h"
#include "sim.h"

#include "../core/status.h"
#include "../scenario/scenario.h"

#include <math.h>

int otok_sim_bands(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return 0;
    return otok_backend_bands(sim->backend, &sim->patch);
}

otok_status otok_sim_lend_band(otok_sim *sim, otok_field field, int band, otok_loan *out)
{
    OTOK_TRY(OTOK_GIVEN(sim, out));
    OTOK_ROUNDING;
    const int bands = otok_sim_bands(sim);
    const otok_backend *backend = sim->backend;
    otok_patch *patch = otok_sim_patch(sim);
    int row = 0;
    *out = (otok_loan){.device = -1};
    if (!otok_sim_has(sim, field) || field >= OTOK_STORED || field == OTOK_WETNESS)
        return OTOK_FAIL(OTOK_USAGE,
                         "field %s is not stored as floats in this simulation; use otok_sim_get",
                         field < OTOK_FIELDS ? otok_field_at((int)field)->name : "?");
    if (band < 0 || band >= bands)
        return OTOK_FAIL(OTOK_USAGE, "band %d: the simulation has bands 0..%d", band, bands - 1);
    OTOK_TRY(otok_backend_band(&backend, &patch, band, (int)field, &row));
    if (backend->where) OTOK_TRY(backend->where(patch, &out->device, &out->stream));
    const otok_view *v = &patch->view;
    out->data = v->at[field] + otok_own_from(v) * v->pitch;
    out->nx = v->nx;
    out->ny = otok_own_rows(v);
    out->pitch = (int64_t)v->pitch;
    out->row = row;
    return OTOK_OK;
}

otok_status otok_sim_lend(otok_sim *sim, otok_field field, otok_loan *out)
{
    OTOK_TRY(OTOK_GIVEN(sim, out));
    const int bands = otok_sim_bands(sim);
    if (bands == 1) {
        sim->is_handed |= sim->iteration > 0;
        return otok_sim_lend_band(sim, field, 0, out);
    }
    *out = (otok_loan){.device = -1};
    return OTOK_FAIL(OTOK_USAGE,
                     "the simulation is stored in %d bands, not in one piece; use "
                     "otok_sim_lend_band for each of them, or otok_sim_get",
                     bands);
}

static otok_status fail_apart(const otok_sim *sim)
{
    return OTOK_FAIL(OTOK_USAGE, "backend %s: shares no memory with OpenGL; use otok_sim_get",
                     sim->backend->name);
}

otok_status otok_sim_show(otok_sim *sim, otok_field field, unsigned texture, float ends[2])
{
    OTOK_TRY(OTOK_GIVEN(sim));
    OTOK_ROUNDING;
    if (!sim->backend->show) return fail_apart(sim);
    if (!otok_sim_has(sim, field) || field > OTOK_TERRAIN)
        return OTOK_FAIL(OTOK_USAGE, "field %s is not a map of this simulation; use otok_sim_get",
                         field < OTOK_FIELDS ? otok_field_at((int)field)->name : "?");
    const int is_sum = field == OTOK_TERRAIN;
    return sim->backend->show(otok_sim_patch(sim), is_sum ? OTOK_TERRAIN_BASE : (int)field,
                              is_sum ? OTOK_TERRAIN_CHANGE : -1, texture, ends);
}

otok_status otok_sim_show_together(otok_sim *sim, int begins)
{
    OTOK_TRY(OTOK_GIVEN(sim));
    if (!sim->backend->show_together) return fail_apart(sim);
    return sim->backend->show_together(otok_sim_patch(sim), begins);
}

otok_status otok_sim_cell(otok_sim *sim, int64_t i, int64_t j, float values[OTOK_FIELDS])
{
    OTOK_TRY(OTOK_GIVEN(sim, values));
    OTOK_ROUNDING;
    const otok_grid g = sim->scenario->grid;
    if (i < 0 || j < 0 || i >= g.nx || j >= g.ny)
        return OTOK_FAIL(OTOK_USAGE, "cell (%lld, %lld): the grid has %lld x %lld", (long long)i,
                         (long long)j, (long long)g.nx, (long long)g.ny);
    for (int f = 0; f < OTOK_FIELDS; f++)
        values[f] = NAN;
    for (int f = 0; f < OTOK_STORED; f++)
        if (otok_sim_has(sim, (otok_field)f))
            OTOK_TRY(sim->backend->cell(otok_sim_patch(sim), f, (int)i, (int)j, &values[f]));
    values[OTOK_TERRAIN] = values[OTOK_TERRAIN_BASE] + values[OTOK_TERRAIN_CHANGE];
    float top = values[OTOK_TERRAIN_CHANGE];
    for (int layer = 0; OTOK_LAYER + layer <= OTOK_LAYER_LAST; layer++) {
        values[OTOK_LAYER + layer] =
            top - values[OTOK_LAYER_BOTTOM + layer]; /* NAN if there is no such layer */
        top = values[OTOK_LAYER_BOTTOM + layer];
    }
    return OTOK_OK;
}
