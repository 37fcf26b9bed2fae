/* requests.h: applies the requests of input and panel to the parameters of a simulation, between
   two slices. All are recorded as changes (otok_live.h). */
#ifndef OTOK_REQUESTS_H
#define OTOK_REQUESTS_H

#include "live.h"
#include "scenario/scenario.h"

/* Changes asked for with otok_live_change, rain and water poured by hand. What is refused is put
 * into `message`. */
void otok_requests_apply(otok_live *live);

/* As otok_live_change; what cannot be asked for is reported and counted as refused. */
void otok_requests_add(otok_live *live, const char *path, const char *value);

/* Asks for the rivers of the present phase without river `without` (-1: with all), and with `more`
 * (NULL: no more). */
void otok_requests_rivers(otok_live *live, int without, const otok_river *more);

/* Do some of the changes asked for make another base? And the present scenario with them, which
   then are in it and no longer asked for. */
int otok_requests_change_base(const otok_live *live);
otok_status otok_requests_scenario(otok_live *live, otok_scenario **out);

/* The simulation is another one: nothing is under way. */
void otok_requests_reset(otok_live *live);

#endif
