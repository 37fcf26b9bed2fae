/* water.h: the water of hydraulic erosion by virtual pipes, stages 1, 2, 3 and 7 (K17 section 2.2.1
   after Mei et al. 2007). These are one-way pipes of constant area: waves run at sqrt(g A / l)
   whatever the depth. */
#ifndef OTOK_WATER_H
#define OTOK_WATER_H

#include "coefficients.h"
#include "dither.h"

/* Stage 1: d1 = d + dt r (K16 eq. 3.1). Below the depth `coarse` = otok_coarse(rain),
   otok_water_in_coarse gives the same bits. */
OTOK_FN float otok_water_in_coarse(float d, float rain)
{
    return d + rain;
}

OTOK_FN float otok_water_in(float d, float rain, float coarse, float dither)
{
    const float more = d < coarse ? rain : fmaf(otok_binade(d), dither, rain);
    return otok_larger_number(d, d + more);
}

/* Stage 1 with a map of rain or with rivers: d1 = (d + dt r map) + spring, with spring = dt Q / (n
   l^2) of the rivers in this cell. Below 0 it is a pump, which takes what is there. */
typedef struct otok_filled {
    float rained; /* d + dt r map [m], for the ledger */
    float d1;
} otok_filled;

OTOK_FN otok_filled otok_water_filled(float d, float rain, float map, float spring, uint32_t phase)
{
    otok_filled f;
    f.rained = otok_add_exactly(d, rain * map, otok_dither(phase));
    const float dither = otok_dither(phase + OTOK_DITHER_TURN);
    const float brought = otok_add_exactly(f.rained, spring, dither),
                left = otok_give_exactly(f.rained, 0.0f - spring, dither);
    f.d1 = spring < 0.0f ? left : brought;
    return f;
}

/* Stage 2: f_N' = max(0, f_N + dt A g (eta - eta_N) / l), all times K = min(1, d1 l^2 / (dt sum
   f')) (K16 eq. 3.2-3.5). `eta` is ground + d1 of the cell and its neighbours; f holds the old
   outflows [m^3/s]. */
OTOK_FN otok_four otok_outflow(otok_four f, float d1, otok_cross eta, otok_water_coefficients k)
{
    f.left = otok_positive(f.left + k.pipe * (eta.here - eta.left));
    f.right = otok_positive(f.right + k.pipe * (eta.here - eta.right));
    f.bottom = otok_positive(f.bottom + k.pipe * (eta.here - eta.bottom));
    f.top = otok_positive(f.top + k.pipe * (eta.here - eta.top));
    const float wanted = otok_sum_four(f);
    const float there = d1 * k.l2_dt;
    const float part = otok_quotient(there, wanted);
    const float share = wanted > there ? part : 1.0f; /* d1 = 0 gives 0; no flow gives 1 */
    f.left *= share;
    f.right *= share;
    f.bottom *= share;
    f.top *= share;
    return f;
}

typedef struct otok_surface {
    float d2;      /* depth after the flow [m], >= 0 */
    float clamped; /* what was added to reach 0 [m], usually 0 */
    float u, w;    /* velocity [m/s] */
} otok_surface;

/* Stage 3: d2 = d1 + dt/l^2 (sum in - sum out); u = W_x / (l (d1+d2)/2), with W_x = ((f_R(x-1) -
   f_L) + (f_R - f_L(x+1)))/2 (K16 eq. 3.6-3.11). `out` holds the outflows of the cell, `in` the
   outflows of its neighbours towards it; `x` is 2 W_x, `y` is 2 W_y. |u| + |w| <= l/dt, apart from
   rounding.
   Under `area: depth` only the water that passes through counts: where more flows in than out, both
   speeds are multiplied by sum out / sum in. Without this, a front that fills a cell would have the
   speed of its whole inflow at a depth of nearly 0. */
OTOK_FN otok_surface otok_surface_of(float d1, float d2, float gained, float lost, float x, float y,
                                     otok_water_coefficients k)
{
    otok_surface s;
    s.d2 = otok_positive(d2);
    s.clamped = s.d2 - d2;
    const float twice = d1 + s.d2; /* 2 d-bar; the halves in W and d-bar cancel */
    const float wet_per = otok_quotient(1.0f, k.l * twice);
    const float all_per = 0.5f * twice > k.dry ? wet_per : 0.0f;
    const float passed = otok_quotient(lost, gained);
    const float per = k.by_depth && gained > lost ? all_per * passed : all_per;
    s.u = x * per + 0.0f; /* + 0 turns -0 into +0: the state holds no -0 */
    s.w = y * per + 0.0f;
    return s;
}

OTOK_FN otok_surface otok_surface_after(float d1, otok_four out, otok_four in, float x, float y,
                                        otok_water_coefficients k)
{
    const float gained = otok_sum_four(in), lost = otok_sum_four(out);
    return otok_surface_of(d1, d1 + k.dt_l2 * (gained - lost), gained, lost, x, y, k);
}

/* The same, exact in the mean (dither.h): without it thin films lose 2e-5 of their rain, because
   every step rounds the same way. A cell that empties or fills rounds to nearest. */
OTOK_FN otok_surface otok_surface_exactly(float d1, otok_four out, otok_four in, float x, float y,
                                          float dither, otok_water_coefficients k)
{
    const float gained = otok_sum_four(in), lost = otok_sum_four(out);
    const float more = k.dt_l2 * (gained - lost), size = fabsf(more);
    const float sum = d1 + fmaf(otok_binade(d1), dither, more);
    const int some = (int)(size > 0.0f) & (int)(size < 0.5f * d1);
    return otok_surface_of(d1, some ? sum : d1 + more, gained, lost, x, y, k);
}

/* The same for one-way pipes. */
OTOK_FN otok_surface otok_water_surface(float d1, otok_four out, otok_four in,
                                        otok_water_coefficients k)
{
    return otok_surface_after(d1, out, in, (in.left - out.left) + (out.right - in.right),
                              (in.bottom - out.bottom) + (out.top - in.top), k);
}

/* Stage 7: d = max(0, d2 (1 - evaporation dt)) (K16 eq. 3.21). If evaporation dt is small, this
   factor is near 1 and has few digits. Then k.part is not 0, and otok_evaporation_fine computes the
   result. */
OTOK_FN float otok_evaporation(float d2, otok_water_coefficients k)
{
    return otok_positive(d2 * k.keep);
}

OTOK_FN float otok_evaporation_fine(float d2, otok_water_coefficients k, float dither)
{
    return otok_take_exactly(d2, k.part, dither);
}

/* Counts up in a wet iteration and down in a dry one, between 0 and wetness_max. */
OTOK_FN int otok_wetness(int count, float d, otok_water_coefficients k)
{
    const int next = count + 2 * (d > k.dry) - 1;
    return next < 0 ? 0 : next > k.wetness_max ? k.wetness_max : next;
}

#endif
