/* snapshot.c: a simulation's state as a snapshot and back: the way to checkpoints and from them. */
#include "scenario.h"
#include "sim.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

#define BIT(field) (UINT64_C(1) << (field))

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

uint64_t otok_sim_snapshot_fields(const otok_sim *sim)
{
    uint64_t layers = 0;
    for (int f = OTOK_LAYER_BOTTOM; f <= OTOK_LAYER_BOTTOM_LAST; f++)
        if (sim->fields & BIT(f)) layers |= BIT(OTOK_LAYER + f - OTOK_LAYER_BOTTOM);
    return sim->fields | layers | (sim->scenario->output.fields & BIT(OTOK_TERRAIN));
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
    OTOK_TRY(otok_place_copy(&out->place, &sim->place));
    OTOK_TRY(otok_sim_measure(sim, &out->ledger, &out->fingerprint));
    OTOK_TRY(otok_sim_sums(sim, out->sums));
    free(out->stability);
    out->stability = otok_predict_text(s);
    const int copied = out->stability && copy_text(&out->scenario, otok_scenario_text(s)) && copy_text(&out->title, s->title) &&
                       copy_text(&out->parent, sim->parent ? sim->parent : "") && copy_text(&out->command, command) &&
                       copy_text(&out->backend, sim->backend->name) && copy_text(&out->device, sim->device);
    if (!copied) return OTOK_FAIL(OTOK_NOMEM, "no memory for the provenance of a checkpoint");
    return sim->backend->snapshot(&sim->patch, out->has & sim->fields, out->maps, &out->arrival);
}

otok_status otok_sim_restore(otok_sim *sim, const otok_snapshot *from, const char *path)
{
    const otok_scenario *s = sim->scenario;
    const char *differs = otok_scenario_difference(otok_scenario_text(s), from->scenario);
    if (differs)
        return OTOK_FAIL(OTOK_DATA, "%s: was made by another scenario: %s; restore that value, or start anew in another directory",
                         path, differs);
    if (from->grid.nx != s->grid.nx || from->grid.ny != s->grid.ny || (sim->fields & ~from->has))
        return OTOK_FAIL(OTOK_DATA, "%s: its grid or fields are not those of its scenario; it was not written by otok run", path);
    if (from->has & ~sim->fields & (BIT(OTOK_ROAD) | BIT(OTOK_ROAD_HEIGHT)))
        return OTOK_FAIL(OTOK_DATA, "%s: a road was built after its run ended; begin a new scenario from it with initial.file",
                         path);
    OTOK_TRY(otok_sim_seek(sim, from->iteration));
    for (int f = 0; f < OTOK_STORED; f++)
        if (sim->fields & BIT(f)) OTOK_TRY(sim->backend->put(&sim->patch, f, from->maps[f]));
    OTOK_TRY(sim->backend->set_sums(&sim->patch, from->sums));
    sim->water_start = from->water_start;
    sim->solid_start = from->solid_start;
    memcpy(sim->layer_start, from->layer_start, sizeof sim->layer_start);
    sim->filled = from->filled;
    OTOK_TRY(otok_place_copy(&sim->place, &from->place));
    if (!copy_text(&sim->parent, path)) return OTOK_FAIL(OTOK_NOMEM, "no memory for a path");
    otok_ledger ledger;
    uint64_t fingerprint;
    OTOK_TRY(otok_sim_measure(sim, &ledger, &fingerprint));
    if (fingerprint != from->fingerprint)
        return OTOK_FAIL(OTOK_INTERNAL, "%s: the state read back has fingerprint %016llx, not %016llx", path,
                         (unsigned long long)fingerprint, (unsigned long long)from->fingerprint);
    return OTOK_OK;
}

otok_status otok_sim_save(otok_sim *sim, const char *path)
{
    otok_snapshot snapshot;
    OTOK_TRY(otok_snapshot_create(&snapshot, sim->scenario->grid, otok_sim_snapshot_fields(sim), sim->backend->host));
    otok_status status = otok_sim_snapshot(sim, &snapshot);
    if (status == OTOK_OK) status = otok_snapshot_complete(&snapshot, 1);
    if (status == OTOK_OK) status = otok_checkpoint_write(path, &snapshot);
    otok_snapshot_destroy(&snapshot);
    return status;
}

otok_status otok_sim_load(otok_sim *sim, const char *path)
{
    otok_snapshot snapshot = {0};
    otok_status status = otok_checkpoint_read(&snapshot, path);
    if (status == OTOK_OK) status = otok_sim_restore(sim, &snapshot, path);
    otok_snapshot_destroy(&snapshot);
    return status;
}
