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
    float *speed, *slope;
    int side; /* otok_side of the start */
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
    l.speed = v->at[up ? OTOK_FACE_TOP : OTOK_FACE_RIGHT];
    l.slope = v->at[up ? OTOK_SLOPE_TOP : OTOK_SLOPE_RIGHT];
    if (l.speed) l.speed += at, l.slope += at;
    l.side = up ? OTOK_BOTTOM : OTOK_LEFT;
    return l;
}

/* The cells of the pipe that cell `at` keeps. Beyond an open side the ground goes on falling where
   k says so; next to a wall it is level. */
OTOK_FN otok_two_columns otok_pipe_line_columns(otok_pipe_line l, ptrdiff_t at,
                                                otok_pipe_coefficients k)
{
    const ptrdiff_t beside = at + l.step, last = (l.n - 1) * l.step;
    const int side = at < 0 && l.start == OTOK_OPEN ? -1 : at == last && l.end == OTOK_OPEN;
    const ptrdiff_t edge = side < 0 ? 0 : last, inside = side < 0 ? l.step : last - l.step;
    const otok_two_columns c = {{l.base[at] + l.change[at], l.d1[at]},
                                {l.base[beside] + l.change[beside], l.d1[beside]}};
    if (side == 0 || !k.critical.holds || !(k.critical.falls >> (l.side + (side > 0)) & 1))
        return c;
    if (l.walls && (l.walls[edge] == OTOK_IN_WALL || l.walls[inside] == OTOK_IN_WALL)) return c;
    return otok_columns_beyond(c, side, l.base[inside] + l.change[inside]);
}

/* Does the pipe of cell `at` lead to or from a wall? */
OTOK_FN int otok_pipe_line_walled(otok_pipe_line l, ptrdiff_t at)
{
    return l.walls && (l.walls[at] == OTOK_IN_WALL || l.walls[at + l.step] == OTOK_IN_WALL);
}

/* The pulled flow of the pipe that cell `at` keeps; `before`, f and `after`: old flows. */
OTOK_FN float otok_pipe_line_pulled(otok_pipe_line l, ptrdiff_t at, float before, float f,
                                    float after, otok_pipe_coefficients k)
{
    const otok_two_columns c = otok_pipe_line_columns(l, at, k);
    return otok_pipe_line_walled(l, at) ? 0.0f : otok_pipe_moved(before, f, after, c.a, c.b, k);
}

/* Ends of a line, a bit each. */
enum { OTOK_LINE_START = 1, OTOK_LINE_END = 2 };

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
    if (k.lean != 0.0f || (k.critical.falls && l.end == OTOK_OPEN))
        l.pulled[last] = l.end == OTOK_CLOSED
                             ? 0.0f
                             : otok_pipe_line_pulled(l, last, before, l.flow[last], after, k);
}

/* What is pulled at the ends of the line that begins with the cell `at`. */
OTOK_FN void otok_pipe_line_sides(const otok_view *v, otok_pipe_line l, ptrdiff_t at, int ends,
                                  otok_pipe_coefficients k)
{
    (void)v, (void)at;
    if (ends & OTOK_LINE_START) otok_pipe_line_start(l, k);
    if (ends & OTOK_LINE_END) otok_pipe_line_end(l, k);
}

/* The speeds of the old flows over open sides, and the slopes through the cells there. */
OTOK_FN void otok_pipe_line_steps(const otok_view *v, otok_pipe_line l, ptrdiff_t at, int ends,
                                  otok_pipe_coefficients k)
{
    const ptrdiff_t last = (l.n - 1) * l.step;
    (void)v, (void)at;
    for (int end = 0; end < 2; end++) {
        const ptrdiff_t face = end ? last : -l.step, cell = end ? last : 0,
                        inside = end ? last - l.step : l.step;
        if (!(ends >> end & 1) || (end ? l.end : l.start) != OTOK_OPEN) continue;
        const otok_two_columns c = otok_pipe_line_columns(l, face, k);
        const float rise = c.b.h - c.a.h, h = l.base[cell] + l.change[cell],
                    within = h - (l.base[inside] + l.change[inside]);
        l.speed[face] =
            otok_pipe_speed(end ? l.flow[last] : otok_pipe_entry(l), otok_face_depth(c.a, c.b), k);
        l.slope[cell] = otok_bed_slope(rise, end ? within : 0.0f - within);
    }
}

/* The flows before K of the pipes over the open start and, with the bound of critical.h, over the
   open end of a line. One over the start is kept by the ghost before the first cell, which has it
   as an outflow. */
OTOK_FN void otok_pipe_line_edge(const otok_view *v, otok_pipe_line l, ptrdiff_t at, int ends,
                                 otok_pipe_coefficients k)
{
    const int up = l.side == OTOK_BOTTOM;
    const ptrdiff_t over = up ? 1 : v->pitch;
    const float entry = otok_pipe_entry(l);
    for (int end = 0; end < 1 + k.critical.holds; end++) {
        const ptrdiff_t face = end ? (l.n - 1) * l.step : -l.step;
        if (!(ends >> end & 1) || (end ? l.end : l.start) != OTOK_OPEN) continue;
        const float *across = v->at[up ? OTOK_PULLED_RIGHT : OTOK_PULLED_TOP] + at + face;
        const float f = end ? l.flow[face] : entry,
                    before = end && l.n > 1 ? l.flow[face - l.step] : entry,
                    after = end ? f : l.flow[0];
        const otok_two_columns c = otok_pipe_line_columns(l, face, k);
        const float d = otok_face_depth(c.a, c.b);
        const float moved = otok_pipe_moved(before, f, after, c.a, c.b, k),
                    pulled = k.critical.holds && otok_pipe_line_walled(l, face) ? 0.0f : moved;
        const float slowed = otok_pipe_slowed(pulled, f, across[-over] + across[0],
                                              across[l.step - over] + across[l.step], d,
                                              otok_pipe_at(v, at + face, l.step, k));
        const otok_bed bed = {c.b.h - c.a.h, 0.0f, 0.0f, end ? 1 : -1};
        v->at[up ? OTOK_FLUX_TOP : OTOK_FLUX_RIGHT][at + face] =
            k.critical.holds ? otok_pipe_bounded(slowed, d, end ? l.speed[face - l.step] : 0.0f,
                                                 end ? 0.0f : l.speed[0], bed, k)
                             : slowed;
    }
}

#endif
