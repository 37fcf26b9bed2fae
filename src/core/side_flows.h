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
    OTOK_SIDE_LEVEL
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

/* The flow over the side from the cell `at`, and under `law: shallow_water` its speed, before K. */
OTOK_FN void otok_side_flow(const otok_view *v, int side, ptrdiff_t at, otok_side_coefficients k)
{
    const int across = side == OTOK_LEFT || side == OTOK_RIGHT,
              starts = side == OTOK_LEFT || side == OTOK_BOTTOM;
    const ptrdiff_t face = starts ? at - otok_side_inward(v, side) : at;
    if (k.kind[side] != OTOK_SIDE_NORMAL && k.kind[side] != OTOK_SIDE_CRITICAL) return;
    if (otok_side_walled(v, at)) return;
    const float u = otok_side_speed(v, side, at, k);
    const float speed = starts ? 0.0f - u : u;
    v->at[across ? OTOK_FLUX_RIGHT : OTOK_FLUX_TOP][face] =
        k.l * (speed * v->at[OTOK_WATER_NEXT][at]);
    if (k.speeds) v->at[across ? OTOK_VELOCITY_X : OTOK_VELOCITY_Y][face] = speed;
}

/* The ghost beyond the cell `at` holds water up to the level of the side, and gives all of it. */
OTOK_FN void otok_side_level(const otok_view *v, int side, ptrdiff_t at, otok_side_coefficients k)
{
    const ptrdiff_t ghost = at - otok_side_inward(v, side);
    const float level = v->steps[*v->now].levels[side];
    if (k.kind[side] != OTOK_SIDE_LEVEL) return;
    const float over = otok_positive(level - otok_side_ground(v, ghost));
    const float d = otok_side_walled(v, at) ? 0.0f : over;
    v->at[OTOK_WATER][ghost] = d;
    v->at[OTOK_WATER_NEXT][ghost] = d;
    v->at[OTOK_FLUX_LIMIT][ghost] = 1.0f;
}

#endif
