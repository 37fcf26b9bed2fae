/* scenario_changes.c: reads a scenario with its list `changes`. Each change is tried, which shows
   whether it is possible, what it needs, and what it replaces. */
#include "../core/rounding.h"
#include "process.h"
#include "scenario_items.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static otok_status read_change(otok_change *out, double *time, const otok_node *item)
{
    static const char *const keys[] = {"at", "path", "value"};
    otok_words words = {0};
    char shown[64];
    int64_t at = 0;
    otok_words_add_keys(&words, "change");
    OTOK_TRY(otok_words_check(&words, item));
    for (int i = 0; i < 3; i++)
        if (!otok_node_find(item, keys[i]))
            return otok_node_fail(
                item, "`%s` is missing; write {at: ITERATION, path: phases.NAME..., value: ...}",
                keys[i]);
    const otok_node *path = otok_node_find(item, "path"), *value = otok_node_find(item, "value");
    OTOK_TRY(otok_value_when(&at, time, otok_node_find(item, "at"),
                             otok_parameter_find("change", "at")));
    if (path->kind != OTOK_NODE_SCALAR || !path->text)
        return otok_node_fail(path,
                              "%s stands where a path is needed, such as phases.erosion.rain.rate",
                              otok_node_show(path, shown));
    char *line = value->kind == OTOK_NODE_SCALAR ? strdup(value->text ? value->text : "null")
                                                 : otok_node_line(value);
    if (!line) return OTOK_FAIL(OTOK_NOMEM, "no memory for a change");
    const otok_status status = otok_change_make(out, at, path->text, NULL, line);
    free(line);
    return status;
}

/* Replaces the scenario by the one after a change. */
static otok_status try_one(otok_scenario **here, otok_change *c, double time, const otok_node *item)
{
    const otok_node *at = otok_node_find(item, "at");
    const int64_t end = otok_scenario_iterations(*here);
    otok_scenario *next = NULL;
    char *before = NULL, *after = NULL, asked[64], last[64];
    if (!isnan(time)) c->iteration = otok_scenario_iteration_at(*here, time);
    if (c->iteration < 0)
        return otok_node_fail(
            at, "%s is out of range; the scenario ends after %s",
            otok_as_given(at, time, 15, "s", asked),
            otok_as_given(at, otok_scenario_moment(*here, end).time, 15, "s", last));
    if (c->iteration < (*here)->anchor.at)
        return otok_node_fail(
            at, "%lld comes after %lld; list changes in the order of their iterations",
            (long long)c->iteration, (long long)(*here)->anchor.at);
    if (c->iteration > end)
        return otok_node_fail(at, "%lld is out of range; the scenario has %lld iterations",
                              (long long)c->iteration, (long long)end);
    const otok_status status =
        otok_scenario_change(&next, &before, &after, *here, c->iteration, c->path, c->after);
    if (status == OTOK_NOMEM) return status;
    if (status != OTOK_OK) return otok_node_fail(item, "%.900s", otok_why());
    free((char *)c->before);
    free((char *)c->after);
    c->before = before;
    c->after = after;
    otok_scenario_destroy(*here);
    *here = next;
    return OTOK_OK;
}

/* Would the change stay the same at half the time step? Only if it is given in seconds and does not
   change a time step. */
static int leaves_clock(const otok_change *c, double time)
{
    const otok_parameter *p = otok_parameter_at_path(c->path);
    return !isnan(time) && p && p->kind == OTOK_REAL && strcmp(p->key, "dt") != 0;
}

/* Makes the changes in turn, to find out whether they are possible, what they need, and what they
   replace. */
static otok_status try_all(otok_scenario *s, const double *times, const otok_node *list)
{
    otok_scenario *here = NULL;
    otok_set buffers;
    otok_status status = otok_scenario_changed(&here, &buffers, s, NULL, 0);
    s->timed = 1;
    for (int i = 0; i < s->nchanges && status == OTOK_OK; i++) {
        status = try_one(&here, &s->changes[i], times[i], list->items[i]);
        s->timed = status == OTOK_OK && s->timed && leaves_clock(&s->changes[i], times[i]);
        if (status == OTOK_OK) status = otok_scenario_buffers(&buffers, here);
        s->later = otok_set_or(s->later, buffers);
    }
    if (status == OTOK_OK) s->end = otok_scenario_iterations(here);
    otok_scenario_destroy(here);
    return status;
}

/* The scenario's text holds the values, and then the list; NULL: not given. */
static otok_status read_changes(otok_scenario *s, const otok_node *list)
{
    int n;
    OTOK_TRY(otok_list_check(&n, list, 0, INT_MAX, "changes"));
    if (!n) return OTOK_OK;
    s->changes = calloc((size_t)n, sizeof *s->changes);
    double *times = calloc((size_t)n, sizeof *times);
    otok_status status =
        s->changes && times ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for changes");
    for (int i = 0; i < n && status == OTOK_OK; i++) {
        status = read_change(&s->changes[i], &times[i], list->items[i]);
        s->nchanges = i + (status == OTOK_OK);
    }
    if (status == OTOK_OK) status = try_all(s, times, list);
    free(times);
    return status == OTOK_OK ? otok_scenario_rewrite(s) : status;
}

/* ---- a text, a file ---- */

static otok_status parse(otok_scenario **out, const char *path, const char *bytes, size_t size,
                         const char *const *sets, int nsets)
{
    otok_node *root;
    OTOK_TRY(otok_node_parse(&root, path, 1, bytes, size));
    otok_status status = OTOK_OK;
    for (int i = 0; i < nsets && status == OTOK_OK; i++)
        status = otok_scenario_set(root, sets[i]);
    if (status == OTOK_OK) status = otok_scenario_from_tree(out, root, path);
    if (status == OTOK_OK) status = read_changes(*out, otok_node_find(root, "changes"));
    otok_node_destroy(root);
    if (status == OTOK_OK) return OTOK_OK;
    otok_scenario_destroy(*out);
    *out = NULL;
    return status;
}

otok_status otok_scenario_parse(otok_scenario **out, const char *path, const char *bytes,
                                size_t size, const char *const *sets, int nsets)
{
    OTOK_ROUNDING;
    *out = NULL;
    return parse(out, path, bytes, size, sets, nsets);
}

static otok_status check_sets(const char *const *sets, int nsets)
{
    if (nsets < 0) return OTOK_FAIL(OTOK_USAGE, "%d texts to set; give 0 or more", nsets);
    if (nsets > 0) OTOK_TRY(OTOK_GIVEN(sets));
    for (int i = 0; i < nsets; i++)
        if (!sets[i]) return OTOK_FAIL(OTOK_USAGE, "sets[%d] of %d is NULL", i, nsets);
    return OTOK_OK;
}

otok_status otok_scenario_read(otok_scenario **out, const char *text, const char *path,
                               const char *const *sets, int nsets)
{
    OTOK_TRY(OTOK_GIVEN(out));
    OTOK_ROUNDING;
    *out = NULL;
    OTOK_TRY(OTOK_GIVEN(text, path));
    OTOK_TRY(check_sets(sets, nsets));
    if (strlen(text) > OTOK_MOST_TEXT) return otok_text_too_long(path);
    return otok_scenario_parse(out, path, text, strlen(text), sets, nsets);
}

otok_status otok_scenario_load(otok_scenario **out, const char *path, const char *const *sets,
                               int nsets)
{
    OTOK_TRY(OTOK_GIVEN(out));
    OTOK_ROUNDING;
    size_t size = 0;
    *out = NULL;
    OTOK_TRY(OTOK_GIVEN(path));
    OTOK_TRY(check_sets(sets, nsets));
    char *bytes;
    otok_status status = otok_text_read(&bytes, &size, path);
    if (status == OTOK_OK) status = otok_scenario_parse(out, path, bytes, size, sets, nsets);
    free(bytes);
    return status;
}

otok_status otok_scenario_copy(otok_scenario **out, const otok_scenario *scenario)
{
    OTOK_TRY(OTOK_GIVEN(out, scenario));
    OTOK_ROUNDING;
    return otok_scenario_parse(out, scenario->path, scenario->text, strlen(scenario->text), NULL,
                               0);
}
