/* known.h: the fields that a simulation or a checkpoint can show: those of the state, and derived
   fields, which have the numbers OTOK_FIELDS + i. Call it while the simulation rests. */
#ifndef OTOK_KNOWN_H
#define OTOK_KNOWN_H

#include "live.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The row of a field; NULL beyond the last one. find returns -1 if there is no such field. */
const otok_field_info *otok_known_info(int field);
int otok_known_find(const char *name);

/* Sets live->known and the names of layers. */
void otok_known_update(otok_live *live);

/* Can the map of a field be shown? Do people choose it, as they do not choose layers? */
int otok_known_has(const otok_live *live, int field);
int otok_known_is_offered(const otok_live *live, int field);

/* Copies a map, or derives it, to the host. Derived maps have NaN in cells without a value. */
otok_status otok_known_fetch(otok_live *live, int field, float *map);

const otok_holes *otok_known_holes(const otok_live *live);

#ifdef __cplusplus
}
#endif
#endif
