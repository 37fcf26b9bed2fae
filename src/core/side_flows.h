/* side_flows.h: loads what is around an open side of the grid and gives the side what its kind
   asks for. The plain loops and the plain kernels use it. */
#ifndef OTOK_SIDE_FLOWS_H
#define OTOK_SIDE_FLOWS_H

#include "../model/sides.h"
#include "walls.h"

#include <stddef.h>

typedef enum {
    OTOK_SIDE_FREE,
    OTOK_SIDE_NORMAL,
    OTOK_SIDE_CRITICAL,
    OTOK_SIDE_LEVEL,
    OTOK_SIDE_WAVES, /* a level that lets waves out */
    OTOK_SIDE_RATING,
    OTOK_SIDE_INFLOW
} otok_side_kind;

/* The step from a cell at the side to the next one inside. */
OTOK_FN ptrdiff_t otok_side_inward(const otok_view *v, int side)
{
    const ptrdiff_t step = side == OTOK_LEFT || side == OTOK_RIGHT ? 1 : v->pitch;
    return side == OTOK_LEFT || side == OTOK_BOTTOM ? step : -step;
}

OTOK_FN int otok_side_walled(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_WALLS] && v->at[OTOK_WALLS][at] == OTOK_IN_WALL;
}

OTOK_FN float otok_side_ground(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_TERRAIN_BASE][at] + v->at[OTOK_TERRAIN_CHANGE][at];
}

/* The root of the fall from the cell inside to the cell `at` at the side, 0 if it rises. */
OTOK_FN float otok_side_fall(const otok_view *v, ptrdiff_t at, ptrdiff_t inside,
                             otok_side_coefficients k)
{
    const float fall = otok_side_ground(v, inside) - otok_side_ground(v, at);
    return otok_side_walled(v, inside) ? 0.0f : otok_root(otok_positive(fall) * k.per_l);
}

OTOK_FN float otok_side_speed(const otok_view *v, int side, ptrdiff_t at, otok_side_coefficients k)
{
    const float d = v->at[OTOK_WATER_NEXT][at];
    if (k.kind[side] == OTOK_SIDE_CRITICAL) return otok_speed_critical(d, k);
    const float root = k.fall[side] == k.fall[side]
                           ? k.fall[side]
                           : otok_side_fall(v, at, at + otok_side_inward(v, side), k);
    const float rough = v->at[OTOK_MAP_MANNING] ? v->at[OTOK_MAP_MANNING][at] : 0.0f;
    const float part = otok_smaller(otok_quotient(k.pull, rough), 0x1p120f);
    const float of_map = otok_root(rough > 0.0f ? part : 0x1p120f); /* no root of infinity */
    const float smooth = k.smooth == k.smooth ? k.smooth : of_map;
    return otok_speed_normal(d, root, smooth, k);
}

/* Is the cell `at` beside the open part of its side, where there is a wall? */
OTOK_FN int otok_side_shut(const otok_view *v, int side, ptrdiff_t at, otok_side_coefficients k)
{
    const int upright = side == OTOK_LEFT || side == OTOK_RIGHT;
    const ptrdiff_t start = side == OTOK_RIGHT ? v->nx - 1
                            : side == OTOK_TOP ? (v->ny - 1) * v->pitch
                                               : 0;
    const int along = (int)(upright ? (at - start) / v->pitch : at - start),
              n = upright ? v->global_ny : v->global_nx;
    const int number = (upright ? otok_row_of(v, along) : v->x0 + along) + n;
    return number % n < k.first[side] || number % n >= k.end[side];
}

/* What leaves over the side from the cell `at`: its speed, and the depth that has it. */
typedef struct otok_leaving {
    float speed, depth;
} otok_leaving;

OTOK_FN otok_leaving otok_side_leaving(const otok_view *v, int side, ptrdiff_t at,
                                       otok_side_coefficients k)
{
    const float d = v->at[OTOK_WATER_NEXT][at], h = otok_side_ground(v, at),
                q = v->steps[*v->now].enters[side];
    otok_leaving out = {0.0f, d};
    if (k.kind[side] == OTOK_SIDE_WAVES) {
        const float d0 = v->at[OTOK_WATER_NEXT][at - otok_side_inward(v, side)];
        out.speed = otok_speed_of_waves(d, d0, k);
        out.depth = out.speed > 0.0f ? d : d0;
    } else if (k.kind[side] == OTOK_SIDE_RATING)
        out.speed = otok_speed_rated(d, (h - k.zero[side]) + d, q, k.power[side], k);
    else if (k.kind[side] == OTOK_SIDE_INFLOW) {
        const float in = otok_speed_of_inflow(q, d, k.froude2[side], k);
        out.speed = 0.0f - in;
        out.depth = in > 0.0f ? otok_quotient(q, in) : 0.0f;
    } else
        out.speed = otok_side_speed(v, side, at, k);
    return out;
}

/* The flow over the side from the cell `at`, and under `law: shallow_water` its speed, before K. */
OTOK_FN void otok_side_flow(const otok_view *v, int side, ptrdiff_t at, otok_side_coefficients k)
{
    const int across = side == OTOK_LEFT || side == OTOK_RIGHT,
              starts = side == OTOK_LEFT || side == OTOK_BOTTOM,
              shut = otok_side_shut(v, side, at, k);
    const ptrdiff_t face = starts ? at - otok_side_inward(v, side) : at;
    otok_leaving out = {0.0f, 0.0f};
    if (!shut && (k.kind[side] == OTOK_SIDE_FREE || k.kind[side] == OTOK_SIDE_LEVEL)) return;
    if (otok_side_walled(v, at)) return;
    if (!shut) out = otok_side_leaving(v, side, at, k);
    const float speed = starts ? 0.0f - out.speed : out.speed;
    v->at[across ? OTOK_FLUX_RIGHT : OTOK_FLUX_TOP][face] = k.l * (speed * out.depth);
    if (k.speeds) v->at[across ? OTOK_VELOCITY_X : OTOK_VELOCITY_Y][face] = speed;
}

/* Under `law: shallow_water`, what the cell `at` keeps of its face at the side: no speed beside the
   open part, and that of a discharge that enters, whatever was carried there. */
OTOK_FN void otok_side_rest(const otok_view *v, int side, ptrdiff_t at, otok_side_coefficients k)
{
    const int shut = otok_side_shut(v, side, at, k);
    if ((!shut && k.kind[side] != OTOK_SIDE_INFLOW) || otok_side_walled(v, at)) return;
    const float speed = shut ? 0.0f : otok_side_leaving(v, side, at, k).speed;
    v->at[OTOK_OUTFLOW_LEFT + side][at] = speed + 0.0f;
}

/* The ghost beyond the cell `at` holds water up to the level of the side, and gives all of it.
   Beside the open part, and where a discharge enters, it holds as much as the cell, so that nothing
   is pulled over the side. */
OTOK_FN void otok_side_level(const otok_view *v, int side, ptrdiff_t at, otok_side_coefficients k)
{
    const ptrdiff_t ghost = at - otok_side_inward(v, side);
    const int kind = k.kind[side],
              alike = otok_side_shut(v, side, at, k) || kind == OTOK_SIDE_INFLOW;
    if (!alike && kind != OTOK_SIDE_LEVEL && kind != OTOK_SIDE_WAVES) return;
    const float level = v->steps[*v->now].levels[side],
                over = otok_positive(level - otok_side_ground(v, ghost)),
                open = otok_side_walled(v, at) ? 0.0f : 1.0f;
    v->at[OTOK_WATER][ghost] = open * (alike ? v->at[OTOK_WATER][at] : over);
    v->at[OTOK_WATER_NEXT][ghost] = open * (alike ? v->at[OTOK_WATER_NEXT][at] : over);
    v->at[OTOK_FLUX_LIMIT][ghost] = 1.0f;
}

#endif
