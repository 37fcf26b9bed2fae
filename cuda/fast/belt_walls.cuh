/* belt_walls.cuh: what lists of stages (belt.cuh) read around a cell beside walls
   (core/walls.h). */
#ifndef OTOK_FAST_BELT_WALLS_CUH
#define OTOK_FAST_BELT_WALLS_CUH

#include "model/common.h"

/* A wire may be infinite in walls. What a stage then reads around a cell: a wall is what lies
   beyond a closed side, the cell before it. */
static __device__ __forceinline__ float beside_wall(float there, float here)
{
    return there == INFINITY ? here : there;
}

static __device__ __forceinline__ otok_cross between_walls(otok_cross v)
{
    return {v.here, beside_wall(v.left, v.here), beside_wall(v.right, v.here),
            beside_wall(v.bottom, v.here), beside_wall(v.top, v.here)};
}

static __device__ __forceinline__ float beside_walls(float there, float x, float y, float here)
{
    const bool in_x = x == INFINITY, in_y = y == INFINITY;
    if (there != INFINITY && !(in_x && in_y)) return there;
    return in_x == in_y ? here : in_x ? y : x;
}

static __device__ __forceinline__ otok_moore between_walls(otok_moore v)
{
    const otok_cross c = between_walls(otok_cross{v.here, v.left, v.right, v.bottom, v.top});
    return {v.here,
            c.left,
            c.right,
            c.bottom,
            c.top,
            beside_walls(v.bottom_left, v.left, v.bottom, v.here),
            beside_walls(v.bottom_right, v.right, v.bottom, v.here),
            beside_walls(v.top_left, v.left, v.top, v.here),
            beside_walls(v.top_right, v.right, v.top, v.here)};
}

/* The ground around a cell, where walls are infinite: nothing slides across the corner of two. */
static __device__ __forceinline__ float across_corner(float there, float x, float y)
{
    return x == INFINITY && y == INFINITY ? INFINITY : there;
}

static __device__ __forceinline__ otok_moore across_no_corner(otok_moore h)
{
    h.bottom_left = across_corner(h.bottom_left, h.left, h.bottom);
    h.bottom_right = across_corner(h.bottom_right, h.right, h.bottom);
    h.top_left = across_corner(h.top_left, h.left, h.top);
    h.top_right = across_corner(h.top_right, h.right, h.top);
    return h;
}

#endif
