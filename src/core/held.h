/* held.h: stage 1 in a cell, where rivers may hold a level or let water out. The plain loops and
   the plain kernels use it. */
#ifndef OTOK_CORE_HELD_H
#define OTOK_CORE_HELD_H

#include "../model/held.h"
#include "cell.h"

OTOK_FN otok_filled otok_cell_held(const otok_view *v, ptrdiff_t at, float rain,
                                   const otok_volumes *rivers, uint32_t phase)
{
    const int n = (int)v->at[OTOK_SPRING_OF][at];
    const float power = rivers->power[n], of = rivers->of[n], h = otok_height_at(v, at);
    otok_filled f = otok_cell_filled(v, at, power == 0.0f, rain, rivers, phase);
    if (power == 0.0f) return f;
    f.d1 = power < 0.0f ? otok_held(h, of)
                        : otok_let_out(f.rained, h, of * v->at[OTOK_SPRINGS][at], rivers->zero[n],
                                       power, otok_dither(phase + OTOK_DITHER_TURN));
    v->at[OTOK_WATER_NEXT][at] = f.d1;
    return f;
}

#endif
