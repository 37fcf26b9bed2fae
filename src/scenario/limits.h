/* limits.h: limits that depend on slopes, depths and flows, which otok_site and the scenario's rain
   and rivers give. A row is a limit; its function gives the numbers for any time step, so that the
   largest one follows. */
#ifndef OTOK_LIMITS_H
#define OTOK_LIMITS_H

#include "process.h"

/* The flow on slopes, of the source that brings most: water that is there, rain or a river. NAN:
   not known. */
typedef struct otok_flow {
    double discharge, depth, slope, length; /* [m2/s], [m], [1], [m] */
    double speed;                           /* [m/s]; INFINITY: no friction, a cell an iteration */
    int known; /* of water that is there, not estimated from rain or a river */
    char read[128];
} otok_flow;

/* Where the numbers of a phase come from. */
typedef struct otok_scene {
    const otok_scenario *scenario;
    const otok_phase *phase;
    const otok_site *site;
    otok_grid grid;
    int at; /* index of the phase; the site is that of the first */
    otok_flow flow;
    const double *sea; /* of otok_limits */
    double digit;      /* likewise */
    double standing;   /* depth of standing water [m]; 0: none known */
    double stage;      /* depth at a side whose water has a level [m]; 0: none known */
    int is_pond;       /* `standing` is an estimate of what rain and rivers fill */
} otok_scene;

enum { OTOK_SLOW = 2, OTOK_SLOW_LATER }; /* LATER: of later phases, too */
enum { OTOK_LIMIT_NONE, OTOK_LIMIT_HOLDS, OTOK_LIMIT_GUESSED };

typedef struct otok_limit_row {
    const char *name, *symbol;
    otok_certainty certainty; /* heuristic, if `numbers` says OTOK_LIMIT_GUESSED */
    int is_of_dt; /* value or bound depend on the time step; OTOK_SLOW: see otok_limit.is_slow */
    /* The numbers at time step dt, and what they were read from. OTOK_LIMIT_NONE: the limit does
       not apply. */
    int (*numbers)(double *value, double *bound, char read[128], const otok_scene *scene,
                   double dt);
    const char *text;
} otok_limit_row;

/* The deepest water at a side that has the highest level of its series [m]; 0: none known. */
double otok_stage_depth(const otok_phase *phase, const otok_site *site);

otok_scene otok_scene_of(const otok_limits *to, const otok_phase *phase, otok_grid grid);

/* The speed of the flow at this time step [m/s]. */
double otok_flow_speed(const otok_scene *scene, double dt);

void otok_limit_rows_add(otok_limits *to, const otok_limit_row *rows, int n,
                         const otok_scene *scene, double dt);

/* limits_water.c, limits_ground.c, limits_reef.c: the limits of a process. `bound`: that of
   dt^2 g d / l^2. */
void otok_limits_deep_waves(otok_limits *to, const otok_hydraulic *h, otok_grid g, double bound);
void otok_limits_water(otok_limits *to, const otok_phase *phase, otok_grid grid);
void otok_limits_erosion(otok_limits *to, const otok_phase *phase, otok_grid grid);
void otok_limits_thermal(otok_limits *to, const otok_phase *phase, otok_grid grid);
void otok_limits_droplets(otok_limits *to, const otok_phase *phase, otok_grid grid);
void otok_limits_reef(otok_limits *to, const otok_phase *phase, otok_grid grid);

/* With hydraulic.courant: the phase with the steps of water that its predicted flow gets; a limit
   reports them. Else the phase as it is. */
otok_phase otok_limits_steps(otok_limits *to, const otok_phase *phase, otok_grid grid);

/* k = 1 - exp(-kappa dt), or kappa itself under per_iteration. */
double otok_relaxed_share(double kappa, double dt, int rates);

/* Waves on still water are stable up to this value of dt^2 A g / l^3. */
double otok_wave_bound(const otok_hydraulic *h, otok_grid g);

#endif
