/* seabed.h: smoothing of the sea floor (K17 eq. 23). It moves mass without conserving it; the
   ledger shows how much. */
#ifndef OTOK_SEABED_H
#define OTOK_SEABED_H

#include "common.h"

/* The new change of a cell. A cell below the sea level gets the mean height of its four neighbours.
   A cell on land, or beside +infinity (outside the grid), keeps its change. */
OTOK_FN float otok_seabed_smooth(float change, otok_cross h, float sea)
{
    const float sum = (h.left + h.right) + (h.bottom + h.top);
    return h.here < sea && sum < INFINITY ? change + (0.25f * sum - h.here) : change;
}

#endif
