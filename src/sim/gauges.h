/* gauges.h: the series of the gauges of a scenario. */
#ifndef OTOK_GAUGES_H
#define OTOK_GAUGES_H

#include "sim.h"

/* Iterations until the next sample, at least 1. */
int64_t otok_gauges_until(const otok_sim *sim);

/* Takes a sample of the present state if one is due, when all that was started is done. */
otok_status otok_gauges_look(otok_sim *sim);

/* OTOK_DATA: a gauge has walls alone. */
otok_status otok_gauges_check(const otok_scenario *scenario, const otok_holes *walls);

/* Forgets the samples after the present time, or replaces all by those of a snapshot; copies them
   into one. */
void otok_gauges_cut(otok_sim *sim);
otok_status otok_gauges_restore(otok_sim *sim, const otok_snapshot *from);
otok_status otok_gauges_save(otok_snapshot *to, const otok_sim *sim);

#endif
