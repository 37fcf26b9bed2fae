/* timeline.h: states of a simulation that are kept in memory while it runs, evenly spread over its
   iterations. From them it goes back, and by computing on it comes to any iteration, with the bits
   of a run that never went back. Values that were changed by hand change again on the way. A new
   change begins another course: later states and later changes by hand are forgotten. */
#ifndef OTOK_TIMELINE_H
#define OTOK_TIMELINE_H

#include "live.h"

otok_status otok_timeline_create(otok_timeline **out);
void otok_timeline_destroy(otok_timeline *timeline); /* accepts NULL */

/* The simulation is another one: no state is kept. */
void otok_timeline_clear(otok_timeline *timeline);

/* While the simulation rests. keep: keeps the present state if it is time. go: goes towards
   live->go_to; the steps that are missing become a request. changed: after a change by hand. */
void otok_timeline_keep(otok_live *live);
void otok_timeline_go(otok_live *live);
void otok_timeline_changed(otok_live *live);

#endif
