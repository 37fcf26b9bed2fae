/* requests.h: applies the requests of input and panel to the parameters of a simulation, between
   two slices. All are recorded as changes (otok_live.h). */
#ifndef OTOK_REQUESTS_H
#define OTOK_REQUESTS_H

#include "live.h"
#include "scenario/scenario.h"

/* Applies the changes of otok_live_change, and the rain and water that are poured by hand. A
   refusal is put into `message`. */
void otok_requests_apply(otok_live *live);

/* As otok_live_change. A request that fails is reported and counted as refused. */
void otok_requests_add(otok_live *live, const char *path, const char *value);

/* Requests the rivers of the present phase, without river `without` (-1: with all) and with `more`
   (NULL: with no other). */
void otok_requests_rivers(otok_live *live, int without, const otok_river *more);

/* Do some of the requested changes make another base? The second function moves these changes from
   the requests into a copy of the present scenario. */
int otok_requests_change_base(const otok_live *live);
otok_status otok_requests_scenario(otok_live *live, otok_scenario **out);

/* The simulation is elsewhere: nothing is under way. It is another one: nothing was, either. */
void otok_requests_reset(otok_live *live);
void otok_requests_forget(otok_live *live);

#endif
