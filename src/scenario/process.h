/* process.h: all that the program knows of a process, in one row: process_<group>.c, listed in
   processes.def. Its stages are in stages.def, its cell functions in model/. */
#ifndef OTOK_PROCESS_H
#define OTOK_PROCESS_H

#include "../model/coefficients.h"
#include "program.h"
#include "scenario_read.h"

#include <stdio.h>

/* The limits of a phase, as they are found. */
typedef struct otok_limits {
    otok_limit *at;
    int n, phase;
} otok_limits;

struct otok_process {
    const char *group; /* its key in a phase */
    int bit;           /* of otok_phase.processes */
    size_t values;     /* where its values are in otok_phase */
    size_t step; /* where in otok_phase its time step is [s], by which the clock goes; 0: it has
                    none */
    const otok_parameter *parameters;
    int nparameters;
    /* The rest may be NULL: the process has nothing there. `map` is the node of the whole phase. */
    otok_status (*read)(
        otok_phase *phase,
        const otok_node *map); /* lists, and what follows from others; values are read */
    void (*write)(FILE *out, const otok_phase *phase); /* those lists */
    const char *(*unused)(
        const otok_phase *phase); /* the key that another one overrules; NULL: none */
    otok_status (*check)(const otok_phase *phase, otok_grid grid,
                         const otok_node *map); /* values that cannot be meant together */
    void (*coefficients)(otok_coefficients *out, const otok_phase *phase, double spacing);
    void (*program)(otok_builder *out, const otok_phase *phase,
                    const int *edges); /* adds its part of an iteration */
    void (*predict)(otok_limits *out, const otok_phase *phase,
                    otok_grid grid); /* adds its limits */
};

enum {
    OTOK_PROCESSES = 0
#define PROCESS(...) +1
#include "processes.def"
#undef PROCESS
};

#define PROCESS(NAME, group, ...) extern const otok_process otok_process_##group;
#include "processes.def"
#undef PROCESS

extern const otok_process *const otok_processes[OTOK_PROCESSES];

/* The fixed part of a row, for the file that has `parameters`. */
#define OTOK_PROCESS_ROW(NAME, name)                                                               \
    .group = #name, .bit = OTOK_##NAME, .values = offsetof(otok_phase, name),                      \
    .parameters = parameters, .nparameters = sizeof parameters / sizeof parameters[0]

/* Adds a limit; see otok_limit. */
void otok_limit_add(otok_limits *to, const char *name, const char *symbol, otok_certainty certainty,
                    double value, double bound, double dt, const char *format, ...)
    __attribute__((format(printf, 8, 9)));

/* The node to name in a message: of these keys of a map (the last one NULL) the one from the
   command line, else the first that is there, else the map itself. */
const otok_node *otok_blame(const otok_node *map, ...);

/* The list must hold pairs, at most so many; *n is 0 where there is no list. */
otok_status otok_pairs_check(int *n, const otok_node *list, int most, const char *form);

/* The least drop to a neighbour at distance l, or to a diagonal one, that is steeper than this
 * angle [m]. */
float otok_talus_drop(double degrees, double l);
float otok_talus_drop_diagonal(double degrees, double l, int diagonal);

#endif
