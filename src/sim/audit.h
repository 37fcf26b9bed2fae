/* audit.h: how much the result of a run depends on its time step, found out during the run. In each
   window a twin with half the step starts from the state of the run. Both go on for the same
   simulated time, and are compared. The run does not notice. Between windows looks (look.h) tell
   where further ones must be. */
#ifndef OTOK_SIM_AUDIT_H
#define OTOK_SIM_AUDIT_H

#include "../core/audit.h"
#include "../core/verdict.h"
#include "../model/fixed.h"
#include "../scenario/scenario_audit.h"
#include "../scenario/twin.h"
#include "sim.h"

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

/* Gives up the open window: the state of the run was set from outside. */
void otok_audit_abandon(otok_audit *audit, otok_judge *judge);

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

/* Of a run alone: notes the books, less those that were noted before. */
otok_status otok_amounts_read(otok_audit *audit);

/* The volumes of a window; is_still: its water stands, so that its depths are compared. */
otok_amounts otok_amounts_of(const otok_audit *audit, const otok_audit_sums *apart, int is_still);

/* ---- figures ---- */

/* A sum of a comparison; by how much that of the run is more than that of its twin, which follows
   it; whichever of them is larger. */
static inline double otok_audit_value(const otok_audit_sums *s, int which)
{
    return otok_fixed_value(s->of[which].hi, s->of[which].lo);
}

static inline double otok_audit_less(const otok_audit_sums *s, int which)
{
    return otok_audit_value(s, which) - otok_audit_value(s, which + 1);
}

static inline double otok_audit_more(const otok_audit_sums *s, int which)
{
    const double one = otok_audit_value(s, which), other = otok_audit_value(s, which + 1);
    return one > other ? one : other;
}

#endif
