/* snapshot.c: copies the state of a simulation into a snapshot, from which a checkpoint is written,
   and restores it from a snapshot. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "../io/file.h"
#include "../scenario/scenario.h"
#include "../scenario/scenario_read.h"
#include "dated.h"
#include "gauges.h"
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char command[4096];

void otok_command_set(int argc, char **argv)
{
    command[0] = 0;
    for (int i = 0; i < argc; i++) {
        if (i) strncat(command, " ", sizeof command - strlen(command) - 1);
        strncat(command, argv[i], sizeof command - strlen(command) - 1);
    }
}

const char *otok_command(void)
{
    return command;
}

/* The fields that are saved from a state with these fields. */
static uint64_t saved_fields(const otok_sim *sim, uint64_t fields)
{
    uint64_t layers = 0;
    for (int f = OTOK_LAYER_BOTTOM; f <= OTOK_LAYER_BOTTOM_LAST; f++)
        if (fields & BIT(f)) layers |= BIT(OTOK_LAYER + f - OTOK_LAYER_BOTTOM);
    return fields | layers | (sim->scenario->output.fields & BIT(OTOK_TERRAIN));
}

uint64_t otok_sim_snapshot_fields(const otok_sim *sim)
{
    return saved_fields(sim, otok_set_fields(sim->buffers));
}

/* The changes that were made, as JSON (malloc); "" for none. */
static char *changes_text(const otok_sim *sim)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    for (int i = 0; i < sim->made; i++) {
        const otok_change *c = &sim->changes[i];
        fprintf(out, "%s{\"iteration\": %lld, \"path\": ", i ? ",\n " : "[",
                (long long)c->iteration);
        otok_text_quote(out, c->path);
        fputs(", \"before\": ", out);
        otok_text_quote(out, c->before);
        fputs(", \"after\": ", out);
        otok_text_quote(out, c->after);
        fputs(i == sim->made - 1 ? "}]" : "}", out);
    }
    return otok_text_finish(out, &text);
}

static int copy_text(char **slot, const char *text)
{
    free(*slot);
    *slot = strdup(text);
    return *slot != NULL;
}

otok_status otok_sim_snapshot(otok_sim *sim, otok_snapshot *out)
{
    const otok_scenario *s = sim->scenario;
    out->grid = s->grid;
    out->iteration = sim->iteration;
    out->time = otok_sim_time(sim);
    out->sea_level = otok_sim_sea_level(sim);
    out->seed = s->seed;
    out->water_start = sim->water_start;
    out->solid_start = sim->solid_start;
    memcpy(out->layer_start, sim->layer_start, sizeof out->layer_start);
    out->nlayers = s->nlayers;
    for (int i = 0; i < s->nlayers; i++)
        memcpy(out->layers[i], s->layers[i].name, sizeof out->layers[i]);
    out->filled = sim->filled;
    OTOK_TRY(otok_gauges_save(out, sim));
    out->water_steps = sim->water_steps;
    out->water_dt = sim->water_dt;
    out->speeds = otok_pipes_after(s, sim->iteration) == OTOK_SPEEDS;
    OTOK_TRY(otok_georeference_copy(&out->georeference, &sim->georeference));
    OTOK_TRY(otok_holes_copy(&out->holes, &sim->holes));
    OTOK_TRY(otok_sim_measure(sim, &out->ledger, &out->fingerprint));
    OTOK_TRY(otok_sim_sums(sim, out->sums));
    for (int f = 0; f < OTOK_FIELDS;
         f++) /* maps exist for all fields that scheduled changes may bring */
        if (out->maps[f])
            out->has = (out->has & ~BIT(f)) | (saved_fields(sim, sim->fields) & BIT(f));
    const char *inputs;
    OTOK_TRY(otok_sim_inputs(&inputs, sim));
    free(out->stability);
    free(out->scenario);
    free(out->changes);
    out->stability = otok_predict_text(s, NULL);
    out->scenario =
        otok_scenario_with_changes(otok_scenario_text(sim->root), sim->changes, sim->nchanges);
    out->changes = changes_text(sim);
    char now[48];
    const int year = otok_scenario_date(now, s, otok_sim_time(sim)) ? atoi(now) : 0;
    if (year < 1678 || year > 2261 ||
        !otok_scenario_date(out->start, s, 0)) /* readers know these */
        *out->start = 0;
    const int copied = out->stability && out->scenario && out->changes &&
                       copy_text(&out->title, s->title[0] ? s->title : s->stem) &&
                       copy_text(&out->inputs, inputs) &&
                       copy_text(&out->parent, sim->parent ? sim->parent : "") &&
                       copy_text(&out->command, command) &&
                       copy_text(&out->backend, sim->backend->name) &&
                       copy_text(&out->device, sim->device);
    if (!copied) return OTOK_FAIL(OTOK_NOMEM, "no memory for the provenance of a checkpoint");
    return sim->backend->snapshot(otok_sim_patch(sim), out->has & sim->fields, out->maps,
                                  &out->arrival);
}

/* Does the list of the checkpoint contain all changes that the scenario schedules? Changes by hand
   may come between them. */
static int has_all(const otok_scenario *theirs, const otok_scenario *mine)
{
    int n = 0;
    for (int i = 0; i < theirs->nchanges && n < mine->nchanges; i++) {
        const otok_change *a = &theirs->changes[i], *b = &mine->changes[n];
        n += a->iteration == b->iteration && strcmp(a->path, b->path) == 0 &&
             otok_value_is_same(a->path, a->after, b->after);
    }
    return n == mine->nchanges;
}

/* Schedules the changes that the checkpoint's run made or scheduled. */
static otok_status schedule_changes(otok_sim *sim, const otok_snapshot *from, const char *path)
{
    otok_scenario *theirs;
    const otok_scenario *mine = sim->root;
    if (!mine->nchanges && !from->scenario[otok_scenario_values_size(from->scenario)])
        return otok_sim_schedule_changes(sim, NULL, 0);
    otok_status status =
        otok_scenario_parse(&theirs, path, from->scenario, strlen(from->scenario), NULL, 0);
    if (status != OTOK_OK) return status;
    if (!has_all(theirs, mine))
        status = OTOK_FAIL(OTOK_DATA,
                           "%s: was made by another scenario: its `changes` differ; restore them, "
                           "or start anew in another directory",
                           path);
    if (status == OTOK_OK)
        status = otok_sim_schedule_changes(sim, theirs->changes, theirs->nchanges);
    otok_scenario_destroy(theirs);
    return status;
}

/* The first setting in which a scenario and that of a checkpoint differ; NULL: none. What an older
   build could not write has its default, and is noted. */
static const char *difference(otok_sim *sim, const otok_snapshot *from, const char *path)
{
    otok_scenario *theirs;
    const char *text = otok_scenario_text(sim->root),
               *differs = otok_scenario_difference(text, from->scenario);
    char unknown[300];
    if (!differs || otok_scenario_parse(&theirs, path, from->scenario, strlen(from->scenario), NULL,
                                        0) != OTOK_OK)
        return differs;
    snprintf(unknown, sizeof unknown, "%s", differs);
    differs = otok_scenario_difference(text, otok_scenario_text(theirs));
    otok_scenario_destroy(theirs);
    if (!differs) /* a note that does not fit in memory is left out */
        otok_sim_note(sim,
                      "%s: an earlier build wrote it; keys that it did not know go on with their "
                      "defaults of today, first %s",
                      path, unknown);
    return differs;
}

otok_status otok_sim_restore(otok_sim *sim, const otok_snapshot *from, const char *path)
{
    const otok_scenario *s = sim->root;
    const char *differs = difference(sim, from, path);
    if (differs)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: was made by another scenario: %s; restore that value, or start anew "
                         "in another directory",
                         path, differs);
    OTOK_TRY(otok_sim_tell_inputs(sim, from));
    OTOK_TRY(schedule_changes(sim, from, path));
    OTOK_TRY(otok_sim_replay(sim, from->iteration));
    if (from->grid.nx != s->grid.nx || from->grid.ny != s->grid.ny || (sim->fields & ~from->has))
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: its grid or fields are not those of its scenario; it was not written by otok run",
            path);
    if (from->has & ~sim->fields & (BIT(OTOK_ROAD) | BIT(OTOK_ROAD_HEIGHT)))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: a road was built after its run ended; begin a new scenario from it "
                         "with initial.file",
                         path);
    for (int f = 0; f < OTOK_STORED; f++)
        if (sim->fields & BIT(f))
            OTOK_TRY(sim->backend->put(otok_sim_patch(sim), f, from->maps[f]));
    OTOK_TRY(sim->backend->set_sums(otok_sim_patch(sim), from->sums));
    const otok_sum *sums = from->sums, *moved = &sums[OTOK_SUM_GROUND_MOVED],
                   *rounded = &sums[OTOK_SUM_GROUND_ROUNDED];
    sim->moves_unknown = !(moved->hi | moved->lo) && (rounded->hi | rounded->lo);
    sim->water_start = from->water_start;
    sim->solid_start = from->solid_start;
    memcpy(sim->layer_start, from->layer_start, sizeof sim->layer_start);
    sim->nominal = from->ledger;
    sim->filled = from->filled;
    const otok_status series = otok_gauges_restore(sim, from);
    if (series != OTOK_OK) return otok_fail_in(series, "%s", path);
    sim->water_steps = from->water_steps;
    sim->water_dt = from->water_dt;
    OTOK_TRY(otok_georeference_copy(&sim->georeference, &from->georeference));
    OTOK_TRY(otok_holes_copy(&sim->holes, &from->holes));
    OTOK_TRY(otok_sim_put_walls(sim, 0));
    if (!copy_text(&sim->parent, path)) return OTOK_FAIL(OTOK_NOMEM, "no memory for a path");
    otok_ledger ledger;
    uint64_t fingerprint;
    OTOK_TRY(otok_sim_measure(sim, &ledger, &fingerprint));
    if (fingerprint != from->fingerprint)
        return OTOK_FAIL(OTOK_INTERNAL,
                         "%s: the state read back has fingerprint %016llx, not %016llx", path,
                         (unsigned long long)fingerprint, (unsigned long long)from->fingerprint);
    return OTOK_OK;
}

otok_status otok_sim_save(otok_sim *sim, const char *path)
{
    OTOK_TRY(OTOK_GIVEN(sim, path));
    OTOK_ROUNDING;
    otok_snapshot snapshot;
    OTOK_TRY(otok_snapshot_create(&snapshot, sim->scenario->grid, otok_sim_snapshot_fields(sim),
                                  sim->backend->host));
    otok_status status = otok_sim_snapshot(sim, &snapshot);
    if (status == OTOK_OK) status = otok_snapshot_complete(&snapshot, 1);
    if (status == OTOK_OK) otok_witness_save(sim, &snapshot);
    if (status == OTOK_OK) status = otok_checkpoint_write(path, &snapshot);
    otok_snapshot_destroy(&snapshot);
    return status;
}

otok_status otok_sim_load(otok_sim *sim, const char *path)
{
    OTOK_TRY(OTOK_GIVEN(sim, path));
    OTOK_ROUNDING;
    otok_snapshot snapshot = {0};
    otok_status status = otok_checkpoint_read(&snapshot, path);
    if (status == OTOK_OK) status = otok_sim_restore(sim, &snapshot, path);
    if (status == OTOK_OK) status = otok_witness_load(sim, &snapshot);
    otok_snapshot_destroy(&snapshot);
    return status;
}
