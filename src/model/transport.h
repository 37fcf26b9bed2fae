/* transport.h: how water carries and mixes sediment, stages 5 and 6 (M13 section 4.4; K17 eq.
   17-18). */
#ifndef OTOK_TRANSPORT_H
#define OTOK_TRANSPORT_H

#include "coefficients.h"
#include "common.h"

/* Conservative transport: the sediment that a pipe of unit flow carries away, s dt / (d1 l^2). 0 if
   d1 is 0, or so small that the quotient would overflow: such a film does not flow. */
OTOK_FN float otok_load(float s, float d1, otok_transport_coefficients k)
{
    const float load = s * otok_quotient(k.carry, d1);
    return d1 > 1e-30f ? load : 0.0f;
}

OTOK_FN otok_cross otok_load_cross(otok_cross s, otok_cross d1, otok_transport_coefficients k)
{
    otok_cross load;
    load.here = otok_load(s.here, d1.here, k);
    load.left = otok_load(s.left, d1.left, k);
    load.right = otok_load(s.right, d1.right, k);
    load.bottom = otok_load(s.bottom, d1.bottom, k);
    load.top = otok_load(s.top, d1.top, k);
    return load;
}

/* The sediment left after giving load * f along each pipe out, then with what the neighbours
   send. */
OTOK_FN float otok_transport_kept(float s, float load, otok_four out)
{
    return otok_positive(s - load * otok_sum_four(out));
}

OTOK_FN float otok_transport_gained(float kept, otok_four gain)
{
    return kept + otok_sum_four(gain);
}

/* The same; `across` is the sum of what left and right send. */
OTOK_FN float otok_transport_gained_two(float kept, float across, float bottom, float top)
{
    return kept + (across + (bottom + top));
}

/* Both steps. A neighbour sends its load times its pipe towards this cell. */
OTOK_FN float otok_transport(float s, otok_cross load, otok_four out, otok_four in)
{
    otok_four gain;
    gain.left = load.left * in.left;
    gain.right = load.right * in.right;
    gain.bottom = load.bottom * in.bottom;
    gain.top = load.top * in.top;
    return otok_transport_gained(otok_transport_kept(s, load.here, out), gain);
}

/* Semi-Lagrangian transport: s(x - v dt), bilinear between the cell and its upstream neighbours
   (K17 eq. 17). The displacement never exceeds one cell (water.h); the bound here covers its
   rounding. */
OTOK_FN float otok_advection(otok_moore s, float u, float w, otok_transport_coefficients k)
{
    const float p = otok_smaller(fabsf(u) * k.dt_l, 1.0f);
    const float q = otok_smaller(fabsf(w) * k.dt_l, 1.0f);
    const float s10 = u > 0.0f ? s.left : s.right;
    const float s01 = w > 0.0f ? s.bottom : s.top;
    const float s_left = w > 0.0f ? s.bottom_left : s.top_left;
    const float s_right = w > 0.0f ? s.bottom_right : s.top_right;
    const float s11 = u > 0.0f ? s_left : s_right;
    const float a = 1.0f - p, b = 1.0f - q;
    return ((a * b) * s.here + (p * q) * s11) + ((p * b) * s10 + (a * q) * s01);
}

/* One Jacobi sweep: the mean over wet neighbours (K17 eq. 18). A wet cell without wet neighbours
   keeps its value; a dry cell loses it, as published. The flags say which cells are wet. The
   quotient by 1, 2, 3 or 4 is computed as a product with the rounded inverse and a correction: the
   bits are those of the division. */
OTOK_FN float otok_mix_wet(otok_cross s, int here, int left, int right, int bottom, int top)
{
    otok_four wet;
    wet.left = left ? s.left : 0.0f;
    wet.right = right ? s.right : 0.0f;
    wet.bottom = bottom ? s.bottom : 0.0f;
    wet.top = top ? s.top : 0.0f;
    const int n = left + right + bottom + top;
    const float sum = otok_sum_four(wet);
    const float few = n > 1 ? 0.5f : 1.0f, many = n > 3 ? 0.25f : 1.0f / 3.0f,
                per = n > 2 ? many : few;
    const float near = sum * per;
    const float mean_wet = fmaf(fmaf(-(float)n, near, sum), per, near);
    const float mean = n > 0 ? mean_wet : s.here;
    return here ? mean : 0.0f;
}

OTOK_FN float otok_mix_published(otok_cross s, otok_cross d2, otok_transport_coefficients k)
{
    return otok_mix_wet(s, d2.here > k.dry, d2.left > k.dry, d2.right > k.dry, d2.bottom > k.dry,
                        d2.top > k.dry);
}

/* Under conservative transport a dry cell has settled, and keeps the rest that its ground could not
   take. */
OTOK_FN float otok_mix(otok_cross s, otok_cross d2, otok_transport_coefficients k)
{
    const float mixed = otok_mix_published(s, d2, k);
    return k.conservative && d2.here <= k.dry ? s.here : mixed;
}

/* Diffusion between pairs of wet cells in flux form, which conserves: s += D dt/l^2 sum (s_N -
   s). */
OTOK_FN float otok_diffusion(otok_cross s, otok_cross d2, otok_transport_coefficients k)
{
    otok_four gain;
    gain.left = d2.left > k.dry ? s.left - s.here : 0.0f;
    gain.right = d2.right > k.dry ? s.right - s.here : 0.0f;
    gain.bottom = d2.bottom > k.dry ? s.bottom - s.here : 0.0f;
    gain.top = d2.top > k.dry ? s.top - s.here : 0.0f;
    return d2.here > k.dry ? otok_positive(s.here + k.spread * otok_sum_four(gain)) : s.here;
}

#endif
