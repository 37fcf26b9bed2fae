/* known.c: see known.h. */
#include "known.h"
#include "sim/derived.h"
#include "sim/expressions.h"
#include "sim/sim.h"

#include <string.h>

#define DERIVED(...) +1
enum {
    ALL = OTOK_FIELDS
#include "core/fields.def"
};
_Static_assert((int)ALL <= (int)OTOK_SET_MOST, "otok_live.known has a number for each field");

const otok_field_info *otok_known_info(int field)
{
    return field < OTOK_FIELDS ? otok_field_at(field) : otok_derived_at(field - OTOK_FIELDS);
}

int otok_known_find(const char *name)
{
    const int derived = otok_derived_find(name);
    return derived < 0 ? otok_field_find(name) : OTOK_FIELDS + derived;
}

int otok_known_has(const otok_live *live, int field)
{
    return field >= 0 && field < ALL && otok_set_has(live->known, field);
}

int otok_known_is_offered(const otok_live *live, int field)
{
    return otok_known_has(live, field) && otok_field_layer(field) < 0;
}

/* OTOK_DATA: the map is missing; the text tells why. */
static otok_status check(const otok_live *live, int field)
{
    static const float any[1];
    otok_derived_from from = {.iteration = live->sim ? otok_sim_iteration(live->sim) : 0};
    if (field >= OTOK_FIELDS && !live->sim) return otok_checkpoint_check(live->checkpoint, field);
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (otok_known_has(live, f)) from.maps[f] = any;
    if (field >= OTOK_FIELDS)
        return otok_derive_in(field - OTOK_FIELDS, &from, otok_sim_scenario(live->sim), NULL);
    return from.maps[field]
               ? OTOK_OK
               : OTOK_FAIL(OTOK_DATA, "there is no field %s here", otok_known_info(field)->name);
}

void otok_known_update(otok_live *live)
{
    int n = 0;
    live->known = (otok_set){{0}};
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (live->sim ? otok_sim_has(live->sim, (otok_field)f)
                      : otok_checkpoint_map(live->checkpoint, f) != NULL)
            otok_set_add(&live->known, f);
    for (int f = OTOK_FIELDS; f < ALL; f++)
        if (check(live, f) == OTOK_OK) otok_set_add(&live->known, f);
    while (n < OTOK_MAX_LAYERS &&
           (live->layers[n] = live->scenario ? otok_scenario_layer(live->scenario, n)
                                             : otok_checkpoint_layer(live->checkpoint, n)))
        n++;
    live->nlayers = n;
}

int otok_live_has_style(const otok_live *live, int style)
{
    const int field = otok_style_field((otok_style)style, live->field);
    if (style == OTOK_STYLE_LAYERS) return live->nlayers > 0;
    return field < 0 || otok_known_is_offered(live, field);
}

otok_status otok_live_check_style(const otok_live *live, int style)
{
    if (otok_live_has_style(live, style)) return OTOK_OK;
    if (style == OTOK_STYLE_LAYERS) return OTOK_FAIL(OTOK_DATA, "the ground has no layers");
    return check(live, otok_style_field((otok_style)style, live->field));
}

static otok_status derive(otok_live *live, int field, float *map)
{
    const size_t bytes = (size_t)(live->grid.nx * live->grid.ny) * sizeof *map;
    const float *made = NULL;
    otok_state *state;
    if (!live->sim) {
        OTOK_TRY(otok_checkpoint_derive(live->checkpoint, field));
        memcpy(map, otok_checkpoint_map(live->checkpoint, field), bytes);
        return OTOK_OK;
    }
    OTOK_TRY(otok_state_of(&state, live->sim, otok_map_reads(field), NULL));
    const otok_status status = otok_state_map(&made, state, field);
    if (status == OTOK_OK) memcpy(map, made, bytes);
    otok_state_end(state);
    return status;
}

otok_status otok_known_fetch(otok_live *live, int field, float *map)
{
    const size_t bytes = (size_t)(live->grid.nx * live->grid.ny) * sizeof *map;
    if (field >= OTOK_FIELDS) return derive(live, field, map);
    if (live->sim) {
        live->host_bytes += (int64_t)bytes;
        return otok_sim_get(live->sim, (otok_field)field, map);
    }
    memcpy(map, otok_checkpoint_map(live->checkpoint, field), bytes);
    return OTOK_OK;
}

const otok_holes *otok_known_holes(const otok_live *live)
{
    return live->sim ? otok_sim_holes(live->sim) : otok_checkpoint_holes(live->checkpoint);
}
