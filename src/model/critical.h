/* critical.h: where the bed steps or a channel narrows, water passes a face at most at the critical
   flow of the head that comes to it, as over a broad-crested weir: |u| w lambda <= sqrt(8/27 g)
   H^1.5, H = w + u'^2 / 2g + fall. w is the depth of the flow, u' the speed at the face before,
   fall that of a bed that goes on falling, and lambda = min(1, 4 J / w), with J what of the bed's
   step is no slope. On smooth ground J is 0. Laws shallow_water and local_inertia. */
#ifndef OTOK_CRITICAL_H
#define OTOK_CRITICAL_H

#include "coefficients.h"
#include "common.h"

/* The rise of the bed that goes on through a cell along an axis [m]: the smaller one of those at
   its faces; 0 where it turns. */
OTOK_FN float otok_bed_slope(float before, float after)
{
    const float size = otok_smaller(fabsf(before), fabsf(after));
    const float slope = before < 0.0f ? 0.0f - size : size;
    return (before < 0.0f) == (after < 0.0f) ? slope : 0.0f;
}

/* The ground beyond an open side goes on falling: that of the cell at the side, and of the next one
   inside. */
OTOK_FN float otok_ground_beyond(float side, float inside)
{
    return side - otok_positive(inside - side);
}

/* The bed at a face, along the axis: its rise, and those that go on through the cells behind and
   ahead of it. open: 1 over an open side at the end of a line, -1 at its start, else 0. */
typedef struct otok_bed {
    float rise, behind, ahead;
    int open;
} otok_bed;

/* The same seen along a flow of that sign: its fall, and 4 J, at most w, or w where it leaves over
   an open side. steps: a bed that goes on rising counts as a step (law local_inertia). */
typedef struct otok_drop {
    float fall, part;
} otok_drop;

OTOK_FN otok_drop otok_bed_drop(otok_bed bed, float u, float w, int steps)
{
    const float slope = u > 0.0f ? bed.behind : 0.0f - bed.ahead;
    const float fall = otok_positive(0.0f - slope);
    const float jump = 4.0f * (fabsf(bed.rise) - (steps ? fall : fabsf(slope)));
    const int leaves = u > 0.0f ? bed.open > 0 : bed.open < 0;
    const otok_drop drop = {leaves ? otok_positive(u > 0.0f ? 0.0f - bed.rise : bed.rise) : fall,
                            leaves ? w : otok_smaller(w, jump)};
    return drop;
}

/* Only faster water can pass the bound: its head is w at least. */
OTOK_FN int otok_is_rapid(float u, float w, otok_critical_coefficients k)
{
    return u * u > k.critical2 * w;
}

/* The speed u of a flow w deep within the bound. `come`: u' if the face before flows the same way,
   else 0. `normal`, a constant: where the bound may bind, w is within 2^-30 and 2^30, and |u| at
   most 2^30. */
OTOK_FN float otok_speed_held(float u, float w, float come, otok_drop drop,
                              otok_critical_coefficients k, int normal)
{
    const float head = w + (come * come * k.head + drop.fall), square = k.critical2 * head;
    const float most = head * (normal ? otok_root_of_normal(square) : otok_root(square));
    const float held = otok_quotient_if(normal, most, drop.part), size = fabsf(u);
    return size * drop.part > most ? (u < 0.0f ? 0.0f - held : held) : u;
}

#endif
