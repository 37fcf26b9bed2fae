/* refine.h: `otok run --refine`: what it prints after a run. */
#ifndef OTOK_CLI_REFINE_H
#define OTOK_CLI_REFINE_H

#include "../otok.h"

/* Refines a finished run, whose checkpoints are in the directory, and prints a table on standard
   output. `until`: by otok_clock; INFINITY: no limit. OTOK_STOPPED: a signal or the time limit
   ended it; the table has what was done. */
otok_status cli_refine(const otok_scenario *scenario, const char *directory, const char *backend,
                       int quiet, double until);

/* For --dry-run: the runs that would follow. */
otok_status cli_refine_plan(const otok_scenario *scenario);

#endif
