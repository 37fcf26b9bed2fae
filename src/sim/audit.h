/* audit.h: how much the result of a run depends on its time step, found out during the run. In each
   window a twin with half the step starts from the state of the run. Both go on for the same
   simulated time, and are compared. The run does not notice. Between windows looks tell where
   further ones must be. */
#ifndef OTOK_SIM_AUDIT_H
#define OTOK_SIM_AUDIT_H

#include "../core/audit.h"
#include "../core/verdict.h"
#include "../model/fixed.h"
#include "../scenario/scenario_audit.h"
#include "../scenario/twin.h"
#include "sim.h"

#include <math.h>

typedef struct otok_audit {
    otok_sim *run, *twin;
    otok_audit_windows windows;
    otok_twin *halved; /* the twin's scenario */
    int at;            /* the window that is open or comes next */
    int part; /* of this window; in the second one the twin sweeps waves in half the interval too */
    int open; /* the twin has been given the state of the run */
    otok_sum booked[2][OTOK_SUMS]; /* of a run alone and its twin: before the window, or in it */
    int of_member;                 /* of a study, where slots of an ensemble note no books */
    int events;                    /* windows that looks opened so far; */
    int is_event;                  /* is the present one such? */
    double shore;                  /* faces between cells and walls, which uplift makes rougher */
} otok_audit;

/* For a run before its first iteration: judge NULL; or after it was restored, with the windows that
   lie behind it. windows.n is 0 if nothing is audited. The audit must be destroyed before the run.
   In a slot of an ensemble, which runs the twin too; -1: the twin is made when it is needed. */
otok_status otok_audit_create(otok_audit *out, otok_sim *run, const otok_judge *judge, int slot);
void otok_audit_destroy(otok_audit *audit); /* accepts a zeroed one */

/* The iterations until the audit has something to do; INT64_MAX: nothing more. */
int64_t otok_audit_until(const otok_audit *audit);

/* Opens a window that starts at the present iteration; closes one that ends there and notes it.
   Every run of iterations lies between a call of `open` and a call of `close`. OTOK_NOMEM is not a
   failure: then there is no audit. */
otok_status otok_audit_open(otok_audit *audit, otok_judge *judge);
otok_status otok_audit_close(otok_audit *audit, otok_judge *judge);

/* Passes over a window, which nobody audits: the state of the run was set from outside within it,
   or the run was continued after it, from a checkpoint without one. */
void otok_audit_pass(otok_audit *audit, otok_judge *judge);

/* Adds a map to the run by otok_sim_raise, and to the twin of an open window: no part of what the
   window compares. */
otok_status otok_audit_raise(otok_audit *audit, otok_judge *judge, int buffer, const float *map);

/* otok_sim_run with an audit. */
otok_status otok_audit_run(otok_audit *audit, otok_judge *judge, int64_t n);

/* Is the audit within a window? Then no checkpoint is written. */
static inline int otok_audit_is_within(const otok_audit *audit)
{
    return audit->open || audit->part;
}

/* ---- the steps of the above, for runs in the slots of an ensemble ---- */

/* What is due at the present iteration: a pair that parts (opens), or is compared; 0: nothing. */
int otok_audit_is_due(otok_twins *pair, otok_audit *audit, otok_judge *judge, int opens);

/* Before the state is copied: the twin goes to the start of the part of the window. */
otok_status otok_audit_enter(otok_audit *audit);

/* The iterations that the twin has left in this part of the window. */
int64_t otok_audit_twin_left(const otok_audit *audit);

/* Notes the part of a window that ends, or a look. */
void otok_audit_note(otok_audit *audit, otok_judge *judge, const otok_audit_sums *apart);

/* ---- figures: the sums of a comparison as numbers ---- */

void otok_audit_values(double out[OTOK_TWINS_SUMS], const otok_audit_sums *sums);

/* By how much the sum of the run is more than that of its twin, which follows it; the larger one.
 */
static inline double otok_audit_by(const double *sums, int which)
{
    return sums[which] - sums[which + 1];
}

static inline double otok_audit_most(const double *sums, int which)
{
    return fmax(sums[which], sums[which + 1]);
}

/* ---- look.c: looks at the run every few iterations, between its windows: how strong is it? A
   window opens where it is OTOK_LOOK_TIMES as strong as any window shows. So windows follow what no
   forcing names: a lake that breaches its rim, a slide that starts late. Looks are at iterations
   that the scenario alone determines, and at each checkpoint of its schedule. ---- */

/* The iterations until the next look; INT64_MAX: there is none. Is one due now? */
int64_t otok_look_until(const otok_audit *audit);
int otok_look_is_due(const otok_audit *audit, const otok_judge *judge);

/* Does the water stand, as its mean speed is that of ripples, which has no bearing on the result?
 */
int otok_look_is_still(const otok_audit *audit, const double *sums);

/* By how much uplift that is the same everywhere has lifted the ground since an iteration [m]. */
double otok_look_rise(const otok_audit *audit, int64_t from);

/* Notes a look at the present iteration: `sums` of the run, compared with itself or its twin.
   `moved`: of the ground in an iteration of the window that ends here [m]; NAN: none ends. */
void otok_look_note(const otok_audit *audit, otok_judge *judge, const double *sums, double moved);

/* Of a run that was changed from outside since its last look: the sums of itself before and after.
   What the change did to the ground is not the run's. */
void otok_look_shift(otok_judge *judge, const otok_audit_sums *before,
                     const otok_audit_sums *after);

/* Adds a window at the present iteration if the last look, which was here, asks for it, and if it
   has room: 8 a phase at most; the strongest stay. */
void otok_look_decide(otok_audit *audit, otok_judge *judge);

/* The windows at the start of a run, or of one that was restored with this judge. */
void otok_look_begin(otok_audit *audit, const otok_judge *judge);

#endif
