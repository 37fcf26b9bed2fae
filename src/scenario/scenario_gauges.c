/* scenario_gauges.c: the key `gauges` of a scenario. */
#include "scenario_read.h"

#include <math.h>

static otok_status check(otok_scenario *s, otok_phase *none, int i, const otok_node *item)
{
    const otok_gauge *g = &s->gauges[i];
    int processes = 0;
    (void)none;
    for (int p = 0; p < s->nphases; p++)
        processes |= s->phases[p].processes;
    if (!(processes & (OTOK_HYDRAULIC | OTOK_REEF_GROWTH)))
        return otok_node_fail(item->parent,
                              "gauges need water or a reef; add `hydraulic` to a phase");
    OTOK_TRY(otok_line_check(s, (double[]){g->x, g->y, g->to_x, g->to_y}, 1, item));
    if (!(processes & OTOK_HYDRAULIC) && otok_gauge_is_section(g))
        return otok_node_fail(item, "a cross section needs water; add `hydraulic` to a phase, or "
                                    "leave to_x and to_y out");
    return OTOK_OK;
}

otok_status otok_gauges_read(otok_scenario *s, const otok_node *root)
{
    return otok_items_read(s, NULL, s, otok_parameter_find("", "gauges"), root, check);
}

int otok_gauge_is_section(const otok_gauge *gauge)
{
    return !isnan(gauge->to_x);
}
