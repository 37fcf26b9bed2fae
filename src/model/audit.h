/* audit.h: how far apart two runs are in a cell that began alike. sim/audit.h tells what for. */
#ifndef OTOK_AUDIT_MODEL_H
#define OTOK_AUDIT_MODEL_H

#include "common.h"

/* The sums of a comparison, over all cells. `apart`: of the difference of the two runs. */
enum {
    OTOK_TWINS_SPEED_APART, /* |u| + |w|, times the depth [m^2/s] */
    OTOK_TWINS_SPEED,       /* of the faster run */
    OTOK_TWINS_DEPTH_APART, /* [m] */
    OTOK_TWINS_DEPTH,       /* mean of the two */
    OTOK_TWINS_WET,         /* cells with water */
    OTOK_TWINS_MOVED_APART, /* change of the ground since the runs parted [m] */
    OTOK_TWINS_MOVED_ONE,
    OTOK_TWINS_MOVED_OTHER,
    OTOK_TWINS_SEDIMENT_APART, /* [m] */
    OTOK_TWINS_SEDIMENT,       /* of the run that has more */
    OTOK_TWINS_SUMS
};

typedef struct otok_audit_terms {
    float of[OTOK_TWINS_SUMS];
} otok_audit_terms;

/* The water of a cell in one run: depth [m] and velocity [m/s]. */
typedef struct otok_audit_water {
    float d, u, w;
} otok_audit_water;

OTOK_FN void otok_audit_compare_water(otok_audit_terms *t, otok_audit_water one,
                                      otok_audit_water other)
{
    const float depth = 0.5f * (one.d + other.d);
    const float apart = fabsf(one.u - other.u) + fabsf(one.w - other.w);
    const float speed = otok_larger(fabsf(one.u) + fabsf(one.w), fabsf(other.u) + fabsf(other.w));
    t->of[OTOK_TWINS_SPEED_APART] = apart * depth;
    t->of[OTOK_TWINS_SPEED] = speed * depth;
    t->of[OTOK_TWINS_DEPTH_APART] = fabsf(one.d - other.d);
    t->of[OTOK_TWINS_DEPTH] = depth;
    t->of[OTOK_TWINS_WET] = depth > 0.0f ? 1.0f : 0.0f;
}

/* `start`: the change of the ground when the runs parted. */
OTOK_FN void otok_audit_compare_ground(otok_audit_terms *t, float start, float one, float other)
{
    t->of[OTOK_TWINS_MOVED_APART] = fabsf(one - other);
    t->of[OTOK_TWINS_MOVED_ONE] = fabsf(one - start);
    t->of[OTOK_TWINS_MOVED_OTHER] = fabsf(other - start);
}

OTOK_FN void otok_audit_compare_sediment(otok_audit_terms *t, float one, float other)
{
    t->of[OTOK_TWINS_SEDIMENT_APART] = fabsf(one - other);
    t->of[OTOK_TWINS_SEDIMENT] = otok_larger(one, other);
}

#endif
