/* shallow.h: stage 2 of hydraulic erosion under `law: shallow_water`: the shallow-water equations
   with the advection of momentum, explicit on a staggered grid (Stelling & Duinmeijer 2003; Herbin,
   Latche & Nguyen 2018), and with Manning's friction by the root of pipes.h. The state of a face is
   the speed s of the water through it, from cell a (left, bottom) to cell b (right, top).
   An iteration: rain comes down at rest and shares the speed; gravity pulls; friction; the depth at
   a face is that of the cell upwind, and no cell gives more than it has (pipes.h); the surface;
   then water that enters the cell of a face carries its speed there. Limit of stability: (|u| + |v|
   + sqrt(2 g d)) dt / l <= 1; |u| + sqrt(g d) on a row of cells. */
#ifndef OTOK_SHALLOW_H
#define OTOK_SHALLOW_H

#include "pipes.h"

/* The depth of the water that flows with the speed r: that of the cell upwind above the higher
   ground. 0 at a dry face. */
OTOK_FN float otok_upwind_depth(float r, otok_column a, otok_column b)
{
    const float over_a = a.d1 - otok_positive(b.h - a.h);
    const float over_b = b.d1 - otok_positive(a.h - b.h);
    return otok_positive(r > 0.0f ? over_a : over_b);
}

/* The speed after rain and the pull of gravity: s min(1, (d_a + d_b) / (d1_a + d1_b)) + dt g (eta_a
   - eta_b) / l. `before`: d_a + d_b, the depths before the rain. 0 at a dry face. */
OTOK_FN float otok_speed_pulled(float s, float before, otok_column a, otok_column b,
                                otok_shallow_coefficients k)
{
    const float now = a.d1 + b.d1, share = otok_quotient(before, now);
    const float kept = now > before ? s * share : s;
    const float r = kept + k.pull * ((a.h + a.d1) - (b.h + b.d1));
    return otok_upwind_depth(r, a, b) > 0.0f ? r : 0.0f;
}

/* The speed after friction: the u of r = u (1 + dt g n^2 U / d^(4/3)), with U / u = R / r, and R
   the length of the vector of the pulled speeds: r and the mean of the four across the face. `one`
   and `other` are the sums of the two at each of its cells. With e = d^(2/3) / 2, u is r 2 e / (e +
   sqrt(e^2 + dt g n^2 R)). d = m 2^(3 t - 129), with m in [4, 32), and e is in units of 2^(2 t -
   86), so that no square leaves the range of a float. 0 at a face that is less than 2^-100 m deep.
 */
OTOK_FN float otok_speed_braked(float r, float one, float other, float d,
                                otok_shallow_coefficients k)
{
    const uint32_t u = otok_bits(d), t = (u >> 23) / 3u, digits = u - (3u * t << 23);
    const float m = otok_from_bits(digits + (129u << 23)),
                half = otok_from_bits(digits + (128u << 23));
    const float e = half * otok_cube_root_under_one(m),
                unit = otok_from_bits((213u - 2u * t) << 23);
    const float brake = k.rough * otok_length(r, 0.25f * (one + other)) * unit * unit;
    const float root = otok_root_of_normal(fmaf(e, e, otok_smaller(brake, 0x1p126f)));
    const float part = otok_quotient_of_normal(e + e, e + root);
    return d >= 0x1p-100f ? r * part : 0.0f;
}

/* What flows through a face before the limiter K, and how fast. */
typedef struct otok_stream {
    float speed, flow; /* [m/s], [m^3/s] */
} otok_stream;

/* The arguments are those of otok_speed_braked; a and b hold the depths after rain. */
OTOK_FN otok_stream otok_stream_of(float r, float one, float other, otok_column a, otok_column b,
                                   otok_shallow_coefficients k)
{
    const float d = otok_upwind_depth(r, a, b);
    const float braked = otok_speed_braked(r, one, other, d, k);
    otok_stream s;
    s.speed = k.rough != 0.0f ? braked : r;
    s.flow = k.l * (s.speed * d);
    return s;
}

/* Both after the limiter; `behind` and `ahead` are the K of the two cells. */
OTOK_FN otok_stream otok_stream_limited(otok_stream s, float behind, float ahead)
{
    s.speed = otok_face_limited(s.speed, behind, ahead);
    s.flow = otok_face_limited(s.flow, behind, ahead);
    return s;
}

/* The speed that the next pull will add at a face, 0 where no side is above the higher ground.
   Between walls, whose ground is infinite, 0. */
OTOK_FN float otok_speed_fall(otok_column a, otok_column b, otok_shallow_coefficients k)
{
    const float drop = (a.h + a.d1) - (b.h + b.d1);
    const float fall = k.pull * drop;
    return fabsf(drop) < INFINITY && otok_face_depth(a, b) > 0.0f ? fall : 0.0f;
}

/* A face, and what is around it after the surface has moved. a is the cell behind it, b the one
   ahead; `below` and `above` are along the other axis. */
typedef struct otok_passage {
    float u, before, after, below, above; /* speeds through the faces */
    float through_a, through_b; /* twice the flow through the middles of a and b, along the axis */
    float below_a, below_b, above_a, above_b; /* flows across it, through the faces of a and b */
    float twice;                              /* d_a + d_b: twice the depth of the face's cell */
    otok_column a, b, a_below, b_below, a_above, b_above; /* with the depths of now */
} otok_passage;

/* The new speed of a face, s' = u + dt/l^2 {[sum of in (u_in - u)] + beta [in_b p_b + in_t p_t -
   min(out, d l^2/dt) p]} / d: momentum in conservative form, written with the balance of water of
   the face's cell taken out. K implies dt/l^2 (sum of in) <= d, so that the first bracket makes a
   weighted mean. The second one carries the next pull p across the flow; without it waves across a
   flow along an axis grow. beta = e / (e + g n^2 l), e = d^(4/3), turns it off in thin sheets,
   which friction holds. */
OTOK_FN float otok_speed_carried(otok_passage f, otok_shallow_coefficients k)
{
    const float across_b = f.below_a + f.below_b, across_t = f.above_a + f.above_b;
    const float in_l = otok_positive(f.through_a), in_r = otok_positive(-f.through_b);
    const float in_b = otok_positive(across_b), in_t = otok_positive(-across_t);
    const float out = otok_positive(-across_b) + otok_positive(across_t);
    const float along = in_l * (f.before - f.u) + in_r * (f.after - f.u);
    const float across = in_b * (f.below - f.u) + in_t * (f.above - f.u);
    const float pulled = in_b * otok_speed_fall(f.a_below, f.b_below, k) +
                         in_t * otok_speed_fall(f.a_above, f.b_above, k);
    const float left = otok_smaller(out, f.twice * k.l2_dt) * otok_speed_fall(f.a, f.b, k);
    const float d = otok_face_depth(f.a, f.b), e = d * otok_cbrtf(d);
    const float part = otok_quotient(e, e + k.bed), beta = e > 0.0f ? part : 0.0f;
    const float change = k.dt_l2 * ((along + across) + beta * (pulled - left));
    const float size = otok_quotient(fabsf(change), f.twice);
    const float s = f.u + (change < 0.0f ? -size : size);
    const float open = f.twice > 0.0f ? s + 0.0f : f.u;
    return fabsf(f.a.h - f.b.h) < INFINITY ? open : 0.0f; /* a wall */
}

#endif
