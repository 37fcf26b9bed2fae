/* parts.h: what a process did to the ground, added up over the iterations. */
#ifndef OTOK_PARTS_H
#define OTOK_PARTS_H

#include "dither.h"

/* The part after the process moved the ground from `before` to `after` [m]. If a float cannot hold
   it, the dither decides how it is rounded, so that it is exact in the mean. */
OTOK_FN float otok_part_after(float part, float before, float after, float dither)
{
    const double sum = (double)part + ((double)after - (double)before);
    const float rounded = (float)sum, lost = (float)(sum - (double)rounded);
    return lost != 0.0f ? rounded + fmaf(otok_binade(rounded), dither, lost) : rounded;
}

#endif
