/* audit.c: how far a run and its twin are apart. */
#include "../core/audit.h"
#include "cpu.h"

typedef struct comparing {
    otok_audit_maps maps;
    const otok_view *view;
    otok_audit_sums *all;
} comparing;

static void compare_rows(void *task, int y0, int y1)
{
    const comparing *c = task;
    otok_sum mine[OTOK_TWINS_SUMS] = {{0, 0}};
    for (int j = y0; j < y1; j++)
        for (int i = 0; i < c->view->nx; i++) {
            const otok_audit_terms t = otok_audit_at(&c->maps, c->view, i, j);
            for (int s = 0; s < OTOK_TWINS_SUMS; s++) {
                const otok_fixed f = otok_fixed_from(t.of[s]);
                mine[s].hi += f.hi;
                mine[s].lo += f.lo;
            }
        }
    for (int s = 0; s < OTOK_TWINS_SUMS; s++) {
        cpu_add(&c->all->of[s].hi, mine[s].hi);
        cpu_add(&c->all->of[s].lo, mine[s].lo);
    }
}

otok_status cpu_compare(const otok_twins *pair, otok_audit_sums *out)
{
    comparing c = {otok_audit_maps_of(pair), &pair->run->view, out};
    *out = (otok_audit_sums){0};
    cpu_share(c.view, compare_rows, &c);
    return OTOK_OK;
}
