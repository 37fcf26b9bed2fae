/* sim.c: a simulation: runs the phases of a scenario on a backend, from iteration 0 or from a
   checkpoint. run.c handles files and clocks. */
#include "sim.h"
#include "../core/rounding.h"

#include "../core/status.h"
#include "../io/arrays.h"
#include "../scenario/process.h"
#include "courant.h"
#include "gauges.h"

#include <stdlib.h>
#include <string.h>

/* ---- the state at iteration 0 ---- */

static otok_status check_grid(const otok_scenario *s, const otok_grid *from)
{
    if (from->nx == s->grid.nx && from->ny == s->grid.ny && from->spacing == s->grid.spacing)
        return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: initial.file %s has %lld x %lld cells of %g m, the scenario's grid %lld "
                     "x %lld of %g m; make them equal",
                     s->path, s->initial, (long long)from->nx, (long long)from->ny, from->spacing,
                     (long long)s->grid.nx, (long long)s->grid.ny, s->grid.spacing);
}

/* The file's grid and place against the scenario's, and its place if the scenario has none. */
static otok_status check_start(otok_sim *sim, const otok_snapshot *from)
{
    const otok_scenario *s = sim->scenario;
    OTOK_TRY(check_grid(s, &from->grid));
    OTOK_TRY(otok_georeference_same_place(&sim->place.at, &from->georeference, s->grid.ny,
                                          sim->place.file, s->initial));
    if (from->has & (BIT(OTOK_TERRAIN) | BIT(OTOK_TERRAIN_BASE)))
        OTOK_TRY(otok_holes_copy(&sim->holes, &from->holes));
    return from->georeference.known && !sim->georeference.known
               ? otok_georeference_copy(&sim->georeference, &from->georeference)
               : OTOK_OK;
}

static otok_status take_fields(otok_sim *sim, const otok_snapshot *from)
{
    const otok_scenario *s = sim->scenario;
    int has_layers = 0;
    /* The file's times are of another clock, its maxima of another run. */
    const uint64_t others =
        BIT(OTOK_REEF_TIME) | otok_set_range(OTOK_MAX_DEPTH, OTOK_DURATION + 1).word[0];
    const uint64_t taken = from->has & sim->fields & ~otok_scenario_initial(s) & ~others;
    for (int f = 0; f < OTOK_STORED; f++)
        if (taken & BIT(f) && otok_field_layer(f) < 0)
            OTOK_TRY(otok_sim_set(sim, (otok_field)f, from->maps[f]));
    if ((from->has & BIT(OTOK_TERRAIN)) && !(from->has & BIT(OTOK_TERRAIN_BASE)))
        OTOK_TRY(otok_sim_set(sim, OTOK_TERRAIN, from->maps[OTOK_TERRAIN]));
    if (s->anchor.pipes >= 0) OTOK_TRY(otok_sim_set_pipes(sim, from, s->anchor.pipes));
    OTOK_TRY(otok_sim_take_layers(sim, from, &has_layers));
    return has_layers ? OTOK_OK : otok_sim_lay_layers(sim);
}

/* Replaces initial fields by those of a file. Time and iteration of a checkpoint are ignored. */
static otok_status initial_file(otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    otok_snapshot from = {0};
    otok_arrays_wanted wanted = {.path = s->initial, .grid = s->grid, .nlayers = s->nlayers};
    if (!s->initial[0]) return otok_sim_lay_layers(sim);
    for (int k = 0; k < s->nlayers; k++)
        wanted.layers[k] = s->layers[k].name;
    char *unused;
    otok_status status = otok_arrays_read(&from, &unused, &wanted);
    if (status == OTOK_OK && unused)
        status = otok_sim_note(sim, "%s: initial.file %s %s", s->path, s->initial, unused);
    free(unused);
    if (status == OTOK_OK) status = check_start(sim, &from);
    if (status == OTOK_OK) status = take_fields(sim, &from);
    otok_snapshot_destroy(&from);
    return status;
}

static void take_note(void *sim, const char *text)
{
    otok_sim_note(sim, "%s", text); /* one that does not fit in memory is left out */
}

static otok_status start(otok_sim *sim)
{
    otok_scenario_warn(sim->scenario, take_note, sim);
    OTOK_TRY(otok_sim_ground(sim));
    OTOK_TRY(otok_sim_evaluate(sim, sim->scenario, otok_field_at(OTOK_TERRAIN_BASE)->unit,
                               &sim->georeference, &sim->base_seconds));
    OTOK_TRY(otok_sim_initial_carbon(sim, sim->scenario));
    OTOK_TRY(initial_file(sim));
    OTOK_TRY(otok_sim_put_walls(sim, 1));
    return otok_sim_open_ledger(sim);
}

static otok_status find_buffers(otok_sim *sim)
{
    uint64_t carried;
    OTOK_TRY(otok_scenario_carried(sim->scenario, &carried));
    OTOK_TRY(otok_scenario_buffers(&sim->buffers, sim->scenario));
    sim->buffers = otok_set_or(sim->buffers, otok_set_of(carried));
    return OTOK_OK;
}

/* Makes everything but the state. The buffers are known. */
static otok_status build(otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    OTOK_TRY(otok_sim_set_programs(sim, s));
    sim->fields = sim->root_fields = otok_set_fields(sim->buffers);
    sim->buffers = otok_set_or(sim->buffers, s->later);
    OTOK_TRY(otok_sim_schedule_changes(sim, s->changes, s->nchanges));
    sim->end = otok_scenario_iterations(s);
    sim->patch.seed = s->seed;
    sim->patch.droplets = otok_scenario_batch(s);
    memcpy(sim->patch.edges, s->edges, sizeof sim->patch.edges);
    sim->patch.view.nx = sim->patch.view.global_nx = (int)s->grid.nx;
    sim->patch.view.ny = sim->patch.view.global_ny = (int)s->grid.ny;
    OTOK_TRY(sim->backend->create(&sim->patch, sim->buffers, OTOK_SEGMENT));
    if (sim->springs.borrowed) return OTOK_OK;
    return otok_springs_read(&sim->springs, s, &sim->place);
}

static otok_sim *new_sim(const otok_scenario *scenario, const otok_backend *backend)
{
    otok_sim *sim = calloc(1, sizeof *sim);
    if (!sim) return NULL;
    sim->root = sim->scenario = otok_scenario_use(scenario);
    sim->backend = backend;
    return sim;
}

static otok_status finish_creation(otok_sim **out, otok_sim *sim, otok_status status)
{
    *out = sim;
    if (status == OTOK_OK) return status;
    *out = NULL;
    otok_sim_destroy(sim);
    return status;
}

otok_status otok_sim_create(otok_sim **out, const otok_scenario *scenario, const char *backend)
{
    OTOK_TRY(OTOK_GIVEN(out, scenario, backend));
    return otok_sim_create_until(out, scenario, backend, NULL, NULL);
}

otok_status otok_sim_create_until(otok_sim **out, const otok_scenario *scenario,
                                  const char *backend, int (*stop)(void *user), void *user)
{
    OTOK_TRY(OTOK_GIVEN(out));
    OTOK_ROUNDING;
    *out = NULL;
    OTOK_TRY(OTOK_GIVEN(scenario, backend));
    const otok_backend *chosen;
    OTOK_TRY(otok_backend_find(&chosen, backend));
    OTOK_TRY(otok_scenario_fits(scenario, chosen, 0));
    otok_sim *sim = new_sim(scenario, chosen);
    if (!sim) return OTOK_FAIL(OTOK_NOMEM, "no memory for a simulation");
    sim->patch.stop = stop;
    sim->patch.user = user;
    otok_status status = chosen->describe(sim->device, sizeof sim->device);
    if (status == OTOK_OK) status = find_buffers(sim);
    if (status == OTOK_OK) status = build(sim);
    if (status == OTOK_OK) status = otok_sim_note_untouched(sim);
    if (status == OTOK_OK) status = start(sim);
    if (status == OTOK_OK) status = otok_sim_note_closed(sim);
    if (status == OTOK_OK) status = otok_sim_note_steps(sim);
    if (status == OTOK_OK) status = otok_sim_note_rating(sim);
    if (status == OTOK_OK) status = otok_sim_note_dams(sim);
    sim->patch.stop = NULL;
    if (status == OTOK_OK) status = otok_sim_apply_due_changes(sim);
    return finish_creation(out, sim, status);
}

/* Uses a state that is already in the slot. */
static otok_status use_initial_state(otok_sim *sim, const otok_initial_state *initial)
{
    sim->water_start = initial->water;
    sim->solid_start = initial->solid;
    memcpy(sim->layer_start, initial->layers, sizeof sim->layer_start);
    OTOK_TRY(otok_holes_copy(&sim->holes, &initial->holes));
    return otok_sim_put_walls(sim, 0);
}

otok_status otok_sim_create_in_slot(otok_sim **out, const otok_scenario *scenario,
                                    const otok_backend *backend, void *ensemble, int slot,
                                    const otok_initial_state *initial)
{
    otok_sim *sim = new_sim(scenario, backend);
    if (!sim) return OTOK_FAIL(OTOK_NOMEM, "no memory for a simulation");
    sim->patch.ensemble = ensemble;
    sim->patch.slot = slot;
    otok_status status = find_buffers(sim);
    if (status == OTOK_OK) status = build(sim);
    if (status == OTOK_OK)
        status = initial ? backend->ensembles->copy(ensemble, initial->slot, slot) : start(sim);
    if (status == OTOK_OK && initial) status = use_initial_state(sim, initial);
    return finish_creation(out, sim, status);
}

otok_status otok_sim_create_twin(otok_sim **out, const otok_scenario *halved, const otok_sim *run,
                                 int slot)
{
    otok_sim *sim = new_sim(halved, run->backend);
    if (!sim) return OTOK_FAIL(OTOK_NOMEM, "no memory for a simulation");
    if (slot >= 0) {
        sim->patch.ensemble = run->patch.ensemble;
        sim->patch.slot = slot;
    }
    sim->is_twin = 1;
    sim->buffers = run->buffers;
    otok_set_add(&sim->buffers, OTOK_CHANGE_START);
    if (!run->nchanges) { /* its rain maps and rivers stay as they are */
        sim->springs = run->springs;
        sim->springs.ready = -1;
        sim->springs.borrowed = 1;
    }
    otok_status status = build(sim);
    if (status == OTOK_OK) status = otok_holes_copy(&sim->holes, &run->holes);
    if (status == OTOK_OK) status = otok_sim_put_walls(sim, 0);
    return finish_creation(out, sim, status);
}

void otok_sim_destroy(otok_sim *sim)
{
    if (!sim) return;
    if (sim->watcher) sim->watcher->destroy(sim);
    sim->backend->destroy(&sim->patch);
    otok_springs_destroy(&sim->springs);
    free(sim->programs);
    free(sim->waters);
    free(sim->courant);
    free(sim->coefficients);
    free(sim->parent);
    free(sim->inputs);
    free(sim->gauges);
    otok_sim_forget_notes(sim);
    otok_changes_destroy(sim->changes, sim->nchanges);
    otok_scenario_destroy(sim->own);
    otok_scenario_destroy((otok_scenario *)sim->root);
    otok_georeference_destroy(&sim->georeference);
    otok_georeference_destroy(&sim->place.at);
    otok_holes_destroy(&sim->holes);
    free(sim);
}

/* ---- running ---- */

/* An iteration whose steps follow the state, which is waited for. */
static otok_status run_one(otok_sim *sim)
{
    OTOK_TRY(otok_sim_wait(sim));
    OTOK_TRY(otok_sim_run_courant(sim));
    OTOK_TRY(otok_gauges_look(sim));
    return otok_sim_apply_due_changes(sim);
}

static otok_status start_steps(otok_sim *sim, int64_t n)
{
    int p, length;
    OTOK_TRY(otok_gauges_look(sim));
    while (n > 0) {
        const int64_t whole = otok_sim_until_carry(sim),
                      most = otok_least(n, otok_least(whole, otok_gauges_until(sim)));
        if (otok_sim_has_courant(sim)) {
            OTOK_TRY(run_one(sim));
            n--;
            continue;
        }
        if (sim->started == OTOK_SEGMENT) OTOK_TRY(otok_sim_wait(sim));
        OTOK_TRY(otok_sim_prepare(sim, most, &p, &length));
        if (length == 0) break;
        OTOK_TRY(otok_sim_start_steps(sim, p, length));
        otok_sim_pass(sim, length);
        if (length == whole) {
            OTOK_TRY(otok_sim_wait(sim));
            OTOK_TRY(otok_sim_carry(sim));
        }
        n -= length;
        OTOK_TRY(otok_gauges_look(sim));
        OTOK_TRY(otok_sim_apply_due_changes(sim));
    }
    return OTOK_OK;
}

static otok_status check_count(int64_t n)
{
    return n >= 0 ? OTOK_OK
                  : OTOK_FAIL(OTOK_USAGE, "%lld iterations; give 0 or more", (long long)n);
}

otok_status otok_sim_start(otok_sim *sim, int64_t n)
{
    OTOK_TRY(OTOK_GIVEN(sim));
    OTOK_TRY(check_count(n));
    OTOK_ROUNDING;
    return sim->watcher ? sim->watcher->run(sim, n, start_steps) : start_steps(sim, n);
}

/* Runs the prepared steps, and carries the bookings where that is due. */
static otok_status run_steps(otok_sim *sim, int p, int length)
{
    for (int done = 0, n; done < length; done += n) {
        const int64_t whole = otok_sim_until_carry(sim);
        n = whole < length - done ? (int)whole : length - done;
        OTOK_TRY(sim->backend->run(&sim->patch, &sim->programs[p], &sim->coefficients[p],
                                   sim->steps + done, n));
        otok_sim_pass(sim, n);
        if (n == whole) OTOK_TRY(otok_sim_carry(sim));
    }
    return OTOK_OK;
}

static otok_status run(otok_sim *sim, int64_t n)
{
    int p, length;
    OTOK_TRY(otok_sim_wait(sim));
    OTOK_TRY(otok_gauges_look(sim));
    while (n > 0) {
        if (otok_sim_has_courant(sim)) {
            OTOK_TRY(run_one(sim));
            n--;
            continue;
        }
        OTOK_TRY(otok_sim_prepare(sim, otok_least(n, otok_gauges_until(sim)), &p, &length));
        if (length == 0) break;
        OTOK_TRY(run_steps(sim, p, length));
        n -= length;
        OTOK_TRY(otok_gauges_look(sim));
        OTOK_TRY(otok_sim_apply_due_changes(sim));
    }
    return OTOK_OK;
}

otok_status otok_sim_run(otok_sim *sim, int64_t n)
{
    OTOK_TRY(OTOK_GIVEN(sim));
    OTOK_TRY(check_count(n));
    OTOK_ROUNDING;
    return sim->watcher ? sim->watcher->run(sim, n, run) : run(sim, n);
}

otok_status otok_sim_seek(otok_sim *sim, int64_t n)
{
    OTOK_TRY(OTOK_GIVEN(sim));
    OTOK_ROUNDING;
    return otok_sim_replay(sim, n);
}
