/* halved.h: a scenario with half of every time step: twice the iterations in the same simulated
   time. */
#ifndef OTOK_HALVED_H
#define OTOK_HALVED_H

#include "scenario.h"

/* It shares everything else with the scenario that it was made of. */
typedef struct otok_halved {
    otok_scenario scenario;
    otok_scenario *changing;  /* the scenario itself if its values change, else NULL */
    const otok_phase *phases; /* of the original */
} otok_halved;

/* What is halved besides the time step: the interval of the sweeps of waves; what an iteration
   takes whatever its step: the shares of `rates: per_iteration`, 1 - theta, even numbers of sweeps
   of the seabed, and batches of droplets. */
enum { OTOK_HALVES_SWEEPS = 1, OTOK_HALVES_SHARES = 2 };

/* Also after a failure the caller calls otok_halved_destroy. OTOK_NOMEM; OTOK_DATA: with changes, a
   value of the halved scenario is out of range. */
otok_status otok_scenario_halve(otok_halved *out, const otok_scenario *scenario, int what);
void otok_halved_destroy(otok_halved *halved);

#endif
