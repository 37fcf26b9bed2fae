/* live.c: changes values while a simulation runs, on behalf of the user or of the schedule in the
   scenario. scenario_change.c defines the effect of a change on a scenario. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "../io/file.h"
#include "../scenario/scenario.h"
#include "../scenario/scenario_read.h"
#include "courant.h"
#include "gauges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program of some processes of a phase. */
static otok_status make_program(otok_program *out, const otok_scenario *s, int p, int processes,
                                int layered)
{
    otok_phase phase = s->phases[p];
    phase.processes &= processes;
    OTOK_TRY(otok_program_for_phase(out, &phase, s->edges));
    return layered ? otok_program_layer(out, otok_scenario_ground(s), phase.name) : OTOK_OK;
}

otok_status otok_sim_set_programs(otok_sim *sim, const otok_scenario *s)
{
    otok_program *programs = calloc((size_t)s->nphases + 1, sizeof *programs),
                 *waters = calloc((size_t)s->nphases + 1, sizeof *waters);
    otok_coefficients *coefficients = calloc((size_t)s->nphases + 1, sizeof *coefficients);
    const int layered = s->nlayers > 0 || otok_set_has(sim->buffers, OTOK_ERODIBILITY);
    otok_status status = programs && waters && coefficients
                             ? OTOK_OK
                             : OTOK_FAIL(OTOK_NOMEM, "no memory for %d phases", s->nphases);
    for (int p = 0; p < s->nphases && status == OTOK_OK; p++) {
        status = make_program(&programs[p], s, p, ~0, layered);
        if (status == OTOK_OK && otok_phase_has_courant(&s->phases[p]))
            status = make_program(&waters[p], s, p, OTOK_COURANT_PROCESSES, layered);
        otok_coefficients_for_phase(&coefficients[p], &s->phases[p], s->grid.spacing);
        if (layered) otok_coefficients_for_layers(&coefficients[p], s, &s->phases[p]);
    }
    free(status == OTOK_OK ? sim->programs : programs);
    free(status == OTOK_OK ? sim->waters : waters);
    free(status == OTOK_OK ? sim->coefficients : coefficients);
    if (status != OTOK_OK) return status;
    sim->programs = programs;
    sim->waters = waters;
    sim->coefficients = coefficients;
    return OTOK_OK;
}

static otok_status allocate_buffers(otok_sim *sim, otok_set buffers)
{
    const otok_set all = otok_set_or(sim->buffers, buffers);
    OTOK_TRY(sim->backend->extend(otok_sim_patch(sim), all));
    sim->buffers = all;
    return OTOK_OK;
}

/* Replaces the current scenario by another, which the simulation then owns. After a failure the
   current one stays, and the caller owns the other. */
static otok_status replace_scenario(otok_sim *sim, otok_scenario *s)
{
    otok_set buffers;
    OTOK_TRY(otok_walls_check(s, &sim->holes));
    OTOK_TRY(otok_springs_last(&sim->springs, s));
    OTOK_TRY(otok_scenario_buffers(&buffers, s));
    OTOK_TRY(allocate_buffers(sim, buffers));
    OTOK_TRY(otok_springs_room(&sim->springs, s));
    if (otok_set_fields(buffers) & BIT(OTOK_CARBON) & ~sim->fields)
        OTOK_TRY(otok_sim_initial_carbon(sim, s));
    OTOK_TRY(otok_sim_set_programs(sim, s));
    sim->fields |= otok_set_fields(buffers);
    sim->scenario = s;
    sim->visit = (otok_visit){0};
    sim->springs.ready = -1;
    otok_scenario_destroy(sim->own);
    sim->own = s;
    return OTOK_OK;
}

otok_status otok_sim_apply_due_changes(otok_sim *sim)
{
    for (; sim->made < sim->nchanges && sim->changes[sim->made].iteration == sim->iteration;
         sim->made++) {
        const otok_change *c = &sim->changes[sim->made];
        otok_scenario *next;
        char *before;
        OTOK_TRY(otok_scenario_change(&next, &before, NULL, sim->scenario, sim->iteration, c->path,
                                      c->after));
        free(before);
        const otok_status status = replace_scenario(sim, next);
        if (status == OTOK_OK) continue;
        otok_scenario_destroy(next);
        return status;
    }
    return OTOK_OK;
}

int64_t otok_sim_until_change(const otok_sim *sim)
{
    return sim->made < sim->nchanges ? sim->changes[sim->made].iteration - sim->iteration
                                     : INT64_MAX;
}

otok_status otok_sim_schedule_changes(otok_sim *sim, const otok_change *changes, int n)
{
    otok_change *copies = calloc((size_t)n + 1, sizeof *copies);
    otok_status status = copies ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for changes");
    for (int i = 0; i < n && status == OTOK_OK; i++)
        status = otok_change_make(&copies[i], changes[i].iteration, changes[i].path,
                                  changes[i].before, changes[i].after);
    otok_changes_destroy(status == OTOK_OK ? sim->changes : copies,
                         status == OTOK_OK ? sim->nchanges : n);
    if (status != OTOK_OK) return status;
    sim->changes = copies;
    sim->nchanges = n;
    sim->made = 0;
    return OTOK_OK;
}

/* Counts the iterations after all scheduled changes to this scenario. Fails if one cannot be
   made. */
static otok_status iterations_after(int64_t *end, const otok_scenario *s,
                                    const otok_change *changes, int n)
{
    otok_scenario *last;
    otok_set unused;
    *end = otok_scenario_iterations(s);
    if (!n) return OTOK_OK;
    OTOK_TRY(otok_scenario_changed(&last, &unused, s, changes, n));
    *end = otok_scenario_iterations(last);
    otok_scenario_destroy(last);
    return OTOK_OK;
}

/* ---- going to another iteration ---- */

otok_status otok_sim_forget_later(otok_sim *sim)
{
    const otok_scenario *root = sim->root;
    const int made = sim->made;
    int n = made;
    otok_change *kept = calloc((size_t)(made + root->nchanges) + 1, sizeof *kept);
    if (!kept) return OTOK_FAIL(OTOK_NOMEM, "no memory for changes");
    if (made) memcpy(kept, sim->changes, (size_t)made * sizeof *kept);
    for (int i = 0; i < root->nchanges; i++)
        if (root->changes[i].iteration > sim->iteration) kept[n++] = root->changes[i];
    otok_status status = otok_sim_schedule_changes(sim, kept, n);
    free(kept);
    if (status != OTOK_OK) return status;
    sim->made = made;
    return iterations_after(&sim->end, sim->scenario, sim->changes + made, n - made);
}

otok_status otok_sim_replay(otok_sim *sim, int64_t n)
{
    otok_scenario *then;
    otok_set buffers = {{0}};
    int64_t end;
    int made = 0;
    OTOK_TRY(iterations_after(&end, sim->root, sim->changes, sim->nchanges));
    if (n < 0 || n > end)
        return OTOK_FAIL(OTOK_USAGE, "iteration %lld is outside the scenario's 0..%lld",
                         (long long)n, (long long)end);
    while (made < sim->nchanges && sim->changes[made].iteration <= n)
        made++;
    if (made || sim->own) {
        OTOK_TRY(otok_scenario_changed(&then, &buffers, sim->root, sim->changes, made));
        otok_status status = allocate_buffers(sim, buffers);
        if (status == OTOK_OK) status = replace_scenario(sim, then);
        if (status != OTOK_OK) {
            otok_scenario_destroy(then);
            return status;
        }
        sim->fields = sim->root_fields | otok_set_fields(buffers);
    }
    sim->end = end;
    sim->made = made;
    sim->iteration = n;
    sim->uncarried = 0;
    sim->pouring = 0;
    otok_gauges_cut(sim);
    return OTOK_OK;
}

/* ---- by the user ---- */

static int is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return *text && !*end;
}

/* Does a change replace the last one? It does if both have the same path and iteration, and the
   last one has not yet acted. */
static int supersedes(const otok_sim *sim, const char *path, const char *value)
{
    const otok_change *last = sim->made ? &sim->changes[sim->made - 1] : NULL;
    if (!last || last->iteration != sim->iteration || strcmp(last->path, path) != 0) return 0;
    return (is_number(last->after) && is_number(value)) ||
           strcmp(strrchr(path, '.'), ".rivers") == 0;
}

/* Makes a change and inserts it into the list. */
static otok_status apply_change(otok_sim *sim, otok_scenario *next, otok_change *c)
{
    int64_t end;
    OTOK_TRY(iterations_after(&end, next, sim->changes + sim->made, sim->nchanges - sim->made));
    otok_change *grown = realloc(sim->changes, (size_t)(sim->nchanges + 1) * sizeof *grown);
    if (!grown) return OTOK_FAIL(OTOK_NOMEM, "no memory for a change");
    sim->changes = grown;
    const int again = supersedes(sim, c->path, c->after);
    OTOK_TRY(replace_scenario(sim, next));
    sim->end = end;
    if (again) {
        otok_change *last = &grown[sim->made - 1];
        const char *unused = last->after;
        last->after = c->after;
        c->after = unused;
        return OTOK_OK;
    }
    memmove(grown + sim->made + 1, grown + sim->made,
            (size_t)(sim->nchanges - sim->made) * sizeof *grown);
    grown[sim->made++] = *c;
    sim->nchanges++;
    *c = (otok_change){0};
    return OTOK_OK;
}

static int same_values(const otok_scenario *a, const otok_scenario *b)
{
    const size_t n = otok_scenario_values_size(a->text);
    return n == otok_scenario_values_size(b->text) && memcmp(a->text, b->text, n) == 0;
}

otok_status otok_sim_change(otok_sim *sim, const char *path, const char *value)
{
    OTOK_TRY(OTOK_GIVEN(sim, path, value));
    OTOK_ROUNDING;
    otok_scenario *next;
    otok_change c = {0};
    char *before, *after;
    OTOK_TRY(
        otok_scenario_change(&next, &before, &after, sim->scenario, sim->iteration, path, value));
    otok_status status = OTOK_OK;
    if (!same_values(next, sim->scenario)) {
        status = otok_change_make(&c, sim->iteration, path, before, after);
        if (status == OTOK_OK) status = apply_change(sim, next, &c);
    }
    otok_changes_destroy(&c, -1);
    if (sim->own != next) otok_scenario_destroy(next);
    free(before);
    free(after);
    return status;
}

otok_status otok_sim_pour(otok_sim *sim, double x, double y, double radius, double discharge)
{
    OTOK_TRY(OTOK_GIVEN(sim));
    OTOK_ROUNDING;
    const int p = otok_sim_phase_index(sim);
    if (p < 0) return OTOK_FAIL(OTOK_USAGE, "the scenario has no phase that water could flow in");
    if (!isfinite(x) || !isfinite(y) || !isfinite(radius) || !isfinite(discharge))
        return OTOK_FAIL(OTOK_USAGE,
                         "water at (%g, %g) m, radius %g m, %g m3/s: give finite numbers", x, y,
                         radius, discharge);
    const otok_phase *phase = &sim->scenario->phases[p];
    const int last = sim->pouring == p + 1 ? phase->nrivers - 1 : -1;
    const otok_river river = otok_river_at(x, y, radius, discharge);
    char path[OTOK_NAME_SIZE + 16],
        *value = otok_rivers_text(phase, last, discharge != 0 ? &river : NULL);
    if (!value) return OTOK_FAIL(OTOK_NOMEM, "no memory for rivers");
    snprintf(path, sizeof path, "phases.%.63s.rivers", phase->name);
    const otok_status status = otok_sim_change(sim, path, value);
    free(value);
    if (status == OTOK_OK) sim->pouring = discharge != 0 ? p + 1 : 0;
    return status;
}

/* ---- queries ---- */

int otok_sim_changes(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return 0;
    return sim->nchanges;
}

const otok_change *otok_sim_change_at(const otok_sim *sim, int i)
{
    if (OTOK_GIVEN(sim)) return NULL;
    return i >= 0 && i < sim->nchanges ? &sim->changes[i] : NULL;
}

int64_t otok_sim_end(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return 0;
    return sim->end;
}

const otok_scenario *otok_sim_scenario(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return NULL;
    return sim->scenario;
}

int otok_sim_phase_index(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return -1;
    const int phase = otok_sim_moment(sim).phase, last = sim->scenario->nphases - 1;
    return phase < last ? phase : last;
}
