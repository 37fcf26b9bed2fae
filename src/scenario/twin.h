/* twin.h: a scenario on a finer scale: the same simulated time with half the time step, and what
   else depends on the scale: the interval of waves, the shares of iterations, the cells. The audit,
   second runs, reruns and --refine run it. */
#ifndef OTOK_SCENARIO_TWIN_H
#define OTOK_SCENARIO_TWIN_H

#include "scenario.h"

/* What is halved besides the time step: the interval of the sweeps of waves; what an iteration
   takes whatever its step: the shares of `rates: per_iteration`, 1 - theta, even numbers of sweeps
   of the seabed, and batches of droplets. */
enum { OTOK_HALVES_SWEEPS = 1, OTOK_HALVES_SHARES = 2 };

/* It shares everything else with the scenario that it was made of. */
typedef struct otok_halved {
    otok_scenario scenario;
    otok_scenario *changing;  /* the scenario itself if its values change, else NULL */
    const otok_phase *phases; /* of the original */
} otok_halved;

/* Halves so many times. Also after a failure the caller calls otok_halved_destroy. OTOK_NOMEM;
   OTOK_DATA: with changes, a value of the halved scenario is out of range. */
otok_status otok_scenario_halve(otok_halved *out, const otok_scenario *scenario, int what,
                                int times);
void otok_halved_destroy(otok_halved *halved);

/* The same with finer cells. It must not be moved. */
typedef struct otok_refined {
    otok_halved halved;
    otok_generator up[1 + OTOK_MAX_LAYERS]; /* the pipelines of base and layers: interpolated */
    otok_map *maps;                         /* the maps, each with one generator of `tops` */
    otok_generator *tops;
} otok_refined;

/* OTOK_DATA: the time steps cannot be halved, and otok_why() says why. The scenario has no clock
   (droplets, and sweeps of the seabed alone, have none), or it has changes that count iterations,
   or that come in a run with phases without a clock, and so would come at other times. */
otok_status otok_scenario_has_clock(const otok_scenario *scenario);

/* OTOK_DATA: the cells cannot be halved so many times together with the time steps, and otok_why()
   says why. There must be a ground to interpolate, and the finer scenario must be valid. */
otok_status otok_scenario_has_finer_cells(const otok_scenario *scenario, int times);

/* Halves the time steps with `what` (otok_scenario_halve), and the cell size, so many times: 1 or
   2, cells: also 0. Phases without a time step keep their iterations. Bicubic interpolation makes
   the finer ground. Pipes of constant area keep A/l. Also after a failure the caller calls
   otok_refined_destroy. As otok_scenario_halve. */
otok_status otok_scenario_refine(otok_refined *out, const otok_scenario *scenario, int what,
                                 int steps, int cells);
void otok_refined_destroy(otok_refined *refined);

#endif
