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
    const otok_site *site; /* what is not known is NAN */
    double digit; /* last digit of ground that uplift has raised at the end of the phase [m] */
    double sea[OTOK_SEA_TIMES]; /* levels at evenly spread times of the phase [m] */
    double dt;                  /* otok_process_step of the present process */
    const char *group;          /* the present process */
    double now;                 /* likewise; see otok_limit */
} otok_limits;

/* How a process keeps to the clock of its phase (otok_phase_step). */
typedef enum otok_pace {
    OTOK_PACE_CLOCK,   /* its time step is the clock's; another one is refused */
    OTOK_PACE_DIVIDED, /* an iteration has n equal steps of it, none longer than its own time step
                        */
    OTOK_PACE_OWN      /* one step of its own an iteration, whatever the clock, as published */
} otok_pace;

/* The iteration whose values a process sets. */
typedef struct otok_now {
    const otok_scenario *scenario;
    otok_moment moment;                     /* at its beginning */
    int64_t iteration;                      /* its number, over all phases */
    double cells;                           /* that are no walls */
    double sums[OTOK_MAPS_END - OTOK_MAPS]; /* of the phase's maps over these; 0 without a map */
    int halves_sweeps;                      /* waves come in half of `waves.every`, which is even */
} otok_now;

struct otok_process {
    const char *group; /* its key in a phase */
    int bit;           /* of otok_phase.processes */
    size_t values;     /* offset of its values in otok_phase */
    size_t dt;         /* offset of its time step [s]; 0: it has none. NAN there: as the clock */
    otok_pace pace;
    int (*divided)(const otok_phase *phase); /* is its pace DIVIDED in this phase? NULL: `pace` */
    otok_stage part; /* that adds its move of the ground to a field (otok_phase.parts); 0: none */
    otok_stage flux; /* its one stage, of a row FLUX; 0: `program` adds its stages */
    int levels;      /* 1: it levels the ground; -1: bumps grow by it; 0: neither */
    int dithers;     /* it adds to the ground by otok_ground_add */
    const char *direction; /* key of a direction from which it works: a list of weights from the top
                              clockwise, or an angle from there [degree]; NULL: it has none */
    const otok_parameter *parameters;
    int nparameters;
    /* The functions below may be NULL if the process has nothing to do there. `map` is the node of
       the whole phase. */
    /* Reads lists and derives values, after the plain values have been read. */
    otok_status (*read)(otok_phase *phase, const otok_node *map);
    otok_item_check *item; /* checks an item of its lists of structs */
    int (*unused)(const otok_phase *phase, const char *key); /* does another key overrule it? */
    otok_status (*check)(const otok_phase *phase, otok_grid grid,
                         const otok_node *map); /* refuses values that contradict each other */
    /* The sea level after `passed` seconds from a clock of the phase with the level `start`. */
    double (*sea)(const otok_phase *phase, double start, double clock, double passed);
    void (*step)(otok_step *out, const otok_phase *phase,
                 const otok_now *now); /* sets values of an iteration */
    /* Adds the nominal amounts of an iteration to a ledger's entries 'n' [m^3]. */
    void (*nominal)(otok_ledger *to, const otok_phase *phase, const otok_now *now);
    /* dt: otok_process_step */
    void (*coefficients)(otok_coefficients *out, const otok_phase *phase, double spacing,
                         double dt);
    void (*program)(otok_builder *out, const otok_phase *phase,
                    const int *edges); /* adds its part of an iteration */
    void (*predict)(otok_limits *out, const otok_phase *phase,
                    otok_grid grid); /* adds its limits */
    /* Says of a value that looks like one in another unit what it does. */
    void (*warn)(const otok_scenario *scenario, const otok_phase *phase,
                 void (*say)(void *user, const char *text), void *user);
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

/* The time step with which a process really advances [s]: its own, the clock, or an equal part of
   the clock; 0: it has none. The second function is the number of its steps in an iteration, the
   third the present values of its own time step; NULL: it has none. */
double otok_process_step(const otok_process *process, const otok_phase *phase);
int64_t otok_process_steps(const otok_process *process, const otok_phase *phase);
double *otok_process_dt(const otok_process *process, const otok_phase *phase);
otok_pace otok_process_pace(const otok_process *process, const otok_phase *phase);

/* The time step of a process, for its row. */
#define OTOK_PROCESS_TIME(name, PACE) .dt = offsetof(otok_phase, name.dt), .pace = OTOK_PACE_##PACE

/* Sets the values of an iteration. */
void otok_phase_set_step(otok_step *out, const otok_phase *phase, const otok_now *now);

/* scenario_rivers.c. Sets what the rivers bring in an iteration, apart from where they meet. */
void otok_rivers_step(otok_volumes *out, const otok_phase *phase, const otok_moment *moment);

/* scenario_dams.c. Sets the crests of the dams. */
void otok_dams_step(otok_step *out, const otok_phase *phase, const otok_moment *moment);

/* Sets `begin` and `end` of an iteration. */
void otok_step_dated(otok_step *out, const otok_now *now);

/* knots.c. Sets the knots of an iteration whose sea_to is set. */
void otok_phase_set_knots(otok_step *out, const otok_phase *phase, const otok_now *now);

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

/* Checks the waves of a phase, if it has them, on the grid and the edges of the scenario. */
otok_status otok_waves_check(const otok_scenario *scenario, const otok_phase *phase,
                             const otok_node *map);

/* The energy flux of the waves of the open sea [W/m]. */
double otok_waves_power(const otok_waves *waves);

/* Checks the sides of a phase, if it has them, on the edges of the scenario. */
otok_status otok_sides_check(const otok_scenario *scenario, const otok_phase *phase,
                             const otok_node *map);

/* The smallest drop [m] to a neighbour at distance l, or to a diagonal one, that is steeper than
   this angle. */
float otok_talus_drop(double degrees, double l);
float otok_talus_drop_diagonal(double degrees, double l, int diagonal);

#endif
