/* sea.c: the cells that the sea reaches. All threads join cells at once; see core/sea_reach.h. */
#include "../core/sea_reach.h"

#include "cpu.h"

typedef struct task {
    const otok_view *v;
    otok_ways_in sides;
    float sea;
} task;

static void begin(void *what, int y0, int y1)
{
    const task *t = what;
    int *parents = otok_sea_parents(t->v);
    for (int j = y0; j < y1; j++)
        for (int i = 0; i < t->v->nx; i++)
            parents[j * t->v->pitch + i] = otok_sea_first_parent(t->v, i, j, t->sides.open);
}

/* Joins the parts of two numbers. */
static void join(int *parents, int a, int b)
{
    for (;;) {
        a = otok_sea_root(parents, a);
        b = otok_sea_root(parents, b);
        if (a == b) return;
        int root = a > b ? a : b, lower = a > b ? b : a, found = root;
        if (__atomic_compare_exchange_n(&parents[root - 1], &found, lower, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return;
    }
}

static void join_rows(void *what, int y0, int y1)
{
    const task *t = what;
    int *parents = otok_sea_parents(t->v);
    for (int j = y0; j < y1; j++)
        for (int i = 0; i < t->v->nx; i++) {
            const ptrdiff_t at = j * t->v->pitch + i;
            for (int way = 0; way < 2 && otok_sea_may_enter(t->v, at, t->sea); way++) {
                const int beside = otok_sea_beside(t->v, i, j, way, t->sea, t->sides.wraps);
                if (beside) join(parents, (int)at + 1, beside);
            }
        }
}

static void end(void *what, int y0, int y1)
{
    const task *t = what;
    for (int j = y0; j < y1; j++)
        for (ptrdiff_t at = j * t->v->pitch; at < j * t->v->pitch + t->v->nx; at++)
            t->v->at[OTOK_REACHED][at] = otok_sea_is_in(t->v, at, t->sea);
}

/* Ways to a root depend on the order of threads, so nothing is left of them. */
static void clear(void *what, int y0, int y1)
{
    const task *t = what;
    for (int j = y0; j < y1; j++)
        for (ptrdiff_t at = j * t->v->pitch; at < j * t->v->pitch + t->v->nx; at++)
            t->v->at[OTOK_SEA_PARENT][at] = 0.0f;
}

void cpu_sea_reaches(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    task t = {v, otok_ways_in_of(patch->edges), v->steps[*v->now].sea};
    (void)b, (void)k;
    cpu_share(v, begin, &t);
    cpu_share(v, join_rows, &t);
    cpu_share(v, end, &t);
    cpu_share(v, clear, &t);
}
