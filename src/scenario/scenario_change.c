/* scenario_change.c: a change of a value while a scenario runs: the value before, the scenario
   after, and what cannot change. live.c applies it to simulations. */
#include "../core/rounding.h"
#include "process.h"
#include "program.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

otok_status otok_change_make(otok_change *out, int64_t iteration, const char *path,
                             const char *before, const char *after)
{
    *out = (otok_change){iteration, strdup(path), strdup(before ? before : ""), strdup(after)};
    if (out->path && out->before && out->after) return OTOK_OK;
    otok_changes_destroy(out, -1);
    return OTOK_FAIL(OTOK_NOMEM, "no memory for a change");
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

/* ---- what may change ---- */

static int is_sea(const char *path)
{
    return strcmp(path, "sea.level") == 0;
}

static otok_status check_path(const otok_scenario *s, int64_t n, const char *path, int *phase)
{
    const otok_moment now = otok_scenario_moment(s, n);
    const int present = now.phase < s->nphases ? now.phase : s->nphases - 1;
    const char *key = path;
    *phase = is_sea(path) ? present : otok_scenario_phase_of(s, &key);
    if (*phase < 0 || !*key)
        return OTOK_FAIL(OTOK_USAGE,
                         "%.200s cannot change while a simulation runs; only sea.level and values "
                         "of phases.NAME... can",
                         path);
    if (is_sea(path) && s->phases[present].processes & OTOK_REEF_GROWTH &&
        s->phases[present].reef.nsea)
        return OTOK_FAIL(OTOK_USAGE,
                         "sea.level cannot change in phase %s: its reef.sea_history gives the "
                         "level; change that",
                         s->phases[present].name);
    if (*phase < present)
        return OTOK_FAIL(OTOK_USAGE, "%.200s cannot change: phase %s ended at iteration %lld", path,
                         s->phases[*phase].name, (long long)n);
    if (strcmp(key, ".name") == 0)
        return OTOK_FAIL(OTOK_USAGE,
                         "%.200s: the name of a phase cannot change while a simulation runs", path);
    return OTOK_OK;
}

static int same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static otok_status check_result(const otok_scenario *from, const otok_scenario *to, int64_t n,
                                int p, const char *path)
{
    const otok_phase *old = &from->phases[p], *now = &to->phases[p];
    const otok_droplets *d = &old->droplets, *e = &now->droplets;
    int64_t begin = 0;
    for (int earlier = 0; earlier < p; earlier++)
        begin += from->phases[earlier].iterations;
    if (strcmp(old->name, now->name) != 0)
        return OTOK_FAIL(OTOK_USAGE,
                         "%.200s: the name of a phase cannot change while a simulation runs", path);
    if (now->iterations < n - begin)
        return OTOK_FAIL(OTOK_USAGE,
                         "%.200s: %lld iterations of phase %s are done; allowed: at least as many",
                         path, (long long)(n - begin), now->name);
    if ((old->processes ^ now->processes) & OTOK_DROPLETS || d->count != e->count ||
        d->batch != e->batch)
        return OTOK_FAIL(OTOK_USAGE,
                         "%.200s: droplets count the iterations of their phase; they, their number "
                         "and batch cannot change while "
                         "a simulation runs",
                         path);
    if (now->rain.map[0] &&
        (strcmp(old->rain.map, now->rain.map) != 0 || !same(old->rain.low, now->rain.low) ||
         !same(old->rain.high, now->rain.high) || old->rain.fit != now->rain.fit))
        return OTOK_FAIL(OTOK_USAGE,
                         "%.200s: a raster of rain is read before a simulation runs and cannot "
                         "change; its rate can",
                         path);
    return OTOK_OK;
}

/* ---- the change ---- */

static int ends(const char *path, const char *keys)
{
    const size_t n = strlen(path), end = strlen(keys);
    return n >= end && strcmp(path + n - end, keys) == 0;
}

/* Removes keys of the canonical text that contradict the new value. */
static void remove_contradicted(otok_node *root, const char *path, int p)
{
    otok_node *phases = otok_node_find(root, "phases"), *phase = phases->items[p];
    otok_node *hydraulic = otok_node_find(phase, "hydraulic"),
              *reef = otok_node_find(phase, "reef");
    otok_node *thermal = otok_node_find(phase, "thermal");
    const otok_node *spread = thermal ? otok_node_find(thermal, "diffusivity") : NULL;
    const otok_node *area = hydraulic ? otok_node_find(hydraulic, "area") : NULL;
    const otok_node *history = reef ? otok_node_find(reef, "sea_history") : NULL;
    const char *last = strrchr(path, '.') + 1;
    if (area && strcmp(last, "area") == 0 && area->text && strcmp(area->text, "depth") == 0)
        otok_node_remove(hydraulic, "pipe_area");
    if (thermal && ends(path, ".thermal.rate"))
        otok_node_remove(thermal, "diffusivity");
    else if (spread && spread->text && ends(path, ".thermal.diffusivity") &&
             strtod(spread->text, NULL) > 0)
        otok_node_remove(thermal, "rate");
    if (history && strcmp(last, "sea_history") == 0 && !otok_node_is_null(history))
        otok_node_remove(reef, "sea_rise");
}

/* Sets the point from which the calendar continues, and with it the rain that is given in
   seconds. */
static void set_anchor(otok_scenario *s, otok_anchor anchor)
{
    s->anchor = anchor;
    const otok_moment now = otok_scenario_moment(s, anchor.at);
    if (now.phase < s->nphases && now.within)
        otok_phase_place_rain(&s->phases[now.phase], now.within, now.clock);
}

/* Sets the members that are not part of the text. */
static void copy_members(otok_scenario *to, const otok_scenario *from, int64_t n, const char *path)
{
    const otok_moment now = otok_scenario_moment(from, n);
    const double sea = is_sea(path) ? to->sea_level : now.sea_level;
    set_anchor(to, (otok_anchor){n, now.time, sea, now.phase_time, now.clock,
                                 otok_scenario_flow_kind(from, n)});
    to->carried = from->carried;
    if (!from->initial[0]) to->initial[0] = 0;
}

/* *after: the words of the change or, if they have units, the value that the reader made of
   them. */
static otok_status name_after(char **after, const char *words, const char *was,
                              const otok_node *node)
{
    char *now = node ? otok_node_line(node) : NULL;
    *after = now && was && strcmp(now, was) != 0 ? strdup(now) : strdup(strchr(words, '=') + 1);
    const int good = *after && (now || !node);
    free(now);
    return good ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a change");
}

static otok_status change(otok_scenario **out, char **before, char **after,
                          const otok_scenario *from, int64_t n, const char *path, const char *words)
{
    otok_node *root = NULL, *value = NULL;
    char *was = NULL;
    uint64_t unused;
    int p = -1;
    OTOK_TRY(check_path(from, n, path, &p));
    OTOK_TRY(otok_node_parse(&root, "the present scenario", 1, from->text,
                             otok_scenario_values_size(from->text)));
    otok_status status = otok_scenario_replace(&value, root, words, before);
    if (status == OTOK_OK && p < from->nphases) remove_contradicted(root, path, p);
    if (status == OTOK_OK && value->kind == OTOK_NODE_SCALAR && value->text &&
        strcmp(value->text, "off") == 0)
        value = NULL;
    if (status == OTOK_OK && value) was = otok_node_line(value);
    if (status == OTOK_OK) status = otok_scenario_from_tree(out, root, from->path);
    if (status == OTOK_OK && after) status = name_after(after, words, was, value);
    free(was);
    otok_node_destroy(root);
    if (status == OTOK_OK) status = check_result(from, *out, n, p, path);
    if (status == OTOK_OK) status = otok_scenario_buffers(&unused, *out); /* not too many sweeps */
    if (status == OTOK_OK) copy_members(*out, from, n, path);
    return status;
}

/* Writes `off` as the old value of a process that was not given. */
static otok_status name_nothing(char **before, const char *path)
{
    const char *last = strrchr(path, '.') + 1;
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (strcmp(*before, "null") == 0 && strcmp(last, otok_processes[i]->group) == 0)
            strcpy(*before, "off");
    return OTOK_OK;
}

otok_status otok_scenario_change(otok_scenario **out, char **before, char **after,
                                 const otok_scenario *from, int64_t n, const char *path,
                                 const char *value)
{
    char *words = NULL;
    otok_locale here;
    *out = NULL;
    *before = NULL;
    if (after) *after = NULL;
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < 0x20)
            return OTOK_FAIL(OTOK_USAGE, "%.200s: a value has one line, without tabs", path);
    if (asprintf(&words, "%s=%s", path, value) < 0 || !otok_locale_enter(&here)) {
        free(words);
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a change");
    }
    otok_status status = change(out, before, after, from, n, path, words);
    otok_locale_leave(&here);
    free(words);
    if (status == OTOK_OK) status = name_nothing(before, path);
    if (status == OTOK_OK) return OTOK_OK;
    otok_scenario_destroy(*out);
    free(*before);
    if (after) free(*after);
    *out = NULL;
    *before = NULL;
    if (after) *after = NULL;
    return status;
}

otok_status otok_scenario_copy(otok_scenario **out, const otok_scenario *s)
{
    OTOK_ROUNDING;
    return otok_scenario_parse(out, s->path, s->text, strlen(s->text), NULL, 0);
}

otok_status otok_scenario_changed(otok_scenario **out, uint64_t *buffers, const otok_scenario *s,
                                  const otok_change *changes, int n)
{
    uint64_t more = 0;
    *out = NULL;
    *buffers = 0;
    OTOK_TRY(
        otok_scenario_parse(out, s->path, s->text, otok_scenario_values_size(s->text), NULL, 0));
    set_anchor(*out, s->anchor);
    (*out)->carried = s->carried;
    if (!s->initial[0]) (*out)->initial[0] = 0;
    otok_status status = otok_scenario_buffers(buffers, *out);
    for (int i = 0; i < n && status == OTOK_OK; i++) {
        otok_scenario *next;
        char *before;
        status = otok_scenario_change(&next, &before, NULL, *out, changes[i].iteration,
                                      changes[i].path, changes[i].after);
        free(before);
        if (status == OTOK_OK) status = otok_scenario_buffers(&more, next);
        otok_scenario_destroy(*out);
        *out = next;
        *buffers |= more;
    }
    if (status == OTOK_OK) return OTOK_OK;
    otok_scenario_destroy(*out);
    *out = NULL;
    return status;
}

/* ---- queries ---- */

int otok_scenario_has_process(const otok_scenario *scenario, int phase, const char *process)
{
    if (phase < 0 || phase >= scenario->nphases) return 0;
    if (strcmp(process, "rivers") == 0) return scenario->phases[phase].nrivers > 0;
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (strcmp(process, otok_processes[i]->group) == 0)
            return (scenario->phases[phase].processes & otok_processes[i]->bit) != 0;
    return 0;
}

double otok_parameter_value(const otok_parameter *p, const void *group)
{
    const void *at = (const char *)group + p->offset;
    switch (p->kind) {
    case OTOK_REAL: return *(const double *)at;
    case OTOK_INT: return (double)*(const int64_t *)at;
    case OTOK_BOOL:
    case OTOK_CHOICE: return *(const int *)at;
    case OTOK_TEXT:
    case OTOK_LIST: break;
    }
    return NAN;
}

double otok_scenario_value(const otok_scenario *scenario, int phase, const otok_parameter *p)
{
    const void *group = phase >= 0 && phase < scenario->nphases
                            ? otok_phase_group(&scenario->phases[phase], p->group)
                            : NULL;
    if (!group || p->offset == (size_t)-1) return NAN;
    return otok_parameter_value(p, group);
}

/* ---- the list in the file of a scenario ---- */

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
    char *before = NULL, *after = NULL;
    if (!isnan(time)) c->iteration = otok_scenario_iteration_at(*here, time);
    if (c->iteration < 0)
        return otok_node_fail(at, "%.15g s is out of range; the scenario ends after %.15g s", time,
                              otok_scenario_moment(*here, end).time);
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
    char copy[OTOK_TEXT_SIZE];
    snprintf(copy, sizeof copy, "%s", c->path);
    char *key = strrchr(copy, '.');
    *key++ = 0;
    const otok_parameter *p =
        otok_parameter_find(strrchr(copy, '.') ? strrchr(copy, '.') + 1 : copy, key);
    return !isnan(time) && p && p->kind == OTOK_REAL && strcmp(key, "dt") != 0;
}

/* Makes the changes in turn, to find out whether they are possible, what they need, and what they
   replace. */
static otok_status try_all(otok_scenario *s, const double *times, const otok_node *list)
{
    otok_scenario *here = NULL;
    uint64_t buffers;
    otok_status status = otok_scenario_changed(&here, &buffers, s, NULL, 0);
    s->timed = 1;
    for (int i = 0; i < s->nchanges && status == OTOK_OK; i++) {
        status = try_one(&here, &s->changes[i], times[i], list->items[i]);
        s->timed = status == OTOK_OK && s->timed && leaves_clock(&s->changes[i], times[i]);
        if (status == OTOK_OK) status = otok_scenario_buffers(&buffers, here);
        s->later |= buffers;
    }
    if (status == OTOK_OK) s->end = otok_scenario_iterations(here);
    otok_scenario_destroy(here);
    return status;
}

otok_status otok_changes_read(otok_scenario *s, const otok_node *list)
{
    int n;
    OTOK_TRY(otok_list_check(&n, list, INT_MAX, "changes"));
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
    return status;
}
