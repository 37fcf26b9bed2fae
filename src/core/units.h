/* units.h: numbers with units, "36 mm/h", by UDUNITS-2. */
#ifndef OTOK_UNITS_H
#define OTOK_UNITS_H

#include <stddef.h>

enum { OTOK_UNIT_WHY = 400 };

/* Reads "36 mm/h" into a number in the unit `to`, such as "m s-1"; "1" and "" are pure numbers.
   *given: does the text have a unit? A number without a unit stays as it is. A converted number is
   rounded to 15 digits, which gives the number that a person would write. Returns NULL, or `why`
   with the reason for the failure. */
const char *otok_unit_read(double *out, int *given, const char *text, const char *to,
                           char why[OTOK_UNIT_WHY]);

/* The factor that turns numbers of the unit `from`, as a file of maps names it, into `to`. An empty
   `from` counts as `to`. Returns NULL, or `why`. */
const char *otok_unit_factor(double *factor, const char *from, const char *to,
                             char why[OTOK_UNIT_WHY]);

/* Is a text a unit of anything? Without UDUNITS-2 it never is. */
int otok_unit_known(const char *text);

#endif
