/* halved.c: see halved.h. */
#include "halved.h"

#include "../core/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static otok_status no_memory(void)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory for a scenario with half the time step");
}

/* Two iterations with the new shares take as much as one with the old. */
static void halve_shares(otok_phase *p)
{
    otok_hydraulic *h = &p->hydraulic;
    if (p->processes & OTOK_DROPLETS && p->droplets.batch > 1) p->droplets.batch /= 2;
    if (p->seabed.sweeps % 2 == 0) p->seabed.sweeps /= 2;
    if (h->diffusion_sweeps % 2 == 0) h->diffusion_sweeps /= 2;
    h->theta = 0.5 * (1 + h->theta); /* 1 - theta of the old flow is mixed in an iteration */
    if (h->rates != OTOK_PER_ITERATION) return;
    h->dissolve = 1 - sqrt(1 - h->dissolve);
    h->deposit = 1 - sqrt(1 - h->deposit);
}

static void halve_phases(otok_scenario *s, int what)
{
    for (int i = 0; i < s->nphases; i++) {
        otok_phase_halve_steps(&s->phases[i]);
        if (!(what & OTOK_HALVES_SWEEPS)) s->phases[i].waves.every *= 2; /* at the same times */
        if (what & OTOK_HALVES_SHARES) halve_shares(&s->phases[i]);
    }
}

/* Makes a scenario of its own, from its text, because a simulation makes its changes in that
   text. */
static otok_status halve_changing(otok_halved *h, int what)
{
    otok_scenario *s = NULL;
    OTOK_TRY(otok_scenario_copy(&s, &h->scenario));
    halve_phases(s, what);
    for (int i = 0; i < s->nchanges; i++)
        s->changes[i].iteration *= 2;
    free(s->text);
    s->text = otok_scenario_write(s);
    const otok_status status = s->text ? otok_scenario_copy(&h->changing, s) : no_memory();
    otok_scenario_destroy(s);
    if (status == OTOK_OK) h->scenario = *h->changing;
    return status;
}

otok_status otok_scenario_halve(otok_halved *out, const otok_scenario *scenario, int what)
{
    *out = (otok_halved){.scenario = *scenario, .phases = scenario->phases};
    otok_scenario *s = &out->scenario;
    if (s->nchanges) return halve_changing(out, what);
    s->phases = malloc((size_t)s->nphases * sizeof *s->phases + 1);
    if (!s->phases) {
        s->phases = scenario->phases;
        return no_memory();
    }
    memcpy(s->phases, scenario->phases, (size_t)s->nphases * sizeof *s->phases);
    halve_phases(s, what);
    return OTOK_OK;
}

void otok_halved_destroy(otok_halved *h)
{
    if (!h->changing && h->scenario.phases != h->phases) free(h->scenario.phases);
    otok_scenario_destroy(h->changing);
    *h = (otok_halved){.phases = NULL};
}
