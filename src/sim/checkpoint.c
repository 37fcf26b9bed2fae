/* checkpoint.c: the checkpoints of otok.h, for callers that only read them. src/io reads the
   files. */
#include "../io/checkpoint.h"
#include "../core/rounding.h"
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "../scenario/scenario_read.h"
#include "derived.h"
#include "island.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct otok_checkpoint {
    otok_snapshot state;
    double absorption;
    int derived; /* the field whose map is kept, 0: none */
    float *map;
};

/* The absorption of the last phase with a reef, with its present value; NAN without a reef. */
static double absorption(const otok_snapshot *state)
{
    otok_scenario *scenario = NULL, *now = NULL;
    double found = NAN;
    otok_set unused;
    int made = 0;
    const char *text = state->scenario;
    if (!text ||
        otok_scenario_parse(&scenario, "checkpoint", text, strlen(text), NULL, 0) != OTOK_OK)
        return NAN;
    while (made < scenario->nchanges && scenario->changes[made].iteration <= state->iteration)
        made++;
    const otok_status status =
        otok_scenario_changed(&now, &unused, scenario, scenario->changes, made);
    for (int i = 0; status == OTOK_OK && i < now->nphases; i++)
        if (now->phases[i].processes & OTOK_REEF_GROWTH) found = now->phases[i].reef.absorption;
    otok_scenario_destroy(scenario);
    otok_scenario_destroy(now);
    return found;
}

/* Adds the terrain, base + change, to a file without it. */
static otok_status add_terrain(otok_snapshot *s)
{
    if (s->maps[OTOK_TERRAIN]) return OTOK_OK;
    s->maps[OTOK_TERRAIN] = s->memory.take((size_t)(s->grid.nx * s->grid.ny) * sizeof(float));
    if (!s->maps[OTOK_TERRAIN]) return OTOK_FAIL(OTOK_NOMEM, "no memory for a terrain");
    s->has |= UINT64_C(1) << OTOK_TERRAIN;
    otok_snapshot_terrain(s, s->maps[OTOK_TERRAIN]);
    return OTOK_OK;
}

otok_status otok_checkpoint_load(otok_checkpoint **out, const char *path)
{
    OTOK_ROUNDING;
    otok_checkpoint *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c) return OTOK_FAIL(OTOK_NOMEM, "no memory for a checkpoint");
    otok_status status = otok_checkpoint_read(&c->state, path);
    if (status == OTOK_OK) status = add_terrain(&c->state);
    if (status != OTOK_OK) {
        otok_checkpoint_destroy(c);
        return status;
    }
    c->absorption = absorption(&c->state);
    *out = c;
    return OTOK_OK;
}

void otok_checkpoint_destroy(otok_checkpoint *c)
{
    if (!c) return;
    otok_snapshot_destroy(&c->state);
    free(c->map);
    free(c);
}

otok_grid otok_checkpoint_grid(const otok_checkpoint *c)
{
    return c->state.grid;
}

const otok_field_info *otok_checkpoint_info(const otok_checkpoint *c, int field)
{
    return otok_snapshot_info(&c->state, field);
}

double otok_checkpoint_sea_level(const otok_checkpoint *c)
{
    return c->state.sea_level;
}

double otok_checkpoint_absorption(const otok_checkpoint *c)
{
    return c->absorption;
}

const char *otok_checkpoint_title(const otok_checkpoint *c)
{
    return c->state.title ? c->state.title : "";
}

const char *otok_checkpoint_scenario(const otok_checkpoint *c)
{
    return c->state.scenario;
}

const char *otok_checkpoint_layer(const otok_checkpoint *c, int layer)
{
    return layer >= 0 && layer < c->state.nlayers ? c->state.layers[layer] : NULL;
}

const otok_holes *otok_checkpoint_holes(const otok_checkpoint *c)
{
    return &c->state.holes;
}

otok_status otok_checkpoint_island(otok_island *out, const otok_checkpoint *c)
{
    if (!c->state.maps[OTOK_REEF])
        return OTOK_FAIL(OTOK_DATA, "the state lacks reef, so it has no form; use a checkpoint of "
                                    "a phase with a reef, with reef among `output.fields`");
    return otok_island_of_snapshot(out, &c->state);
}

int otok_checkpoint_find(const otok_checkpoint *c, const char *name)
{
    return otok_snapshot_find(&c->state, name);
}

const float *otok_checkpoint_map(const otok_checkpoint *c, int field)
{
    if (field >= OTOK_FIELDS) return field == c->derived ? c->map : NULL;
    return field >= 0 ? c->state.maps[field] : NULL;
}

otok_status otok_checkpoint_check(const otok_checkpoint *c, int field)
{
    otok_derived_from from = {.scenario = c->state.scenario, .iteration = c->state.iteration};
    memcpy(from.maps, c->state.maps, sizeof from.maps);
    return otok_derive(field - OTOK_FIELDS, &from, NULL);
}

otok_status otok_checkpoint_derive(otok_checkpoint *c, int field)
{
    if (field < OTOK_FIELDS || field == c->derived) return OTOK_OK;
    free(c->map);
    c->map = NULL;
    c->derived = 0;
    OTOK_TRY(otok_snapshot_derived(&c->map, &c->state, field));
    c->derived = field;
    return OTOK_OK;
}
