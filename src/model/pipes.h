/* pipes.h: stage 2 of hydraulic erosion with one signed pipe a face (O'Brien & Hodgins 1995) in
   place of the two one-way pipes of water.h. Signed pipes may be as deep as the water and have
   Manning's friction. With both they are the local inertia of Bates et al. 2010: the shallow-water
   equations without the advection of momentum. Their waves run at sqrt(g d).
   Limits of stability: dt <= l / sqrt(2 g d) for pipes as deep as the water; S = dt^2 A g / l^3 <=
   1/2 for pipes of constant area.
   Friction acts along the vector of the flows at a face, as they are after the pull of gravity. Its
   root is closed, so that friction limits no step, and water runs down the fall line of a slope at
   Manning's speed, however the slope lies on the grid. With `friction: axis` it goes with the old
   flow of the pipe alone (Bates et al. 2010), and dt^2 g S / l <= 0.6 on a slope S. Water then runs
   11 % too fast, and along an axis at 27 degrees from it, where the fall is 15 degrees from an
   axis.
   theta mixes the flow of a pipe with the pipes before and behind it, before the pull (de Almeida
   et al. 2012). This damps oscillations from face to face and lowers the limit on dt^2 to theta of
   it. The friction of `axis` goes with the unmixed flow. */
#ifndef OTOK_PIPES_H
#define OTOK_PIPES_H

#include "coefficients.h"
#include "common.h"
#include "critical.h"
#include "math.h"
#include "water.h"

/* The ground, and the depth of water on it before the flow [m]. */
typedef struct otok_column {
    float h, d1;
} otok_column;

/* The cells a and b of a face. */
typedef struct otok_two_columns {
    otok_column a, b;
} otok_two_columns;

/* The same of a face over an open side, beyond which the ground goes on falling. side: -1 at the
   start of a line, 1 at its end; inside: the ground of the next cell inside. */
OTOK_FN otok_two_columns otok_columns_beyond(otok_two_columns c, int side, float inside)
{
    if (side < 0)
        c.a.h = otok_ground_beyond(c.b.h, inside);
    else
        c.b.h = otok_ground_beyond(c.a.h, inside);
    return c;
}

/* max(eta_a, eta_b) - max(h_a, h_b), at least 0. Only differences of heights are used, so that a
   thin film on high ground keeps its digits. */
OTOK_FN float otok_face_depth(otok_column a, otok_column b)
{
    const float up = b.h - a.h;
    const float over_a = a.d1 - otok_positive(up), over_b = b.d1 - otok_positive(-up);
    return otok_at_least(otok_positive(over_a), over_b);
}

/* The flow of the pipe from a to b after the pull, before friction and the limiter: f + dt A g
   (eta_a
   - eta_b) / l, with A = l d under `area: depth`. f < 0 flows from b to a. 0 at a dry face, if its
   depth matters. */
OTOK_FN float otok_pipe_pulled(float f, otok_column a, otok_column b, otok_pipe_coefficients k)
{
    const float drop = (a.h + a.d1) - (b.h + b.d1);
    const float d = otok_face_depth(a, b);
    const float flow = f + k.pipe * (k.by_depth ? d * drop : drop);
    const float wet = d > 0.0f ? flow : 0.0f;
    return k.by_depth || k.friction != 0.0f ? wet : flow;
}

/* The pulled flow r over 1 + dt g n^2 (q/l) / d^(7/3), with q the size of the old flow, and d the
   depth of the face. The code has only one division. 0 at a dry face. */
OTOK_FN float otok_pipe_eased(float r, float q, float d, otok_pipe_coefficients k)
{
    const float ease = d * d * otok_cbrtf(d);
    const float eased = r * otok_quotient(ease, ease + k.friction * q);
    return ease > 0.0f ? eased : 0.0f;
}

/* m^(-1/3) for m in [4, 32], to 2 ulp: a guess from the bits of m, and (1 - e)^(-1/3). */
OTOK_FN float otok_cube_root_under_one(float m)
{
    const float guess = otok_from_bits(0x54a1fd3bu - otok_third(otok_bits(m)));
    const float e = fmaf(-m * guess * guess, guess, 1.0f); /* |e| < 0.103 */
    float p = fmaf(e, 0.12591756f, 0.14550537f);
    p = fmaf(p, e, 0.17283792f);
    p = fmaf(p, e, 0.22221834f);
    p = fmaf(p, e, 0.33333333f);
    return fmaf(guess * e, p, guess);
}

/* The flow after friction under `friction: vector`: the q of r = q (1 + dt g n^2 (Q/l) / d^(7/3)),
   with Q / q = R / r, and R the length of the vector of the pulled flows. With e = d^(5/3) / 2, it
   is r 2 e / (e + sqrt(e^2 + (dt g n^2 / l) R d)), never longer than r. The parts of R are r and
   the mean of the four pipes across: faces of the two cells beside this face. `one` and `other` are
   twice the flows through these cells, across the pipe. d = m 2^(3 t - 129), with m in [4, 32), and
   e is in units of 2^(5 t - 215), so that no square leaves the range of a float. 0 at a face that
   is less than 2^-52 m deep. */
OTOK_FN float otok_pipe_braked(float r, float one, float other, float d, otok_pipe_coefficients k)
{
    const uint32_t u = otok_bits(d), t = otok_third(u) >> 23, cubes = t * (3u << 23);
    const float m = otok_from_bits(u - cubes + (129u << 23));
    const float twice = m * (m * otok_cube_root_under_one(m)), e = 0.5f * twice;
    const float rough = k.friction * otok_length_of_some(r, 0.25f * (one + other));
    const float brake = rough * otok_from_bits((277u << 23) - cubes) * m *
                        otok_from_bits((278u << 23) - (t << 25)); /* R d; NaN where R is 0 */
    const float root = otok_root_of_normal(fmaf(e, e, otok_smaller_number(brake, 0x1p126f)));
    const float part = otok_quotient_of_normal(twice, e + root);
    return d >= 0x1p-100f ? r * part : 0.0f;
}

/* The flow before the limiter under `friction: axis`, and without friction. */
OTOK_FN float otok_pipe_rough(float f, otok_column a, otok_column b, otok_pipe_coefficients k)
{
    return otok_pipe_eased(otok_pipe_pulled(f, a, b, k), fabsf(f), otok_face_depth(a, b), k);
}

OTOK_FN float otok_pipe_smooth(float f, otok_column a, otok_column b, otok_pipe_coefficients k)
{
    return otok_pipe_pulled(f, a, b, k);
}

OTOK_FN float otok_pipe(float f, otok_column a, otok_column b, otok_pipe_coefficients k)
{
    return k.friction == 0.0f ? otok_pipe_smooth(f, a, b, k) : otok_pipe_rough(f, a, b, k);
}

/* The coefficients at a face d deep under `damping: courant`: theta = 1 - (dt/l) min(|u|, sqrt(g
   d)), with u = f / (l d), and at least 1/2 (Sridharan et al. 2020). What a second mixes then does
   not depend on dt. */
OTOK_FN otok_pipe_coefficients otok_pipe_courant(float f, float d, otok_pipe_coefficients k)
{
    const float flow = k.lean_flow * otok_quotient(fabsf(f), d),
                wave = otok_root(k.lean_wave * d); /* a root of a number without a unit */
    const float lean = otok_smaller(otok_smaller(flow, wave), k.lean);
    k.lean = d > 0.0f ? lean : 0.0f;
    return k;
}

/* theta f + (1 - theta) (f_before + f_after) / 2. It is exactly f if all three are equal or theta =
   1. */
OTOK_FN float otok_pipe_leant(float before, float f, float after, otok_pipe_coefficients k)
{
    return f + k.lean * ((before - f) + (after - f));
}

/* The flow after theta and the pull; `before` and `after`: old flows of the pipes beside. */
OTOK_FN float otok_pipe_moved(float before, float f, float after, otok_column a, otok_column b,
                              otok_pipe_coefficients k)
{
    if (k.lean_wave != 0.0f) k = otok_pipe_courant(f, otok_face_depth(a, b), k);
    return otok_pipe_pulled(otok_pipe_leant(before, f, after, k), a, b, k);
}

/* The pulled flow r of a signed pipe after friction of any kind. f: the old flow; the
   other arguments are those of otok_pipe_braked. */
OTOK_FN float otok_pipe_slowed(float r, float f, float one, float other, float d,
                               otok_pipe_coefficients k)
{
    const float slowed =
        k.vector ? otok_pipe_braked(r, one, other, d, k) : otok_pipe_eased(r, fabsf(f), d, k);
    return k.friction == 0.0f ? r : slowed;
}

/* The speed of a flow at a face d deep; 0 where dry. normal: as in otok_quotient_if. */
OTOK_FN float otok_pipe_speed_if(int normal, float f, float d, otok_pipe_coefficients k)
{
    const float speed = otok_quotient_if(normal, fabsf(f), k.l * d),
                size = k.l * d > 0.0f ? speed : 0.0f;
    return f < 0.0f ? 0.0f - size : size;
}

OTOK_FN float otok_pipe_speed(float f, float d, otok_pipe_coefficients k)
{
    return otok_pipe_speed_if(0, f, d, k);
}

/* otok_is_rapid of a flow. */
OTOK_FN int otok_pipe_is_rapid(float f, float d, otok_pipe_coefficients k)
{
    const float wide = k.l * d;
    return f * f > k.critical.critical2 * d * (wide * wide);
}

/* A flow within the bound of critical.h. Besides, water that speeds up counts by u / 1.5 u', for
   gaps in flat ground, but not over an open side. come: u', the speed of the old flow behind.
   `normal`, a constant: as in otok_speed_held, and `come` is within 2^-30 and 2^90, or not
   positive. */
OTOK_FN float otok_pipe_held(float f, float d, float come, otok_drop drop, int open,
                             otok_pipe_coefficients k, int normal)
{
    const float u = otok_pipe_speed_if(normal, f, d, k);
    const float narrow = otok_smaller(d * otok_quotient_if(normal, fabsf(u), 1.5f * come), d);
    drop.part = otok_larger(drop.part, come > 0.0f ? narrow : open ? 0.0f : d);
    const float held = otok_speed_held(u, d, come, drop, k.critical, normal);
    const float slower = held != u ? k.l * (held * d) : f;
    return otok_pipe_is_rapid(f, d, k) ? slower : f;
}

/* `before`, `after`: speeds of the old flows behind and ahead. */
OTOK_FN float otok_pipe_bounded(float f, float d, float before, float after, otok_bed bed,
                                otok_pipe_coefficients k)
{
    const float come = otok_positive(f > 0.0f ? before : 0.0f - after);
    return otok_pipe_held(f, d, come, otok_bed_drop(bed, otok_pipe_speed(f, d, k), d, 1), bed.open,
                          k, 0);
}

/* K = min(1, d1 l^2 / (dt sum out)): a cell gives no more than it has. */
OTOK_FN float otok_pipe_limit(float d1, otok_four out, otok_pipe_coefficients k)
{
    const float wanted = otok_sum_four(out);
    const float there = d1 * k.l2_dt;
    const float part = otok_quotient(there, wanted);
    return wanted > there ? part : 1.0f;
}

/* ---- otok_four holds the flow through each face of a cell, positive to the right and to the top.
   ---- */

OTOK_FN otok_four otok_faces_out(otok_four face)
{
    otok_four out;
    out.left = otok_positive(-face.left);
    out.right = otok_positive(face.right);
    out.bottom = otok_positive(-face.bottom);
    out.top = otok_positive(face.top);
    return out;
}

OTOK_FN otok_four otok_faces_in(otok_four face)
{
    otok_four in;
    in.left = otok_positive(face.left);
    in.right = otok_positive(-face.right);
    in.bottom = otok_positive(face.bottom);
    in.top = otok_positive(-face.top);
    return in;
}

/* otok_water_surface from the flow through the faces: in.left - out.left is face.left. */
OTOK_FN otok_surface otok_face_surface(float d1, otok_four face, otok_water_coefficients k)
{
    return otok_surface_after(d1, otok_faces_out(face), otok_faces_in(face), face.left + face.right,
                              face.bottom + face.top, k);
}

/* The surface of an iteration whose dither has this phase. */
OTOK_FN otok_surface otok_face_surface_now(float d1, otok_four face, uint32_t phase,
                                           otok_water_coefficients k)
{
    const float dither = otok_dither(phase + OTOK_DITHER_QUARTER);
    if (!k.exact) return otok_face_surface(d1, face, k);
    return otok_surface_exactly(d1, otok_faces_out(face), otok_faces_in(face),
                                face.left + face.right, face.bottom + face.top, dither, k);
}

/* The flow of a pipe times the K of the cell that gives: `behind` for f > 0, else `ahead`. K is 0
   beyond an open side, so that nothing flows in. */
OTOK_FN float otok_face_limited(float f, float behind, float ahead)
{
    return f * (f > 0.0f ? behind : ahead) + 0.0f; /* + 0 turns -0 into +0: the state holds no -0 */
}

OTOK_FN otok_four otok_faces_limited(otok_four face, otok_cross limit)
{
    face.left = otok_face_limited(face.left, limit.left, limit.here);
    face.right = otok_face_limited(face.right, limit.here, limit.right);
    face.bottom = otok_face_limited(face.bottom, limit.bottom, limit.here);
    face.top = otok_face_limited(face.top, limit.here, limit.top);
    return face;
}

#endif
