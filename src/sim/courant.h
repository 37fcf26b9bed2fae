/* courant.h: iterations whose steps of water follow the state. */
#ifndef OTOK_COURANT_H
#define OTOK_COURANT_H

#include "sim.h"

/* Does the next iteration belong to a phase with hydraulic.courant? */
int otok_sim_has_courant(const otok_sim *sim);

/* Runs such an iteration, when nothing is started. */
otok_status otok_sim_run_courant(otok_sim *sim);

#endif
