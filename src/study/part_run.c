/* part_run.c: the iterations of a part from one sample to the next, and the audits of its members
   (sim/audit.h): a twin runs in a slot of its own, at the same time. */
#include "slot.h"

#include "../core/status.h"

/* The next iterations of one phase, at most n, as a job. *carries: afterwards the bookings are
   carried. */
static otok_status prepare_job(otok_job *job, int *carries, otok_sim *sim, int64_t n,
                               int64_t max_steps)
{
    int phase, length;
    const int64_t whole = otok_sim_until_carry(sim);
    int64_t most = n < max_steps ? n : max_steps;
    if (whole < most) most = whole;
    OTOK_TRY(otok_sim_prepare(sim, most, &phase, &length));
    *job = (otok_job){.patch = &sim->patch,
                      .program = &sim->programs[phase],
                      .k = &sim->coefficients[phase],
                      .steps = sim->steps,
                      .nsteps = length};
    *carries = length == whole;
    otok_sim_pass(sim, length);
    return OTOK_OK;
}

/* Up to the sample, or to where the audit has something to do; likewise the twin. */
static otok_status prepare_slot(const otok_part *p, otok_slot *s)
{
    const int64_t left = s->due - s->sim->iteration, until = otok_audit_until(&s->audit),
                  twin_left = otok_audit_twin_left(&s->audit), max_steps = p->group->max_steps;
    const int64_t n = left < until ? left : until;
    if (n > 0) {
        OTOK_TRY(prepare_job(&s->job, &s->carries, s->sim, n, max_steps));
        s->job.keep = s->job.nsteps == left;
    }
    return twin_left > 0
               ? prepare_job(&s->twin_job, &s->twin_carries, s->audit.twin, twin_left, max_steps)
               : OTOK_OK;
}

/* Prepares the next iterations of every slot up to its sample. Returns the number of jobs. */
static int prepare_all(otok_part *p)
{
    int n = 0;
    for (int slot = 0; slot < p->slots; slot++) {
        otok_slot *s = &p->states[slot];
        s->job.nsteps = s->carries = s->twin_job.nsteps = s->twin_carries = 0;
        if (!s->taken) continue;
        const otok_status status = prepare_slot(p, s);
        if (status != OTOK_OK) otok_slot_fail(p, s, status);
    }
    for (int slot = 0; slot < p->slots; slot++)
        if (p->states[slot].job.nsteps) p->jobs[n++] = p->states[slot].job;
    for (int slot = 0; slot < p->slots; slot++)
        if (p->states[slot].twin_job.nsteps) p->jobs[n++] = p->states[slot].twin_job;
    return n;
}

static void carry_all(otok_part *p)
{
    for (int slot = 0; slot < p->slots; slot++) {
        otok_slot *s = &p->states[slot];
        otok_status status = s->taken && s->carries ? otok_sim_carry(s->sim) : OTOK_OK;
        if (status == OTOK_OK && s->taken && s->twin_carries)
            status = otok_sim_carry(s->audit.twin);
        if (status != OTOK_OK) otok_slot_fail(p, s, status);
    }
}

/* ---- audits ---- */

/* The slots whose audit has a window to open, or to close, as pairs. */
static int gather_pairs(otok_part *p, int opens)
{
    int n = 0;
    for (int slot = 0; slot < p->slots; slot++) {
        const otok_slot *s = &p->states[slot];
        const otok_audit *a = &s->audit;
        if (!s->taken || (opens && s->sim->iteration == s->due)) continue;
        if (opens ? !otok_audit_starts(a) : !otok_audit_ends(a) || otok_audit_twin_left(a))
            continue;
        p->pairs[n] = (otok_twins){&s->sim->patch, &a->twin->patch};
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

otok_status otok_part_run_to_samples(otok_part *p)
{
    const int64_t every = p->group->plan->study->every;
    for (int slot = 0; slot < p->slots; slot++) {
        otok_slot *s = &p->states[slot];
        if (s->taken)
            s->due = s->sim->iteration + every < s->end ? s->sim->iteration + every : s->end;
    }
    for (;;) {
        OTOK_TRY(open_windows(p));
        const int n = prepare_all(p);
        if (n == 0) return OTOK_OK;
        OTOK_TRY(p->group->plan->backend->ensembles->run(p->ensemble, p->jobs, n));
        carry_all(p);
        OTOK_TRY(close_windows(p));
    }
}
