/* scenario_law.c: the laws of hydraulic erosion. A law is a set of defaults. */
#include "scenario_read.h"

#include <string.h>

/* The defaults of laws that differ from those of the parameter table, which are the published
   law's. */
static const struct {
    int law;
    const char *key;
    double standard;
} values[] = {
    {OTOK_LAW_LOCAL_INERTIA, "pipes", OTOK_SIGNED},
    {OTOK_LAW_LOCAL_INERTIA, "area", OTOK_AREA_DEPTH},
    {OTOK_LAW_LOCAL_INERTIA, "manning", 0.03},
    {OTOK_LAW_LOCAL_INERTIA, "evaporation", 0},
    {OTOK_LAW_LOCAL_INERTIA, "capacity_law", OTOK_CAPACITY_SPEED_DEPTH},
    {OTOK_LAW_LOCAL_INERTIA, "displace_water", 1},
    {OTOK_LAW_LOCAL_INERTIA, "slope", OTOK_SLOPE_DOWNHILL},
    {OTOK_LAW_SHALLOW_WATER, "pipes", OTOK_SIGNED},
    {OTOK_LAW_SHALLOW_WATER, "area", OTOK_AREA_DEPTH},
    {OTOK_LAW_SHALLOW_WATER, "manning", 0.03},
    {OTOK_LAW_SHALLOW_WATER, "evaporation", 0},
    {OTOK_LAW_SHALLOW_WATER, "capacity_law", OTOK_CAPACITY_SPEED_DEPTH},
    {OTOK_LAW_SHALLOW_WATER, "displace_water", 1},
    {OTOK_LAW_SHALLOW_WATER, "slope", OTOK_SLOPE_DOWNHILL},
};

enum { VALUES = sizeof values / sizeof values[0] };

double otok_law_standard(const otok_parameter *p, const void *group)
{
    if (strcmp(p->group, "hydraulic") != 0 || strcmp(p->key, "law") == 0) return p->standard;
    for (int n = 0; n < VALUES; n++)
        if (values[n].law == ((const otok_hydraulic *)group)->law &&
            strcmp(values[n].key, p->key) == 0)
            return values[n].standard;
    return p->standard;
}

void otok_law_forget(otok_node *hydraulic)
{
    const otok_node *law = otok_node_find(hydraulic, "law");
    for (int n = 0; n < VALUES; n++)
        otok_node_remove(hydraulic, values[n].key);
    if (law && law->text && strcmp(law->text, "published") != 0) /* pipes as deep as the water */
        otok_node_remove(hydraulic, "pipe_area");
}
