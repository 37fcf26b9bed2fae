/* scenario_phase.c: reads the phases and their lists. scenario_check.c refuses contradictions. */
#include "dates.h"
#include "process.h"
#include "scenario_items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void otok_phases_destroy(otok_scenario *scenario)
{
    for (int n = 0; n < scenario->nphases; n++) {
        otok_phase *phase = &scenario->phases[n];
        for (int i = 0; i < OTOK_PROCESSES; i++)
            otok_group_clear((char *)phase + otok_processes[i]->values, otok_processes[i]->group);
    }
}

static otok_status read_processes(otok_scenario *s, otok_phase *phase, const otok_node *map)
{
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const otok_process *process = otok_processes[i];
        const otok_node *node = otok_node_find(map, process->group);
        if (node) phase->processes |= process->bit;
        OTOK_TRY(
            otok_group_take((char *)phase + process->values, process->group, node, s->directory));
    }
    for (int i = 0; i < OTOK_PROCESSES; i++) { /* reads lists, which may need values of others */
        const otok_process *process = otok_processes[i];
        const otok_node *node = otok_node_find(map, process->group);
        for (int k = 0; k < process->nparameters; k++)
            if (process->parameters[k].kind == OTOK_STRUCTS)
                OTOK_TRY(otok_items_read(s, phase, (char *)phase + process->values,
                                         &process->parameters[k], node, process->item));
        if (phase->processes & process->bit && process->read) OTOK_TRY(process->read(phase, map));
    }
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
    OTOK_TRY(otok_group_take(c, "cycle", cycle, NULL));
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

static otok_status read_phase(otok_scenario *s, otok_phase *none, int i, const otok_node *map)
{
    otok_phase *phase = &s->phases[i];
    char processes[256];
    otok_date start;
    const otok_node *key;
    (void)none;
    if (otok_node_find(map, "start")) OTOK_TRY(otok_date_of_start(&start, &key, map));
    if (!phase->name[0]) snprintf(phase->name, sizeof phase->name, "phase%d", i + 1);
    if (!phase->name[strspn(phase->name, "0123456789")])
        return otok_node_fail(
            otok_node_find(map, "name"),
            "`%s` is a number, which --set would take for the place in the list; add a letter",
            phase->name);
    OTOK_TRY(read_processes(s, phase, map));
    OTOK_TRY(otok_rivers_read(s, phase, map));
    OTOK_TRY(otok_dams_read(s, phase, map));
    if (!phase->processes && !phase->nrivers)
        return otok_node_fail(map, "nothing happens in this phase; add %s, such as `seabed: {}`",
                              list_processes(processes));
    if (!(phase->processes & ~(OTOK_RAIN | OTOK_BEYOND_SIDES)))
        return otok_node_fail(otok_blame(map, "rain", "sides", NULL),
                              "rain and sides need water that flows; add `hydraulic: {}` to the "
                              "phase");
    OTOK_TRY(otok_maps_read(s, i, map));
    return read_cycle(s, i, map);
}

otok_status otok_phases_read(otok_scenario *s, const otok_node *root)
{
    return otok_items_read(s, NULL, s, otok_parameter_find("", "phases"), root, read_phase);
}
