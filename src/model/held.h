/* held.h: water that a scenario holds at a level in a cell, or lets out of it by a rating curve or
   as uniform flow, in stage 1 of hydraulic erosion, after the rain. */
#ifndef OTOK_HELD_H
#define OTOK_HELD_H

#include "dither.h"
#include "math.h"

/* The depth at a level [m]. */
OTOK_FN float otok_held(float ground, float level)
{
    return otok_positive(level - ground);
}

/* The depth that stays of d, if rate * over^power [m] leaves, over the height `zero` of the level
   without flow, or (NAN) over the ground. No more leaves than what stands over it. */
OTOK_FN float otok_let_out(float d, float ground, float rate, float zero, float power, float dither)
{
    const float over = zero == zero ? otok_positive((ground - zero) + d) : d;
    const float wanted = rate * otok_powf(over, power);
    const float kept = otok_give_exactly(d, otok_smaller(wanted, over), dither);
    return over > 0.0f && d > 0.0f ? kept : d;
}

#endif
