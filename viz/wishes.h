/* wishes.h: what input and panel ask of a simulation's parameters, granted between two turns; all are recorded as changes
   (otok_live.h). */
#ifndef OTOK_WISHES_H
#define OTOK_WISHES_H

#include "live.h"

/* Changes asked for with otok_live_change, rain and water poured by hand. What is refused is told in `said`. */
void otok_wishes_grant(otok_live *live);

/* The simulation is another one: nothing is under way. */
void otok_wishes_forget(otok_live *live);

#endif
