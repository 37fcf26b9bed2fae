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
    otok_wide_put(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, to,
                  otok_wide_get(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, to) +
                      otok_wide_get(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, from));
}

void cpu_river_sums(const otok_view *v)
{
    walk_down(v, add_sum);
}

void cpu_river_flows(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)b;
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++)
            otok_wide_put(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, at,
                          otok_rain_units(v, at, k->incision));
    cpu_river_sums(v);
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++)
            v->at[OTOK_RIVER_AREA][at] =
                otok_rain_of(otok_wide_get(v, OTOK_RIVER_PASS, OTOK_RIVER_PART, at));
    cpu_river_clear(v);
}
