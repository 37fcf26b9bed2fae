/* river_settle.c: see core/river_settle.h. */
#include "rivers.h"

static CPU_RIVER_CELLS(begin_rows, otok_settle_begin(v, at));

static CPU_RIVER_CELLS(give_rows, otok_gather_begin(v, at, otok_load_units(v, at, t->k.lakes)));

static CPU_RIVER_CELLS(load_rows, otok_load_put(v, at, otok_gathered(v, at), t->k.lakes));

static CPU_RIVER_CELLS(end_rows, v->at[OTOK_RIVER_CUT][at] = v->at[OTOK_CHANGE_NEXT][at]);

static void settle_rows(void *what, int y0, int y1)
{
    cpu_river_task *t = what;
    uint64_t more = 0, all = 0;
    for (int j = y0; j < y1; j++)
        for (ptrdiff_t at = j * t->v->pitch; at < j * t->v->pitch + t->v->nx; at++)
            more += otok_cell_settle(t->v, at, &all);
    cpu_add((int64_t *)&t->more, (int64_t)more);
    cpu_add((int64_t *)&t->all, (int64_t)all);
}

void cpu_river_settles(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    cpu_river_task t = cpu_river_task_of(patch, k);
    t.again = 1;
    (void)b;
    cpu_share(v, begin_rows, &t);
    for (int round = 0; round < OTOK_SETTLE_ROUNDS; round++) {
        if (round > 0 && otok_is_settled(t.more, t.all)) break;
        if (round > 0 && t.k.deposition > 0.0f) {
            cpu_share(v, give_rows, &t);
            cpu_river_sums(&t);
            cpu_share(v, load_rows, &t);
        }
        cpu_river_compose(&t);
        t.more = t.all = 0;
        cpu_share(v, settle_rows, &t);
    }
    cpu_share(v, end_rows, &t);
    const otok_sum last = otok_settle_book(t.more);
    cpu_book(v, OTOK_SUM_RIVER_UNSETTLED, last.hi, last.lo);
    cpu_river_clear(v);
}
