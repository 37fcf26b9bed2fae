/* pipe_sides.h: signed pipes after the pull at the two ends of a line of cells. A line starts at
   the left or the bottom side. The first cell keeps the pipe that enters over an open start, with
   opposite sign, as outflow_left or outflow_bottom. Its pulled flow goes to the ghost before the
   cell. For theta, the old flow beyond an open side is that of the next pipe inside; a closed end
   has no flow. The plain loops and the plain kernels use it. */
#ifndef OTOK_PIPE_SIDES_H
#define OTOK_PIPE_SIDES_H

#include "../model/pipes.h"
#include "walls.h"

#include <stddef.h>

/* The coefficients of the pipe from cell `at` to the one `step` on. A map of friction has the mean
   of both cells there. */
OTOK_FN otok_pipe_coefficients otok_pipe_at(const otok_view *v, ptrdiff_t at, ptrdiff_t step,
                                            otok_pipe_coefficients k)
{
    const float here = otok_map_at(v, OTOK_MAP_MANNING, k.friction, at);
    const float mean = 0.5f * (here + otok_map_at(v, OTOK_MAP_MANNING, k.friction, at + step));
    k.friction = k.friction == k.friction ? mean : mean * k.share;
    return k;
}

/* The first cell of a line, with `step` to the next one; the old and the pulled flow of the pipe
   that a cell keeps; the ground and the depth. `back`: what the first cell keeps of an open
   start. */
typedef struct otok_pipe_line {
    const float *flow, *back, *base, *change, *d1;
    float *pulled;
    ptrdiff_t step;
    int n;
    int start, end;     /* otok_edge */
    const float *walls; /* NULL: none; a pipe to a wall carries nothing */
} otok_pipe_line;

/* The line that begins with the cell `at`, across or up. */
OTOK_FN otok_pipe_line otok_pipe_line_of(const otok_view *v, int up, ptrdiff_t at, int start,
                                         int end)
{
    otok_pipe_line l;
    l.flow = v->at[up ? OTOK_OUTFLOW_TOP : OTOK_OUTFLOW_RIGHT] + at;
    l.back = v->at[up ? OTOK_OUTFLOW_BOTTOM : OTOK_OUTFLOW_LEFT] + at;
    l.base = v->at[OTOK_TERRAIN_BASE] + at;
    l.change = v->at[OTOK_TERRAIN_CHANGE] + at;
    l.d1 = v->at[OTOK_WATER_NEXT] + at;
    l.pulled = v->at[up ? OTOK_PULLED_TOP : OTOK_PULLED_RIGHT] + at;
    l.step = up ? v->pitch : 1;
    l.n = up ? v->ny : v->nx;
    l.start = start;
    l.end = end;
    l.walls = v->at[OTOK_WALLS] ? v->at[OTOK_WALLS] + at : NULL;
    return l;
}

/* The pulled flow of the pipe that cell `at` keeps; `before`, f and `after`: old flows. */
OTOK_FN float otok_pipe_line_pulled(otok_pipe_line l, ptrdiff_t at, float before, float f,
                                    float after, otok_pipe_coefficients k)
{
    const ptrdiff_t beside = at + l.step;
    if (l.walls && (l.walls[at] == OTOK_IN_WALL || l.walls[beside] == OTOK_IN_WALL)) return 0.0f;
    const otok_column a = {l.base[at] + l.change[at], l.d1[at]};
    const otok_column b = {l.base[beside] + l.change[beside], l.d1[beside]};
    return otok_pipe_moved(before, f, after, a, b, k);
}

OTOK_FN float otok_pipe_entry(otok_pipe_line l)
{
    return l.start == OTOK_OPEN ? 0.0f - l.back[0] : l.flow[-l.step];
}

OTOK_FN void otok_pipe_line_start(otok_pipe_line l, otok_pipe_coefficients k)
{
    const float entry = otok_pipe_entry(l);
    if (l.start == OTOK_OPEN)
        l.pulled[-l.step] = otok_pipe_line_pulled(l, -l.step, entry, entry, l.flow[0], k);
    if (k.lean != 0.0f) /* of one cell the end's, which follows */
        l.pulled[0] = otok_pipe_line_pulled(l, 0, entry, l.flow[0], l.flow[l.step], k);
}

OTOK_FN void otok_pipe_line_end(otok_pipe_line l, otok_pipe_coefficients k)
{
    const ptrdiff_t last = (l.n - 1) * l.step;
    const float before = l.n > 1 ? l.flow[last - l.step] : otok_pipe_entry(l);
    const float after = l.flow[l.end == OTOK_OPEN ? last : last + l.step];
    if (k.lean != 0.0f)
        l.pulled[last] = l.end == OTOK_CLOSED
                             ? 0.0f
                             : otok_pipe_line_pulled(l, last, before, l.flow[last], after, k);
}

#endif
