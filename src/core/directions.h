/* directions.h: means of directions in degrees, clockwise from the top of a map. 0 and 360 are one
   direction: the mean is that of the sum of arrows of length 1. The same bits on every machine. */
#ifndef OTOK_DIRECTIONS_H
#define OTOK_DIRECTIONS_H

#include <stdint.h>

typedef struct otok_arrow {
    double east, north;
} otok_arrow;

/* An arrow of length 1 in a direction of any number of turns; NaN for NaN. */
otok_arrow otok_arrow_of(double degrees);

/* The mean direction of n arrows with this sum, in [0, 360); NaN if they cancel out, or n is 0. */
double otok_direction_of(otok_arrow sum, int64_t n);

#endif
