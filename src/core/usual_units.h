/* usual_units.h: values for people: in the unit that was given, or rain in mm/h, uplift in mm/yr.
 */
#ifndef OTOK_USUAL_UNITS_H
#define OTOK_USUAL_UNITS_H

#include "../otok.h"

/* Has a parameter a rate that nobody writes in metres per second? */
int otok_has_usual_unit(const otok_parameter *parameter);

/* Its value in the unit of `given`, the text that a scenario has for it, such as "30 mm/h"; without
   one (NULL) in the unit in which people write it, else in its own. */
const char *otok_usual_text(const otok_parameter *parameter, const char *given, double value,
                            int digits, char out[64]);

#endif
