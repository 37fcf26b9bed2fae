/* look.h: looks at a run every few iterations, between the windows of its audit: how strong is it?
   A window opens where it is OTOK_LOOK_TIMES as strong as any window shows. So windows follow what
   no forcing names: a lake that breaches its rim, a slide that starts late. Looks are at iterations
   that the scenario alone determines, and at each checkpoint of its schedule. */
#ifndef OTOK_LOOK_H
#define OTOK_LOOK_H

#include "audit.h"

/* The iterations until the next look; INT64_MAX: there is none. */
int64_t otok_look_until(const otok_audit *audit);

/* Is one due at the present iteration? */
int otok_look_is_due(const otok_audit *audit, const otok_judge *judge);

/* The mean speed of the water relative to that of its waves. Below OTOK_AUDIT_STILL it is still:
   its speed is that of ripples, and has no bearing on the result. */
#define OTOK_AUDIT_STILL 1e-3
double otok_look_pace(const otok_audit_sums *sums, double gravity);

/* By how much uplift that is the same everywhere has lifted the ground since an iteration [m]. */
double otok_look_rise(const otok_audit *audit, int64_t from);

/* Notes a look at the present iteration: `sums` of the run, compared with itself or its twin.
   `moved`: of the ground in an iteration of the window that ends here [m]; NAN: none ends. */
void otok_look_note(const otok_audit *audit, otok_judge *judge, const otok_audit_sums *sums,
                    double moved);

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
