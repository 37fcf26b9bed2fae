/* river_areas.c: what drains through each cell, from the heads of rivers down; by one thread. */
#include "../core/river_sums.h"

#include "rivers.h"

/* Goes down from each cell to which none drains, as far as all that drains there is known, and
   calls `add` with a cell and its receiver. */
static inline __attribute__((always_inline)) void
walk_down(const otok_view *v, void (*add)(const otok_view *v, ptrdiff_t from, ptrdiff_t to))
{
    int *left = otok_numbers(v, OTOK_RIVER_LOW);
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++)
            left[j * v->pitch + i] = 0;
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            otok_spot s = {i, j};
            if (otok_spot_drains(v, &s)) left[s.j * v->pitch + s.i]++;
        }
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

void cpu_river_areas(const otok_view *v)
{
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++)
            otok_naturals(v, OTOK_RIVER_AREA)[at] = !otok_is_wall(v, at);
    walk_down(v, add_area);
}

static inline void add_sum(const otok_view *v, ptrdiff_t from, ptrdiff_t to)
{
    cpu_river_add(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, to,
                  otok_wide_get(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, from));
}

void cpu_river_sums(const otok_view *v)
{
    walk_down(v, add_sum);
}

static void begin_sums(const otok_view *v, const otok_coefficients *k)
{
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++)
            otok_wide_put(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, at,
                          otok_rain_units(v, at, k->incision));
}

static void end_sums(const otok_view *v)
{
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++)
            v->at[OTOK_RIVER_AREA][at] =
                otok_rain_of(otok_wide_get(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, at));
    cpu_river_clear(v);
}

void cpu_river_flows(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    (void)b;
    begin_sums(&patch->view, k);
    cpu_river_sums(&patch->view);
    end_sums(&patch->view);
}

/* ---- multiple flow directions ---- */

static void count_givers(const otok_view *v, int wraps)
{
    cpu_river_wipe(v, OTOK_RIVER_LOW);
    cpu_river_wipe(v, OTOK_RIVER_HOOK);
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++)
            for (uint32_t q = 0, ways = otok_naturals(v, OTOK_RIVER_AREA)[j * v->pitch + i];
                 ways >> q; q++)
                if (ways >> q & 1)
                    otok_numbers(
                        v, OTOK_RIVER_LOW)[otok_way_to(v, (otok_spot){i, j}, (int)q, wraps)]++;
}

/* From a cell down, through all cells whose givers have all passed their areas on: a list by
   places + 1 in RIVER_HOOK. */
static void spread_from(const otok_view *v, ptrdiff_t at, otok_routing r, float p)
{
    int *left = otok_numbers(v, OTOK_RIVER_LOW), *after = otok_numbers(v, OTOK_RIVER_HOOK);
    for (int first = (int)at + 1; first;) {
        const ptrdiff_t from = first - 1;
        const otok_spread parts =
            otok_spread_of(v, from, otok_wide_get(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, from), r, p);
        first = after[from];
        left[from] = -1;
        for (int q = 0; parts.ways >> q; q++) {
            if (!(parts.ways >> q & 1)) continue;
            const ptrdiff_t to = otok_way_to(v, otok_spot_of(v, from), q, r.wraps);
            cpu_river_add(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, to, parts.parts[q]);
            if (--left[to]) continue;
            after[to] = first;
            first = (int)to + 1;
        }
    }
}

void cpu_river_spreads(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_routing r = cpu_river_task_of(patch, k).r;
    (void)b;
    begin_sums(v, k);
    count_givers(v, r.wraps);
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++)
            if (!otok_numbers(v, OTOK_RIVER_LOW)[at]) spread_from(v, at, r, k->incision.spread);
    end_sums(v);
}
