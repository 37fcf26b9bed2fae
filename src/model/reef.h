/* reef.h: growth of a coral reef, and the inorganic carbon that it needs (K17 section 2.4, K16
   chapter 4, after Nakamura & Nakamori 2007). The sea level comes from scenario/calendar.c. */
#ifndef OTOK_REEF_H
#define OTOK_REEF_H

#include "coefficients.h"
#include "common.h"
#include "math.h"

typedef struct otok_grown {
    float change, reef, carbon;
} otok_grown;

OTOK_FN int otok_reef_grows(float g, otok_reef_coefficients k)
{
    return g > k.min_depth && g < k.max_depth; /* implies under water, because min_depth > 0 */
}

/* A cell that grows, at depth g. */
OTOK_FN otok_grown otok_reef_grown(float g, float change, float reef, float carbon,
                                   otok_reef_coefficients k)
{
    const float rise =
        otok_smaller((carbon * carbon) * k.calcification * otok_exp_decay(-g * k.absorption) * k.dt,
                     g - k.min_depth);
    otok_grown out;
    out.change = change + rise;
    out.reef = reef + (out.change - change);
    out.carbon = otok_positive(carbon - otok_quotient(k.uptake * rise, g));
    return out;
}

/* With g = sea - h: where min_depth < g < max_depth and g > 0, c = O^2 kB exp(-g kA), at most (g -
   min_depth)/dt. The ground rises by c dt; the reef counter grows by the rise of the ground after
   rounding; O' = max(0, O - kU c dt / g) (K16 eq. 4.2-4.5). */
OTOK_FN otok_grown otok_reef_growth(float h, float change, float reef, float carbon, float sea,
                                    otok_reef_coefficients k)
{
    const float g = sea - h;
    otok_grown out = {change, reef, carbon};
    if (otok_reef_grows(g, k)) out = otok_reef_grown(g, change, reef, carbon, k);
    return out;
}

/* The time of the last growth of a cell: `now` if its ground rose from `before` to `after`. */
OTOK_FN float otok_reef_dated(float time, float before, float after, float now)
{
    return after > before ? now : time;
}

/* The mean carbon of the n neighbours under water, or that of the cell itself if n is 0; `wet`
   holds 0 for neighbours on land. */
OTOK_FN float otok_carbon_mean(otok_four wet, float n, float here)
{
    const float mean_wet = otok_quotient_few(otok_sum_four(wet), n);
    return n > 0.0f ? mean_wet : here;
}

/* O = mean of O' over neighbours under water, or O' if there are none. O = 0 on land, and O0 in the
   edge cells of a grid that is not periodic, which have a neighbour with h = +infinity (K17 eq.
   28). */
OTOK_FN float otok_carbon(otok_cross carbon, otok_cross h, float sea, otok_reef_coefficients k)
{
    const int left = sea - h.left > 0.0f, right = sea - h.right > 0.0f;
    const int bottom = sea - h.bottom > 0.0f, top = sea - h.top > 0.0f;
    otok_four wet;
    wet.left = left ? carbon.left : 0.0f;
    wet.right = right ? carbon.right : 0.0f;
    wet.bottom = bottom ? carbon.bottom : 0.0f;
    wet.top = top ? carbon.top : 0.0f;
    const float mean = otok_carbon_mean(wet, (float)(left + right + bottom + top), carbon.here);
    const float sum = (h.left + h.right) + (h.bottom + h.top);
    const float inside = sea - h.here > 0.0f ? mean : 0.0f;
    return sum < INFINITY ? inside : k.carbon;
}

#endif
