/* river_areas.c: what drains through each cell, from the heads of rivers down; by one thread. */
#include "rivers.h"

typedef cpu_river_task task;

static CPU_RIVER_CELLS(count_rows, {
    otok_spot to = s;
    if (otok_spot_drains(v, &to)) otok_numbers(v, OTOK_RIVER_LOW)[to.j * v->pitch + to.i]++;
});

/* Goes down from each cell to which none drains, as far as all that drains there is known, and
   calls `add` with a cell and its receiver. */
static inline __attribute__((always_inline)) void
walk_down(task *t, void (*add)(const otok_view *v, ptrdiff_t from, ptrdiff_t to))
{
    const otok_view *const v = t->v;
    int *left = otok_numbers(v, OTOK_RIVER_LOW);
    cpu_river_wipe(v, OTOK_RIVER_LOW);
    count_rows(t, 0, v->ny);
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            otok_spot s = {i, j};
            for (ptrdiff_t at = j * v->pitch + i, from; left[at] == 0; left[at]--) {
                left[from = at] = -1;
                if (!otok_spot_drains(v, &s)) break;
                at = s.j * v->pitch + s.i;
                add(v, from, at);
            }
        }
}

static inline void add_area(const otok_view *v, ptrdiff_t from, ptrdiff_t to)
{
    otok_naturals(v, OTOK_RIVER_AREA)[to] += otok_naturals(v, OTOK_RIVER_AREA)[from];
}

static CPU_RIVER_CELLS(own_rows, otok_naturals(v, OTOK_RIVER_AREA)[at] = !otok_is_wall(v, at));

void cpu_river_areas(task *t)
{
    cpu_share(t->v, own_rows, t);
    walk_down(t, add_area);
}

static inline void add_sum(const otok_view *v, ptrdiff_t from, ptrdiff_t to)
{
    cpu_river_add(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, to,
                  otok_wide_get(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, from));
}

void cpu_river_sums(task *t)
{
    walk_down(t, add_sum);
}

static CPU_RIVER_CELLS(begin_rows, otok_wide_put(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, at,
                                                 otok_rain_units(v, at, t->k)));

static CPU_RIVER_CELLS(end_rows, v->at[OTOK_RIVER_AREA][at] = otok_rain_of(
                                     otok_wide_get(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, at)));

void cpu_river_flows(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    task t = cpu_river_task_of(patch, k);
    (void)b;
    cpu_share(t.v, begin_rows, &t);
    cpu_river_sums(&t);
    cpu_share(t.v, end_rows, &t);
    cpu_river_clear(t.v);
}

/* ---- multiple flow directions ---- */

static CPU_RIVER_CELLS(count_givers, {
    const uint32_t ways = otok_naturals(v, OTOK_RIVER_AREA)[at];
    for (int q = 0; ways >> q; q++)
        if (ways >> q & 1) otok_numbers(v, OTOK_RIVER_LOW)[otok_way_to(v, s, q, t->r.wraps)]++;
});

/* From a cell to which none gives down, through all cells whose givers have all passed their areas
   on: a list by places + 1 in RIVER_HOOK. */
static CPU_RIVER_CELLS(spread_from, {
    int *left = otok_numbers(v, OTOK_RIVER_LOW), *after = otok_numbers(v, OTOK_RIVER_HOOK);
    for (int first = left[at] ? 0 : (int)at + 1; first;) {
        const ptrdiff_t from = first - 1;
        const otok_spread parts = otok_spread_of(
            v, from, otok_wide_get(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, from), t->r, t->k.spread);
        first = after[from];
        left[from] = -1;
        for (int q = 0; parts.ways >> q; q++) {
            if (!(parts.ways >> q & 1)) continue;
            const ptrdiff_t to = otok_way_to(v, otok_spot_of(v, from), q, t->r.wraps);
            cpu_river_add(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, to, parts.parts[q]);
            if (--left[to]) continue;
            after[to] = first;
            first = (int)to + 1;
        }
    }
});

void cpu_river_spreads(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    task t = cpu_river_task_of(patch, k);
    (void)b;
    cpu_river_wipe(t.v, OTOK_RIVER_LOW);
    cpu_river_wipe(t.v, OTOK_RIVER_HOOK);
    cpu_share(t.v, begin_rows, &t);
    count_givers(&t, 0, t.v->ny);
    spread_from(&t, 0, t.v->ny);
    cpu_share(t.v, end_rows, &t);
    cpu_river_clear(t.v);
}
