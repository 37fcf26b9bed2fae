/* twin.h: the twin of a scenario: the same simulated time, on a finer scale. Windows (sim/audit.h),
   and second runs and --refine (sim/twin.h), run it beside the scenario or after it. */
#ifndef OTOK_SCENARIO_TWIN_H
#define OTOK_SCENARIO_TWIN_H

#include "scenario.h"

/* What is halved besides the time step: the interval of the sweeps of waves; what an iteration
   takes whatever its step: the shares of `rates: per_iteration`, 1 - theta, even numbers of sweeps
   of the seabed, and batches of droplets. REVERSED: the processes of an iteration come in the other
   order; one after the other is what a step does instead of all at once. */
enum { OTOK_HALVES_SWEEPS = 1, OTOK_HALVES_SHARES = 2, OTOK_REVERSED = 4 };
typedef struct otok_halves {
    int steps, cells; /* how often the time step is halved, 0 to 2, and the cell size, 0 to 2 */
    int what;
} otok_halves;

/* It shares everything else with the scenario that it was made of. Bicubic interpolation makes the
   ground of finer cells; pipes of constant area keep A/l. */
typedef struct otok_twin {
    otok_scenario scenario;
    otok_scenario *changing; /* the scenario itself if its values change, else NULL */
    otok_phase *phases;
    otok_map *maps;
    otok_generator *tops; /* the pipelines of base, layers and maps: interpolated */
} otok_twin;

/* OTOK_NOMEM; OTOK_DATA: with changes, a value of the twin is out of range, or the order cannot be
   reversed. */
otok_status otok_scenario_twin(otok_twin **out, const otok_scenario *scenario, otok_halves halves);
void otok_twin_destroy(otok_twin *twin); /* accepts NULL */

/* OTOK_DATA: the time steps cannot be halved, and otok_why() says why. The scenario has no clock
   (droplets, and sweeps of the seabed alone, have none), or it has changes that count iterations,
   or that come in a run with phases without a clock, and so would come at other times. */
otok_status otok_scenario_has_clock(const otok_scenario *scenario);

/* OTOK_DATA: the cells cannot be halved so many times together with the time steps, and otok_why()
   says why. There must be a ground to interpolate, and the finer scenario must be valid. */
otok_status otok_scenario_has_finer_cells(const otok_scenario *scenario, int times);

#endif
