/* spikes.h: the spike filter (M13 section 3.1.4). A strict extremum among its neighbours becomes
   the mean of them and itself. */
#ifndef OTOK_SPIKES_H
#define OTOK_SPIKES_H

#include "common.h"

/* Adds one neighbour. The cell stays a peak or a pit only if it is strictly above or below this
   neighbour too. */
typedef struct otok_spike {
    int peak, pit, n;
} otok_spike;

OTOK_FN float otok_spike_meet(otok_spike *s, float here, float neighbour)
{
    if (neighbour == INFINITY) return 0.0f;
    s->peak &= here > neighbour;
    s->pit &= here < neighbour;
    s->n++;
    return neighbour;
}

/* A neighbour that does not exist is +infinity, as in otok_moore. */
OTOK_FN float otok_spikes_height(otok_moore m)
{
    otok_spike s = {1, 1, 1};
    otok_eight a;
    a.left = otok_spike_meet(&s, m.here, m.left);
    a.right = otok_spike_meet(&s, m.here, m.right);
    a.bottom = otok_spike_meet(&s, m.here, m.bottom);
    a.top = otok_spike_meet(&s, m.here, m.top);
    a.bottom_left = otok_spike_meet(&s, m.here, m.bottom_left);
    a.bottom_right = otok_spike_meet(&s, m.here, m.bottom_right);
    a.top_left = otok_spike_meet(&s, m.here, m.top_left);
    a.top_right = otok_spike_meet(&s, m.here, m.top_right);
    return s.peak || s.pit ? (m.here + otok_sum_eight(a)) / (float)s.n : m.here;
}

#endif
