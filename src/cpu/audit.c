/* audit.c: how far a run and its twin are apart. */
#include "../core/audit.h"
#include "cpu.h"

typedef struct comparing {
    otok_audit_maps maps;
    const otok_view *view;
    otok_audit_sums *all;
    int alone; /* a run is compared with itself */
} comparing;

static void add_term(otok_sum *sum, float term)
{
    const otok_fixed f = otok_fixed_from(term);
    sum->hi += f.hi;
    sum->lo += f.lo;
}

static void compare_rows(void *task, int y0, int y1)
{
    /* What a look at one run needs (sim/look.h). */
    static const int own[] = {OTOK_TWINS_FLOW_ONE,    OTOK_TWINS_DEPTH_ONE,  OTOK_TWINS_WET,
                              OTOK_TWINS_LOWERED_ONE, OTOK_TWINS_RAISED_ONE, OTOK_TWINS_ROUGH_ONE};
    const comparing *c = task;
    otok_sum mine[OTOK_TWINS_SUMS] = {{0, 0}};
    for (int j = y0; j < y1 && !c->alone; j++)
        for (int i = 0; i < c->view->nx; i++) {
            const otok_audit_terms t = otok_audit_at(&c->maps, c->view, i, j);
            for (int s = 0; s < OTOK_TWINS_SUMS; s++)
                add_term(&mine[s], t.of[s]);
        }
    for (int j = y0; j < y1 && c->alone; j++)
        for (int i = 0; i < c->view->nx; i++) {
            const otok_audit_terms t = otok_audit_at(&c->maps, c->view, i, j);
            for (int s = 0; s < (int)(sizeof own / sizeof *own); s++)
                add_term(&mine[own[s]], t.of[own[s]]);
        }
    for (int s = 0; s < OTOK_TWINS_SUMS; s++) {
        cpu_add(&c->all->of[s].hi, mine[s].hi);
        cpu_add(&c->all->of[s].lo, mine[s].lo);
    }
}

otok_status cpu_compare(const otok_twins *pair, otok_audit_sums *out)
{
    comparing c = {otok_audit_maps_of(pair), &pair->run->view, out, pair->run == pair->twin};
    *out = (otok_audit_sums){0};
    cpu_share(c.view, compare_rows, &c);
    return OTOK_OK;
}
