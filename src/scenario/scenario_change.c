/* scenario_change.c: a change of a value while a scenario runs: the value before, the scenario
   after, and what cannot change. live.c applies it to simulations. */
#include "../core/rounding.h"
#include "process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static otok_status no_memory(void)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory for a change");
}

otok_status otok_change_make(otok_change *out, int64_t iteration, const char *path,
                             const char *before, const char *after)
{
    *out = (otok_change){iteration, strdup(path), strdup(before ? before : ""), strdup(after)};
    if (out->path && out->before && out->after) return OTOK_OK;
    otok_changes_destroy(out, -1);
    return no_memory();
}

/* ---- what may change ---- */

static int is_sea(const char *path)
{
    return strcmp(path, "sea.level") == 0;
}

static otok_status fail_name(const char *path)
{
    return OTOK_FAIL(OTOK_USAGE,
                     "%.200s: the name of a phase cannot change while a simulation runs", path);
}

/* Does a phase of the present cycle run in a later round? */
static int comes_again(const otok_scenario *s, const otok_moment *now, int phase)
{
    const int last = otok_phase_cycle(s, phase);
    return now->phase < s->nphases && last >= 0 && otok_phase_cycle(s, now->phase) == last &&
           now->visit.round + 1 < s->phases[last].cycle.times;
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
        s->phases[present].reef.sea_history.n)
        return OTOK_FAIL(OTOK_USAGE,
                         "sea.level cannot change in phase %s: its reef.sea_history gives the "
                         "level; change that",
                         s->phases[present].name);
    if (*phase < present && !comes_again(s, &now, *phase))
        return OTOK_FAIL(OTOK_USAGE, "%.200s cannot change: phase %s ended at iteration %lld", path,
                         s->phases[*phase].name, (long long)n);
    if (strcmp(key, ".name") == 0) return fail_name(path);
    return OTOK_OK;
}

/* `to` has been read, but does not know the water of `from` yet. */
static int pipes_after(const otok_scenario *from, const otok_scenario *to)
{
    return from->anchor.pipes >= 0 ? from->anchor.pipes : to->anchor.pipes;
}

/* Does a phase get other water, in a scenario whose water turns from flows to speeds or back? */
static int turns_change(const otok_scenario *from, const otok_scenario *to, int p)
{
    int turns = 0;
    for (int i = 0; i < from->nphases; i++)
        turns |= from->phases[i].turns;
    for (int i = 0; i < to->nphases; i++)
        turns |= to->phases[i].turns;
    return turns && otok_pipes_of_phase(from, p) != otok_pipes_of_phase(to, p);
}

/* The rounds of a cycle that has begun are alike: their iterations and their clock stay. */
static otok_status check_cycle(const otok_scenario *from, const otok_scenario *to, int64_t n, int p,
                               const char *path)
{
    const int was = otok_phase_cycle(from, p), is = otok_phase_cycle(to, p);
    const int first = was < 0 ? p : from->phases[was].cycle.first;
    const otok_phase *old = &from->phases[p], *now = &to->phases[p];
    if ((was < 0 && is < 0) || n <= otok_phase_iteration(from, first, 0)) return OTOK_OK;
    if (was == is && from->phases[was].cycle.first == to->phases[is].cycle.first &&
        from->phases[was].cycle.times == to->phases[is].cycle.times &&
        old->iterations == now->iterations && otok_phase_step(old) == otok_phase_step(now))
        return OTOK_OK;
    return OTOK_FAIL(OTOK_USAGE,
                     "%.200s: the cycle of phase %s has begun; its rounds, their iterations and "
                     "their time steps cannot change while a simulation runs",
                     path, now->name);
}

static otok_status check_age(const otok_scenario *from, const otok_scenario *to, const char *path)
{
    const int was = otok_scenario_dates_reef(from), is = otok_scenario_dates_reef(to);
    if (was < 0 || is < 0 || was == is) return OTOK_OK;
    return OTOK_FAIL(OTOK_USAGE,
                     "%.200s: reef.age cannot change while a simulation runs; start it anew", path);
}

static otok_status check_maxima(const otok_phase *old, const otok_phase *now, const char *path)
{
    if (!((old->processes ^ now->processes) & OTOK_MAXIMA) &&
        memcmp(&old->maxima, &now->maxima, sizeof old->maxima) == 0)
        return OTOK_OK;
    return OTOK_FAIL(OTOK_USAGE, "%.200s: phase %s has begun, and its maxima have one meaning",
                     path, now->name);
}

static otok_status check_result(const otok_scenario *from, const otok_scenario *to, int64_t n,
                                int p, const char *path)
{
    const otok_phase *old = &from->phases[p], *now = &to->phases[p];
    const otok_droplets *d = &old->droplets, *e = &now->droplets;
    const int last = otok_phase_cycle(from, p);
    const int64_t begin = otok_phase_iteration(from, p, 0);
    if (strcmp(old->name, now->name) != 0) return fail_name(path);
    OTOK_TRY(check_cycle(from, to, n, p, path));
    OTOK_TRY(check_age(from, to, path));
    if (n > begin) OTOK_TRY(check_maxima(old, now, path));
    if (last < 0 && now->iterations < n - begin)
        return OTOK_FAIL(OTOK_USAGE,
                         "%.200s: %lld iterations of phase %s are done; allowed: at least as many",
                         path, (long long)(n - begin), now->name);
    if ((old->processes ^ now->processes) & OTOK_DROPLETS || d->count != e->count ||
        d->batch != e->batch)
        return OTOK_FAIL(OTOK_USAGE,
                         "%.200s: droplets count the iterations of their phase; they, their number "
                         "and batch cannot change while a simulation runs",
                         path);
    if (to->anchor.pipes >= 0 && to->anchor.pipes != pipes_after(from, to))
        return OTOK_FAIL(
            OTOK_USAGE,
            "%.200s: water in %s pipes cannot change to %s ones while a simulation runs; begin a "
            "scenario of the other kind with a checkpoint of this one as its `initial.file`",
            path, otok_pipes_word(from->anchor.pipes), otok_pipes_word(to->anchor.pipes));
    if (n > begin && turns_change(from, to, p))
        return OTOK_FAIL(OTOK_USAGE,
                         "%.200s: phase %s has begun, and its water keeps what the law or the "
                         "pipes of its first iteration keep; change the next phase",
                         path, now->name);
    for (int i = 0; i < to->nmaps; i++) {
        const otok_map *map = &to->maps[i], *was = otok_scenario_map(from, map->buffer, map->phase);
        if (map->phase < 0 || (was && otok_map_is_same(was, map))) continue;
        const otok_parameter *key = otok_map_parameter(map->buffer);
        return OTOK_FAIL(
            OTOK_USAGE,
            "%.200s: the map of %s.%s is made before a simulation runs and cannot change; %s", path,
            key->group, key->key,
            map->buffer == OTOK_MAP_RAIN ? "its rate can" : "a number may replace it");
    }
    return OTOK_OK;
}

/* ---- the change ---- */

static int ends(const char *path, const char *keys)
{
    const size_t n = strlen(path), end = strlen(keys);
    return n >= end && strcmp(path + n - end, keys) == 0;
}

static void forget_law(otok_node *group, const char *path, const char *key)
{
    if (group && ends(path, key)) otok_law_forget(group);
}

/* Without waves a reef has no keys of theirs. */
static void forget_waves(otok_node *reef, const char *path)
{
    const otok_node *waves = reef ? otok_node_find(reef->parent, "waves") : NULL;
    if (!waves || !ends(path, ".waves") || !waves->text || strcmp(waves->text, "off") != 0) return;
    otok_node_remove(reef, "sheltered_growth");
    otok_node_remove(reef, "exposure_scale");
    otok_node *more = otok_node_find(reef, "producers");
    for (int i = 0; more && i < more->n; i++)
        otok_node_remove(more->items[i], "sheltered_growth");
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
    forget_law(hydraulic, path, ".hydraulic.law");
    forget_law(reef, path, ".reef.law");
    forget_waves(reef, path);
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
    set_anchor(to, (otok_anchor){n, now.time, sea, now.clock, pipes_after(from, to),
                                 otok_scenario_rise(from, 0, n)});
    to->carried = from->carried;
    if (!from->initial[0]) to->initial[0] = 0;
}

/* *after: the words of the change or, if the reader made something else of them, such as the points
   of a file, that. */
static otok_status name_after(char **after, const char *words, const char *was,
                              const otok_node *node)
{
    char *now = node ? otok_node_line(node) : NULL;
    *after = now && was && !node->given && strcmp(now, was) != 0 ? strdup(now)
                                                                 : strdup(strchr(words, '=') + 1);
    const int good = *after && (now || !node);
    free(now);
    return good ? OTOK_OK : no_memory();
}

static otok_status change(otok_scenario **out, char **before, char **after,
                          const otok_scenario *from, int64_t n, const char *path, const char *words)
{
    otok_node *root = NULL, *value = NULL;
    char *was = NULL;
    otok_set unused;
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
    OTOK_ROUNDING;
    char *words = NULL;
    *out = NULL;
    *before = NULL;
    if (after) *after = NULL;
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < 0x20)
            return OTOK_FAIL(OTOK_USAGE, "%.200s: a value has one line, without tabs", path);
    if (asprintf(&words, "%s=%s", path, value) < 0) return no_memory();
    otok_status status = change(out, before, after, from, n, path, words);
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

otok_status otok_scenario_changed(otok_scenario **out, otok_set *buffers, const otok_scenario *s,
                                  const otok_change *changes, int n)
{
    otok_set more = {{0}};
    otok_node *root;
    *out = NULL;
    *buffers = more;
    OTOK_TRY(otok_node_parse(&root, s->path, 1, s->text, otok_scenario_values_size(s->text)));
    otok_status status = otok_scenario_from_tree(out, root, s->path);
    otok_node_destroy(root);
    if (status != OTOK_OK) return status;
    set_anchor(*out, s->anchor);
    (*out)->carried = s->carried;
    if (!s->initial[0]) (*out)->initial[0] = 0;
    status = otok_scenario_buffers(buffers, *out);
    for (int i = 0; i < n && status == OTOK_OK; i++) {
        otok_scenario *next;
        char *before;
        status = otok_scenario_change(&next, &before, NULL, *out, changes[i].iteration,
                                      changes[i].path, changes[i].after);
        free(before);
        if (status == OTOK_OK) status = otok_scenario_buffers(&more, next);
        otok_scenario_destroy(*out);
        *out = next;
        *buffers = otok_set_or(*buffers, more);
    }
    if (status == OTOK_OK) return OTOK_OK;
    otok_scenario_destroy(*out);
    *out = NULL;
    return status;
}

/* ---- queries ---- */

int otok_scenario_has_process(const otok_scenario *scenario, int phase, const char *process)
{
    if (OTOK_GIVEN(scenario, process)) return 0;
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
    case OTOK_WHEN:
    case OTOK_INT: return (double)*(const int64_t *)at;
    case OTOK_BOOL:
    case OTOK_CHOICE: return *(const int *)at;
    case OTOK_TEXT:
    case OTOK_LIST:
    case OTOK_STRUCTS:
    case OTOK_SERIES: break;
    }
    return NAN;
}

double otok_scenario_value(const otok_scenario *scenario, int phase,
                           const otok_parameter *parameter)
{
    if (OTOK_GIVEN(scenario, parameter)) return NAN;
    const void *group = phase >= 0 && phase < scenario->nphases
                            ? otok_phase_group(&scenario->phases[phase], parameter->group)
                            : NULL;
    if (!group || parameter->offset == (size_t)-1) return NAN;
    return otok_parameter_value(parameter, group);
}
