/* marine.h: diffusion of the sea bed, dh/dt = div(D grad h), in flux form, as Landlab's
   SimpleSubmarineDiffuser. At the depth d

     D = K (1 + tanh(d / tidal_range)) / 2, times exp(-(d - wave_base) / wave_base) below wave_base;

   the tail of tanh reaches up on land. Of the D of two cells their face has the larger. With the
   logistic function, (1 + tanh x) / 2 = 1 / (1 + exp(-2 x)), which is 1 in floats from 2 x = 17. */
#ifndef OTOK_MARINE_H
#define OTOK_MARINE_H

#include "coefficients.h"
#include "dither.h"

/* D dt / l^2 at a depth. */
OTOK_FN float otok_marine_share(float depth, otok_marine_coefficients k)
{
    const float x = depth * k.steepness;
    const float shallow = x > 18.0f ? k.share : k.share / (1.0f + otok_expf(-x));
    const float below = depth * k.per_base - 1.0f;
    return below > 0.0f ? shallow * otok_exp_decay(-below) : shallow;
}

OTOK_FN otok_cross otok_marine_shares(otok_cross h, float sea, otok_marine_coefficients k)
{
    const otok_cross share = {
        otok_marine_share(sea - h.here, k), otok_marine_share(sea - h.left, k),
        otok_marine_share(sea - h.right, k), otok_marine_share(sea - h.bottom, k),
        otok_marine_share(sea - h.top, k)};
    return share;
}

/* The inflow from one neighbour, before limits; 0 from +infinity, which is outside the grid. It is
   the negative of what the neighbour finds, exactly. */
OTOK_FN float otok_marine_flow(float there, float here, float share_there, float share_here)
{
    const float flow = otok_larger(share_here, share_there) * (there - here);
    return there < INFINITY ? flow : 0.0f;
}

OTOK_FN otok_four otok_marine_flows(otok_cross h, otok_cross share)
{
    otok_four in;
    in.left = otok_marine_flow(h.left, h.here, share.left, share.here);
    in.right = otok_marine_flow(h.right, h.here, share.right, share.here);
    in.bottom = otok_marine_flow(h.bottom, h.here, share.bottom, share.here);
    in.top = otok_marine_flow(h.top, h.here, share.top, share.here);
    return in;
}

/* The share of its outflow that a cell with so much loose material can give. */
OTOK_FN float otok_marine_gives(otok_four in, float loose)
{
    const otok_four out = {otok_positive(-in.left), otok_positive(-in.right),
                           otok_positive(-in.bottom), otok_positive(-in.top)};
    return otok_share_of(otok_sum_four(out), loose);
}

/* The inflow from one neighbour, of which its giver has only a share. */
OTOK_FN float otok_marine_from(float flow, float gives_there, float gives_here)
{
    return flow * (flow > 0.0f ? gives_there : gives_here);
}

OTOK_FN float otok_marine_next(float change, otok_four in, otok_cross gives, float dither)
{
    in.left = otok_marine_from(in.left, gives.left, gives.here);
    in.right = otok_marine_from(in.right, gives.right, gives.here);
    in.bottom = otok_marine_from(in.bottom, gives.bottom, gives.here);
    in.top = otok_marine_from(in.top, gives.top, gives.here);
    return otok_ground_add(change, otok_sum_four(in), dither);
}

/* What a cell shows to its faces: its height, its strength, and the share of its outflow that it
   can give. */
typedef struct otok_marine_bed {
    float h, share, gives;
} otok_marine_bed;

/* Goes through a face. */
OTOK_FN float otok_marine_face(otok_marine_bed first, otok_marine_bed second,
                               otok_marine_coefficients k)
{
    (void)k;
    const float flow = otok_marine_flow(first.h, second.h, first.share, second.share);
    return second.h < INFINITY ? otok_marine_from(flow, first.gives, second.gives) : 0.0f;
}

#endif
