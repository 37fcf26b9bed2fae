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

/* The flow of a pipe as a speed, at the depth of its face and at most l/dt, 0 where dry; and that
   speed as a flow. */
OTOK_FN float otok_speed_of_flow(float f, otok_column a, otok_column b, otok_shallow_coefficients k)
{
    const float d = otok_face_depth(a, b);
    const float speed = otok_smaller(otok_quotient(fabsf(f), k.l * d), k.most);
    const float size = k.l * d > 0.0f ? speed : 0.0f;
    return f < 0.0f ? 0.0f - size : size;
}

OTOK_FN float otok_flow_of_speed(float s, otok_column a, otok_column b, otok_shallow_coefficients k)
{
    return k.l * (s * otok_face_depth(a, b)) + 0.0f;
}

/* The depth of the water that flows with the speed r: that of the cell upwind above the higher
   ground. 0 at a dry face. */
OTOK_FN float otok_upwind_depth(float r, otok_column a, otok_column b)
{
    const float up = b.h - a.h;
    const float over_a = a.d1 - otok_positive(up), over_b = b.d1 - otok_positive(-up);
    return otok_positive(r > 0.0f ? over_a : over_b);
}

/* A face after rain and the pull of gravity: the speed r = s min(1, (d_a + d_b) / (d1_a + d1_b)) +
   dt g (eta_a - eta_b) / l, and the depth of its flow. `before`: d_a + d_b, the depths before the
   rain. Both are 0 at a dry face. */
typedef struct otok_pull {
    float speed, depth;
} otok_pull;

OTOK_FN otok_pull otok_speed_pulled(float s, float before, otok_column a, otok_column b,
                                    otok_shallow_coefficients k)
{
    const float now = a.d1 + b.d1, share = otok_quotient(before, now);
    const float kept = now > before ? s * share : s;
    const float r = kept + k.pull * ((a.h + a.d1) - (b.h + b.d1));
    const float depth = otok_upwind_depth(r, a, b);
    const otok_pull pulled = {depth > 0.0f ? r : 0.0f, depth};
    return pulled;
}

/* The sum of two speeds across a face of depth d. Water that is thinner than d counts by its share
   of d: a film that falls over a cliff does not hold the river below. `per`: 1 / d. */
OTOK_FN float otok_speeds_across(otok_pull one, otok_pull other, float d, float per)
{
    return one.speed * (otok_smaller_number(one.depth, d) * per) +
           other.speed * (otok_smaller_number(other.depth, d) * per);
}

/* The speed after friction: the u of r = u (1 + dt g n^2 U / d^(4/3)), with U / u = R / r, and R
   the length of the vector of the pulled speeds: r and the mean of the four across the face, whose
   sum is `across`. With e = d^(2/3) / 2, u is r 2 e / (e + sqrt(e^2 + dt g n^2 R)). d = m 2^(3 t -
   129), with m in [4, 32), and e is in units of 2^(2 t - 86), so that no square leaves the range of
   a float. 0 at a face that is less than 2^-100 m deep. */
OTOK_FN float otok_speed_braked(otok_pull face, float across, otok_shallow_coefficients k)
{
    const float r = face.speed, d = face.depth;
    const uint32_t u = otok_bits(d), t = otok_third(u) >> 23;
    const float m = otok_from_bits(u - t * (3u << 23) + (129u << 23));
    const float twice = m * otok_cube_root_under_one(m), e = 0.5f * twice,
                unit = otok_from_bits((213u << 23) - (t << 24));
    const float brake =
        k.rough * otok_length_of_some(r, 0.25f * across) * unit * unit; /* NaN where R is 0 */
    const float root = otok_root_of_normal(fmaf(e, e, otok_smaller_number(brake, 0x1p126f)));
    const float part = otok_quotient_of_normal(twice, e + root);
    return d >= 0x1p-100f ? r * part : 0.0f;
}

/* What flows through a face before the limiter K, and how fast. */
typedef struct otok_stream {
    float speed, flow; /* [m/s], [m^3/s] */
} otok_stream;

/* one_a, two_a: the faces across at cell a; one_b, two_b: those at cell b. */
OTOK_FN otok_stream otok_stream_of(otok_pull face, otok_pull one_a, otok_pull two_a,
                                   otok_pull one_b, otok_pull two_b, otok_shallow_coefficients k)
{
    const float d = face.depth, per = otok_quotient_of_normal(1.0f, otok_larger(d, 0x1p-100f));
    const float braked = otok_speed_braked(
        face, otok_speeds_across(one_a, two_a, d, per) + otok_speeds_across(one_b, two_b, d, per),
        k);
    otok_stream s;
    s.speed = k.rough != 0.0f ? braked : face.speed;
    s.flow = k.l * (s.speed * d);
    return s;
}

/* Both after the limiter, as otok_face_limited has it; `behind` and `ahead` are the K of the two
   cells. The flow has the sign of the speed, or is 0. */
OTOK_FN otok_stream otok_stream_limited(otok_stream s, float behind, float ahead)
{
    const float limit = s.speed > 0.0f ? behind : ahead;
    s.speed = s.speed * limit + 0.0f;
    s.flow = s.flow * limit + 0.0f;
    return s;
}

/* The speed that the next pull will add at a face, 0 where no side is above the higher ground, that
   is, where otok_face_depth is 0. Between walls, whose ground is infinite, 0. */
OTOK_FN float otok_speed_fall(otok_column a, otok_column b, otok_shallow_coefficients k)
{
    const float drop = (a.h + a.d1) - (b.h + b.d1), up = b.h - a.h;
    const int wet = (int)(a.d1 > otok_positive(up)) | (int)(b.d1 > otok_positive(-up)),
              finite = fabsf(drop) < INFINITY;
    return wet & finite ? k.pull * drop : 0.0f;
}

/* The speed of a cell along an axis: the mean of its faces. d1, d2: its depths before and after the
   flow. */
OTOK_FN float otok_speed_of_cell(float before, float after, float d1, float d2,
                                 otok_shallow_coefficients k)
{
    const float mean = 0.5f * (before + after);
    return 0.5f * (d1 + d2) > k.dry ? mean + 0.0f : 0.0f;
}

/* A face, and what is around it after the surface has moved. a is the cell behind it, b the one
   ahead; `below` and `above` are along the other axis. */
typedef struct otok_passage {
    float u, before, after, below, above; /* speeds through the faces */
    float through_a, through_b; /* twice the flow through the middles of a and b, along the axis */
    float below_a, below_b, above_a, above_b; /* flows across it, through the faces of a and b */
    float depth, twice; /* of the face; d_a + d_b: twice the depth of the face's cell */
    float fall, fall_below, fall_above; /* otok_speed_fall of the face, and of those across */
} otok_passage;

/* What enters the cell of a face and leaves it [m^3/s], twice: from behind and ahead, and across
   the flow. */
typedef struct otok_entering {
    float l, r, b, t, out;
} otok_entering;

OTOK_FN otok_entering otok_entering_of(otok_passage f)
{
    const float across_b = f.below_a + f.below_b, across_t = f.above_a + f.above_b;
    otok_entering in;
    in.l = otok_positive(f.through_a), in.r = otok_positive(-f.through_b);
    in.b = otok_positive(across_b), in.t = otok_positive(-across_t);
    in.out = otok_positive(-across_b) + otok_positive(across_t);
    return in;
}

/* The new speed of a face, s' = u + dt/l^2 {[sum of in (u_in - u)] + beta [in_b p_b + in_t p_t -
   min(out, d l^2/dt) p]} / d: momentum in conservative form, written with the balance of water of
   the face's cell taken out. K implies dt/l^2 (sum of in) <= d, so that the first bracket,
   `brought`, makes a weighted mean. The second one carries the next pull p across the flow; without
   it waves across a flow along an axis grow. beta = e / (e + g n^2 l), e = d^(4/3), turns it off in
   thin sheets, which friction holds. */
OTOK_FN float otok_speed_after(otok_passage f, otok_entering in, float brought,
                               otok_shallow_coefficients k)
{
    const float pulled = in.b * f.fall_below + in.t * f.fall_above;
    const float left = otok_smaller_number(in.out, f.twice * k.l2_dt) * f.fall;
    const float e = f.depth * otok_cbrt_of_normal(f.depth); /* 0 below 2^-113 m */
    const float part = otok_quotient(e, e + k.bed), beta = e > 0.0f ? part : 0.0f;
    const float change = k.dt_l2 * (brought + beta * (pulled - left));
    const float size = otok_quotient(fabsf(change), f.twice);
    const float s = f.u + (change < 0.0f ? -size : size);
    return f.twice > 0.0f ? s + 0.0f : f.u;
}

OTOK_FN float otok_speed_carried(otok_passage f, otok_shallow_coefficients k)
{
    const otok_entering in = otok_entering_of(f);
    const float along = in.l * (f.before - f.u) + in.r * (f.after - f.u);
    const float across = in.b * (f.below - f.u) + in.t * (f.above - f.u);
    return otok_speed_after(f, in, along + across, k);
}

#endif
