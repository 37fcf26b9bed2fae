/* processes.c: the table of the processes, and functions over all of them. */
#include "process.h"

#include <stdarg.h>
#include <string.h>

const otok_process *const otok_processes[OTOK_PROCESSES] = {
#define PROCESS(NAME, group, ...) &otok_process_##group,
#include "processes.def"
};

void *otok_phase_group(otok_phase *phase, const char *group)
{
    if (strcmp(group, "phase") == 0) return phase;
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (strcmp(group, otok_processes[i]->group) == 0) return (char *)phase + otok_processes[i]->values;
    return NULL;
}

const otok_node *otok_blame(const otok_node *map, ...)
{
    const otok_node *first = NULL;
    va_list keys;
    va_start(keys, map);
    for (const char *key = va_arg(keys, const char *); key; key = va_arg(keys, const char *)) {
        const otok_node *node = otok_node_find(map, key);
        if (node && (!first || (first->line && !node->line))) first = node;
    }
    va_end(keys);
    return first ? first : map;
}

otok_status otok_pairs_check(int *n, const otok_node *list, int most, const char *form)
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
