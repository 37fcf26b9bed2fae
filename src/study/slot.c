/* slot.c: see part.h. */
#include "part.h"

#include "../core/status.h"

#include <stdlib.h>

void otok_slot_ask(otok_slot *s, const otok_study *study)
{
    const otok_doubt *d = s->doubt;
    s->next =
        otok_member_next(d ? d->again + 1 : 0, d ? &d->result : &s->result, study, s->scenario);
    s->doubtful = s->next < OTOK_AGAINS;
}

/* Puts the first run aside. */
static otok_status begin_doubt(otok_slot *s)
{
    otok_doubt *d = calloc(1, sizeof *d);
    otok_sample *last = malloc(sizeof *last);
    if (!d || !last) {
        free(d);
        free(last);
        return OTOK_FAIL(OTOK_NOMEM, "no memory to run a member again");
    }
    d->result = s->result;
    d->samples = s->samples;
    d->rivers = s->rivers;
    s->doubt = d;
    s->samples = last;
    s->rivers = NULL;
    return OTOK_OK;
}

otok_status otok_slot_again(otok_slot *s)
{
    if (!s->doubt) OTOK_TRY(begin_doubt(s));
    otok_doubt *d = s->doubt;
    d->again = s->next;
    s->doubtful = 0;
    free(s->rivers);
    s->rivers = NULL;
    otok_member_begin(&s->result, d->result.row);
    otok_audit_destroy(&s->audit);
    s->audit = (otok_audit){0};
    otok_sim_destroy(s->sim);
    s->sim = NULL;
    otok_twin_destroy(d->twin); /* after its simulation */
    d->twin = NULL;
    OTOK_TRY(otok_scenario_twin(&d->twin, s->scenario, otok_again_halves(d->again, s->scenario)));
    s->end = otok_scenario_iterations(&d->twin->scenario);
    return OTOK_OK;
}

void otok_slot_settle(otok_slot *s, const otok_study *study)
{
    otok_doubt *d = s->doubt;
    const otok_run_end own = {&d->result, &d->samples[d->result.nsamples - 1], d->rivers},
                       other = {&s->result, s->samples, s->rivers};
    otok_member_compare(&d->result, d->again, &own, &other, study, s->scenario->grid);
    otok_slot_ask(s, study);
    if (s->doubtful) return;
    free(s->samples);
    s->result = d->result;
    s->samples = d->samples;
    d->samples = NULL;
}

void otok_slot_clear(otok_slot *s)
{
    otok_audit_destroy(&s->audit);
    otok_sim_destroy(s->sim);
    if (s->doubt) {
        otok_twin_destroy(s->doubt->twin);
        free(s->doubt->samples);
        free(s->doubt->rivers);
        free(s->doubt);
    }
    otok_scenario_destroy(s->scenario);
    free(s->samples);
    free(s->rivers);
    free(s->kept.bytes);
    *s = (otok_slot){0};
}

void otok_slot_end(otok_part *p, otok_slot *s)
{
    p->group->plan->end(p->group->plan->user, &s->result, s->samples);
    otok_slot_clear(s);
}

void otok_slot_fail(otok_part *p, otok_slot *s, otok_status status)
{
    otok_member_fail(&s->result, p->group->plan->study, status);
    otok_slot_end(p, s);
}
