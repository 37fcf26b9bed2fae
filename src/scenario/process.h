/* process.h: everything that the program knows about a process, in one row. The row is in
   process_<group>.c and listed in processes.def. The stages are in stages.def, the cell functions
   in model/. */
#ifndef OTOK_PROCESS_H
#define OTOK_PROCESS_H

#include "../model/coefficients.h"
#include "program.h"
#include "scenario_read.h"

#include <stdio.h>

/* The limits of a phase. Processes add to them. */
enum { OTOK_SEA_TIMES = 16 };
typedef struct otok_limits {
    otok_limit *at;
    int n, phase;
    const otok_scenario *scenario;
    const otok_site *site;      /* what is not known is NAN */
    double sea[OTOK_SEA_TIMES]; /* levels at evenly spread times of the phase [m] */
} otok_limits;

struct otok_process {
    const char *group; /* its key in a phase */
    int bit;           /* of otok_phase.processes */
    size_t values;     /* offset of its values in otok_phase */
    size_t step;       /* offset of its time step [s], which moves the clock; 0: it has none */
    const otok_parameter *parameters;
    int nparameters;
    /* The functions below may be NULL if the process has nothing to do there. `map` is the node of
       the whole phase. */
    /* Reads lists and derives values, after the plain values have been read. */
    otok_status (*read)(otok_phase *phase, const otok_node *map);
    void (*write)(FILE *out, const otok_phase *phase); /* writes these lists */
    const char *(*unused)(
        const otok_phase *phase); /* a key that another key overrules; NULL: none */
    otok_status (*check)(const otok_phase *phase, otok_grid grid,
                         const otok_node *map); /* refuses values that contradict each other */
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

/* Says what the limit that was added last was estimated from. */
void otok_limit_reads(otok_limits *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The node that a message should name: of these keys of a map (the last is NULL), the one that the
   command line gave, else the first one present, else the map itself. */
const otok_node *otok_blame(const otok_node *map, ...);

/* The smallest drop [m] to a neighbour at distance l, or to a diagonal one, that is steeper than
   this angle. */
float otok_talus_drop(double degrees, double l);
float otok_talus_drop_diagonal(double degrees, double l, int diagonal);

#endif
