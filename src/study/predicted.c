/* predicted.c: the limits of a member before it runs. */
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "../sim/sim.h"
#include "member.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The site of the last member. Most members of a study begin alike. */
static struct known {
    char *key;
    otok_site site;
} last;

static void read_site(otok_site *out, const otok_scenario *s)
{
    char *key = NULL;
    int found = 0;
    if (otok_initial_state_key(&key, s) != OTOK_OK) key = NULL;
#pragma omp critical(otok_site)
    if (key && last.key && strcmp(last.key, key) == 0) {
        *out = last.site;
        found = 1;
    }
    if (!found) otok_site_read(out, s);
    if (!key) return;
#pragma omp critical(otok_site)
    {
        free(last.key);
        last = (struct known){key, *out};
    }
}

/* Notes the margin of a limit, or raises it. */
static void note(otok_result *r, const otok_limit *limit)
{
    const double margin = otok_limit_margin(limit);
    for (int n = 0; n < OTOK_LIMITS; n++) {
        struct otok_margin *m = &r->margins[n];
        if (m->limit[0] && strcmp(m->limit, limit->name) != 0) continue;
        if (!m->limit[0] || margin > m->margin) m->margin = margin;
        snprintf(m->limit, sizeof m->limit, "%s", limit->name);
        return;
    }
}

void otok_member_predict(otok_result *r, const otok_scenario *s)
{
    otok_site site;
    otok_limit binding;
    const char *name;
    read_site(&site, s);
    for (int p = 0; p < s->nphases; p++) {
        otok_limit some[OTOK_LIMITS];
        const int n = otok_predict(some, s, p, &site);
        for (int i = 0; i < n; i++)
            if (some[i].value == some[i].value) note(r, &some[i]);
    }
    r->slow = otok_predict_slow(&name, s, &site);
    if (!otok_predict_binding(&binding, s, &site)) return;
    r->margin = otok_limit_margin(&binding);
    snprintf(r->limit, sizeof r->limit, "%s", binding.name);
}
