/* scenario_phase.c: the phases and the lists in them. What cannot be meant together is scenario_check.c's to say. */
#include "scenario_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const otok_process otok_processes[OTOK_PROCESSES] = {{"rain", OTOK_RAIN},         {"hydraulic", OTOK_HYDRAULIC},
                                                     {"thermal", OTOK_THERMAL},   {"seabed", OTOK_SEABED},
                                                     {"droplets", OTOK_DROPLETS}, {"reef", OTOK_REEF_GROWTH}};

/* The list must hold pairs; *n is 0 for none. */
static otok_status check_pairs(int *n, const otok_node *list, int most, const char *form)
{
    *n = 0;
    if (!list || otok_node_is_null(list)) return OTOK_OK;
    char shown[64];
    if (list->kind != OTOK_NODE_LIST || !list->n)
        return otok_node_fail(list, "%s stands where pairs are needed; write %s, or leave the key out",
                              list->kind == OTOK_NODE_LIST ? "an empty list" : otok_node_show(list, shown), form);
    if (list->n > most) return otok_node_fail(list, "%d pairs; allowed: at most %d", list->n, most);
    for (int i = 0; i < list->n; i++)
        if (list->items[i]->kind != OTOK_NODE_LIST || list->items[i]->n != 2)
            return otok_node_fail(list->items[i], "not a pair; write %s", form);
    *n = list->n;
    return OTOK_OK;
}

static otok_status read_during(otok_phase *phase, const otok_node *list)
{
    otok_rain *rain = &phase->rain;
    OTOK_TRY(check_pairs(&rain->nspans, list, OTOK_MAX_SPANS, "[[from, to], ...]"));
    const otok_parameter range = {.unit = "1", .high = (double)phase->iterations};
    for (int i = 0; i < rain->nspans; i++) {
        const otok_node *pair = list->items[i];
        struct otok_span *span = &rain->during[i];
        OTOK_TRY(otok_value_int(&span->from, pair->items[0], &range));
        OTOK_TRY(otok_value_int(&span->to, pair->items[1], &range));
        if (span->from >= span->to)
            return otok_node_fail(pair,
                                  "[%lld, %lld] holds no iteration; `from` must be below `to`, which is not rained on any more",
                                  (long long)span->from, (long long)span->to);
    }
    return OTOK_OK;
}

static otok_status read_history(otok_reef *reef, const otok_node *list)
{
    OTOK_TRY(check_pairs(&reef->nsea, list, OTOK_MAX_SEA_POINTS, "[[time, level], ...]"));
    const otok_parameter time = {.unit = "s", .high = 1e15}, level = {.unit = "m", .low = -1e6, .high = 1e6};
    for (int i = 0; i < reef->nsea; i++) {
        const otok_node *pair = list->items[i];
        struct otok_sea_point *point = &reef->sea_history[i];
        OTOK_TRY(otok_value_real(&point->time, pair->items[0], &time));
        OTOK_TRY(otok_value_real(&point->level, pair->items[1], &level));
        if (i && point->time <= point[-1].time)
            return otok_node_fail(pair, "time %.15g s does not come after %.15g s; sort the pairs by time, each time once",
                                  point->time, point[-1].time);
    }
    return OTOK_OK;
}

/* The keys that have no default. */
static otok_status check_given(const otok_node *river)
{
    static const char *const keys[] = {"x", "y", "discharge"};
    for (int i = 0; i < 3; i++)
        if (!otok_node_find(river, keys[i]))
            return otok_node_fail(river, "`%s` is missing; write {x: ..., y: ..., radius: ..., discharge: ...} in m and m3 s-1",
                                  keys[i]);
    return OTOK_OK;
}

static otok_status read_rivers(otok_phase *phase, const otok_node *list)
{
    char shown[64];
    otok_words words = {0};
    otok_words_add_keys(&words, "rivers");
    if (!list || otok_node_is_null(list)) return OTOK_OK;
    if (list->kind != OTOK_NODE_LIST)
        return otok_node_fail(list, "%s stands where a list of rivers is needed; begin each with a dash",
                              otok_node_show(list, shown));
    if (list->n > OTOK_MAX_RIVERS) return otok_node_fail(list, "%d rivers; allowed: at most %d", list->n, OTOK_MAX_RIVERS);
    for (int i = 0; i < list->n; i++) {
        OTOK_TRY(otok_words_check(&words, list->items[i]));
        OTOK_TRY(check_given(list->items[i]));
        OTOK_TRY(otok_group_read(&phase->rivers[i], "rivers", list->items[i]));
    }
    phase->nrivers = list->n;
    return OTOK_OK;
}

static otok_status check_name(const char *name, const otok_node *node)
{
    const size_t n = strlen(name), digits = strspn(name, "0123456789");
    const size_t good = strspn(name, "0123456789_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (good < n || n >= OTOK_NAME_SIZE)
        return otok_node_fail(node, "`%.64s` is no name for a phase; use letters, digits, _ and -, at most %d", name,
                              OTOK_NAME_SIZE - 1);
    if (digits == n)
        return otok_node_fail(node, "`%s` is a number, which --set would take for the place in the list; add a letter", name);
    return OTOK_OK;
}

/* An iteration is a batch. */
static otok_status count_batches(otok_phase *phase, const otok_node *map)
{
    const otok_droplets *d = &phase->droplets;
    const int64_t batches = (d->count + d->batch - 1) / d->batch;
    if (phase->iterations == 0) phase->iterations = batches;
    if (phase->iterations == batches) return OTOK_OK;
    return otok_node_fail(otok_node_find(map, "iterations"),
                          "an iteration is a batch of droplets, and %lld droplets are %lld batches of %lld; leave `iterations` out",
                          (long long)d->count, (long long)batches, (long long)d->batch);
}

static otok_status read_processes(otok_phase *phase, const otok_node *map)
{
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const char *group = otok_processes[i].group;
        const otok_node *node = otok_node_find(map, group);
        if (node) {
            otok_words words = {0};
            otok_words_add_keys(&words, group);
            OTOK_TRY(otok_words_check(&words, node));
            phase->processes |= otok_processes[i].bit;
        }
        OTOK_TRY(otok_group_read(otok_phase_group(phase, group), group, node));
    }
    if (phase->processes & OTOK_DROPLETS) OTOK_TRY(count_batches(phase, map));
    const otok_node *rain = otok_node_find(map, "rain"), *reef = otok_node_find(map, "reef");
    if (rain) OTOK_TRY(read_during(phase, otok_node_find(rain, "during")));
    return reef ? read_history(&phase->reef, otok_node_find(reef, "sea_history")) : OTOK_OK;
}

static otok_status read_phase(otok_phase *phase, int place, const otok_node *map)
{
    otok_words words = {0};
    otok_words_add_keys(&words, "phase");
    for (int i = 0; i < OTOK_PROCESSES; i++)
        otok_words_add(&words, otok_processes[i].group);
    otok_words_add(&words, "rivers");
    OTOK_TRY(otok_words_check(&words, map));
    OTOK_TRY(otok_group_read(phase, "phase", map));
    const otok_node *name = otok_node_find(map, "name");
    if (phase->name[0])
        OTOK_TRY(check_name(phase->name, name));
    else
        snprintf(phase->name, sizeof phase->name, "phase%d", place + 1);
    OTOK_TRY(read_processes(phase, map));
    OTOK_TRY(read_rivers(phase, otok_node_find(map, "rivers")));
    if (phase->processes & ~OTOK_RAIN || phase->nrivers) return OTOK_OK; /* rivers alone are scenario_check.c's */
    if (phase->processes)
        return otok_node_fail(otok_node_find(map, "rain"), "rain needs water that flows; add `hydraulic: {}` to the phase");
    return otok_node_fail(map,
                          "nothing happens in this phase; add hydraulic, thermal, seabed, droplets or reef, such as `seabed: {}`");
}

static otok_status read_rain_map(otok_scenario *scenario, int phase, const otok_node *rain)
{
    const otok_node *map = rain ? otok_node_find(rain, "map") : NULL;
    if (!map) return OTOK_OK;
    scenario->rain_lines[phase] = map->line;
    return otok_scenario_resolve(scenario, scenario->phases[phase].rain.map, map);
}

static otok_status same_name(const otok_node *list, int later, int earlier)
{
    const otok_node *one = otok_node_find(list->items[later], "name"), *other = otok_node_find(list->items[earlier], "name");
    const otok_node *at = !one || (other && !other->line) ? other : one;
    return otok_node_fail(at ? at : list, "phases %d and %d have the same name; name them differently", earlier, later);
}

otok_status otok_phases_read(otok_scenario *scenario, const otok_node *list)
{
    char shown[64];
    if (otok_node_is_null(list)) return OTOK_OK;
    if (list->kind != OTOK_NODE_LIST)
        return otok_node_fail(list, "%s stands where a list of phases is needed; begin each with a dash",
                              otok_node_show(list, shown));
    if (list->n > OTOK_MAX_PHASES) return otok_node_fail(list, "%d phases; allowed: at most %d", list->n, OTOK_MAX_PHASES);
    if (!list->n) return OTOK_OK;
    scenario->phases = calloc((size_t)list->n, sizeof *scenario->phases);
    if (!scenario->phases) return OTOK_FAIL(OTOK_NOMEM, "no memory for the phases");
    for (int i = 0; i < list->n; i++) {
        OTOK_TRY(read_phase(&scenario->phases[i], i, list->items[i]));
        OTOK_TRY(read_rain_map(scenario, i, otok_node_find(list->items[i], "rain")));
        scenario->nphases = i + 1;
        for (int j = 0; j < i; j++)
            if (strcmp(scenario->phases[i].name, scenario->phases[j].name) == 0) return same_name(list, i, j);
    }
    return OTOK_OK;
}
