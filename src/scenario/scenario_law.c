/* scenario_law.c: the laws of a process. A law is a set of defaults. */
#include "process.h"

#include <string.h>

/* The defaults of laws that differ from those of the parameter table, which are the first law's. */
static const struct {
    const char *group;
    int law;
    const char *key;
    double standard;
} values[] = {
    {"hydraulic", OTOK_LAW_LOCAL_INERTIA, "pipes", OTOK_SIGNED},
    {"hydraulic", OTOK_LAW_LOCAL_INERTIA, "area", OTOK_AREA_DEPTH},
    {"hydraulic", OTOK_LAW_LOCAL_INERTIA, "manning", 0.03},
    {"hydraulic", OTOK_LAW_LOCAL_INERTIA, "evaporation", 0},
    {"hydraulic", OTOK_LAW_LOCAL_INERTIA, "capacity_law", OTOK_CAPACITY_SPEED_DEPTH},
    {"hydraulic", OTOK_LAW_LOCAL_INERTIA, "displace_water", 1},
    {"hydraulic", OTOK_LAW_LOCAL_INERTIA, "slope", OTOK_SLOPE_DOWNHILL},
    {"hydraulic", OTOK_LAW_LOCAL_INERTIA, "bed_steps", OTOK_BED_STEPS_CRITICAL},
    {"hydraulic", OTOK_LAW_SHALLOW_WATER, "pipes", OTOK_SIGNED},
    {"hydraulic", OTOK_LAW_SHALLOW_WATER, "area", OTOK_AREA_DEPTH},
    {"hydraulic", OTOK_LAW_SHALLOW_WATER, "manning", 0.03},
    {"hydraulic", OTOK_LAW_SHALLOW_WATER, "evaporation", 0},
    {"hydraulic", OTOK_LAW_SHALLOW_WATER, "capacity_law", OTOK_CAPACITY_SPEED_DEPTH},
    {"hydraulic", OTOK_LAW_SHALLOW_WATER, "displace_water", 1},
    {"hydraulic", OTOK_LAW_SHALLOW_WATER, "slope", OTOK_SLOPE_DOWNHILL},
    {"hydraulic", OTOK_LAW_SHALLOW_WATER, "bed_steps", OTOK_BED_STEPS_CRITICAL},
    {"reef", OTOK_REEF_LIGHT, "absorption", 0.1},
    {"reef", OTOK_REEF_LIGHT, "min_depth", 0.5},
};

enum { VALUES = sizeof values / sizeof values[0] };

/* Critical flow is one of the depth at a face; pipes of constant area have none. */
static int is_without_depth(const otok_parameter *p, const void *group)
{
    const otok_hydraulic *h = group;
    return strcmp(p->group, "hydraulic") == 0 && strcmp(p->key, "bed_steps") == 0 &&
           !(h->area == OTOK_AREA_DEPTH && h->pipes == OTOK_SIGNED);
}

double otok_law_standard(const otok_parameter *p, const void *group)
{
    if (is_without_depth(p, group)) return p->standard;
    for (int n = 0; n < VALUES; n++)
        if (strcmp(values[n].group, p->group) == 0 && strcmp(values[n].key, p->key) == 0 &&
            *(const int *)((const char *)group + otok_parameter_find(p->group, "law")->offset) ==
                values[n].law)
            return values[n].standard;
    return p->standard;
}

void otok_law_forget(otok_node *map)
{
    const otok_node *law = otok_node_find(map, "law");
    for (int n = 0; n < VALUES; n++)
        if (strcmp(values[n].group, map->key) == 0) otok_node_remove(map, values[n].key);
    for (int i = map->n - 1; i >= 0; i--)
        if (otok_law_of_key(map->key, map->items[i]->key, -1) >= 0)
            otok_node_remove(map, map->items[i]->key);
    if (law && law->text && strcmp(law->text, "published") != 0) /* pipes as deep as the water */
        otok_node_remove(map, "pipe_area");
}
