/* part.c: see part.h. In a cycle every slot runs to its next sample, then one reduction takes the
   samples of all slots. A member that has ended gives its slot to the next one of the group. */
#include "part.h"

#include "../core/rounding.h"
#include "../core/status.h"
#include "../scenario/scenario.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- a slot, from the beginning of its member to its end ---- */

enum { ROOMS = 1 << 21 }; /* values of a part's threads: page-locked memory costs time */

/* The threads of a part: its share, or, if parts do not end their members together, all but one for
   each of the other parts. */
static int threads_of(const otok_part *p)
{
    const otok_group *g = p->group;
    int busy;
#pragma omp atomic read
    busy = g->busy;
    const int share = g->threads > busy && busy > 0 ? g->threads / busy : 1,
              others = g->threads - busy + 1;
    return g->stagger && others > share ? others : share;
}

/* Threads without room use other memory, from which copies take longer. */
static void make_rooms(otok_part *p, int threads)
{
    const int most = (int)(ROOMS / (p->map_floats + 1));
    if (p->maps) return;
    p->rooms = threads < most ? threads : most > 1 ? most : 1;
    p->maps =
        p->group->plan->backend->host.take((size_t)p->rooms * p->map_floats * sizeof *p->maps);
}

static float *room_of_thread(const otok_part *p)
{
    const int thread = omp_get_thread_num();
    return p->maps && thread < p->rooms ? p->maps + (size_t)thread * p->map_floats : NULL;
}

/* Runs reruns one at a time. They are rare, and have their own simulations. */
static otok_status conclude(const otok_part *p, otok_slot *s)
{
    const otok_study *study = p->group->plan->study;
    float *room = room_of_thread(p);
    otok_status status;
    if (s->doubt) {
        OTOK_TRY(
            otok_member_measure(&s->result, NULL, &s->rivers, study, s->sim, &s->ledger, room));
        otok_slot_settle(s, study);
        return OTOK_OK;
    }
    OTOK_TRY(otok_member_conclude(&s->result, &s->kept, &s->rivers, study, s->sim, &s->judge,
                                  &s->ledger, room));
#pragma omp critical(otok_ensemble_rerun)
    status = otok_member_rerun(&s->result, s->samples, study, s->scenario,
                               p->group->plan->backend->name);
    OTOK_TRY(status);
    OTOK_TRY(otok_kept_join(&s->kept, &s->result, &s->samples));
    otok_slot_ask(s, study);
    return OTOK_OK;
}

/* A member in doubt keeps its slot. */
static void finish_member(otok_part *p, otok_slot *s)
{
    OTOK_ROUNDING;
    const otok_status status = conclude(p, s);
    if (status != OTOK_OK)
        otok_slot_fail(p, s, status);
    else if (!s->doubtful)
        otok_slot_end(p, s);
}

/* Keeps the state of a new simulation for others that begin alike. */
static otok_status keep_initial_state(otok_part *p, const otok_sim *sim, int slot, char *key)
{
    free(p->initial.key);
    otok_holes_destroy(&p->initial.holes);
    p->initial = (otok_initial_state){
        .key = key, .slot = p->slots, .water = sim->water_start, .solid = sim->solid_start};
    memcpy(p->initial.layers, sim->layer_start, sizeof p->initial.layers);
    OTOK_TRY(otok_holes_copy(&p->initial.holes, &sim->holes));
    return sim->backend->ensembles->copy(p->ensemble, slot, p->initial.slot);
}

/* Makes a simulation in a slot. */
static otok_status start_sim(otok_part *p, otok_slot *s, int slot, const otok_scenario *scenario)
{
    const otok_backend *backend = p->group->plan->backend;
    char *key;
    OTOK_TRY(otok_initial_state_key(&key, scenario));
    const int known = p->initial.key && strcmp(key, p->initial.key) == 0;
    const otok_status status = otok_sim_create_in_slot(&s->sim, scenario, backend, p->ensemble,
                                                       slot, known ? &p->initial : NULL);
    if (status == OTOK_OK && !known) OTOK_TRY(keep_initial_state(p, s->sim, slot, key));
    if (status != OTOK_OK || known) free(key);
    return status;
}

static otok_status start_member(otok_part *p, otok_slot *s, int slot)
{
    OTOK_TRY(start_sim(p, s, slot, s->scenario));
    return otok_audit_create(&s->audit, s->sim, NULL, slot + p->slots + 1);
}

static otok_status load_member(const otok_part *p, otok_slot *s)
{
    const otok_study *study = p->group->plan->study;
    OTOK_TRY(otok_study_member(&s->scenario, study, s->result.row));
    otok_member_predict(&s->result, s->scenario);
    s->end = otok_scenario_iterations(s->scenario);
    const int64_t most = (s->end + study->every - 1) / study->every;
    s->samples = malloc((size_t)(most ? most : 1) * sizeof *s->samples);
    if (!s->samples)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for %lld samples of a member", (long long)most);
    return OTOK_OK;
}

/* The next row of the group, or -1. One thread at a time calls it. */
static int64_t next_row(otok_group *g)
{
    int64_t row = -1;
    while (row < 0 && g->next < g->n && !g->stopped) {
        const int answer = g->plan->begin(g->plan->user, g->rows[g->next]);
        g->stopped = answer == OTOK_MEMBER_STOPS;
        if (answer == OTOK_MEMBER_RUNS) row = g->rows[g->next];
        g->next += !g->stopped;
    }
    return row;
}

/* Takes the next members of the group for the free slots, all at once, so that parts do not wait
   for each other at every member. Returns their number. */
static int fill_slots(otok_part *p)
{
    int n = 0;
#pragma omp critical(otok_group)
    for (int slot = 0; slot < p->slots; slot++) {
        otok_slot *s = &p->states[slot];
        if (s->taken) continue;
        const int64_t row = next_row(p->group);
        if (row < 0) break;
        *s = (otok_slot){.taken = 1, .fresh = 1};
        otok_member_begin(&s->result, row);
        p->who[n++] = slot;
    }
    return n;
}

static void refill_slots(otok_part *p)
{
    for (int n; (n = fill_slots(p)) > 0;) { /* again, because some may fail */
#pragma omp parallel for schedule(dynamic, 1)
        for (int m = 0; m < n; m++) {
            OTOK_ROUNDING;
            otok_slot *s = &p->states[p->who[m]];
            const otok_status status = load_member(p, s);
            if (status != OTOK_OK) otok_slot_fail(p, s, status);
        }
        for (int m = 0; m < n; m++) {
            otok_slot *s = &p->states[p->who[m]];
            const otok_status status = s->taken ? start_member(p, s, p->who[m]) : OTOK_OK;
            if (status != OTOK_OK) otok_slot_fail(p, s, status);
        }
    }
}

/* Runs a member in doubt again in its slot, or once more. */
static void start_again(otok_part *p, otok_slot *s, int slot)
{
    otok_status status = otok_slot_again(s);
    if (status == OTOK_OK) status = start_sim(p, s, slot, &s->doubt->twin->scenario);
    if (status != OTOK_OK) otok_slot_fail(p, s, status);
}

/* ---- a cycle ---- */

static void fail_all(otok_part *p, otok_status status)
{
    for (int slot = 0; slot < p->slots; slot++)
        if (p->states[slot].taken) otok_slot_fail(p, &p->states[slot], status);
}

/* Evaluates the results of a sample. Returns 1 if the member has ended or diverged. */
static int evaluate_sample(otok_part *p, otok_slot *s, const otok_diagnostics_result *found)
{
    otok_suspects where;
    otok_result *r = &s->result;
    otok_sim_balance(s->sim, found, &s->ledger);
    otok_diagnostics_sample(&s->samples[r->nsamples], &where, s->sim, &found->diagnostics,
                            &s->ledger, &s->judge.moved);
    otok_judge_note(&s->judge, &s->samples[r->nsamples], &where);
    r->nsamples++;
    r->iterations = s->sim->iteration;
    r->fingerprint = found->fingerprint;
    if (r->iterations == s->end) return 1;
    if (!s->judge.seen[OTOK_DIVERGED].held) return 0;
    const otok_status status = otok_sim_measure(s->sim, &s->ledger, &r->fingerprint);
    if (status != OTOK_OK) otok_slot_fail(p, s, status);
    return status == OTOK_OK;
}

/* Evaluates the first sample, the state in which the member begins. Returns 1 if it has no
   iterations. */
static int note_start(otok_slot *s, const otok_diagnostics_result *found)
{
    s->fresh = 0;
    s->judge =
        otok_judge_begin(s->sim, &found->diagnostics, s->audit.windows.n ? s->result.slow : 0);
    if (s->end > 0) return 0;
    s->result.fingerprint = found->fingerprint;
    otok_sim_balance(s->sim, found, &s->ledger);
    return 1;
}

/* Keeps the maps of the first n slots of `who` that are due. */
static void keep_maps(otok_part *p, int n)
{
    const otok_study *study = p->group->plan->study;
    const int threads = threads_of(p);
    int due = 0;
    for (int m = 0; m < n; m++)
        due += !p->states[p->who[m]].doubt && otok_keep_due(study, p->states[p->who[m]].sim);
    if (due) make_rooms(p, threads);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (due > 1)
    for (int m = 0; m < (due ? n : 0); m++) {
        OTOK_ROUNDING;
        otok_slot *s = &p->states[p->who[m]];
        if (s->doubt || !otok_keep_due(study, s->sim)) continue;
        const otok_status status =
            otok_keep_now(&s->kept, &s->result, study, s->sim, room_of_thread(p));
        if (status != OTOK_OK) otok_slot_fail(p, s, status);
    }
}

/* Takes a sample; members that have ended leave their slots. */
static otok_status diagnose_and_note(otok_part *p, int fresh)
{
    const int threads = threads_of(p);
    int n, done = 0;
    OTOK_TRY(otok_part_sample(p, fresh, &n));
    if (!fresh) keep_maps(p, n);
    for (int m = 0; m < n; m++) {
        otok_slot *s = &p->states[p->who[m]];
        if (!s->taken) continue;
        const otok_diagnostics_result *found = &p->requests[m].found;
        if (fresh ? note_start(s, found) : evaluate_sample(p, s, found)) p->who[done++] = p->who[m];
    }
    if (done) make_rooms(p, threads);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (done > 1)
    for (int m = 0; m < done; m++)
        finish_member(p, &p->states[p->who[m]]);
    for (int m = 0; m < done; m++)
        if (p->states[p->who[m]].doubtful) start_again(p, &p->states[p->who[m]], p->who[m]);
    return OTOK_OK;
}

static otok_status run_cycle(otok_part *p)
{
    OTOK_TRY(diagnose_and_note(p, 1));
    OTOK_TRY(otok_part_run_to_samples(p));
    return diagnose_and_note(p, 0);
}

static int busy_slots(const otok_part *p)
{
    for (int slot = 0; slot < p->slots; slot++)
        if (p->states[slot].taken) return 1;
    return 0;
}

/* Called after each cycle: should the members be given up? */
static int should_stop(otok_group *g)
{
    int stopped;
#pragma omp critical(otok_group)
    stopped = g->stopped = g->plan->stops(g->plan->user) || g->stopped;
    return stopped;
}

/* The cycles after which the next part may begin. */
static int64_t cycles_ahead(const otok_part *p)
{
    const int64_t every = p->group->plan->study->every;
    int64_t most = 0;
    for (int slot = 0; slot < p->slots && p->group->stagger; slot++)
        if (p->states[slot].taken && p->states[slot].end / every > most)
            most = p->states[slot].end / every;
    return p->group->stagger ? most / p->group->stagger : 0;
}

static void run_members(otok_part *p, otok_part *next)
{
    refill_slots(p);
    int64_t ahead = cycles_ahead(p);
    while (sem_wait(&p->may_begin) != 0) {} /* a signal may come between */
    for (; busy_slots(p); refill_slots(p)) {
        if (next && ahead-- == 0) sem_post(&next->may_begin);
        const double began = omp_get_wtime();
        const otok_status status = run_cycle(p);
        p->seconds += omp_get_wtime() - began;
        if (status != OTOK_OK) fail_all(p, status);
        if (!should_stop(p->group)) continue;
        for (int slot = 0; slot < p->slots; slot++)
            if (p->states[slot].taken) otok_slot_clear(&p->states[slot]);
    }
    if (next && ahead >= 0) sem_post(&next->may_begin);
}

void otok_part_run(otok_part *p, otok_part *next)
{
    if (otok_part_enter(p) == OTOK_OK)
        run_members(p, next);
    else if (next)
        sem_post(&next->may_begin);
#pragma omp atomic
    p->group->busy--;
}

otok_status otok_part_enter(const otok_part *p)
{
    const otok_backend *backend = p->group->plan->backend;
    return backend->use ? backend->use(p->device) : OTOK_OK;
}

otok_status otok_part_create(otok_part *p, otok_group *group, int device, const otok_patch *like,
                             otok_set buffers, int slots, int first)
{
    const size_t n = (size_t)slots;
    *p = (otok_part){.group = group,
                     .device = device,
                     .slots = slots,
                     .map_floats =
                         (size_t)__builtin_popcountll(otok_keep_reads(group->plan->study)) *
                         (size_t)like->view.nx * (size_t)like->view.ny};
    sem_init(&p->may_begin, 0, first ? 1 : 0);
    p->states = calloc(n, sizeof *p->states);
    p->jobs = calloc(2 * n, sizeof *p->jobs);
    p->asking = calloc(2 * n, sizeof *p->asking);
    p->racing = calloc(2 * n, sizeof *p->racing);
    p->waves = calloc(2 * n + 1, sizeof *p->waves);
    p->speeds = calloc(2 * n, sizeof *p->speeds);
    p->pairs = calloc(n, sizeof *p->pairs);
    p->apart = calloc(n, sizeof *p->apart);
    p->paired = calloc(n, sizeof *p->paired);
    p->requests = calloc(n, sizeof *p->requests);
    p->who = calloc(n, sizeof *p->who);
    if (!p->asking || !p->racing || !p->waves || !p->speeds)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for %d members", slots);
    if (!p->states || !p->jobs || !p->requests || !p->who || !p->pairs || !p->apart || !p->paired)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for %d members", slots);
    OTOK_TRY(otok_part_enter(p));
    return group->plan->backend->ensembles->create(&p->ensemble, like, buffers, group->max_steps,
                                                   (group->audited ? 2 : 1) * slots + 1);
}

void otok_part_destroy(otok_part *p)
{
    if (p->ensemble && otok_part_enter(p) == OTOK_OK)
        p->group->plan->backend->ensembles->destroy(p->ensemble);
    if (p->maps) p->group->plan->backend->host.give(p->maps);
    sem_destroy(&p->may_begin);
    free(p->states);
    free(p->jobs);
    free(p->asking);
    free(p->racing);
    free(p->waves);
    free(p->speeds);
    free(p->requests);
    free(p->who);
    free(p->pairs);
    free(p->apart);
    free(p->paired);
    otok_holes_destroy(&p->initial.holes);
    free(p->initial.key);
}
