/* refined.h: a scenario on a finer scale: the same simulated time with half the time step, and the
   same ground with half the cell size, once or twice. */
#ifndef OTOK_REFINED_H
#define OTOK_REFINED_H

#include "halved.h"

enum { OTOK_MOST_HALVINGS = 2 };

/* It shares with its scenario all that it does not replace. It must not be moved. */
typedef struct otok_refined {
    otok_scenario scenario;
    otok_halved halved[OTOK_MOST_HALVINGS]; /* steps */
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
