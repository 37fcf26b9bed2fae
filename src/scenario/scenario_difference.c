/* scenario_difference.c: finds the first setting in which two resolved scenarios differ. */
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
    if (mine->kind != theirs->kind) return describe(mine, mine, theirs);
    if (mine->kind == OTOK_NODE_MAP) return differ_map(mine, theirs);
    if (mine->kind == OTOK_NODE_LIST) return differ_list(mine, theirs);
    return strcmp(mine->text ? mine->text : "", theirs->text ? theirs->text : "")
               ? describe(mine, mine, theirs)
               : 0;
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
