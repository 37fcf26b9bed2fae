/* river_areas.c: what drains through each cell, from the heads of rivers down; see
   core/river_spread.h. */
#include "rivers.h"

static CPU_RIVER_CELLS(count_rows, otok_givers_count(v, s, t->r, t->k.spread));

static CPU_RIVER_CELLS(down_rows, otok_gather_down(v, at, t->r, t->k.spread));

void cpu_river_sums(cpu_river_task *t)
{
    cpu_share(t->v, count_rows, t);
    cpu_share(t->v, down_rows, t);
}

static CPU_RIVER_CELLS(own_rows, otok_gather_begin(v, at, !otok_is_wall(v, at)));

static CPU_RIVER_CELLS(area_rows,
                       otok_naturals(v, OTOK_RIVER_AREA)[at] = (uint32_t)otok_gathered(v, at));

void cpu_river_areas(cpu_river_task *t)
{
    cpu_share(t->v, own_rows, t);
    cpu_river_sums(t);
    cpu_share(t->v, area_rows, t);
}

static CPU_RIVER_CELLS(rain_rows, otok_gather_begin(v, at, otok_rain_units(v, at, t->k)));

static CPU_RIVER_CELLS(flow_rows, v->at[OTOK_RIVER_AREA][at] = otok_rain_of(otok_gathered(v, at)));

void cpu_river_flows(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    cpu_river_task t = cpu_river_task_of(patch, k);
    (void)b;
    cpu_share(t.v, rain_rows, &t);
    cpu_river_sums(&t);
    cpu_share(t.v, flow_rows, &t);
    cpu_river_clear(t.v);
}

void cpu_river_spreads(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    cpu_river_flows(patch, b, k);
}
