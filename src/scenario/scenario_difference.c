/* scenario_difference.c: finds the first setting in which two resolved scenarios differ. */
#include "../core/units.h"
#include "scenario_items.h"
#include "scenario_read.h"

#include <stdio.h>
#include <string.h>

static _Thread_local char text[OTOK_NODE_PATH + 256];

/* 0: they are equal. */
static int differ(const otok_node *mine, const otok_node *theirs);

static int describe(const otok_node *where, const otok_node *mine, const otok_node *theirs)
{
    char path[OTOK_NODE_PATH], a[64], b[64];
    snprintf(text, sizeof text, "%s: %s here, %s there", otok_node_path(where, path),
             mine ? otok_node_show(mine, a) : "not given",
             theirs ? otok_node_show(theirs, b) : "not given");
    return 1;
}

static int is_not_compared(const otok_node *node)
{
    return !node->parent->parent &&
           (strcmp(node->key, "title") == 0 || strcmp(node->key, "output") == 0 ||
            strcmp(node->key, "responses") == 0 || strcmp(node->key, "changes") == 0);
}

int otok_value_is_same(const char *path, const char *a, const char *b)
{
    const otok_parameter *p = otok_parameter_at_path(path);
    char why[OTOK_UNIT_WHY];
    double x, y;
    int a_has_unit, b_has_unit;
    if (strcmp(a, b) == 0) return 1;
    if (!p || (p->kind != OTOK_REAL && p->kind != OTOK_WHEN)) return 0;
    const char *unit = p->kind == OTOK_WHEN ? "s" : p->unit; /* without one: iterations */
    return !otok_unit_read(&x, &a_has_unit, a, unit, why) &&
           !otok_unit_read(&y, &b_has_unit, b, unit, why) && x == y &&
           (p->kind == OTOK_REAL || a_has_unit == b_has_unit);
}

static int differ_map(const otok_node *mine, const otok_node *theirs)
{
    for (int i = 0; i < mine->n; i++) {
        const otok_node *item = mine->items[i], *other = otok_node_find(theirs, item->key);
        if (is_not_compared(item)) continue;
        if (!other) return describe(item, item, NULL);
        if (differ(item, other)) return 1;
    }
    for (int i = 0; i < theirs->n; i++) {
        const otok_node *item = theirs->items[i];
        if (!is_not_compared(item) && !otok_node_find(mine, item->key))
            return describe(item, NULL, item);
    }
    return 0;
}

static int differ_list(const otok_node *mine, const otok_node *theirs)
{
    for (int i = 0; i < mine->n && i < theirs->n; i++)
        if (differ(mine->items[i], theirs->items[i])) return 1;
    if (mine->n > theirs->n) return describe(mine->items[theirs->n], mine->items[theirs->n], NULL);
    if (mine->n < theirs->n) return describe(theirs->items[mine->n], NULL, theirs->items[mine->n]);
    return 0;
}

static int differ(const otok_node *mine, const otok_node *theirs)
{
    char path[OTOK_NODE_PATH];
    if (mine->kind != theirs->kind) return describe(mine, mine, theirs);
    if (mine->kind == OTOK_NODE_MAP) return differ_map(mine, theirs);
    if (mine->kind == OTOK_NODE_LIST) return differ_list(mine, theirs);
    const char *a = mine->text ? mine->text : "", *b = theirs->text ? theirs->text : "";
    return otok_value_is_same(otok_node_path(mine, path), a, b) ? 0 : describe(mine, mine, theirs);
}

static otok_node *tree(const char *source, const char *words)
{
    otok_node *root;
    if (otok_node_parse(&root, source, 1, words, strlen(words)) == OTOK_OK) return root;
    snprintf(text, sizeof text, "%.600s", otok_why());
    return NULL;
}

const char *otok_scenario_difference(const char *mine, const char *theirs)
{
    otok_node *a = tree("this scenario", mine), *b = a ? tree("the other scenario", theirs) : NULL;
    const int found = a && b ? differ(a, b) : 1;
    otok_node_destroy(a);
    otok_node_destroy(b);
    return found ? text : NULL;
}
