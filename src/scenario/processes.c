/* processes.c: the table of the processes, and functions over all of them. */
#include "process.h"

#include <string.h>

const otok_process *const otok_processes[OTOK_PROCESSES] = {
#define PROCESS(NAME, group, ...) &otok_process_##group,
#include "processes.def"
};

void *otok_phase_group(otok_phase *phase, const char *group)
{
    if (strcmp(group, "phase") == 0) return phase;
    if (strcmp(group, "cycle") == 0) return &phase->cycle;
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (strcmp(group, otok_processes[i]->group) == 0)
            return (char *)phase + otok_processes[i]->values;
    return NULL;
}

const char *otok_phase_given(const otok_scenario *scenario, int phase,
                             const otok_parameter *parameter)
{
    const char *group = phase >= 0 && parameter->offset != (size_t)-1
                            ? otok_phase_group(&scenario->phases[phase], parameter->group)
                            : NULL;
    return group && parameter->kind == OTOK_REAL
               ? otok_scenario_given(scenario, group + parameter->offset)
               : NULL;
}
