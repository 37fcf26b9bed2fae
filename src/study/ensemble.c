/* ensemble.c: see ensemble.h. Members of one grid size and one set of buffers are a group; a group has an ensemble with as many
   slots as there is memory for. In a round every slot runs to its next look, then one reduction looks at all; who is done leaves
   its slot to the next of the group. Droplets, and grids that fill a device alone, are run one after the other. */
#include "ensemble.h"

#include "../core/scenario.h"
#include "../core/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILLING = 1 << 20, MOST_STEPS = 256 }; /* cells of a grid; iterations whose schedule goes to the slots at once */

/* What a member needs; equal for members of a group. */
typedef struct kind {
    int alone;
    int64_t nx, ny;
    uint64_t buffers;
} kind;

typedef struct seat {
    int taken, fresh; /* fresh: nobody has looked at it yet */
    otok_result result;
    otok_sample *samples;
    otok_scenario *scenario;
    otok_sim *sim;
    otok_judge judge;
    otok_ledger ledger;
    double moved;
    otok_job job;
    int64_t end, due; /* iterations: of the member, and at the next look */
} seat;

typedef struct group {
    const otok_ensemble_plan *plan;
    kind kind;
    const int64_t *rows; /* of the group */
    int64_t n, next;
    int stopped;
    void *ensemble;
    int slots, max_steps;
    seat *seats;
    otok_job *jobs;
    otok_survey *surveys;
    int *who; /* seats of the surveys */
    otok_opening opening;
} group;

/* ---- who goes with whom ---- */

/* A row that is refused goes alone too: otok_member_run says why. */
static kind kind_of(const otok_study *study, int64_t row)
{
    otok_scenario *s;
    kind k = {.alone = 1};
    if (otok_study_member(&s, study, row) != OTOK_OK) return k;
    k.nx = s->grid.nx;
    k.ny = s->grid.ny;
    k.alone = s->nchanges > 0 || otok_scenario_batch(s) > 0 || k.nx * k.ny > FILLING ||
              otok_scenario_all_buffers(&k.buffers, s) != OTOK_OK;
    otok_scenario_destroy(s);
    return k;
}

static int same_kind(const kind *a, const kind *b)
{
    return a->alone == b->alone && (a->alone || (a->nx == b->nx && a->ny == b->ny && a->buffers == b->buffers));
}

static void run_alone(const otok_ensemble_plan *plan, int64_t row)
{
    otok_result result;
    otok_sample *samples;
    if (otok_member_run(&result, &samples, plan->study, row, plan->place->name) != OTOK_OK)
        otok_member_fail(&result, plan->study, OTOK_NOMEM);
    plan->end(plan->user, &result, samples);
    free(samples);
}

/* ---- a seat from the first to the last ---- */

/* By any thread. */
static void leave(group *g, seat *s)
{
#pragma omp critical(otok_ensemble)
    g->plan->end(g->plan->user, &s->result, s->samples);
    otok_sim_destroy(s->sim);
    otok_scenario_destroy(s->scenario);
    free(s->samples);
    *s = (seat){0};
}

static void fail(group *g, seat *s, otok_status status)
{
    otok_member_fail(&s->result, g->plan->study, status);
    leave(g, s);
}

/* Reruns are rare, and have their own simulations: one at a time. */
static void finish(group *g, seat *s)
{
    otok_status status = otok_member_conclude(&s->result, s->sim, &s->judge, &s->ledger);
#pragma omp critical(otok_ensemble_rerun)
    if (status == OTOK_OK) status = otok_member_rerun(&s->result, s->samples, g->plan->study, g->plan->place->name);
    if (status == OTOK_OK)
        leave(g, s);
    else
        fail(g, s, status);
}

/* Keeps the state of a new simulation for those that begin alike. */
static otok_status keep_opening(group *g, const otok_sim *sim, int slot, char *key)
{
    free(g->opening.key);
    g->opening = (otok_opening){.key = key, .slot = g->slots, .water = sim->water_start, .solid = sim->solid_start};
    memcpy(g->opening.layers, sim->layer_start, sizeof g->opening.layers);
    return sim->backend->ensembles->copy(g->ensemble, slot, g->opening.slot);
}

/* Makes its simulation in its slot. */
static otok_status place(group *g, seat *s, int slot)
{
    const otok_backend *backend = g->plan->place;
    char *key;
    OTOK_TRY(otok_opening_key(&key, s->scenario));
    const int known = g->opening.key && strcmp(key, g->opening.key) == 0;
    const otok_status status = otok_sim_seat(&s->sim, s->scenario, backend, g->ensemble, slot, known ? &g->opening : NULL);
    if (status == OTOK_OK && !known) return keep_opening(g, s->sim, slot, key);
    free(key);
    return status;
}

static otok_status load(const group *g, seat *s)
{
    const otok_study *study = g->plan->study;
    OTOK_TRY(otok_study_member(&s->scenario, study, s->result.row));
    otok_member_predict(&s->result, s->scenario);
    s->end = otok_scenario_iterations(s->scenario);
    const int64_t most = (s->end + study->every - 1) / study->every;
    s->samples = malloc((size_t)(most ? most : 1) * sizeof *s->samples);
    if (!s->samples) return OTOK_FAIL(OTOK_NOMEM, "no memory for %lld looks at a member", (long long)most);
    s->judge = (otok_judge){.spacing = s->scenario->grid.spacing, .until = (double)s->end};
    return OTOK_OK;
}

/* The next members of the group for the free slots; returns how many there are. */
static int invite(group *g)
{
    int n = 0;
    for (int slot = 0; slot < g->slots && g->next < g->n && !g->stopped; slot++) {
        seat *s = &g->seats[slot];
        if (s->taken) continue;
        g->stopped = !g->plan->begin(g->plan->user, g->rows[g->next]);
        if (g->stopped) break;
        *s = (seat){.taken = 1, .fresh = 1};
        otok_member_begin(&s->result, g->rows[g->next++]);
        g->who[n++] = slot;
    }
    return n;
}

static void refill(group *g)
{
    for (int n; (n = invite(g)) > 0;) { /* again where some failed */
#pragma omp parallel for schedule(dynamic, 1)
        for (int m = 0; m < n; m++) {
            seat *s = &g->seats[g->who[m]];
            const otok_status status = load(g, s);
            if (status != OTOK_OK) fail(g, s, status);
        }
        for (int m = 0; m < n; m++) {
            seat *s = &g->seats[g->who[m]];
            const otok_status status = s->taken ? place(g, s, g->who[m]) : OTOK_OK;
            if (status != OTOK_OK) fail(g, s, status);
        }
    }
}

/* ---- a round ---- */

static void fail_all(group *g, otok_status status)
{
    for (int slot = 0; slot < g->slots; slot++)
        if (g->seats[slot].taken) fail(g, &g->seats[slot], status);
}

static void prepare(group *g, seat *s)
{
    int phase, length;
    const int64_t left = s->due - s->sim->iteration;
    const otok_status status = otok_sim_prepare(s->sim, left < g->max_steps ? left : g->max_steps, &phase, &length);
    if (status != OTOK_OK) {
        fail(g, s, status);
        return;
    }
    s->job = (otok_job){.patch = &s->sim->patch,
                        .program = &s->sim->programs[phase],
                        .k = &s->sim->coefficients[phase],
                        .steps = s->sim->steps,
                        .nsteps = length,
                        .keep = length == left};
    s->sim->iteration += length;
}

/* The next iterations of every slot towards its look; returns how many slots there are with some. */
static int prepare_all(group *g)
{
    int n = 0;
#pragma omp parallel for schedule(dynamic, 16)
    for (int slot = 0; slot < g->slots; slot++) {
        seat *s = &g->seats[slot];
        s->job.nsteps = 0;
        if (s->taken && s->sim->iteration < s->due) prepare(g, s);
    }
    for (int slot = 0; slot < g->slots; slot++)
        if (g->seats[slot].job.nsteps) g->jobs[n++] = g->seats[slot].job;
    return n;
}

static otok_status advance(group *g)
{
    const int64_t every = g->plan->study->every;
    for (int slot = 0; slot < g->slots; slot++) {
        seat *s = &g->seats[slot];
        if (s->taken) s->due = s->sim->iteration + every < s->end ? s->sim->iteration + every : s->end;
    }
    for (int n; (n = prepare_all(g)) > 0;)
        OTOK_TRY(g->plan->place->ensembles->run(g->ensemble, g->jobs, n));
    return OTOK_OK;
}

/* A look at the fresh seats, or at all. */
static otok_status look(group *g, int fresh, int *n)
{
    *n = 0;
    for (int slot = 0; slot < g->slots; slot++) {
        const seat *s = &g->seats[slot];
        if (s->taken && (!fresh || s->fresh)) g->who[(*n)++] = slot;
    }
#pragma omp parallel for schedule(static)
    for (int m = 0; m < *n; m++) {
        const seat *s = &g->seats[g->who[m]];
        otok_survey *survey = &g->surveys[m];
        survey->patch = &s->sim->patch;
        survey->fields = s->sim->fields;
        survey->prints = s->sim->iteration == s->end;
        otok_look_prepare(&survey->maps, s->sim);
    }
    return g->plan->place->ensembles->look(g->ensemble, g->surveys, *n);
}

/* Takes in what a look found; a member that is done, or has diverged, leaves. */
static void note(group *g, seat *s, const otok_findings *found)
{
    otok_suspects where;
    otok_status status = OTOK_OK;
    otok_result *r = &s->result;
    otok_sim_balance(s->sim, found, &s->ledger);
    otok_look_result(&s->samples[r->nsamples], &where, s->sim, &found->look, &s->ledger, &s->moved);
    otok_judge_note(&s->judge, &s->samples[r->nsamples], &where);
    r->nsamples++;
    r->iterations = s->sim->iteration;
    r->fingerprint = found->fingerprint;
    if (r->iterations < s->end && !s->judge.seen[OTOK_DIVERGED].held) return;
    if (r->iterations < s->end) status = otok_sim_measure(s->sim, &s->ledger, &r->fingerprint);
    if (status != OTOK_OK) {
        fail(g, s, status);
        return;
    }
    finish(g, s);
}

static otok_status go_round(group *g)
{
    int n;
    OTOK_TRY(look(g, 1, &n));
    for (int m = 0; m < n; m++) {
        seat *s = &g->seats[g->who[m]];
        s->fresh = 0;
        s->judge.rough_start = otok_look_roughness(&g->surveys[m].found.look, s->sim);
        if (s->end > 0) continue;
        s->result.fingerprint = g->surveys[m].found.fingerprint;
        otok_sim_balance(s->sim, &g->surveys[m].found, &s->ledger);
        finish(g, s);
    }
    OTOK_TRY(advance(g));
    OTOK_TRY(look(g, 0, &n));
#pragma omp parallel for schedule(dynamic, 16)
    for (int m = 0; m < n; m++)
        note(g, &g->seats[g->who[m]], &g->surveys[m].found);
    return OTOK_OK;
}

static int busy(const group *g)
{
    for (int slot = 0; slot < g->slots; slot++)
        if (g->seats[slot].taken) return 1;
    return 0;
}

/* ---- a group ---- */

/* One more slot is for the state that members begin with. */
static otok_status make_room(group *g)
{
    const otok_ensemble_plan *plan = g->plan;
    const otok_ensembles *e = plan->place->ensembles;
    const otok_patch like = {.view = {.nx = (int)g->kind.nx, .ny = (int)g->kind.ny, .global_nx = (int)g->kind.nx}};
    size_t bytes;
    int64_t fit, slots = g->n;
    char text[256];
    g->max_steps = (int)(plan->study->every < MOST_STEPS ? plan->study->every : MOST_STEPS);
    OTOK_TRY(e->room(&like, g->kind.buffers, g->max_steps, &bytes, &fit));
    if (fit < 2)
        return OTOK_FAIL(OTOK_NOMEM, "members of %lld x %lld cells take %.3g GiB each, and there is no room for two",
                         (long long)g->kind.nx, (long long)g->kind.ny, (double)bytes / (1 << 30));
    if (slots > fit - 1) slots = fit - 1;
    if (plan->slots > 0 && slots > plan->slots) slots = plan->slots;
    g->slots = (int)slots;
    snprintf(text, sizeof text, "%lld members of %lld x %lld cells in %d slots of %.3g MiB, %.3g GiB in all; room for %lld",
             (long long)g->n, (long long)g->kind.nx, (long long)g->kind.ny, g->slots, (double)bytes / (1 << 20),
             (double)bytes * (double)(g->slots + 1) / (1 << 30), (long long)fit - 1);
    if (plan->say) plan->say(plan->said, text);
    g->seats = calloc((size_t)slots, sizeof *g->seats);
    g->jobs = calloc((size_t)slots, sizeof *g->jobs);
    g->surveys = calloc((size_t)slots, sizeof *g->surveys);
    g->who = calloc((size_t)slots, sizeof *g->who);
    if (!g->seats || !g->jobs || !g->surveys || !g->who) return OTOK_FAIL(OTOK_NOMEM, "no memory for %d members", g->slots);
    return e->create(&g->ensemble, &like, g->kind.buffers, g->max_steps, g->slots + 1);
}

static void run_group(group *g)
{
    if (make_room(g) == OTOK_OK)
        for (refill(g); busy(g); refill(g)) {
            const otok_status status = go_round(g);
            if (status != OTOK_OK) fail_all(g, status);
        }
    g->plan->place->ensembles->destroy(g->ensemble);
    free(g->seats);
    free(g->jobs);
    free(g->surveys);
    free(g->who);
    free(g->opening.key);
}

/* Runs all rows of the kind of row `first`, and takes them off the list. */
static int run_kind(const otok_ensemble_plan *plan, kind *kinds, int64_t *left, int64_t *nleft, int64_t *mine)
{
    group g = {.plan = plan, .kind = kinds[left[0]], .rows = mine};
    int64_t kept = 0;
    for (int64_t n = 0; n < *nleft; n++)
        if (same_kind(&kinds[left[n]], &g.kind))
            mine[g.n++] = plan->rows[left[n]];
        else
            left[kept++] = left[n];
    *nleft = kept;
    if (!g.kind.alone) run_group(&g);
    for (; g.next < g.n && !g.stopped; g.next++) { /* also where there was no room for an ensemble */
        g.stopped = !plan->begin(plan->user, g.rows[g.next]);
        if (!g.stopped) run_alone(plan, g.rows[g.next]);
    }
    return !g.stopped;
}

otok_status otok_ensemble_run(const otok_ensemble_plan *plan)
{
    const size_t n = (size_t)plan->n + 1;
    kind *kinds = malloc(n * sizeof *kinds);
    int64_t *left = malloc(2 * n * sizeof *left), nleft = plan->n;
    const int complete = kinds && left;
#pragma omp parallel for schedule(dynamic, 16) if (complete)
    for (int64_t row = 0; row < (complete ? plan->n : 0); row++) {
        kinds[row] = kind_of(plan->study, plan->rows[row]);
        left[row] = row;
    }
    while (complete && nleft > 0 && run_kind(plan, kinds, left, &nleft, left + n)) {}
    free(kinds);
    free(left);
    return complete ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for the plan of %lld members", (long long)plan->n);
}
