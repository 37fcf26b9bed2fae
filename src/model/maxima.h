/* maxima.h: running maxima of the water in a cell, at the end of each iteration. */
#ifndef OTOK_MAXIMA_H
#define OTOK_MAXIMA_H

#include "coefficients.h"
#include "common.h"

/* Greatest depth and height of the surface [m]; depth 0: no water came yet. */
typedef struct otok_peak {
    float depth, level;
} otok_peak;

/* The peak after an iteration that left the depth d > 0 on ground of the height h [m]. */
OTOK_FN otok_peak otok_peak_after(otok_peak before, float d, float h)
{
    const float level = h + d;
    otok_peak after;
    after.depth = otok_larger(before.depth, d);
    after.level = before.depth > 0.0f ? otok_larger(before.level, level) : level;
    return after;
}

/* Has water arrived in this iteration, that left the depth d after a greatest one of `most`? */
OTOK_FN int otok_arrives(float most, float d, otok_maxima_coefficients k)
{
    return most < k.arrival && d >= k.arrival;
}

/* How long the depth was k.duration or more [s], after an iteration from `begin` to `end` that left
   the depth d. It adds differences of rounded times, which telescope: its error is that of the last
   digit of a time, however short the iterations. */
OTOK_FN float otok_flooded(float before, float d, float begin, float end,
                           otok_maxima_coefficients k)
{
    return d >= k.duration ? before + (end - begin) : before;
}

#endif
