/* checkpoint.c: the checkpoints of otok.h, for callers that only read them. src/io reads the
   files. */
#include "../io/checkpoint.h"
#include "../core/rounding.h"
#include "../core/sized.h"
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

otok_status otok_checkpoint_of(otok_checkpoint **out, otok_snapshot *state)
{
    otok_checkpoint *c = *out = calloc(1, sizeof *c);
    if (!c) return OTOK_FAIL(OTOK_NOMEM, "no memory for a checkpoint");
    OTOK_TRY(add_terrain(state));
    c->state = *state;
    memset(state, 0, sizeof *state);
    c->absorption = absorption(&c->state);
    return OTOK_OK;
}

otok_status otok_checkpoint_load(otok_checkpoint **out, const char *path)
{
    OTOK_TRY(OTOK_GIVEN(out));
    OTOK_ROUNDING;
    otok_snapshot state;
    *out = NULL;
    OTOK_TRY(OTOK_GIVEN(path));
    OTOK_TRY(otok_checkpoint_read(&state, path));
    const otok_status status = otok_checkpoint_of(out, &state);
    otok_snapshot_destroy(&state);
    if (status == OTOK_OK) return OTOK_OK;
    otok_checkpoint_destroy(*out);
    *out = NULL;
    return status;
}

const otok_snapshot *otok_checkpoint_state(const otok_checkpoint *checkpoint)
{
    return &checkpoint->state;
}

void otok_checkpoint_destroy(otok_checkpoint *c)
{
    if (!c) return;
    otok_snapshot_destroy(&c->state);
    free(c->map);
    free(c);
}

otok_grid otok_checkpoint_grid(const otok_checkpoint *checkpoint)
{
    if (OTOK_GIVEN(checkpoint)) return (otok_grid){0};
    return checkpoint->state.grid;
}

const otok_field_info *otok_checkpoint_info(const otok_checkpoint *c, int field)
{
    return otok_snapshot_info(&c->state, field);
}

double otok_checkpoint_sea_level(const otok_checkpoint *checkpoint)
{
    if (OTOK_GIVEN(checkpoint)) return NAN;
    return checkpoint->state.sea_level;
}

double otok_checkpoint_absorption(const otok_checkpoint *checkpoint)
{
    if (OTOK_GIVEN(checkpoint)) return NAN;
    return checkpoint->absorption;
}

const char *otok_checkpoint_title(const otok_checkpoint *checkpoint)
{
    if (OTOK_GIVEN(checkpoint)) return NULL;
    return checkpoint->state.title ? checkpoint->state.title : "";
}

const char *otok_checkpoint_scenario(const otok_checkpoint *checkpoint)
{
    if (OTOK_GIVEN(checkpoint)) return NULL;
    return checkpoint->state.scenario;
}

const char *otok_checkpoint_layer(const otok_checkpoint *checkpoint, int layer)
{
    if (OTOK_GIVEN(checkpoint)) return NULL;
    return layer >= 0 && layer < checkpoint->state.nlayers ? checkpoint->state.layers[layer] : NULL;
}

const otok_holes *otok_checkpoint_holes(const otok_checkpoint *c)
{
    return &c->state.holes;
}

otok_status(otok_checkpoint_island)(otok_island *out, const otok_checkpoint *checkpoint,
                                    size_t size)
{
    OTOK_TRY(OTOK_GIVEN(out, checkpoint));
    if (!checkpoint->state.maps[OTOK_REEF])
        return OTOK_FAIL(OTOK_DATA, "the state lacks reef, so it has no form; use a checkpoint of "
                                    "a phase with a reef, with reef among `output.fields`");
    otok_island all;
    OTOK_TRY(otok_island_of_snapshot(&all, &checkpoint->state));
    otok_sized_copy(out, size, &all, sizeof all);
    return OTOK_OK;
}

int otok_checkpoint_find(const otok_checkpoint *checkpoint, const char *name)
{
    if (OTOK_GIVEN(checkpoint, name)) return -1;
    return otok_snapshot_find(&checkpoint->state, name);
}

const float *otok_checkpoint_map(const otok_checkpoint *checkpoint, int field)
{
    if (OTOK_GIVEN(checkpoint)) return NULL;
    if (field >= OTOK_FIELDS) return field == checkpoint->derived ? checkpoint->map : NULL;
    return field >= 0 ? checkpoint->state.maps[field] : NULL;
}

otok_status otok_checkpoint_check(const otok_checkpoint *checkpoint, int field)
{
    OTOK_TRY(OTOK_GIVEN(checkpoint));
    otok_derived_from from = {.scenario = checkpoint->state.scenario,
                              .iteration = checkpoint->state.iteration};
    memcpy(from.maps, checkpoint->state.maps, sizeof from.maps);
    return otok_derive(field - OTOK_FIELDS, &from, NULL);
}

otok_status otok_checkpoint_derive(otok_checkpoint *checkpoint, int field)
{
    OTOK_TRY(OTOK_GIVEN(checkpoint));
    if (field < 0) return OTOK_FAIL(OTOK_USAGE, "there is no field %d", field);
    if (field < OTOK_FIELDS || field == checkpoint->derived) return OTOK_OK;
    free(checkpoint->map);
    checkpoint->map = NULL;
    checkpoint->derived = 0;
    OTOK_TRY(otok_snapshot_derived(&checkpoint->map, &checkpoint->state, field));
    checkpoint->derived = field;
    return OTOK_OK;
}
