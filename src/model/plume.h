/* plume.h: where in the sea the sediment of rivers settles. Of what a line of cells carries, each
   cell keeps 1 - f, with f = exp(-l/L): half of it goes one way along the line, half the other way,
   and settles by exp(-x/L). Coasts turn it back. Rows and columns in turn spread it by about L to
   all sides. exp(-x/L) is what a steady current u of depth d leaves of grains that settle at w,
   with L = u d/w. */
#ifndef OTOK_PLUME_H
#define OTOK_PLUME_H

#include "common.h"

/* What a line has passed on so far: what goes on in its direction, what would have gone on in the
   other one out of its first cell, and f to the power of its cells. */
typedef struct otok_plume_pass {
    float on, back, power;
} otok_plume_pass;

OTOK_FN otok_plume_pass otok_plume_begin(void)
{
    const otok_plume_pass p = {0.0f, 0.0f, 1.0f};
    return p;
}

/* Goes on through a cell that has the load s. */
OTOK_FN otok_plume_pass otok_plume_through(otok_plume_pass p, float s, float f)
{
    const float power = p.power * f;
    const otok_plume_pass next = {(p.on + 0.5f * s) * f, fmaf(0.5f * s, power, p.back), power};
    return next;
}

/* What enters the first cell of a line, by what has passed it: its ends are open or turn it back.
 */
OTOK_FN float otok_plume_enters(otok_plume_pass p, int first_open, int last_open)
{
    const float turned = last_open ? 0.0f : p.on * p.power, all = p.back + turned;
    const float again = last_open ? 0.0f : p.power * p.power;
    return first_open ? 0.0f : all / (1.0f - again);
}

#endif
