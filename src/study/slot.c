/* slot.c: see slot.h. */
#include "slot.h"

#include <stdlib.h>

void otok_slot_clear(otok_slot *s)
{
    otok_audit_destroy(&s->audit);
    otok_sim_destroy(s->sim);
    otok_scenario_destroy(s->scenario);
    free(s->samples);
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
