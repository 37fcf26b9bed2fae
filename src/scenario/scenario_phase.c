/* scenario_phase.c: reads the phases and their lists. scenario_check.c refuses contradictions. */
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Checks the keys that have no default. */
static otok_status check_given(const otok_node *river)
{
    static const char *const keys[] = {"x", "y", "discharge"};
    const otok_node *history = otok_node_find(river, "history");
    const int has_history = history && !otok_node_is_null(history);
    for (int i = 0; i < 3 - has_history; i++)
        if (!otok_node_find(river, keys[i]))
            return otok_node_fail(river,
                                  "`%s` is missing; write {x: ..., y: ..., radius: ..., discharge: "
                                  "...} in m and m3 s-1%s",
                                  keys[i], i < 2 ? "" : ", or a history of the discharge");
    if (has_history && otok_node_find(river, "discharge"))
        return otok_node_fail(otok_blame(river, "history", "discharge", NULL),
                              "discharge and history both give the water of the river; keep one");
    return OTOK_OK;
}

static int is_same_series(const otok_series *a, const otok_series *b)
{
    if (a->n != b->n || a->stepwise != b->stepwise || a->repeat != b->repeat ||
        a->outside != b->outside)
        return 0;
    for (int i = 0; i < a->n; i++)
        if (a->at[i].time != b->at[i].time || a->at[i].value != b->at[i].value) return 0;
    return 1;
}

/* Gives river i the number of its hydrograph: that of an earlier river with the same, or the next.
 */
static otok_status number_hydrograph(otok_phase *phase, int i, const otok_node *river)
{
    otok_river *rivers = phase->rivers;
    int most = 0, *mine = &rivers[i].hydrograph;
    for (int j = 0; j < i && rivers[i].history.n; j++) {
        if (rivers[j].hydrograph > most) most = rivers[j].hydrograph;
        if (rivers[j].hydrograph && is_same_series(&rivers[j].history, &rivers[i].history))
            *mine = rivers[j].hydrograph;
    }
    if (!rivers[i].history.n || *mine) return OTOK_OK;
    *mine = most + 1;
    if (*mine < OTOK_HYDROGRAPHS) return OTOK_OK;
    return otok_node_fail(otok_node_find(river, "history"),
                          "more than %d different histories of rivers in a phase; allowed: at most "
                          "%d; give rivers the same history",
                          OTOK_HYDROGRAPHS - 1, OTOK_HYDROGRAPHS - 1);
}

static otok_status read_series(otok_series *series, const otok_node *group, const otok_parameter *p,
                               const char *directory)
{
    const otok_node *node = otok_node_find(group, p->key);
    if (!node) return OTOK_OK;
    OTOK_TRY(otok_series_load(&series->assumed, node, directory, p));
    return otok_series_read(series, node, p);
}

static otok_status read_rivers(otok_phase *phase, const char *directory, const otok_node *list)
{
    int n;
    otok_words words = {0};
    otok_words_add_keys(&words, "rivers");
    OTOK_TRY(otok_list_check(&n, list, OTOK_MAX_RIVERS, "rivers"));
    for (int i = 0; i < n; i++) {
        const otok_node *river = list->items[i];
        otok_river *r = &phase->rivers[i];
        OTOK_TRY(otok_words_check(&words, river));
        OTOK_TRY(check_given(river));
        OTOK_TRY(otok_group_read(r, "rivers", river));
        phase->nrivers = i + 1;
        OTOK_TRY(
            read_series(&r->history, river, otok_parameter_find("rivers", "history"), directory));
        OTOK_TRY(number_hydrograph(phase, i, river));
    }
    return OTOK_OK;
}

/* Here, because a process does not know how groups are read. */
static otok_status read_producers(otok_phase *phase, const otok_node *map)
{
    otok_reef *r = &phase->reef;
    const otok_node *list = otok_node_find(otok_node_find(map, "reef"), "producers");
    otok_words words = {0};
    otok_words_add_keys(&words, "producers");
    OTOK_TRY(otok_list_check(&r->nproducers, list, OTOK_PRODUCERS - 1, "producers"));
    for (int i = 0; i < r->nproducers; i++) {
        const otok_node *one = list->items[i];
        OTOK_TRY(otok_words_check(&words, one));
        OTOK_TRY(otok_group_read(&r->producers[i], "producers", one));
        if (isnan(r->producers[i].max_growth))
            return otok_node_fail(one, "`max_growth` is missing; write {max_growth: 1 mm/yr}");
        if (otok_node_find(one, "sheltered_growth") && !(phase->processes & OTOK_WAVES))
            return otok_node_fail(otok_node_find(one, "sheltered_growth"),
                                  "the phase has no waves; add `waves: {}` to it, or leave this "
                                  "key out");
    }
    return OTOK_OK;
}

static otok_status check_name(const char *name, const otok_node *node)
{
    const size_t n = strlen(name), digits = strspn(name, "0123456789");
    const size_t good =
        strspn(name, "0123456789_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (good < n || n >= OTOK_NAME_SIZE)
        return otok_node_fail(
            node, "`%.64s` is not a name for a phase; use letters, digits, _ and -, at most %d",
            name, OTOK_NAME_SIZE - 1);
    if (digits == n)
        return otok_node_fail(
            node,
            "`%s` is a number, which --set would take for the place in the list; add a letter",
            name);
    return OTOK_OK;
}

static otok_series *series_of(otok_phase *phase, const otok_process *process, int i)
{
    const otok_parameter *p = &process->parameters[i];
    return p->kind == OTOK_SERIES ? (otok_series *)((char *)phase + process->values + p->offset)
                                  : NULL;
}

void otok_phases_destroy(otok_scenario *scenario)
{
    for (int n = 0; n < scenario->nphases; n++) {
        for (int i = 0; i < scenario->phases[n].nrivers; i++)
            free(scenario->phases[n].rivers[i].history.at);
        for (int i = 0; i < OTOK_PROCESSES; i++)
            for (int k = 0; k < otok_processes[i]->nparameters; k++) {
                const otok_series *s = series_of(&scenario->phases[n], otok_processes[i], k);
                if (s) free(s->at);
            }
    }
    free(scenario->phases);
}

/* Reads the series of a group, and their files. */
static otok_status read_all_series(otok_phase *phase, const otok_process *process,
                                   const char *directory, const otok_node *group)
{
    for (int i = 0; i < process->nparameters; i++) {
        otok_series *series = series_of(phase, process, i);
        if (series) OTOK_TRY(read_series(series, group, &process->parameters[i], directory));
    }
    return OTOK_OK;
}

static otok_status read_processes(otok_phase *phase, const char *directory, const otok_node *map)
{
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const otok_process *process = otok_processes[i];
        const otok_node *node = otok_node_find(map, process->group);
        if (node) {
            otok_words words = {0};
            otok_words_add_keys(&words, process->group);
            OTOK_TRY(otok_words_check(&words, node));
            phase->processes |= process->bit;
        }
        OTOK_TRY(otok_group_read((char *)phase + process->values, process->group, node));
        OTOK_TRY(read_all_series(phase, process, directory, node));
    }
    for (int i = 0; i < OTOK_PROCESSES;
         i++) /* reads lists, which may need values of other processes */
        if (phase->processes & otok_processes[i]->bit && otok_processes[i]->read)
            OTOK_TRY(otok_processes[i]->read(phase, map));
    return OTOK_OK;
}

/* "hydraulic, thermal, seabed or reef": the processes that may be the only one of a phase. */
static const char *list_processes(char out[256])
{
    out[0] = 0;
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (otok_processes[i]->program)
            sprintf(out + strlen(out), "%s%s",
                    !*out                     ? ""
                    : i == OTOK_PROCESSES - 1 ? " or "
                                              : ", ",
                    otok_processes[i]->group);
    return out;
}

/* Water keeps one kind of flow through a cycle, or the second round would begin with another. */
static otok_status check_cycle_water(const otok_scenario *s, int last, const otok_node *cycle)
{
    int kept = -1;
    for (int p = s->phases[last].cycle.first; p <= last; p++) {
        const int kind = otok_pipes_of_phase(s, p);
        if (kind < 0) continue;
        if (kept < 0) kept = p;
        if (kind != otok_pipes_of_phase(s, kept))
            return otok_node_fail(cycle,
                                  "phase %s has %s water and phase %s %s water; allowed in a "
                                  "cycle: one kind; give both phases the same `law`",
                                  s->phases[kept].name,
                                  otok_pipes_word(otok_pipes_of_phase(s, kept)), s->phases[p].name,
                                  otok_pipes_word(kind));
    }
    return OTOK_OK;
}

/* The cycle that phase i ends. All phases before it are read. */
static otok_status read_cycle(otok_scenario *s, int i, const otok_node *map)
{
    struct otok_cycle *c = &s->phases[i].cycle;
    const otok_node *cycle = otok_node_find(map, "cycle");
    otok_words words = {0};
    otok_words_add_keys(&words, "cycle");
    if (cycle) OTOK_TRY(otok_words_check(&words, cycle));
    OTOK_TRY(otok_group_read(c, "cycle", cycle));
    s->phases[i].runs = 1;
    c->first = i;
    for (int p = 0; p < i; p++)
        if (strcmp(s->phases[p].name, c->from) == 0) c->first = p;
    if (c->from[0] && strcmp(s->phases[c->first].name, c->from) != 0)
        return otok_node_fail(otok_node_find(cycle, "from"),
                              "no phase up to this one has the name `%.64s`; write that of the "
                              "first phase of a round, or leave it out to repeat phase %s alone",
                              c->from, s->phases[i].name);
    if (c->times == 1) return OTOK_OK;
    for (int p = c->first; p < i; p++)
        if (s->phases[p].cycle.times > 1)
            return otok_node_fail(cycle,
                                  "phase %s ends a cycle, and a cycle cannot contain another; "
                                  "begin this one after it",
                                  s->phases[p].name);
    for (int p = c->first; p <= i; p++)
        s->phases[p].runs = c->times;
    return check_cycle_water(s, i, cycle);
}

static otok_status read_phase(otok_phase *phase, int index, const char *directory,
                              const otok_node *map)
{
    otok_words words = {0};
    otok_words_add_keys(&words, "phase");
    for (int i = 0; i < OTOK_PROCESSES; i++)
        otok_words_add(&words, otok_processes[i]->group);
    otok_words_add(&words, "rivers");
    otok_words_add(&words, "cycle");
    OTOK_TRY(otok_words_check(&words, map));
    OTOK_TRY(otok_group_read(phase, "phase", map));
    const otok_node *name = otok_node_find(map, "name");
    if (phase->name[0])
        OTOK_TRY(check_name(phase->name, name));
    else
        snprintf(phase->name, sizeof phase->name, "phase%d", index + 1);
    OTOK_TRY(read_processes(phase, directory, map));
    OTOK_TRY(read_producers(phase, map));
    OTOK_TRY(read_rivers(phase, directory, otok_node_find(map, "rivers")));
    if (phase->processes & ~(OTOK_RAIN | OTOK_BEYOND_SIDES) || phase->nrivers)
        return OTOK_OK; /* scenario_check.c refuses rivers without water */
    if (phase->processes)
        return otok_node_fail(otok_blame(map, "rain", "sides", NULL),
                              "rain and sides need water that flows; add `hydraulic: {}` to the "
                              "phase");
    char processes[256];
    return otok_node_fail(map, "nothing happens in this phase; add %s, such as `seabed: {}`",
                          list_processes(processes));
}

static otok_status same_name(const otok_node *list, int later, int earlier)
{
    const otok_node *one = otok_node_find(list->items[later], "name"),
                    *other = otok_node_find(list->items[earlier], "name");
    const otok_node *at = !one || (other && !other->line) ? other : one;
    return otok_node_fail(at ? at : list,
                          "phases %d and %d have the same name; name them differently", earlier,
                          later);
}

otok_status otok_phases_read(otok_scenario *scenario, const otok_node *list)
{
    int n;
    OTOK_TRY(otok_list_check(&n, list, OTOK_MAX_PHASES, "phases"));
    if (!n) return OTOK_OK;
    scenario->phases = calloc((size_t)n, sizeof *scenario->phases);
    if (!scenario->phases) return OTOK_FAIL(OTOK_NOMEM, "no memory for the phases");
    for (int i = 0; i < n; i++) {
        scenario->nphases = i + 1;
        OTOK_TRY(read_phase(&scenario->phases[i], i, scenario->directory, list->items[i]));
        OTOK_TRY(otok_maps_read(scenario, i, list->items[i]));
        OTOK_TRY(read_cycle(scenario, i, list->items[i]));
        for (int j = 0; j < i; j++)
            if (strcmp(scenario->phases[i].name, scenario->phases[j].name) == 0)
                return same_name(list, i, j);
    }
    return OTOK_OK;
}
