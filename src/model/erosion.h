/* erosion.h: erosion and deposition by flowing water, stage 4, and the settling of a cell that
   dries (K16 eq. 3.12-3.17 with the sign of the deposition corrected; M13 eq. 4.10-4.12). Sediment
   does not move between cells here. */
#ifndef OTOK_EROSION_H
#define OTOK_EROSION_H

#include "coefficients.h"
#include "common.h"

/* grad h|^2. central: (h+ - h-)/2l, or /l as printed. downhill: for each axis max(0, (h-h-)/l,
   (h-h+)/l). */
OTOK_FN float otok_gradient2(otok_cross h, otok_erosion_coefficients k)
{
    const float steeper_x = otok_positive(h.here - otok_smaller(h.left, h.right));
    const float steeper_y = otok_positive(h.here - otok_smaller(h.bottom, h.top));
    const float gx = (k.downhill ? steeper_x : h.right - h.left) * k.per_length;
    const float gy = (k.downhill ? steeper_y : h.top - h.bottom) * k.per_length;
    return gx * gx + gy * gy;
}

/* C = capacity |v| sin(alpha) [d2], with sin^2 = g2/(1+g2), not below sin2_min. |v| sin(alpha) is
   computed as sqrt(v^2 sin^2), with a single root. 0 in a dry cell.
   A cell that the limiter K empties has |u| + |w| = l/dt, and what it would dissolve grows as 1/dt.
   So pipes as deep as the water count speeds up to Froude OTOK_SWIFT: v^2 <= swift d2. */
#define OTOK_SWIFT 10.0

OTOK_FN float otok_capacity(float gradient2, float d2, float u, float w,
                            otok_erosion_coefficients k)
{
    const float sin2 = otok_larger(otok_quotient(gradient2, 1.0f + gradient2), k.sin2_min);
    const float speed2 = u * u + w * w, most = k.swift * d2;
    float c = k.capacity * otok_root((k.swift > 0.0f && speed2 > most ? most : speed2) * sin2);
    c = k.times_depth ? c * d2 : c;
    return d2 > k.dry ? c : 0.0f;
}

/* Sea as base level: water takes no more than what stands l / OTOK_SILL above the sea, C - s <= h -
   lowest. So a valley is cut down to the sea and stays land, with water that runs on over it. */
#define OTOK_SILL 4096 /* 0.5 mm in cells of 2 m, which a float of heights up to 4 km resolves */

OTOK_FN float otok_capacity_to_sea(float capacity, float s, float h, float lowest)
{
    return otok_smaller(capacity, s + otok_positive(h - lowest));
}

typedef struct otok_eroded {
    float change, s; /* the ground's change and the suspended sediment, after the exchange [m] */
    float d2;        /* depth; it moves with the ground under displace_water [m] */
} otok_eroded;

/* delta = kS (C - s) for C > s, else delta = -kD (s - C). h -= delta and s += delta by the exact
   exchange. */
OTOK_FN otok_eroded otok_erosion(float change, float s, float d2, float capacity,
                                 otok_erosion_coefficients k)
{
    const float lack = capacity - s;
    const float delta = lack > 0.0f ? k.dissolve * lack : k.deposit * lack;
    const otok_exchange e = otok_exchange_solid(change, s, delta);
    otok_eroded out;
    out.change = e.ground;
    out.s = e.other;
    const float displaced = otok_positive(d2 + e.moved);
    out.d2 = k.displace_water ? displaced : d2;
    return out;
}

/* Stage 6 under conservative transport: a dry cell lays down its sediment. The ground becomes the
   largest float that is not more than both together. (The larger of two floats less their rounded
   sum is a float, so that the rest is exact.) */
OTOK_FN otok_exchange otok_settle(float change, float s)
{
    const int deep = s > fabsf(change);
    const float most = deep ? s : change, least = deep ? change : s, both = most + least;
    otok_exchange e;
    e.ground = (most - both) + least < 0.0f ? otok_before(both) : both;
    e.moved = change - e.ground;
    e.other = (most - e.ground) + least;
    return e;
}

/* Sea as base level: a cell whose ground is below the sea lays down its sediment, and is then
   filled to the sea. Its water is still. */
typedef struct otok_shore {
    float change, s, d, u, w;
} otok_shore;

OTOK_FN otok_shore otok_meet_sea(float base, otok_shore is, float sea)
{
    const otok_exchange e = otok_settle(is.change, is.s);
    const otok_shore under = {e.ground, e.other, otok_positive(sea - (base + e.ground)), 0.0f,
                              0.0f};
    return base + is.change < sea ? under : is;
}

#endif
