/* shallow_steps.h: law shallow_water with `bed_steps: critical`: what critical.h says of its faces,
   and what water carries over steps and round corners. */
#ifndef OTOK_SHALLOW_STEPS_H
#define OTOK_SHALLOW_STEPS_H

#include "critical.h"
#include "shallow.h"

/* A stream w deep within the bound of critical.h. `before`, `after`: pulled speeds at the faces
   behind and ahead; normal: as in otok_speed_held. */
OTOK_FN otok_stream otok_stream_held(otok_stream s, float w, float before, float after,
                                     otok_drop drop, otok_shallow_coefficients k, int normal)
{
    const float u = s.speed, come = otok_positive(u > 0.0f ? before : 0.0f - after);
    const float held = otok_speed_held(u, w, come, drop, k.critical, normal);
    s.speed = otok_is_rapid(u, w, k.critical) ? held : u;
    s.flow = k.l * (s.speed * w);
    return s;
}

OTOK_FN otok_stream otok_stream_bounded(otok_stream s, float w, float before, float after,
                                        otok_bed bed, otok_shallow_coefficients k)
{
    return otok_stream_held(s, w, before, after, otok_bed_drop(bed, s.speed, w, 0), k, 0);
}

/* The share of what enters a cell that leaves it again, at most 1. `face`: flows through its faces.
 */
OTOK_FN float otok_share_passed(otok_four face)
{
    const float in_x = otok_positive(face.left) + otok_positive(-face.right),
                in_y = otok_positive(face.bottom) + otok_positive(-face.top),
                out_x = otok_positive(-face.left) + otok_positive(face.right),
                out_y = otok_positive(-face.bottom) + otok_positive(face.top);
    const float gained = in_x + in_y, lost = out_x + out_y, share = otok_quotient(lost, gained);
    return gained > lost ? share : 1.0f;
}

/* The speed of a cell along an axis: the flow through its faces over its depth. In a cell that
   fills, at most the larger speed at its faces, or the `passed` share of that speed: a front would
   be several times as fast as it is. `flow`: the sum of both; d1, d2: depths before and after the
   flow. */
OTOK_FN float otok_speed_by_flow(float flow, float before, float after, float passed, float d1,
                                 float d2, otok_shallow_coefficients k)
{
    const float twice = d1 + d2, most = otok_larger(fabsf(before), fabsf(after));
    const float mean = otok_quotient(fabsf(flow), k.l * twice);
    const float speed = otok_smaller(mean, otok_larger(most, mean * passed));
    const float wet = 0.5f * twice > k.dry ? speed : 0.0f;
    return flow < 0.0f ? 0.0f - wet : wet;
}

/* What else is around a face: its depth upwind, the otok_bed_drop there, and the speeds through the
   faces behind those below and above it, as u flows. */
typedef struct otok_corner {
    float upwind, part, below_behind, above_behind;
} otok_corner;

/* What comes from behind where the flow speeds up over a step, u > from >= 0: it keeps the energy
   head, not the momentum (Stelling & Duinmeijer 2003), by the weight (u + from) dt / 2l. */
OTOK_FN float otok_in_contracting(float in, float u, float from, otok_passage f, otok_corner c,
                                  otok_shallow_coefficients k)
{
    const float head = (u + from) * (0.5f * k.l) * f.twice;
    const float part = c.upwind > 0.0f ? otok_quotient(c.part, c.upwind) : 1.0f;
    const float more = otok_smaller(in + part * otok_positive(head - in), f.twice * k.l2_dt);
    return ((in > 0.0f) & (u > from) & (from >= 0.0f) & (c.part > 0.0f)) ? more : in;
}

/* What enters the cell of a face where the flow contracts: more from behind. */
OTOK_FN otok_entering otok_entering_over_steps(otok_passage f, otok_entering in, otok_corner c,
                                               otok_shallow_coefficients k)
{
    const int on = f.u > 0.0f;
    const float more =
        otok_in_contracting(on ? in.l : in.r, fabsf(f.u), on ? f.before : 0.0f - f.after, f, c, k);
    in.l = on ? more : in.l;
    in.r = on ? in.r : more;
    return in;
}

/* What comes into the cell of a face, and the momentum that it brings, as otok_speed_after has it;
   `all`: the sum of its weights. Beside a face that passes nothing, dry or at a wall, water that
   comes across has the speed of the face behind that one; behind such a face, as much as comes
   across has the speed of the side where more comes in. */
typedef struct otok_brought {
    otok_entering in;
    float mixed, all;
} otok_brought;

OTOK_FN otok_brought otok_brought_over_steps(otok_passage f, otok_corner c,
                                             otok_shallow_coefficients k)
{
    otok_brought b;
    const otok_entering in = otok_entering_over_steps(f, otok_entering_of(f), c, k);
    const float below = f.below != 0.0f ? f.below : c.below_behind,
                above = f.above != 0.0f ? f.above : c.above_behind;
    const float side = in.b > in.t ? below : in.t > in.b ? above : 0.0f;
    const float sides = in.b + in.t;
    const float of_l = f.before != 0.0f ? in.l * (f.before - f.u)
                                        : otok_smaller(in.l, sides) * side - in.l * f.u,
                of_r = f.after != 0.0f ? in.r * (f.after - f.u)
                                       : otok_smaller(in.r, sides) * side - in.r * f.u;
    const float across = in.b * (below - f.u) + in.t * (above - f.u);
    b.in = in;
    b.mixed = (of_l + of_r) + across;
    b.all = k.dt_l2 * ((in.l + in.r) + sides);
    return b;
}

/* By what the weighted mean is divided where the flow contracts: the sum of weights, if that is
   above 1. */
OTOK_FN float otok_share_brought(otok_passage f, otok_brought b)
{
    const float share = otok_quotient(f.twice, b.all);
    return b.all > f.twice ? share : 1.0f;
}

/* The new speed of a face. */
OTOK_FN float otok_speed_carried_over_steps(otok_passage f, otok_corner c,
                                            otok_shallow_coefficients k)
{
    const otok_brought b = otok_brought_over_steps(f, c, k);
    return otok_speed_after(f, b.in, otok_share_brought(f, b) * b.mixed, k);
}

#endif
