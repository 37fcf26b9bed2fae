/* requests.h: applies the requests of input and panel to the parameters of a simulation, between two slices. All are recorded as
   changes (otok_live.h). */
#ifndef OTOK_REQUESTS_H
#define OTOK_REQUESTS_H

#include "live.h"

/* Changes asked for with otok_live_change, rain and water poured by hand. What is refused is put into `message`. */
void otok_requests_apply(otok_live *live);

/* The simulation is another one: nothing is under way. */
void otok_requests_reset(otok_live *live);

#endif
