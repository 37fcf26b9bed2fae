/* derived.h: fields that follow from a state, a function per field (core/fields.def has their
   definitions and units). No simulation calls them, but for the speed of water. */
#ifndef OTOK_DERIVED_H
#define OTOK_DERIVED_H

#include "common.h"
#include "math.h"

#define OTOK_YEAR 31556925.9747 /* [s], as in UDUNITS-2 */

/* A cell as derived fields see it. */
typedef struct otok_place {
    otok_cross h;          /* the ground [m]; NaN: there is no such neighbour */
    float l;               /* cell size [m] */
    float d;               /* depth of the water [m] */
    float u, w;            /* its velocity [m/s] */
    float moved;           /* change of the ground without the reef [m] */
    float g;               /* gravity [m/s^2] */
    float reef;            /* height grown by the reef [m] */
    float grew;            /* when it last did [s]; 0: not yet */
    float deepest, peak;   /* greatest depth and level [m]; 0, 0: it was dry */
    float arrived, peaked; /* when water arrived, and was deepest [s]; 0: not yet */
    double now;            /* [s] */
    float rough;           /* 1000 kg/m^3 g n^2 */
} otok_place;

/* A derivative along an axis: central, one-sided beside one missing neighbour, 0 between two. */
OTOK_FN float otok_derivative(float before, float here, float after, float l)
{
    const int has_before = before == before, has_after = after == after;
    const float far = has_before && has_after ? 2.0f * l : l;
    return ((has_after ? after : here) - (has_before ? before : here)) / far;
}

OTOK_FN float otok_slope(otok_place p)
{
    return otok_length(otok_derivative(p.h.left, p.h.here, p.h.right, p.l),
                       otok_derivative(p.h.bottom, p.h.here, p.h.top, p.l));
}

/* atan(t) for 0 <= t <= 1 [degree], to 1e-5 degree: the series up to t^13 below tan(22.5 degree),
   and 45 degree + atan((t - 1)/(t + 1)) above. */
OTOK_FN float otok_arc(float t)
{
    const int far = t > 0.41421356f;
    const float x = far ? (t - 1.0f) / (t + 1.0f) : t, q = x * x;
    float p = fmaf(q, 1.0f / 13.0f, -1.0f / 11.0f);
    p = fmaf(q, p, 1.0f / 9.0f);
    p = fmaf(q, p, -1.0f / 7.0f);
    p = fmaf(q, p, 1.0f / 5.0f);
    p = fmaf(q, p, -1.0f / 3.0f);
    return (far ? 45.0f : 0.0f) + 57.29578f * fmaf(x * q, p, x);
}

OTOK_FN float otok_aspect(otok_place p)
{
    const float x = -otok_derivative(p.h.left, p.h.here, p.h.right, p.l),
                y = -otok_derivative(p.h.bottom, p.h.here, p.h.top, p.l);
    const float a = fabsf(x), b = fabsf(y);
    const float arc = a > b ? 90.0f - otok_arc(b / a) : otok_arc(a / b); /* from the y axis */
    const float turned = y < 0.0f ? 180.0f - arc : arc, round = x < 0.0f ? 360.0f - turned : turned;
    return a == 0.0f && b == 0.0f ? OTOK_NAN : round < 360.0f ? round : 0.0f;
}

OTOK_FN float otok_curvature(otok_place p)
{
    const float h = p.h.here;
    return (((p.h.left - h) + (p.h.right - h)) + ((p.h.bottom - h) + (p.h.top - h))) / (p.l * p.l);
}

OTOK_FN float otok_water_level(otok_place p)
{
    return p.h.here + p.d;
}

/* Of a cell with this velocity [m/s], the larger part first, so that x and y count alike. */
OTOK_FN float otok_water_speed(float u, float w)
{
    return fabsf(w) > fabsf(u) ? otok_length(w, u) : otok_length(u, w);
}

OTOK_FN float otok_speed(otok_place p)
{
    return otok_water_speed(p.u, p.w);
}

OTOK_FN float otok_unit_discharge(otok_place p)
{
    return otok_speed(p) * p.d;
}

OTOK_FN float otok_froude(otok_place p)
{
    return p.d > 0.0f ? otok_speed(p) / otok_root(p.g * p.d) : 0.0f;
}

OTOK_FN float otok_shear_stress(otok_place p)
{
    const float s = otok_speed(p);
    return p.d > 0.0f ? p.rough * s * s / otok_cbrtf(p.d) : 0.0f;
}

OTOK_FN float otok_erosion_depth(otok_place p)
{
    return otok_positive(-p.moved);
}

/* The time as a step kept it: of a cell that grew in the last iteration it is 0. */
OTOK_FN float otok_reef_age(otok_place p)
{
    return p.reef > 0.0f && p.grew > 0.0f
               ? (float)(((double)(float)p.now - (double)p.grew) / OTOK_YEAR)
               : OTOK_NAN;
}

OTOK_FN float otok_max_level(otok_place p)
{
    return p.deepest > 0.0f ? p.peak : OTOK_NAN;
}

OTOK_FN float otok_arrival_time(otok_place p)
{
    return p.arrived > 0.0f ? p.arrived : OTOK_NAN;
}

OTOK_FN float otok_max_depth_time(otok_place p)
{
    return p.peaked > 0.0f ? p.peaked : OTOK_NAN;
}

OTOK_FN float otok_deposit_depth(otok_place p)
{
    return otok_positive(p.moved);
}

#endif
