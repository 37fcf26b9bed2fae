/* usual_units.h: rates for people: rain in mm/h, uplift in mm/yr. */
#ifndef OTOK_USUAL_UNITS_H
#define OTOK_USUAL_UNITS_H

#include "../otok.h"

/* Has a parameter a rate that nobody writes in metres per second? */
int otok_has_usual_unit(const otok_parameter *parameter);

/* Its value in the unit in which people write it, such as "60 mm/h". */
const char *otok_usual_text(const char *group, const char *key, double value, int digits,
                            char out[64]);

#endif
