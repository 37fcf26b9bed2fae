/* scenario_items.c: see scenario_items.h. Reads lists of structs, and groups with their series, by
   the parameter table. */
#include "scenario_items.h"

#include "scenario_read.h"
#include "series_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *member(const void *owner, size_t offset)
{
    return (char *)owner + offset;
}

int otok_items_count(const otok_parameter *list, const void *owner)
{
    return *(const int *)member(owner, list->items->count);
}

void *otok_items_at(const otok_parameter *list, const void *owner, int i)
{
    char *at = member(owner, list->offset);
    if (list->items->style == OTOK_ITEMS_OWNED) at = *(char **)(void *)at;
    return at ? at + list->items->size * (size_t)i : NULL;
}

const otok_parameter *otok_parameter_at_path(const char *path)
{
    char copy[OTOK_TEXT_SIZE], *rest = copy;
    const char *group = "", *word;
    snprintf(copy, sizeof copy, "%s", path);
    while ((word = strsep(&rest, "."))) {
        const otok_parameter *p = otok_parameter_find(group, word);
        if (!rest) return p;
        const int is_list = p && p->choices && (p->kind == OTOK_LIST || p->kind == OTOK_STRUCTS);
        if (is_list) strsep(&rest, ".");
        group = is_list ? p->choices : word;
    }
    return NULL;
}

void otok_group_clear(void *at, const char *group)
{
    const otok_parameter *p;
    for (int i = 0; (p = otok_parameter_at(i)); i++) {
        if (strcmp(p->group, group) != 0) continue;
        if (p->kind == OTOK_SERIES) free(((otok_series *)member(at, p->offset))->at);
        if (p->kind != OTOK_STRUCTS) continue;
        for (int k = 0; k < otok_items_count(p, at); k++)
            otok_group_clear(otok_items_at(p, at, k), p->choices);
        if (p->items->style == OTOK_ITEMS_OWNED) free(otok_items_at(p, at, 0));
    }
}

otok_status otok_group_take(void *at, const char *group, const otok_node *map,
                            const char *directory)
{
    const otok_parameter *p;
    otok_words words = {0};
    otok_words_add_keys(&words, group);
    if (map) OTOK_TRY(otok_words_check(&words, map));
    OTOK_TRY(otok_group_read(at, group, map));
    for (int i = 0; (p = otok_parameter_at(i)); i++) {
        const int is_series = strcmp(p->group, group) == 0 && p->kind == OTOK_SERIES;
        const otok_node *node = is_series ? otok_node_find(map, p->key) : NULL;
        if (!node) continue;
        otok_series *series = (otok_series *)member(at, p->offset);
        otok_parameter own = *p;
        const int rates = otok_series_has_rates(map, node);
        if (rates) own.unit = "m s-1";
        OTOK_TRY(otok_series_load(series, node, directory, &own));
        if (rates && series->assumed & OTOK_ASSUMED_UNIT)
            return otok_node_fail(node, "its file tells no unit, and there is no rate: write rate: "
                                        "36 mm/h for factors of it, or the unit in the title, such "
                                        "as `rain [mm/h]`");
        OTOK_TRY(otok_series_read(series, node, &own));
        if (rates) *(double *)(void *)member(at, otok_parameter_find(group, "rate")->offset) = 1;
    }
    return OTOK_OK;
}

/* Refuses the name of item i if an earlier one has it. The structs have `size` bytes. */
static otok_status check_names(const char *name, size_t size, int i, const otok_node *list)
{
    for (int j = i - 1; j >= 0; j--) {
        if (strcmp(name, name - size * (size_t)(i - j)) != 0) continue;
        const otok_node *one = otok_node_find(list->items[i], "name"),
                        *other = otok_node_find(list->items[j], "name");
        const otok_node *at = !one || (other && !other->line) ? other : one;
        return otok_node_fail(at ? at : list,
                              "%s %d and %d have the same name; name them differently", list->key,
                              j, i);
    }
    return OTOK_OK;
}

/* Reads an item without keys. */
static otok_status read_bare(void *at, const otok_parameter *list, const otok_node *item)
{
    otok_words keys = {0};
    otok_words_add_keys(&keys, list->choices);
    if (keys.n > 1 && (item->kind != OTOK_NODE_LIST || item->n != keys.n))
        return otok_node_fail(item, "not %d values; write [[%s, %s], ...]", keys.n, keys.at[0],
                              keys.at[1]);
    for (int k = 0; k < keys.n; k++)
        OTOK_TRY(otok_value_read(at, otok_parameter_find(list->choices, keys.at[k]),
                                 keys.n > 1 ? item->items[k] : item));
    return OTOK_OK;
}

otok_status otok_items_read(otok_scenario *s, otok_phase *phase, void *owner,
                            const otok_parameter *p, const otok_node *map, otok_item_check *check)
{
    const otok_node *list = otok_node_find(map, p->key);
    const otok_parameter *name = otok_parameter_find(p->choices, "name");
    int *n = (int *)member(owner, p->items->count), all;
    char what[64];
    *n = 0;
    snprintf(what, sizeof what, "%ss", p->choices);
    OTOK_TRY(otok_list_check(&all, list, (int)p->low, (int)p->high, what));
    if (p->items->style == OTOK_ITEMS_OWNED && all) {
        void *items = calloc((size_t)all, p->items->size);
        if (!items) return otok_node_no_memory();
        memcpy(member(owner, p->offset), &items, sizeof items);
    }
    while (*n < all) {
        const int i = (*n)++;
        void *at = otok_items_at(p, owner, i);
        OTOK_TRY(p->items->style == OTOK_ITEMS_BARE
                     ? read_bare(at, p, list->items[i])
                     : otok_group_take(at, p->choices, list->items[i], s->directory));
        if (check) OTOK_TRY(check(s, phase, i, list->items[i]));
        if (name) OTOK_TRY(check_names((char *)at + name->offset, p->items->size, i, list));
    }
    return OTOK_OK;
}
