/* pipes.h: stage 2 of hydraulic erosion where it is not the published one (water.h): pipes as deep as the water, Manning's
   friction, and one signed pipe a face (O'Brien & Hodgins 1995) in place of two one-way ones. Signed pipes of `area: depth` with
   friction are the local inertia of Bates et al. 2010: the shallow-water equations without the advection of momentum; waves run at
   sqrt(g d). Stable for dt <= l / sqrt(2 g d) signed, l / (2 sqrt(g d)) one-way; of constant area for S = dt^2 A g / l^3 <= 1/2 and
   1/4. */
#ifndef OTOK_PIPES_H
#define OTOK_PIPES_H

#include "coefficients.h"
#include "common.h"
#include "math.h"

/* Ground, and the water on it before the flow [m]. */
typedef struct otok_column {
    float h, d1;
} otok_column;

/* max(eta_a, eta_b) - max(h_a, h_b), at least 0, by differences of heights: a high ground costs no digits of a thin film. */
OTOK_FN float otok_face_depth(otok_column a, otok_column b)
{
    const float over_a = a.d1 - otok_positive(b.h - a.h);
    const float over_b = b.d1 - otok_positive(a.h - b.h);
    return otok_positive(otok_larger(over_a, over_b));
}

/* What the pipe from a to b would carry after the step, f < 0: from b to a:
   (f + dt A g (eta_a - eta_b) / l) / (1 + dt g n^2 |f|/l / d^(7/3)), d the depth of the face, A = l d under `area: depth`.
   Regrouped to one division. 0 where the face is dry, if its depth matters. */
OTOK_FN float otok_pipe_rough(float f, otok_column a, otok_column b, otok_pipe_coefficients k)
{
    const float drop = (a.h + a.d1) - (b.h + b.d1);
    const float d = otok_face_depth(a, b);
    const float flow = f + k.pipe * (k.by_depth ? d * drop : drop);
    const float ease = d * d * otok_cbrtf(d);
    const float eased = flow * otok_quotient(ease, ease + k.friction * fabsf(f));
    return ease > 0.0f ? eased : 0.0f;
}

/* The same without friction. */
OTOK_FN float otok_pipe_smooth(float f, otok_column a, otok_column b, otok_pipe_coefficients k)
{
    const float drop = (a.h + a.d1) - (b.h + b.d1);
    const float d = otok_face_depth(a, b);
    const float flow = f + k.pipe * (k.by_depth ? d * drop : drop);
    const int dry = k.by_depth && !(d > 0.0f);
    return dry ? 0.0f : flow;
}

OTOK_FN float otok_pipe(float f, otok_column a, otok_column b, otok_pipe_coefficients k)
{
    return k.friction == 0.0f ? otok_pipe_smooth(f, a, b, k) : otok_pipe_rough(f, a, b, k);
}

/* K = min(1, d1 l^2 / (dt sum out)): a cell gives no more than it has. */
OTOK_FN float otok_pipe_limit(float d1, otok_four out, otok_pipe_coefficients k)
{
    const float wanted = otok_sum_four(out);
    const float there = d1 * k.l2_dt;
    const float part = otok_quotient(there, wanted);
    return wanted > there ? part : 1.0f;
}

/* Stage 2 of one-way pipes, as otok_outflow. */
OTOK_FN otok_four otok_outflow_depth(otok_four f, otok_cross h, otok_cross d1, otok_pipe_coefficients k)
{
    const otok_column here = {h.here, d1.here};
    const otok_column left = {h.left, d1.left}, right = {h.right, d1.right};
    const otok_column bottom = {h.bottom, d1.bottom}, top = {h.top, d1.top};
    f.left = otok_positive(otok_pipe(f.left, here, left, k));
    f.right = otok_positive(otok_pipe(f.right, here, right, k));
    f.bottom = otok_positive(otok_pipe(f.bottom, here, bottom, k));
    f.top = otok_positive(otok_pipe(f.top, here, top, k));
    const float limit = otok_pipe_limit(d1.here, f, k);
    f.left *= limit;
    f.right *= limit;
    f.bottom *= limit;
    f.top *= limit;
    return f;
}

/* ---- signed pipes: otok_four holds the flow through each face of a cell, positive to the right and to the top ---- */

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

/* A pipe's flow times the K of its giver, `behind` it for f > 0. Beyond an open side K is 0: nothing flows in. */
OTOK_FN float otok_face_limited(float f, float behind, float ahead)
{
    return f * (f > 0.0f ? behind : ahead) + 0.0f; /* + 0: no -0 in the state */
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
