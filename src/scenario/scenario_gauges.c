/* scenario_gauges.c: the key `gauges` of a scenario. */
#include "process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static otok_status check_name(const otok_scenario *s, int i, const otok_node *gauge)
{
    static const char good[] = "0123456789_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *name = s->gauges[i].name;
    const otok_node *node = otok_node_find(gauge, "name");
    if (!node) return otok_node_fail(gauge, "`name` is missing; write {name: ..., x: ..., y: ...}");
    if (!*name || name[strspn(name, good)] || strlen(name) >= OTOK_NAME_SIZE)
        return otok_node_fail(
            node, "`%.64s` is not a name for a gauge; use letters, digits, _ and -, at most %d",
            name, OTOK_NAME_SIZE - 1);
    for (int j = 0; j < i; j++)
        if (strcmp(s->gauges[j].name, name) == 0)
            return otok_node_fail(
                node, "gauges %d and %d have the same name; name them differently", j + 1, i + 1);
    return OTOK_OK;
}

static otok_status check_place(const otok_scenario *s, const otok_gauge *g, const otok_node *node)
{
    const double width = (double)s->grid.nx * s->grid.spacing,
                 height = (double)s->grid.ny * s->grid.spacing;
    const struct {
        const char *key;
        double at, end;
    } ends[] = {{"x", g->x, width},
                {"y", g->y, height},
                {"to_x", g->to_x, width},
                {"to_y", g->to_y, height}};
    for (int i = 0; i < 4; i++) {
        if (i < 2 && isnan(ends[i].at))
            return otok_node_fail(node, "`%s` is missing; write {name: ..., x: ..., y: ...} in m",
                                  ends[i].key);
        if (ends[i].at >= ends[i].end)
            return otok_node_fail(
                otok_node_find(node, ends[i].key),
                "%.15g m is outside the domain; allowed: at least 0, below %.15g m", ends[i].at,
                ends[i].end);
    }
    if (isnan(g->to_x) != isnan(g->to_y))
        return otok_node_fail(node, "a cross section has two ends; give to_x and to_y, or neither");
    if (g->to_x == g->x && g->to_y == g->y)
        return otok_node_fail(node, "a cross section of length 0; move one end, or leave to_x and "
                                    "to_y out for a gauge at a point");
    return OTOK_OK;
}

otok_status otok_gauges_read(otok_scenario *s, const otok_node *list)
{
    int n, has_water = 0, has_reef = 0;
    otok_words words = {0};
    otok_words_add_keys(&words, "gauges");
    OTOK_TRY(otok_list_check(&n, list, OTOK_MAX_GAUGES, "gauges"));
    if (!n) return OTOK_OK;
    for (int p = 0; p < s->nphases; p++)
        has_water |= s->phases[p].processes & OTOK_HYDRAULIC,
            has_reef |= s->phases[p].processes & OTOK_REEF_GROWTH;
    if (!has_water && !has_reef)
        return otok_node_fail(list, "gauges need water or a reef; add `hydraulic` to a phase");
    s->gauges = calloc((size_t)n, sizeof *s->gauges);
    if (!s->gauges) return otok_node_no_memory();
    s->ngauges = n;
    for (int i = 0; i < n; i++) {
        OTOK_TRY(otok_words_check(&words, list->items[i]));
        OTOK_TRY(otok_group_read(&s->gauges[i], "gauges", list->items[i]));
        OTOK_TRY(check_name(s, i, list->items[i]));
        OTOK_TRY(check_place(s, &s->gauges[i], list->items[i]));
        if (!has_water && otok_gauge_is_section(&s->gauges[i]))
            return otok_node_fail(list->items[i], "a cross section needs water; add `hydraulic` to "
                                                  "a phase, or leave to_x and to_y out");
    }
    return OTOK_OK;
}

int otok_gauge_is_section(const otok_gauge *gauge)
{
    return !isnan(gauge->to_x);
}
