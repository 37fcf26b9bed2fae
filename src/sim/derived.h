/* derived.h: derived fields of a state (core/fields.def), one loop over the cells. */
#ifndef OTOK_SIM_DERIVED_H
#define OTOK_SIM_DERIVED_H

#include "../io/checkpoint.h"
#include "../scenario/scenario.h"

enum {
#define DERIVED(NAME, ...) OTOK_DERIVED_##NAME,
#include "../core/fields.def"
};

/* The same as otok_derive, of a state of this scenario with its present values. */
otok_status otok_derive_in(int i, const otok_derived_from *from, const otok_scenario *scenario,
                           float *map);

/* The same, of a snapshot with a terrain; *map is malloc'd. `field`: OTOK_FIELDS +
   i. */
otok_status otok_snapshot_derived(float **map, const otok_snapshot *snapshot, int field);

/* drainage.c. Fills the area that drains through each cell [m^2]. `kind`: OTOK_ONE_WAY,
   OTOK_SIGNED or OTOK_SPEEDS, what the outflows are. OTOK_NOMEM. */
otok_status otok_drainage(const otok_derived_from *from, otok_grid grid, const int *edges, int kind,
                          float *map);

/* ground_flow.c. Fills the area that drains through each cell of the bare ground [m^2], whatever
   water does there: it goes to all lower neighbours by their slopes, and out of full hollows. The
   sea (-INFINITY: there is none), the edges of the map and cells without data (NaN) are outlets;
   those without data have no area. OTOK_NOMEM. */
otok_status otok_ground_drainage(const float *ground, otok_grid grid, double sea, float *map);

/* network.c. A field that follows from the rivers of OTOK_RECEIVER, by its number of
   core/fields.def, in the phase `cuts`, whose m/n is the exponent of chi and steepness (NULL: none)
   and whose inflows count; `sea` is its level [m]. OTOK_NOMEM. */
otok_status otok_rivers_derive(const otok_derived_from *from, otok_grid grid, int field,
                               const otok_phase *cuts, double sea, float *map);

#endif
