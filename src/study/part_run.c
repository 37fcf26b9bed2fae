/* part_run.c: the iterations of a part from one sample to the next, the audits of its members
   (sim/audit.h; a twin runs in a slot of its own, at the same time), and the samples. */
#include "part.h"

#include "../core/status.h"
#include "../sim/courant.h"

/* The next iterations of one phase, at most n, or steps of one iteration. `left`: iterations to the
   sample. */
static otok_status prepare_course(otok_course *c, otok_sim *sim, int64_t n, int64_t left,
                                  int64_t max_steps)
{
    int phase, length, first;
    const int64_t whole = otok_sim_until_carry(sim);
    int64_t most = n < max_steps ? n : max_steps;
    if (otok_courant_is_under_way(sim)) {
        otok_courant_next(&c->job, sim, &first, &c->carries);
        if (first && left == 1) c->job.keep = OTOK_KEEPS_FIRST;
        return OTOK_OK;
    }
    if (whole < most) most = whole;
    OTOK_TRY(otok_sim_prepare(sim, most, &phase, &length));
    c->job = (otok_job){.patch = &sim->patch,
                        .program = &sim->programs[phase],
                        .k = &sim->coefficients[phase],
                        .steps = sim->steps,
                        .nsteps = length};
    if (length == left) c->job.keep = OTOK_KEEPS_LAST;
    c->carries = length == whole;
    otok_sim_pass(sim, length);
    return OTOK_OK;
}

/* The iterations up to the sample, or to where the audit has something to do. */
static int64_t iterations_left(const otok_slot *s)
{
    const int64_t left = s->due - s->sim->iteration, until = otok_audit_until(&s->audit);
    return left < until ? left : until;
}

static otok_status begin_course(otok_sim *sim, int64_t n)
{
    return n > 0 && !otok_courant_is_under_way(sim) && otok_sim_has_courant(sim)
               ? otok_courant_begin(sim)
               : OTOK_OK;
}

/* Does something for every member that runs; one for which it fails ends. */
static void for_all(otok_part *p, otok_status (*does)(const otok_part *, otok_slot *))
{
    for (int slot = 0; slot < p->slots; slot++) {
        otok_slot *s = &p->states[slot];
        const otok_status status = s->taken ? does(p, s) : OTOK_OK;
        if (status != OTOK_OK) otok_slot_fail(p, s, status);
    }
}

/* Begins iterations whose steps follow the water. */
static otok_status begin(const otok_part *p, otok_slot *s)
{
    (void)p;
    OTOK_TRY(begin_course(s->sim, iterations_left(s)));
    return begin_course(s->audit.twin, otok_audit_twin_left(&s->audit) > 0);
}

/* How fast is the water of those that ask? */
static otok_status answer_all(otok_part *p)
{
    int n = 0;
    for (int slot = 0; slot < 2 * p->slots; slot++) {
        const otok_slot *s = &p->states[slot % p->slots];
        otok_sim *sim = slot < p->slots ? s->sim : s->audit.twin;
        if (s->taken && sim && otok_courant_asks(sim, &p->waves[n])) p->asking[n++] = sim;
    }
    for (int m = 0; m < n; m++)
        p->racing[m] = &p->asking[m]->patch;
    if (n)
        OTOK_TRY(p->group->plan->backend->ensembles->fastest(p->ensemble, p->racing, p->waves, n,
                                                             p->speeds));
    for (int m = 0; m < n; m++)
        otok_courant_answer(p->asking[m], p->speeds[m]);
    return OTOK_OK;
}

/* Up to the sample, or to where the audit has something to do; likewise the twin. */
static otok_status prepare(const otok_part *p, otok_slot *s)
{
    const int64_t n = iterations_left(s), twin_left = otok_audit_twin_left(&s->audit),
                  max_steps = p->group->max_steps;
    s->run = s->twin = (otok_course){0};
    if (n > 0) OTOK_TRY(prepare_course(&s->run, s->sim, n, s->due - s->sim->iteration, max_steps));
    return twin_left > 0 ? prepare_course(&s->twin, s->audit.twin, twin_left, 0, max_steps)
                         : OTOK_OK;
}

/* Prepares the next iterations of every slot up to its sample. *n: the number of jobs. */
static otok_status prepare_all(otok_part *p, int *n)
{
    for_all(p, begin);
    OTOK_TRY(answer_all(p));
    for_all(p, prepare);
    *n = 0;
    for (int slot = 0; slot < 2 * p->slots; slot++) {
        const otok_slot *s = &p->states[slot % p->slots];
        const otok_course *c = slot < p->slots ? &s->run : &s->twin;
        if (s->taken && c->job.nsteps) p->jobs[(*n)++] = c->job;
    }
    return OTOK_OK;
}

static otok_status carry(const otok_part *p, otok_slot *s)
{
    (void)p;
    if (s->run.carries) OTOK_TRY(otok_sim_carry(s->sim));
    return s->twin.carries ? otok_sim_carry(s->audit.twin) : OTOK_OK;
}

/* ---- audits ---- */

/* The slots whose audit has a window to open, or to close, or looks at the run, as pairs. */
static int gather_pairs(otok_part *p, int opens)
{
    int n = 0;
    for (int slot = 0; slot < p->slots; slot++) {
        otok_slot *s = &p->states[slot];
        if (s->taken && !(opens && s->sim->iteration == s->due) &&
            !otok_courant_is_under_way(s->sim) &&
            otok_audit_is_due(&p->pairs[n], &s->audit, &s->judge, opens))
            p->paired[n++] = slot;
    }
    return n;
}

static otok_status open_windows(otok_part *p)
{
    const int n = gather_pairs(p, 1);
    for (int m = 0; m < n; m++)
        OTOK_TRY(otok_audit_enter(&p->states[p->paired[m]].audit));
    return n ? p->group->plan->backend->ensembles->part(p->ensemble, p->pairs, n) : OTOK_OK;
}

static otok_status close_windows(otok_part *p)
{
    const int n = gather_pairs(p, 0);
    if (!n) return OTOK_OK;
    OTOK_TRY(p->group->plan->backend->ensembles->compare(p->ensemble, p->pairs, n, p->apart));
    for (int m = 0; m < n; m++) {
        otok_slot *s = &p->states[p->paired[m]];
        otok_audit_note(&s->audit, &s->judge, &p->apart[m]);
    }
    return OTOK_OK;
}

static otok_status set_due(const otok_part *p, otok_slot *s)
{
    s->due = otok_least(s->sim->iteration + p->group->plan->study->every, s->end);
    return OTOK_OK;
}

otok_status otok_part_run_to_samples(otok_part *p)
{
    for_all(p, set_due);
    for (;;) {
        OTOK_TRY(open_windows(p));
        int n;
        OTOK_TRY(prepare_all(p, &n));
        if (n == 0) return OTOK_OK;
        OTOK_TRY(p->group->plan->backend->ensembles->run(p->ensemble, p->jobs, n));
        for_all(p, carry);
        OTOK_TRY(close_windows(p));
    }
}

/* ---- samples ---- */

/* Is a sample of the slot due? A run with half the step has only one, at its end. */
static int is_due(const otok_slot *s, int fresh)
{
    return s->taken && (!fresh || s->fresh) && (!s->doubt || s->sim->iteration == s->end);
}

otok_status otok_part_sample(otok_part *p, int fresh, int *n)
{
    *n = 0;
    for (int slot = 0; slot < p->slots; slot++) {
        const otok_slot *s = &p->states[slot];
        if (is_due(s, fresh)) p->who[(*n)++] = slot;
    }
    for (int m = 0; m < *n; m++) {
        const otok_slot *s = &p->states[p->who[m]];
        otok_diagnostics_request *request = &p->requests[m];
        request->patch = &s->sim->patch;
        request->fields = s->sim->fields;
        request->prints = s->sim->iteration == s->end;
        otok_diagnostics_prepare(&request->maps, s->sim);
    }
    return p->group->plan->backend->ensembles->diagnose(p->ensemble, p->requests, *n);
}
