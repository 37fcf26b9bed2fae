/* starts.h: a map of weights, such as rain, as integers. Droplets draw the cells in which they
 * start from it. */
#ifndef OTOK_STARTS_H
#define OTOK_STARTS_H

#include "../otok.h"

/* upto[c] is the sum of the weights of cells 0..c, in units of 2^-32 of the largest, rounded up.
   Weights below 0 and NaN count as 0. otok_droplet_start_among (model/droplet.h) reads it.
   OTOK_DATA: no weight is above 0, or one is infinite. */
otok_status otok_starts_sum(uint64_t *upto, const float *weights, int64_t cells);

#endif
