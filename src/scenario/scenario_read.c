/* scenario_read.c: reads and checks a scenario file. */
#include "../core/rounding.h"
#include "dates.h"
#include "process.h"
#include "scenario_audit.h"
#include "scenario_items.h"
#include "scenario_points.h"

#include <stdlib.h>
#include <string.h>

static otok_status no_memory(void)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory for a scenario");
}

static otok_status read_group(void *at, const char *group, const otok_node *root)
{
    return otok_group_take(at, group, otok_node_find(root, group), NULL);
}

static otok_status read_fields(uint64_t *fields, const otok_node *list)
{
    char shown[64];
    otok_words words = {0};
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (otok_field_layer(f) < 0) otok_words_add(&words, otok_field_at(f)->name);
    *fields = (UINT64_C(1) << OTOK_FIELDS) - 1;
    if (!list ||
        (list->kind == OTOK_NODE_SCALAR && strcmp(list->text ? list->text : "", "all") == 0))
        return OTOK_OK;
    if (list->kind != OTOK_NODE_LIST)
        return otok_node_fail(list,
                              "%s stands where names of fields are needed; write `all` or a list "
                              "such as [water, terrain]",
                              otok_node_show(list, shown));
    *fields = 0;
    for (int i = 0; i < list->n; i++) {
        const otok_node *item = list->items[i];
        const char *name = item->kind == OTOK_NODE_SCALAR && item->text ? item->text : "";
        const int f = otok_field_find(name);
        if (f < 0)
            return otok_node_fail(item, "%s is not a field; the nearest is `%s`",
                                  otok_node_show(item, shown), otok_words_nearest(&words, name));
        *fields |= UINT64_C(1) << f;
    }
    return OTOK_OK;
}

static otok_status read_root(otok_scenario *s, otok_node *root)
{
    static const char *const groups[] = {"grid", "edges", "sea", "initial", "output"};
    void *const places[] = {&s->grid, s->edges, &s->sea_level, s, &s->output};
    otok_words words = {0};
    otok_date start;
    const otok_node *key;
    otok_words_add_keys(&words, "");
    for (int i = 0; i < 5; i++)
        otok_words_add(&words, groups[i]);
    if (otok_node_is_null(root))
        return otok_node_fail(root, "the file is empty; a scenario begins with `otok: 1`");
    const otok_node *study = root->kind == OTOK_NODE_MAP ? otok_node_find(root, "study") : NULL;
    if (study) return otok_node_fail(study, "this is a study, not a scenario; otok study runs it");
    OTOK_TRY(otok_words_check(&words, root));
    OTOK_TRY(otok_group_read(s, "", root));
    OTOK_TRY(otok_date_of_start(&start, &key, root));
    for (int i = 0; i < 5; i++)
        OTOK_TRY(read_group(places[i], groups[i], root));

    const otok_node *initial = otok_node_find(root, "initial"),
                    *output = otok_node_find(root, "output");
    if (initial) OTOK_TRY(otok_scenario_resolve(s, s->initial, otok_node_find(initial, "file")));
    OTOK_TRY(otok_initial_read(s, initial));
    OTOK_TRY(read_fields(&s->output.fields, output ? otok_node_find(output, "fields") : NULL));
    OTOK_TRY(otok_audit_read(&s->audit, otok_node_find(root, "audit")));
    OTOK_TRY(otok_points_read(s, root));
    const otok_node *base = otok_node_find(root, "base");
    if (base) OTOK_TRY(otok_base_read(s, base));
    OTOK_TRY(otok_ground_read(s, root));
    OTOK_TRY(otok_phases_read(s, root));
    OTOK_TRY(otok_gauges_read(s, root));
    OTOK_TRY(otok_responses_read(&s->responses, &s->nresponses, otok_node_find(root, "responses")));
    return otok_scenario_check(s, root);
}

/* Removes processes that are `off`, so that --set can remove a process of the file. */
static void switch_off(otok_node *root)
{
    const otok_node *phases = otok_node_find(root, "phases");
    for (int p = 0; phases && phases->kind == OTOK_NODE_LIST && p < phases->n; p++)
        for (int i = 0; i < OTOK_PROCESSES + 2; i++) {
            const char *name = i < OTOK_PROCESSES    ? otok_processes[i]->group
                               : i == OTOK_PROCESSES ? "rivers"
                                                     : "dams";
            const otok_node *node = otok_node_find(phases->items[p], name);
            if (node && node->kind == OTOK_NODE_SCALAR && node->plain && node->text &&
                strcmp(node->text, "off") == 0)
                otok_node_remove(phases->items[p], name);
        }
}

/* What the water of the first phase that has some keeps, -1: no phase has water. Notes the phases
   in which it turns into something else. */
static int find_pipes(otok_scenario *s)
{
    int first = -1, last = -1;
    for (int p = 0; p < s->nphases; p++) {
        const int kind = otok_pipes_of_phase(s, p);
        if (first < 0) first = kind;
        if (kind < 0 || s->phases[p].iterations == 0) continue;
        if (last < 0) last = first;
        if (kind != last) s->phases[p].turns = kind == OTOK_SPEEDS ? OTOK_TO_SPEEDS : OTOK_TO_FLOWS;
        last = kind;
    }
    return first;
}

otok_status otok_scenario_rewrite(otok_scenario *s)
{
    free(s->text);
    s->text = otok_scenario_write(s);
    return s->text ? OTOK_OK : no_memory();
}

static otok_status read_tree(otok_scenario *s, otok_node *root, const char *path)
{
    switch_off(root);
    OTOK_TRY(otok_path_split(&s->path, &s->directory, &s->stem, path));
    OTOK_TRY(read_root(s, root));
    OTOK_TRY(otok_initial_check(s, otok_node_find(root, "initial")));
    OTOK_TRY(otok_given_keep(s, root));
    s->anchor.pipes = find_pipes(s);
    return otok_scenario_rewrite(s);
}

otok_status otok_scenario_from_tree(otok_scenario **out, otok_node *root, const char *path)
{
    otok_scenario *s = calloc(1, sizeof *s);
    const otok_status status = s ? read_tree(s, root, path) : no_memory();
    if (status == OTOK_OK)
        *out = s;
    else
        otok_scenario_destroy(s);
    return status;
}

const otok_scenario *otok_scenario_use(const otok_scenario *scenario)
{
    __atomic_fetch_add(&((otok_scenario *)scenario)->users, 1, __ATOMIC_RELAXED);
    return scenario;
}

void otok_changes_destroy(otok_change *changes, int n)
{
    for (int i = 0; changes && i < (n < 0 ? 1 : n); i++) {
        free((char *)changes[i].path);
        free((char *)changes[i].before);
        free((char *)changes[i].after);
        changes[i] = (otok_change){0};
    }
    if (n >= 0) free(changes);
}

void otok_scenario_destroy(otok_scenario *scenario)
{
    if (!scenario || __atomic_fetch_sub(&scenario->users, 1, __ATOMIC_ACQ_REL) > 0) return;
    otok_base_destroy(scenario->base, scenario->nbase);
    otok_ground_destroy(scenario);
    otok_phases_destroy(scenario);
    otok_group_clear(scenario, "");
    free(scenario->responses);
    free(scenario->given);
    free(scenario->path);
    free(scenario->directory);
    free(scenario->stem);
    free(scenario->text);
    otok_changes_destroy(scenario->changes, scenario->nchanges);
    free(scenario);
}

const char *otok_scenario_text(const otok_scenario *scenario)
{
    if (OTOK_GIVEN(scenario)) return NULL;
    return scenario->text;
}

otok_grid otok_scenario_grid(const otok_scenario *scenario)
{
    if (OTOK_GIVEN(scenario)) return (otok_grid){0};
    return scenario->grid;
}
