/* shallow_faces.h: loads a face of `law: shallow_water` and what is around it from buffers with
   ghost rings, and does the faces at the two ends of a line of cells. The plain loops and the plain
   kernels use it.
   The cell before a face keeps its speed. A line starts at the left or the bottom side. Its first
   cell keeps the speed through an open start, with opposite sign, as outflow_left or
   outflow_bottom; what an iteration makes of that face is in the ghosts before the cell. Beyond an
   open side there is dry ground as high as the cell at the side, and speeds and flows are those at
   the side. Nothing passes a closed side. */
#ifndef OTOK_SHALLOW_FACES_H
#define OTOK_SHALLOW_FACES_H

#include "../model/shallow_steps.h"
#include "../model/water.h"
#include "neighbours.h"
#include "state.h"
#include "walls.h"

#include <stddef.h>

/* The buffers of the faces of one axis: through the right faces of cells, or through the top
   ones. `along` leads to the next cell, `over` to the next line. */
typedef struct otok_shallow_faces {
    float *state, *back;
    float *pulled, *deep, *across, *across_deep; /* after the pull; across: of the other axis */
    float *wanted, *flux;           /* speed and flow before K; the speed is kept in VELOCITY */
    float *speed, *passed, *turned; /* the same after K; turned: flow of the other axis. The speed
                                       replaces the depth `deep` */
    const float *limit, *base, *change, *d, *d1, *rough; /* rough: a map of friction, or NULL */
    float *slope;                                        /* otok_bed_slope of a cell */
    const float *walls;                                  /* NULL: none */
    int start;                                           /* otok_side of the start of a line */
    ptrdiff_t along, over;
} otok_shallow_faces;

OTOK_FN otok_shallow_faces otok_shallow_of(const otok_view *v, int up)
{
    otok_shallow_faces f;
    f.state = v->at[up ? OTOK_OUTFLOW_TOP : OTOK_OUTFLOW_RIGHT];
    f.back = v->at[up ? OTOK_OUTFLOW_BOTTOM : OTOK_OUTFLOW_LEFT];
    f.pulled = v->at[up ? OTOK_PULLED_TOP : OTOK_PULLED_RIGHT];
    f.deep = v->at[up ? OTOK_FACE_TOP : OTOK_FACE_RIGHT];
    f.wanted = v->at[up ? OTOK_VELOCITY_Y : OTOK_VELOCITY_X];
    f.across = v->at[up ? OTOK_PULLED_RIGHT : OTOK_PULLED_TOP];
    f.across_deep = v->at[up ? OTOK_FACE_RIGHT : OTOK_FACE_TOP];
    f.speed = v->at[up ? OTOK_FACE_TOP : OTOK_FACE_RIGHT];
    f.flux = v->at[up ? OTOK_FLUX_TOP : OTOK_FLUX_RIGHT];
    f.passed = v->at[up ? OTOK_PASSED_TOP : OTOK_PASSED_RIGHT];
    f.turned = v->at[up ? OTOK_PASSED_RIGHT : OTOK_PASSED_TOP];
    f.limit = v->at[OTOK_FLUX_LIMIT];
    f.base = v->at[OTOK_TERRAIN_BASE];
    f.change = v->at[OTOK_TERRAIN_CHANGE];
    f.d = v->at[OTOK_WATER];
    f.d1 = v->at[OTOK_WATER_NEXT];
    f.rough = v->at[OTOK_MAP_MANNING];
    f.slope = v->at[up ? OTOK_SLOPE_TOP : OTOK_SLOPE_RIGHT];
    f.walls = v->at[OTOK_WALLS];
    f.start = up ? OTOK_BOTTOM : OTOK_LEFT;
    f.along = up ? v->pitch : 1;
    f.over = up ? 1 : v->pitch;
    return f;
}

OTOK_FN otok_column otok_shallow_column(otok_shallow_faces f, const float *d, ptrdiff_t at)
{
    const otok_column c = {f.base[at] + f.change[at], d[at]};
    return c;
}

/* The coefficients of the face after the cell `at`. A map of friction, of dt g n^2 / l, has the
   mean of both cells there. */
OTOK_FN otok_shallow_coefficients otok_shallow_at(otok_shallow_faces f, ptrdiff_t at,
                                                  otok_shallow_coefficients k)
{
    if (k.rough == k.rough) return k;
    const float mean = 0.5f * (f.rough[at] + f.rough[at + f.along]);
    k.rough = mean * k.share * k.l;
    k.bed = k.rough * k.most;
    return k;
}

/* The face after the cell `at` is pulled; s is its speed before. a, b: the cells of the face. */
OTOK_FN void otok_shallow_pull_between(otok_shallow_faces f, ptrdiff_t at, float s, otok_column a,
                                       otok_column b, otok_shallow_coefficients k)
{
    const otok_pull pulled = otok_speed_pulled(s, f.d[at] + f.d[at + f.along], a, b, k);
    f.pulled[at] = pulled.speed;
    f.deep[at] = pulled.depth;
}

OTOK_FN void otok_shallow_pull(otok_shallow_faces f, ptrdiff_t at, float s,
                               otok_shallow_coefficients k)
{
    otok_shallow_pull_between(f, at, s, otok_shallow_column(f, f.d1, at),
                              otok_shallow_column(f, f.d1, at + f.along), k);
}

/* ---- `bed_steps: critical`; side: -1 at an open start, 1 at an open end, else 0 ---- */

/* The cells a and b of the face after the cell `at`. The ground beyond an open side goes on falling
   where k says so; next to a wall it is level. */
OTOK_FN otok_two_columns otok_shallow_columns(otok_shallow_faces f, const float *d, ptrdiff_t at,
                                              int side, otok_shallow_coefficients k)
{
    const ptrdiff_t next = at + f.along, edge = side < 0 ? next : at,
                    inside = side < 0 ? next + f.along : at - f.along;
    otok_two_columns c = {otok_shallow_column(f, d, at), otok_shallow_column(f, d, next)};
    if (side == 0 || !k.critical.holds || !(k.critical.falls >> (f.start + (side > 0)) & 1))
        return c;
    if (f.walls && (f.walls[edge] == OTOK_IN_WALL || f.walls[inside] == OTOK_IN_WALL)) return c;
    return otok_columns_beyond(c, side, f.base[inside] + f.change[inside]);
}

/* The rise that goes on through the cell `at`. */
OTOK_FN void otok_shallow_slope(otok_shallow_faces f, ptrdiff_t at)
{
    const float h = f.base[at] + f.change[at];
    f.slope[at] = otok_bed_slope(h - (f.base[at - f.along] + f.change[at - f.along]),
                                 (f.base[at + f.along] + f.change[at + f.along]) - h);
}

/* The same of a cell at an open side. */
OTOK_FN void otok_shallow_slope_beyond(otok_shallow_faces f, ptrdiff_t at, int side,
                                       otok_shallow_coefficients k)
{
    const otok_two_columns c = otok_shallow_columns(f, f.d1, side < 0 ? at - f.along : at, side, k);
    const ptrdiff_t inside = at - side * f.along;
    const float beyond = c.b.h - c.a.h,
                within = (float)side *
                         ((f.base[at] + f.change[at]) - (f.base[inside] + f.change[inside]));
    f.slope[at] = otok_bed_slope(beyond, within);
}

OTOK_FN otok_bed otok_shallow_bed(otok_shallow_faces f, ptrdiff_t at, otok_two_columns c, int side)
{
    const otok_bed bed = {c.b.h - c.a.h, f.slope[at], f.slope[at + f.along], side};
    return bed;
}

/* What the cell `at` keeps of its faces, turned from flows to speeds or back. The cell beyond the
   face that it keeps as `back` is as high, and dry. */
OTOK_FN void otok_shallow_turn(otok_shallow_faces f, ptrdiff_t at, int to_speeds,
                               otok_shallow_coefficients k)
{
    const otok_column a = otok_shallow_column(f, f.d, at),
                      b = otok_shallow_column(f, f.d, at + f.along), beyond = {a.h, 0.0f};
    f.state[at] = to_speeds ? otok_speed_of_flow(f.state[at], a, b, k)
                            : otok_flow_of_speed(f.state[at], a, b, k);
    if (f.back)
        f.back[at] = to_speeds ? otok_speed_of_flow(f.back[at], beyond, a, k)
                               : otok_flow_of_speed(f.back[at], beyond, a, k);
}

OTOK_FN otok_pull otok_shallow_across(otok_shallow_faces f, ptrdiff_t at)
{
    const otok_pull across = {f.across[at], f.across_deep[at]};
    return across;
}

/* Before K. */
OTOK_FN otok_stream otok_shallow_braked(otok_shallow_faces f, ptrdiff_t at,
                                        otok_shallow_coefficients k)
{
    const ptrdiff_t next = at + f.along;
    const otok_pull face = {f.pulled[at], f.deep[at]};
    return otok_stream_of(face, otok_shallow_across(f, at - f.over), otok_shallow_across(f, at),
                          otok_shallow_across(f, next - f.over), otok_shallow_across(f, next), k);
}

OTOK_FN void otok_shallow_brake(otok_shallow_faces f, ptrdiff_t at, otok_shallow_coefficients k)
{
    const otok_stream s = otok_shallow_braked(f, at, k);
    f.wanted[at] = s.speed;
    f.flux[at] = s.flow;
}

/* The same within the bound of critical.h. */
OTOK_FN void otok_shallow_hold(otok_shallow_faces f, ptrdiff_t at, int side,
                               otok_shallow_coefficients k)
{
    const otok_bed bed = otok_shallow_bed(f, at, otok_shallow_columns(f, f.d1, at, side, k), side);
    const otok_stream s = otok_stream_bounded(otok_shallow_braked(f, at, k), f.deep[at],
                                              side < 0 ? 0.0f : f.pulled[at - f.along],
                                              side > 0 ? 0.0f : f.pulled[at + f.along], bed, k);
    f.wanted[at] = s.speed;
    f.flux[at] = s.flow;
}

/* After K. */
OTOK_FN otok_stream otok_shallow_limited(otok_shallow_faces f, ptrdiff_t at)
{
    const otok_stream s = {f.wanted[at], f.flux[at]};
    return otok_stream_limited(s, f.limit[at], f.limit[at + f.along]);
}

/* The cell's faces after K, and its depth. The result is what was clamped. phase: of its dither. */
OTOK_FN float otok_shallow_surface(const otok_view *v, ptrdiff_t at, uint32_t phase,
                                   otok_water_coefficients k)
{
    const otok_shallow_faces right = otok_shallow_of(v, 0), top = otok_shallow_of(v, 1);
    const otok_four face =
        otok_faces_limited(otok_faces_at(right.flux + at, top.flux + at, v->pitch),
                           otok_cross_at(right.limit + at, v->pitch));
    const otok_surface s = otok_face_surface_now(right.d1[at], face, phase, k);
    right.passed[at] = face.right;
    top.passed[at] = face.top;
    right.speed[at] = otok_shallow_limited(right, at).speed;
    top.speed[at] = otok_shallow_limited(top, at).speed;
    v->at[OTOK_WATER][at] = s.d2;
    return s.clamped;
}

/* What is around the face. side: -1 at an open start, 1 at an open end, else 0. The cell of a face
   at an open side is the cell at the side, twice. */
OTOK_FN otok_passage otok_shallow_passage(otok_shallow_faces f, ptrdiff_t at, int side,
                                          otok_shallow_coefficients k)
{
    const ptrdiff_t next = at + f.along;
    const float flow = f.passed[at], before = side < 0 ? flow : f.passed[at - f.along],
                after = side > 0 ? flow : f.passed[next];
    otok_passage p;
    p.u = f.speed[at];
    p.before = side < 0 ? p.u : f.speed[at - f.along];
    p.after = side > 0 ? p.u : f.speed[next];
    p.below = f.speed[at - f.over];
    p.above = f.speed[at + f.over];
    p.through_a = before + (side > 0 ? before : flow);
    p.through_b = (side < 0 ? after : flow) + after;
    p.below_a = f.turned[at - f.over];
    p.below_b = f.turned[next - f.over];
    p.above_a = f.turned[at];
    p.above_b = f.turned[next];
    p.twice = (side < 0 ? f.d[next] : f.d[at]) + (side > 0 ? f.d[at] : f.d[next]);
    const otok_column a = otok_shallow_column(f, f.d, at), b = otok_shallow_column(f, f.d, next);
    p.depth = otok_face_depth(a, b);
    p.fall = otok_speed_fall(a, b, k);
    p.fall_below = otok_speed_fall(otok_shallow_column(f, f.d, at - f.over),
                                   otok_shallow_column(f, f.d, next - f.over), k);
    p.fall_above = otok_speed_fall(otok_shallow_column(f, f.d, at + f.over),
                                   otok_shallow_column(f, f.d, next + f.over), k);
    return p;
}

/* The new speed of the face; 0 at a wall, whose ground is infinite. */
OTOK_FN float otok_shallow_carried(otok_shallow_faces f, ptrdiff_t at, int side,
                                   otok_shallow_coefficients k)
{
    const float a = f.base[at] + f.change[at], b = f.base[at + f.along] + f.change[at + f.along];
    const float s = otok_speed_carried(otok_shallow_passage(f, at, side, k), k);
    return fabsf(a - b) < INFINITY ? s : 0.0f;
}

/* The speed of the cell `at` along the axis. */
OTOK_FN float otok_shallow_speed(otok_shallow_faces f, ptrdiff_t at, otok_shallow_coefficients k)
{
    return otok_speed_of_cell(f.speed[at - f.along], f.speed[at], f.d1[at], f.d[at], k);
}

/* The same with `bed_steps: critical`, of a passage between the cells c. */
OTOK_FN float otok_shallow_turned(otok_shallow_faces f, ptrdiff_t at, int side, otok_two_columns c,
                                  otok_passage p, otok_shallow_coefficients k)
{
    const ptrdiff_t back = side < 0 ? at : at - f.along, on = side > 0 ? at : at + f.along;
    const float below_back = f.speed[back - f.over], below_on = f.speed[on - f.over],
                above_back = f.speed[back + f.over], above_on = f.speed[on + f.over];
    otok_corner corner;
    corner.below_behind = p.u > 0.0f ? below_back : p.u < 0.0f ? below_on : 0.0f;
    corner.above_behind = p.u > 0.0f ? above_back : p.u < 0.0f ? above_on : 0.0f;
    corner.upwind = otok_upwind_depth(p.u, c.a, c.b);
    corner.part = otok_bed_drop(otok_shallow_bed(f, at, c, side), p.u, corner.upwind, 0).part;
    return otok_speed_carried_over_steps(p, corner, k);
}

/* Both with `bed_steps: critical`. */
OTOK_FN float otok_shallow_carried_over_steps(otok_shallow_faces f, ptrdiff_t at, int side,
                                              otok_shallow_coefficients k)
{
    const otok_two_columns c = otok_shallow_columns(f, f.d, at, side, k),
                           below = otok_shallow_columns(f, f.d, at - f.over, side, k),
                           above = otok_shallow_columns(f, f.d, at + f.over, side, k);
    otok_passage p = otok_shallow_passage(f, at, side, k);
    p.depth = otok_face_depth(c.a, c.b);
    p.fall = otok_speed_fall(c.a, c.b, k);
    p.fall_below = otok_speed_fall(below.a, below.b, k);
    p.fall_above = otok_speed_fall(above.a, above.b, k);
    const float s = otok_shallow_turned(f, at, side, c, p, k);
    return fabsf(c.a.h - c.b.h) < INFINITY ? s : 0.0f;
}

OTOK_FN float otok_shallow_speed_by_flow(otok_shallow_faces f, ptrdiff_t at,
                                         otok_shallow_coefficients k)
{
    const otok_four face = {f.passed[at - f.along], f.passed[at], f.turned[at - f.over],
                            f.turned[at]};
    return otok_speed_by_flow(face.left + face.right, f.speed[at - f.along], f.speed[at],
                              otok_share_passed(face), f.d1[at], f.d[at], k);
}

/* ---- The ends of the line of n cells that begins with the cell `at`. start, end: otok_edge ----
 */

OTOK_FN void otok_shallow_ends_pulled(otok_shallow_faces f, ptrdiff_t at, int n, int start, int end,
                                      otok_shallow_coefficients k)
{
    const ptrdiff_t ghost = at - f.along, last = at + (n - 1) * f.along;
    if (start == OTOK_OPEN) {
        const otok_two_columns c = otok_shallow_columns(f, f.d1, ghost, -1, k);
        otok_shallow_pull_between(f, ghost, 0.0f - f.back[at], c.a, c.b, k);
    }
    if (end == OTOK_OPEN && k.critical.holds) {
        const otok_two_columns c = otok_shallow_columns(f, f.d1, last, 1, k);
        otok_shallow_pull_between(f, last, f.state[last], c.a, c.b, k);
    }
}

OTOK_FN void otok_shallow_ends_sloped(otok_shallow_faces f, ptrdiff_t at, int n, int start, int end,
                                      otok_shallow_coefficients k)
{
    const ptrdiff_t last = at + (n - 1) * f.along;
    if (start == OTOK_OPEN) otok_shallow_slope_beyond(f, at, -1, k);
    if (end == OTOK_OPEN) otok_shallow_slope_beyond(f, last, 1, k);
}

OTOK_FN void otok_shallow_ends_stream(otok_shallow_faces f, ptrdiff_t at, int n, int start, int end,
                                      otok_shallow_coefficients k)
{
    const ptrdiff_t ghost = at - f.along, last = at + (n - 1) * f.along;
    if (k.critical.holds) {
        if (start == OTOK_OPEN) otok_shallow_hold(f, ghost, -1, otok_shallow_at(f, ghost, k));
        if (end == OTOK_OPEN) otok_shallow_hold(f, last, 1, otok_shallow_at(f, last, k));
    } else if (start == OTOK_OPEN)
        otok_shallow_brake(f, ghost, otok_shallow_at(f, ghost, k));
}

OTOK_FN void otok_shallow_ends_limited(otok_shallow_faces f, ptrdiff_t at, int n, int start,
                                       int end, otok_shallow_coefficients k)
{
    (void)n, (void)end, (void)k;
    if (start != OTOK_OPEN) return;
    const otok_stream s = otok_shallow_limited(f, at - f.along);
    f.speed[at - f.along] = s.speed;
    f.passed[at - f.along] = s.flow;
}

OTOK_FN float otok_shallow_end_carried(otok_shallow_faces f, ptrdiff_t at, int side,
                                       otok_shallow_coefficients k)
{
    const otok_shallow_coefficients here = otok_shallow_at(f, at, k);
    return k.critical.holds ? otok_shallow_carried_over_steps(f, at, side, here)
                            : otok_shallow_carried(f, at, side, here);
}

OTOK_FN void otok_shallow_ends_carried(otok_shallow_faces f, ptrdiff_t at, int n, int start,
                                       int end, otok_shallow_coefficients k)
{
    const ptrdiff_t last = at + (n - 1) * f.along;
    if (start == OTOK_OPEN) f.back[at] = 0.0f - otok_shallow_end_carried(f, at - f.along, -1, k);
    if (end == OTOK_OPEN) f.state[last] = otok_shallow_end_carried(f, last, 1, k);
    if (end == OTOK_CLOSED) f.state[last] = 0.0f;
}

/* What leaves the cell `at` over a side [m^3/s]. */
OTOK_FN float otok_shallow_out(const otok_view *v, int side, ptrdiff_t at)
{
    const otok_shallow_faces f = otok_shallow_of(v, side == OTOK_BOTTOM || side == OTOK_TOP);
    const int ends = side == OTOK_RIGHT || side == OTOK_TOP;
    const ptrdiff_t face = ends ? at : at - f.along;
    const float flow = otok_face_limited(f.flux[face], f.limit[face], f.limit[face + f.along]);
    return ends ? flow : 0.0f - flow;
}

#endif
