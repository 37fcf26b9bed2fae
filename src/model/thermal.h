/* thermal.h: thermal erosion, debris sliding off slopes steeper than the talus (K17 eq. 20-22, M13 section 4.5, after Jako & Toth
   2011). Moore neighbourhood; neighbours at +infinity do not exist. */
#ifndef OTOK_THERMAL_H
#define OTOK_THERMAL_H

#include "coefficients.h"
#include "common.h"

typedef struct otok_slide {
    otok_eight pipe; /* debris to each neighbour [m]                          */
    float change;    /* the ground's change after giving, before receiving [m] */
} otok_slide;

OTOK_FN float otok_slide_share(float drop, float talus)
{
    return drop > talus ? drop : 0.0f;
}

OTOK_FN float otok_slide_excess(float drop, float talus)
{
    return otok_positive(drop - talus);
}

OTOK_FN otok_slide otok_thermal_outflow(otok_moore h, float change, otok_thermal_coefficients k)
{
    otok_slide out;
    otok_eight drop;
    drop.left = h.here - h.left;
    drop.right = h.here - h.right;
    drop.bottom = h.here - h.bottom;
    drop.top = h.here - h.top;
    drop.bottom_left = h.here - h.bottom_left;
    drop.bottom_right = h.here - h.bottom_right;
    drop.top_left = h.here - h.top_left;
    drop.top_right = h.here - h.top_right;
    otok_eight part; /* in proportion to what each receiver gets */
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
    const float parts = otok_sum_eight(part);
    /* share: dt rate H/2, H the drop to the lowest neighbour, receiver or not; excess: dt rate times the sum of the parts */
    const float axes = otok_larger_number(otok_larger_number(drop.left, drop.right), otok_larger_number(drop.bottom, drop.top));
    const float diagonals = otok_larger_number(otok_larger_number(drop.bottom_left, drop.top_right),
                                               otok_larger_number(drop.bottom_right, drop.top_left));
    const float deepest = otok_larger_number(axes, diagonals);
    const float wanted = parts > 0.0f ? k.amount * (k.excess ? parts : deepest) : 0.0f;
    out.change = change - wanted;
    const float per_part = otok_quotient(change - out.change, parts);
    const float scale = parts > 0.0f ? per_part : 0.0f; /* what was really taken, shared */
    out.pipe.left = part.left * scale;
    out.pipe.right = part.right * scale;
    out.pipe.bottom = part.bottom * scale;
    out.pipe.top = part.top * scale;
    out.pipe.bottom_left = part.bottom_left * scale;
    out.pipe.bottom_right = part.bottom_right * scale;
    out.pipe.top_left = part.top_left * scale;
    out.pipe.top_right = part.top_right * scale;
    return out;
}

/* in.left: what the left neighbour sends here, and so on. */
OTOK_FN float otok_thermal_collect(float change, otok_eight in)
{
    return change + otok_sum_eight(in);
}

/* The same with what left and right send already added up. */
OTOK_FN float otok_thermal_collect_six(float change, float across, otok_eight in)
{
    return change + otok_sum_six(across, in);
}

#endif
