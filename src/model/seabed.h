/* seabed.h: smoothing of the sea floor (K17 eq. 23). It moves mass without conserving it; the sums
 * book that. */
#ifndef OTOK_SEABED_H
#define OTOK_SEABED_H

#include "common.h"

/* The new change of a cell below the sea level: its height becomes the mean of its four neighbours.
   Cells on land, or with a neighbour at +infinity (outside the grid), keep theirs. */
OTOK_FN float otok_seabed_smooth(float change, otok_cross h, float sea)
{
    const float sum = (h.left + h.right) + (h.bottom + h.top);
    return h.here < sea && sum < INFINITY ? change + (0.25f * sum - h.here) : change;
}

#endif
