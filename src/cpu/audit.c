/* audit.c: how far a run and its twin are apart. */
#include "../core/audit.h"
#include "cpu.h"

typedef struct comparing {
    otok_audit_maps maps;
    const otok_view *view;
    otok_audit_sums *all;
    int alone; /* a run is compared with itself */
} comparing;

static void add_up(otok_sum *to, const float *of, int n)
{
    int64_t hi = 0, lo = 0;
#pragma omp simd reduction(+ : hi, lo)
    for (int i = 0; i < n; i++) {
        const otok_fixed f = otok_fixed_from(of[i]);
        hi += f.hi;
        lo += f.lo;
    }
    to->hi += hi;
    to->lo += lo;
}

/* Adds n of the terms, those of `which` (NULL: all), known to the compiler. Loops over some cells
   and one term become vectors. */
static inline __attribute__((always_inline)) void add_rows(otok_sum *to, const comparing *c, int y0,
                                                           int y1, const int *which, int n)
{
    enum { SOME = 64 };
    float of[OTOK_TWINS_SUMS][SOME];
    for (int j = y0; j < y1; j++)
        for (int from = 0, m; from < c->view->nx; from += m) {
            m = c->view->nx - from < SOME ? c->view->nx - from : SOME;
            for (int i = 0; i < m; i++) {
                const otok_audit_terms t = otok_audit_at(&c->maps, c->view, from + i, j);
                for (int k = 0; k < n; k++)
                    of[k][i] = t.of[which ? which[k] : k];
            }
            for (int k = 0; k < n; k++)
                add_up(&to[which ? which[k] : k], of[k], m);
        }
}

static void compare_rows(void *task, int y0, int y1)
{
    /* What a look at one run needs (sim/look.c). */
    static const int own[] = {OTOK_TWINS_FLOW_ONE,    OTOK_TWINS_DEPTH_ONE,  OTOK_TWINS_WET,
                              OTOK_TWINS_LOWERED_ONE, OTOK_TWINS_RAISED_ONE, OTOK_TWINS_ROUGH_ONE};
    const comparing *c = task;
    otok_sum mine[OTOK_TWINS_SUMS] = {{0, 0}};
    if (c->alone)
        add_rows(mine, c, y0, y1, own, sizeof own / sizeof *own);
    else
        add_rows(mine, c, y0, y1, NULL, OTOK_TWINS_SUMS);
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
