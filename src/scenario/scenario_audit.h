/* scenario_audit.h: the key `audit` of a scenario, and the windows of its audit. */
#ifndef OTOK_SCENARIO_AUDIT_H
#define OTOK_SCENARIO_AUDIT_H

#include "scenario.h"
#include "yaml_node.h"

#include <stdio.h>

/* node: of the key; NULL: not given. OTOK_DATA. */
otok_status otok_audit_read(otok_audit_moments *out, const otok_node *node);
void otok_audit_write(FILE *out, const otok_audit_moments *moments); /* nothing by default */

/* In each window the run and its twin go on from one state, for `length` iterations of the run; and
   again from the next state if there are two parts, where waves work. No checkpoint of the schedule
   falls within a window. n = 0: there is no audit. */
typedef struct otok_audit_windows {
    int n, parts[OTOK_AUDIT_WINDOWS];
    int follows; /* windows may be added (sim/look.c): no moments are given */
    int64_t length, starts[OTOK_AUDIT_WINDOWS];
} otok_audit_windows;

otok_audit_windows otok_scenario_audit(const otok_scenario *scenario);

/* The parts of a window that starts here; 0: it has no room here, or its iterations cannot be
   split, or a checkpoint of the schedule would fall within it. */
int otok_scenario_audit_parts(const otok_scenario *scenario, int64_t start, int64_t length);

/* Can every iteration of the run be split in two (otok_scenario_halve with its shares)? Not batches
   of an odd number of droplets, nor an odd number of sweeps of the seabed. */
int otok_scenario_splits(const otok_scenario *scenario);

/* Has a phase one of these processes, OTOK_RAIN | ...? The network of rivers of incision forms in
   the first steps, from small differences, and a window starts both runs from one state: only a
   whole run tells whether rivers lie elsewhere. */
int otok_scenario_has(const otok_scenario *scenario, int processes);

/* The longest interval between the sweeps of waves that the ground depends on [iterations]; 0:
   there are none. */
int64_t otok_scenario_swept(const otok_scenario *scenario);

/* The number of these sweeps in the run. */
int64_t otok_scenario_sweeps(const otok_scenario *scenario);

#endif
