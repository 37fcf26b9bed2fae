/* dated.h: what a run says with dates, if its scenario has a `start`. */
#ifndef OTOK_DATED_H
#define OTOK_DATED_H

#include "../io/checkpoint.h"
#include "../scenario/scenario.h"

/* The date of a time [s] of a run; 0: its scenario has no `start`, or a later phase has one of its
   own. */
int otok_scenario_date(char out[48], const otok_scenario *scenario, double time);
int otok_snapshot_date(char out[48], const otok_snapshot *snapshot, double time);

/* Writes the series of gauges of a snapshot that has some, as a CSV file. The last column has the
   dates, if there are any. */
otok_status otok_gauges_write(const char *path, const otok_snapshot *snapshot);

#endif
