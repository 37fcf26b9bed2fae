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
