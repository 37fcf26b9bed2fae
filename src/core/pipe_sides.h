/* pipe_sides.h: the old flows of signed pipes at the two ends of a line of cells, for theta. A
   line starts at the left or the bottom side. The first cell keeps the pipe that enters over an
   open start, with opposite sign, as outflow_left or outflow_bottom. The ghost beyond a closed
   start has 0. Beyond an open side the flow is that of the next pipe inside; a closed end has no
   flow. The plain loops and the plain kernels use it. */
#ifndef OTOK_PIPE_SIDES_H
#define OTOK_PIPE_SIDES_H

#include "../model/pipes.h"
#include "state.h"

#include <stddef.h>

/* The first cell of a line, with `step` to the next one; the pipe that a cell keeps, the flow
   through the cell, and the flow after theta. `back`: what the first cell keeps of an open
   start. */
typedef struct otok_pipe_line {
    const float *flow, *back;
    float *through, *leant;
    ptrdiff_t step;
    int n;
    int start, end; /* otok_edge */
} otok_pipe_line;

OTOK_FN float otok_pipe_entry(otok_pipe_line l)
{
    return l.start == OTOK_OPEN ? 0.0f - l.back[0] : l.flow[-l.step];
}

OTOK_FN void otok_pipe_line_start(otok_pipe_line l, otok_pipe_coefficients k)
{
    const float entry = otok_pipe_entry(l);
    l.through[0] = entry + l.flow[0];
    if (k.lean != 0.0f)
        l.leant[0] = otok_pipe_leant(entry, l.flow[0], l.flow[l.step],
                                     k); /* of one cell the end's, which follows */
}

OTOK_FN void otok_pipe_line_end(otok_pipe_line l, otok_pipe_coefficients k)
{
    const ptrdiff_t last = (l.n - 1) * l.step;
    const float before = l.n > 1 ? l.flow[last - l.step] : otok_pipe_entry(l);
    const float after = l.flow[l.end == OTOK_OPEN ? last : last + l.step];
    if (k.lean != 0.0f)
        l.leant[last] =
            l.end == OTOK_CLOSED ? 0.0f : otok_pipe_leant(before, l.flow[last], after, k);
}

#endif
