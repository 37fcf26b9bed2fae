/* scenario_responses.c: the key `responses` of a scenario and of a study: names with expressions.
 */
#include "expression.h"
#include "scenario_read.h"

#include <stdlib.h>
#include <string.h>

/* A comma within {...} ends the text of a value that is not in quotes, mostly in brackets. */
static const char *hint_of(const char *text)
{
    int open = 0;
    for (; *text; text++)
        open += (*text == '(') - (*text == ')');
    return open > 0 ? "; close its brackets, or within {...} put it in quotes: commas end it there"
                    : "";
}

static otok_status read_response(otok_response *out, const otok_node *node)
{
    static const char good[] = "0123456789_abcdefghijklmnopqrstuvwxyz";
    otok_expression parsed;
    const char *name = node->key;
    if (!*name || (*name >= '0' && *name <= '9') || name[strspn(name, good)] ||
        strlen(name) >= sizeof out->name)
        return otok_node_fail(node,
                              "`%.64s` is not a name for a response; use small letters, digits and "
                              "_, at most %zu, and begin with a letter",
                              name, sizeof out->name - 1);
    strcpy(out->name, name);
    OTOK_TRY(otok_value_text(out->text, sizeof out->text, node));
    if (otok_expression_parse(&parsed, out->text) == OTOK_OK) return OTOK_OK;
    return otok_node_fail(node, "%s%s", otok_why(), hint_of(out->text));
}

otok_status otok_responses_read(otok_response **out, int *n, const otok_node *map)
{
    char shown[64];
    if (!map || otok_node_is_null(map)) return OTOK_OK;
    if (map->kind != OTOK_NODE_MAP)
        return otok_node_fail(map,
                              "%s stands where responses are needed; write NAME: EXPRESSION, such "
                              "as responses: {relief: max(terrain) - min(terrain)}",
                              otok_node_show(map, shown));
    if (map->n > OTOK_MAX_RESPONSES)
        return otok_node_fail(map, "%d responses; allowed: at most %d", map->n, OTOK_MAX_RESPONSES);
    *out = calloc((size_t)map->n + 1, sizeof **out);
    if (!*out) return otok_node_no_memory();
    for (*n = 0; *n < map->n; ++*n)
        OTOK_TRY(read_response(&(*out)[*n], map->items[*n]));
    return OTOK_OK;
}
