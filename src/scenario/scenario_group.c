/* scenario_group.c: the known keys of a group, and their values. */
#include "../core/words.h"
#include "parameter_rows.h"
#include "process.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_default(void *at, const otok_parameter *p)
{
    if (p->offset == (size_t)-1) return;
    void *value = (char *)at + p->offset;
    const double standard = otok_law_standard(p, at);
    switch (p->kind) {
    case OTOK_REAL: *(double *)value = standard; break;
    case OTOK_INT: *(int64_t *)value = isnan(standard) ? 0 : (int64_t)standard; break;
    case OTOK_WHEN:
        *(int64_t *)value = (int64_t)standard;
        *(double *)((int64_t *)value + 1) = NAN;
        break;
    case OTOK_BOOL:
    case OTOK_CHOICE: *(int *)value = (int)standard; break;
    case OTOK_TEXT: *(char *)value = 0; break;
    case OTOK_SERIES: ((otok_series *)value)->n = 0; break;
    case OTOK_LIST:
    case OTOK_STRUCTS: break;
    }
}

int otok_scenario_phase_of(const otok_scenario *s, const char **path)
{
    if (strncmp(*path, "phases.", 7) != 0) return -1;
    const char *name = *path + 7;
    const size_t n = strcspn(name, ".");
    *path = name + n;
    for (int p = 0; p < s->nphases; p++) {
        char number[16];
        const char *own = s->phases[p].name;
        snprintf(number, sizeof number, "%d", p);
        if ((strlen(number) == n && memcmp(number, name, n) == 0) ||
            (strlen(own) == n && memcmp(own, name, n) == 0))
            return p;
    }
    return s->nphases;
}

otok_status otok_list_check(int *n, const otok_node *list, int least, int most, const char *what)
{
    char shown[64];
    *n = 0;
    if (!list || otok_node_is_null(list)) return OTOK_OK;
    if (list->kind != OTOK_NODE_LIST || list->n < least)
        return otok_node_fail(
            list,
            "%s stands where a list of %s is needed; begin each with a dash, or leave the key out",
            list->kind == OTOK_NODE_LIST ? "an empty list" : otok_node_show(list, shown), what);
    if (list->n > most)
        return otok_node_fail(list, "%d %s; allowed: at most %d", list->n, what, most);
    *n = list->n;
    return OTOK_OK;
}

/* A list or the name of a file is no rate or discharge; beside it may be a key that takes it. A
   name begins with a letter: "1.e-5" and "36 mm.h-1" are numbers. */
static otok_status check_rate(const otok_node *node, const otok_parameter *p)
{
    const char *name = node->kind == OTOK_NODE_SCALAR ? node->text : NULL,
               *ending = name && isalpha((unsigned char)*name) ? strrchr(name, '.') : NULL;
    const int over_time = node->kind == OTOK_NODE_LIST || (ending && strcmp(ending, ".csv") == 0),
              is_file = over_time || ending,
              is_rate = strcmp(p->key, "rate") == 0 || strcmp(p->key, "discharge") == 0 ||
                        strcmp(p->key, "crest") == 0;
    const otok_parameter *q =
        is_rate && is_file ? otok_parameter_find(p->group, over_time ? "history" : "map") : NULL;
    char shown[64];
    if (!q) return OTOK_OK;
    return otok_node_fail(node, "%s stands where a number is needed; %s to `%s.%s`",
                          otok_node_show(node, shown),
                          !over_time                      ? "a map goes"
                          : strcmp(q->unit, p->unit) == 0 ? "values over time go"
                                                          : "factors of it over time go",
                          q->group, q->key);
}

/* A key without a value in the map. "`x` is missing; write {x: ... m, y: ... m}": all keys that an
   item must have. */
static otok_status check_missing(const otok_parameter *key, const otok_node *map)
{
    char all[200] = "", range[128];
    const otok_parameter *p;
    const int counted = strcmp(key->key, "iterations") == 0 &&
                        otok_node_find(map, "droplets"); /* by the number of droplets */
    if (key->kind == OTOK_INT && isnan(key->standard) && !counted)
        return otok_node_fail(map, "`%s` is missing; it must be given; %s", key->key,
                              otok_range_text(key, range));
    if (!(key->open & GIVEN)) return OTOK_OK;
    for (int i = 0; (p = otok_parameter_at(i)); i++)
        if (strcmp(p->group, key->group) == 0 && p->open & GIVEN)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s: ...%s%s", *all ? ", " : "",
                     p->key, *p->unit ? " " : "", p->unit);
    return otok_node_fail(map, "`%s` is missing; write {%s}", key->key, all);
}

static otok_status read_value(void *at, const otok_parameter *p, const otok_node *node)
{
    if (node->kind != OTOK_NODE_SCALAR && otok_map_of(p->group, p->key) >= 0) {
        if (p->kind == OTOK_REAL) *(double *)((char *)at + p->offset) = NAN;
        return OTOK_OK; /* otok_maps_read reads it */
    }
    OTOK_TRY(check_rate(node, p));
    return otok_value_read(at, p, node);
}

otok_status otok_group_read(void *at, const char *group, const otok_node *map)
{
    const otok_parameter *p;
    for (int i = 0; (p = otok_parameter_at(i)); i++) {
        if (strcmp(p->group, group) != 0 || p->kind == OTOK_LIST || p->kind == OTOK_STRUCTS)
            continue;
        write_default(at, p);
        const otok_node *node = map ? otok_node_find(map, p->key) : NULL;
        if (node) OTOK_TRY(read_value(at, p, node));
        if (map && !node) OTOK_TRY(check_missing(p, map));
    }
    return OTOK_OK;
}

void otok_words_add_keys(otok_words *words, const char *group)
{
    const otok_parameter *p;
    for (int i = 0; (p = otok_parameter_at(i)); i++)
        if (strcmp(p->group, group) == 0) otok_words_add(words, p->key);
    for (int i = 0; i < OTOK_PROCESSES && strcmp(group, "phase") == 0; i++)
        otok_words_add(words, otok_processes[i]->group);
}

static otok_status unknown(const otok_words *words, const otok_node *node)
{
    char list[900] = "";
    for (int i = 0; i < words->n; i++) {
        const size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", words->at[i]);
    }
    return otok_node_fail(node, "unknown key; the nearest known one is `%s` (known here: %s)",
                          otok_words_nearest(words, node->key), list);
}

otok_status otok_words_check(const otok_words *words, const otok_node *map)
{
    char shown[64];
    if (otok_node_is_null(map)) return OTOK_OK;
    if (map->kind != OTOK_NODE_MAP)
        return otok_node_fail(map, "%s stands where a group of keys is needed, such as {%s: ...}",
                              otok_node_show(map, shown), words->at[0]);
    for (int i = 0; i < map->n; i++)
        if (otok_words_find(words, map->items[i]->key) < 0) return unknown(words, map->items[i]);
    return OTOK_OK;
}
