/* scenario_rivers.c: reads the key `rivers` of a phase. */
#include "process.h"
#include "scenario_items.h"

#include <math.h>

static int is_same_series(const otok_series *a, const otok_series *b)
{
    if (a->n != b->n || a->stepwise != b->stepwise || a->repeat != b->repeat ||
        a->outside != b->outside)
        return 0;
    for (int i = 0; i < a->n; i++)
        if (a->at[i].time != b->at[i].time || a->at[i].value != b->at[i].value) return 0;
    return 1;
}

/* Gives river i the number of its hydrograph: that of an earlier river with the same, or the next.
 */
static otok_status number_hydrograph(otok_phase *phase, int i, const otok_node *river)
{
    otok_river *rivers = phase->rivers;
    const int flows = otok_river_kind_of(&rivers[i]) == OTOK_RIVER_FLOWS;
    int most = 0, *mine = &rivers[i].hydrograph;
    if (flows && !rivers[i].history.n) return OTOK_OK;
    for (int j = 0; j < i; j++) {
        if (rivers[j].hydrograph > most) most = rivers[j].hydrograph;
        if (flows && rivers[j].history.n && is_same_series(&rivers[j].history, &rivers[i].history))
            *mine = rivers[j].hydrograph;
    }
    if (*mine) return OTOK_OK;
    *mine = most + 1;
    if (*mine < OTOK_HYDROGRAPHS) return OTOK_OK;
    return otok_node_fail(otok_blame(river, "history", "level", "rating", "slope", NULL),
                          "more than %d different histories, levels, ratings and slopes of rivers "
                          "in a phase; allowed: at most %d; give rivers the same history, or use "
                          "fewer of them",
                          OTOK_HYDROGRAPHS - 1, OTOK_HYDROGRAPHS - 1);
}

/* One key says what the river does; some belong to another one. */
static otok_status check_kind(const otok_phase *phase, const otok_river *r, const otok_node *item)
{
    static const char *const keys[] = {"discharge", "history", "level", "rating", "slope"};
    const int given[] = {!isnan(r->discharge), r->history.n > 0, r->level.n > 0, !isnan(r->rating),
                         !isnan(r->slope)};
    const char *first = NULL;
    for (int n = 0; n < 5; n++) {
        if (!given[n]) continue;
        if (first)
            return otok_node_fail(otok_node_find(item, keys[n]),
                                  "%s and %s both give the water of the river; keep one", first,
                                  keys[n]);
        first = keys[n];
    }
    if (!first)
        return otok_node_fail(item, "`discharge` is missing; write {x: ..., y: ..., radius: ..., "
                                    "discharge: ...} in m and m3 s-1, or a history of the "
                                    "discharge, a level, a rating or a slope");
    if (isnan(r->rating) && !(isnan(r->rating_zero) && isnan(r->rating_exponent)))
        return otok_node_fail(
            otok_blame(item, "rating_zero", "rating_exponent", NULL),
            "it is of a rating curve Q = a (h - h_0)^b; write `rating: a` in m3 s-1, or leave it "
            "out");
    if (!isnan(r->rating) && isnan(r->rating_zero))
        return otok_node_fail(otok_node_find(item, "rating"),
                              "a rating curve Q = a (h - h_0)^b needs h_0; write `rating_zero`, "
                              "the level without flow in m");
    if (isnan(r->slope)) return OTOK_OK;
    if (!otok_river_is_line(r))
        return otok_node_fail(otok_node_find(item, "slope"),
                              "uniform flow leaves over a length; write `to_x` and `to_y`, the "
                              "other end of a line across the flow");
    if (phase->hydraulic.manning > 0) return OTOK_OK;
    return otok_node_fail(otok_node_find(item, "slope"),
                          "uniform flow follows from one friction, and `hydraulic.manning` is 0 or "
                          "a map; give it a value above 0, or write `rating` and `rating_zero`");
}

static otok_status check_river(otok_scenario *s, otok_phase *phase, int i, const otok_node *item)
{
    const otok_river *r = &phase->rivers[i];
    if (!(phase->processes & OTOK_HYDRAULIC))
        return otok_node_fail(item->parent,
                              "rivers need water that flows; add `hydraulic: {}` to the phase");
    OTOK_TRY(check_kind(phase, r, item));
    OTOK_TRY(otok_line_check(s, (double[]){r->x, r->y, r->to_x, r->to_y}, 0, item));
    return number_hydrograph(phase, i, item);
}

otok_status otok_rivers_read(otok_scenario *s, otok_phase *phase, const otok_node *map)
{
    return otok_items_read(s, phase, phase, otok_parameter_find("phase", "rivers"), map,
                           check_river);
}
