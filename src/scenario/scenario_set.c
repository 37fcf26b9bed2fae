/* scenario_set.c: applies --set path=value to the tree before it is checked, so that files and
 * --set obey the same rules. */
#include "scenario_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static otok_status no_memory(const char *words)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory for --set %.200s", words);
}

static int named(const otok_node *item, int i, const char *name)
{
    char standard[32] = "";
    const otok_node *given = otok_node_find(item, "name");
    if (strcmp(item->parent->key ? item->parent->key : "", "phases") == 0)
        snprintf(standard, sizeof standard, "phase%d", i + 1);
    const char *own =
        given && given->kind == OTOK_NODE_SCALAR && given->text ? given->text : standard;
    return *own && strcmp(own, name) == 0;
}

/* Finds an item of a list by its number or its name. */
static otok_status find_item(otok_node **out, const otok_node *list, const char *step,
                             const char *words)
{
    char path[OTOK_NODE_PATH];
    for (int i = 0; i < list->n; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        *out = list->items[i];
        if (strcmp(number, step) == 0 || named(list->items[i], i, step)) return OTOK_OK;
    }
    otok_words names = {0};
    for (int i = 0; i < list->n; i++) {
        const otok_node *name = otok_node_find(list->items[i], "name");
        if (name && name->kind == OTOK_NODE_SCALAR && name->text)
            otok_words_add(&names, name->text);
    }
    otok_node_path(list, path);
    if (names.n)
        return OTOK_FAIL(OTOK_USAGE,
                         "--set %.200s: %s has no item `%.64s`; the nearest name is `%.64s`, the "
                         "numbers go from 0 to %d",
                         words, path, step, otok_words_nearest(&names, step), list->n - 1);
    if (!list->n)
        return OTOK_FAIL(OTOK_USAGE, "--set %.200s: %s is an empty list, it has no item `%.64s`",
                         words, path, step);
    return OTOK_FAIL(OTOK_USAGE,
                     "--set %.200s: %s has no item `%.64s`; its items are numbered from 0 to %d",
                     words, path, step, list->n - 1);
}

static void convert_to_map(otok_node *node)
{
    free(node->text);
    node->text = NULL;
    node->kind = OTOK_NODE_MAP;
}

/* Goes one step down a path and makes a missing group. */
static otok_status descend(otok_node **node, const char *step, const char *words)
{
    char path[OTOK_NODE_PATH];
    otok_node *here = *node;
    if (otok_node_is_null(here)) convert_to_map(here);
    if (here->kind == OTOK_NODE_LIST) return find_item(node, here, step, words);
    if (here->kind == OTOK_NODE_SCALAR)
        return OTOK_FAIL(OTOK_USAGE,
                         "--set %.200s: %s is a value and holds no `%.64s`; end the path there",
                         words, otok_node_path(here, path), step);
    *node = otok_node_find(here, step);
    if (*node) return OTOK_OK;
    otok_node *fresh = otok_node_create(words, 0);
    if (!fresh) return no_memory(words);
    *node = fresh;
    return otok_node_put(here, step, fresh);
}

/* Swaps the contents and origins of two nodes; both stay in their trees. */
static void swap_nodes(otok_node *node, otok_node *value)
{
    const otok_node old = *node, fresh = *value;
    *node = fresh;
    node->key = old.key;
    node->parent = old.parent;
    *value = old;
    value->key = fresh.key;
    value->parent = fresh.parent;
    for (int i = 0; i < node->n; i++)
        node->items[i]->parent = node;
}

static otok_status fail_form(const char *words)
{
    return OTOK_FAIL(
        OTOK_USAGE,
        "--set %.200s: not of the form path=value, such as phases.erosion.hydraulic.dt=0.05",
        words);
}

static otok_status apply(otok_node **at, otok_node *root, char *path, const char *value,
                         const char *words, char **before)
{
    otok_node *node = root, *fresh;
    char *rest = path;
    for (int depth = 0; rest; depth++) {
        const char *step = strsep(&rest, ".");
        if (!*step || depth == OTOK_NODE_DEPTH / 2) return fail_form(words);
        OTOK_TRY(descend(&node, step, words));
    }
    OTOK_TRY(otok_node_parse(&fresh, words, 0, value, strlen(value)));
    if (before && !(*before = otok_node_line(node))) {
        otok_node_destroy(fresh);
        return no_memory(words);
    }
    swap_nodes(node, fresh);
    otok_node_destroy(fresh);
    *at = node;
    return OTOK_OK;
}

otok_status otok_scenario_replace(otok_node **at, otok_node *root, const char *words, char **before)
{
    const char *equals = strchr(words, '=');
    if (!equals || equals == words) return fail_form(words);
    char *path = strndup(words, (size_t)(equals - words));
    if (!path) return no_memory(words);
    const otok_status status = apply(at, root, path, equals + 1, words, before);
    free(path);
    return status;
}

otok_status otok_scenario_set(otok_node *root, const char *words)
{
    otok_node *at;
    return otok_scenario_replace(&at, root, words, NULL);
}
