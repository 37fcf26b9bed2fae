/* thermal.h: thermal erosion: debris slides off slopes steeper than the talus (K17 eq. 20-22, M13
   section 4.5, after Jako & Toth 2011). It uses the Moore neighbourhood; a neighbour at +infinity
   does not exist. */
#ifndef OTOK_THERMAL_H
#define OTOK_THERMAL_H

#include "coefficients.h"
#include "common.h"

typedef struct otok_slide {
    otok_eight pipe; /* debris to each neighbour [m] */
    float change;    /* change of the ground after giving, before receiving [m] */
} otok_slide;

OTOK_FN float otok_slide_share(float drop, float talus)
{
    return drop > talus ? drop : 0.0f;
}

OTOK_FN float otok_slide_excess(float drop, float talus)
{
    return otok_positive(drop - talus);
}

/* The weights by which a cell shares what it gives among its neighbours. */
OTOK_FN otok_eight otok_slide_parts(otok_eight drop, otok_thermal_coefficients k)
{
    otok_eight part;
    if (k.excess) {
        part.left = otok_slide_excess(drop.left, k.talus);
        part.right = otok_slide_excess(drop.right, k.talus);
        part.bottom = otok_slide_excess(drop.bottom, k.talus);
        part.top = otok_slide_excess(drop.top, k.talus);
        part.bottom_left = otok_slide_excess(drop.bottom_left, k.talus_diagonal);
        part.bottom_right = otok_slide_excess(drop.bottom_right, k.talus_diagonal);
        part.top_left = otok_slide_excess(drop.top_left, k.talus_diagonal);
        part.top_right = otok_slide_excess(drop.top_right, k.talus_diagonal);
    } else {
        part.left = otok_slide_share(drop.left, k.talus);
        part.right = otok_slide_share(drop.right, k.talus);
        part.bottom = otok_slide_share(drop.bottom, k.talus);
        part.top = otok_slide_share(drop.top, k.talus);
        part.bottom_left = otok_slide_share(drop.bottom_left, k.talus_diagonal);
        part.bottom_right = otok_slide_share(drop.bottom_right, k.talus_diagonal);
        part.top_left = otok_slide_share(drop.top_left, k.talus_diagonal);
        part.top_right = otok_slide_share(drop.top_right, k.talus_diagonal);
    }
    return part;
}

typedef struct otok_giving {
    float change, scale; /* after giving; what a weight of 1 gives */
} otok_giving;

/* What a cell gives. share: dt rate H/2, with H the drop to the lowest neighbour, receiver or not.
   excess: dt rate times the sum of the weights. `parts` is that sum; `deepest` = H counts only if
   it is positive. */
OTOK_FN otok_giving otok_slide_giving(float parts, float deepest, float change,
                                      otok_thermal_coefficients k)
{
    const float wanted = parts > 0.0f ? k.amount * (k.excess ? parts : deepest) : 0.0f;
    otok_giving out;
    out.change = change - wanted;
    const float per_part = otok_quotient(change - out.change, parts);
    out.scale = parts > 0.0f ? per_part : 0.0f; /* shares what was really taken */
    return out;
}

OTOK_FN otok_eight otok_slide_pipes(otok_eight part, float scale)
{
    otok_eight pipe;
    pipe.left = part.left * scale;
    pipe.right = part.right * scale;
    pipe.bottom = part.bottom * scale;
    pipe.top = part.top * scale;
    pipe.bottom_left = part.bottom_left * scale;
    pipe.bottom_right = part.bottom_right * scale;
    pipe.top_left = part.top_left * scale;
    pipe.top_right = part.top_right * scale;
    return pipe;
}

OTOK_FN otok_eight otok_slide_drops(otok_moore h)
{
    otok_eight drop;
    drop.left = h.here - h.left;
    drop.right = h.here - h.right;
    drop.bottom = h.here - h.bottom;
    drop.top = h.here - h.top;
    drop.bottom_left = h.here - h.bottom_left;
    drop.bottom_right = h.here - h.bottom_right;
    drop.top_left = h.here - h.top_left;
    drop.top_right = h.here - h.top_right;
    return drop;
}

/* The drop to the lowest of four neighbours. */
OTOK_FN float otok_deepest_axis(otok_eight drop)
{
    return otok_larger_number(otok_larger_number(drop.left, drop.right),
                              otok_larger_number(drop.bottom, drop.top));
}

OTOK_FN float otok_deepest_diagonal(otok_eight drop)
{
    return otok_larger_number(otok_larger_number(drop.bottom_left, drop.top_right),
                              otok_larger_number(drop.bottom_right, drop.top_left));
}

OTOK_FN otok_slide otok_thermal_outflow(otok_moore h, float change, otok_thermal_coefficients k)
{
    const otok_eight drop = otok_slide_drops(h), part = otok_slide_parts(drop, k);
    const float deepest = otok_larger_number(otok_deepest_axis(drop), otok_deepest_diagonal(drop));
    const otok_giving given = otok_slide_giving(otok_sum_eight(part), deepest, change, k);
    otok_slide out;
    out.change = given.change;
    out.pipe = otok_slide_pipes(part, given.scale);
    return out;
}

/* Adds what the neighbours send; in.left comes from the left neighbour, and so on. The rounding of
   this sum is booked: where a cell sends less than half an ulp of the receiving ground, iteration
   after iteration, nothing arrives. */
OTOK_FN float otok_thermal_collect(float change, otok_eight in)
{
    return change + otok_sum_eight(in);
}

/* The same; `across` is the sum of what left and right send. */
OTOK_FN float otok_thermal_collect_six(float change, float across, otok_eight in)
{
    return change + otok_sum_six(across, in);
}

#endif
