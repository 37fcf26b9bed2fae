/* refine.h: `otok run --refine`: what it prints after a run. */
#ifndef OTOK_CLI_REFINE_H
#define OTOK_CLI_REFINE_H

#include "../otok.h"

typedef struct cli_refine_options {
    const char *directory, *backend;
    int quiet;
    double until; /* by otok_clock; INFINITY: no limit */
} cli_refine_options;

/* Refines a finished run and prints a table on standard output. OTOK_STOPPED: a signal or the time
   limit ended it; the table has what was done. */
otok_status cli_refine(const otok_scenario *scenario, const cli_refine_options *options);

/* For --dry-run: the runs that would follow. */
otok_status cli_refine_plan(const otok_scenario *scenario);

#endif
