/* audit.h: how far apart two runs are in a cell that began alike. sim/audit.h tells what for. */
#ifndef OTOK_AUDIT_MODEL_H
#define OTOK_AUDIT_MODEL_H

#include "common.h"

/* The sums of a comparison, over all cells: of the run, of its twin, and of what is apart between
   them. */
enum {
    OTOK_TWINS_FLOW_ONE, /* (|u| + |w|) times the depth [m^2/s] */
    OTOK_TWINS_FLOW_OTHER,
    OTOK_TWINS_FLOW_APART,
    OTOK_TWINS_DEPTH_ONE, /* [m] */
    OTOK_TWINS_DEPTH_OTHER,
    OTOK_TWINS_WET,       /* cells with water */
    OTOK_TWINS_MOVED_ONE, /* change of the ground since they parted [m] */
    OTOK_TWINS_MOVED_OTHER,
    OTOK_TWINS_SEDIMENT_ONE, /* [m] */
    OTOK_TWINS_SEDIMENT_OTHER,
    OTOK_TWINS_SEDIMENT_APART,
    OTOK_TWINS_SETTLING_APART, /* of the cells whose ground rose */
    OTOK_TWINS_LOWERED_ONE,    /* ground, since the start of the run [m] */
    OTOK_TWINS_LOWERED_OTHER,
    OTOK_TWINS_RAISED_ONE,
    OTOK_TWINS_RAISED_OTHER,
    OTOK_TWINS_ROUGH_ONE, /* ground, of all but the outermost cells: otok_rough [m] */
    OTOK_TWINS_ROUGH_OTHER,
    OTOK_TWINS_SHAPED_ONE,   /* change of the ground since they parted, uplift not counted [m] */
    OTOK_TWINS_SHAPED_APART, /* how far apart the ground is, cell by cell [m] */
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
    t->of[OTOK_TWINS_FLOW_ONE] = (fabsf(one.u) + fabsf(one.w)) * one.d;
    t->of[OTOK_TWINS_FLOW_OTHER] = (fabsf(other.u) + fabsf(other.w)) * other.d;
    t->of[OTOK_TWINS_FLOW_APART] = (fabsf(one.u - other.u) + fabsf(one.w - other.w)) * depth;
    t->of[OTOK_TWINS_DEPTH_ONE] = one.d;
    t->of[OTOK_TWINS_DEPTH_OTHER] = other.d;
    t->of[OTOK_TWINS_WET] = depth > 0.0f ? 1.0f : 0.0f;
}

/* Changes of the ground; `start`: that when the runs parted; `lifted`: by uplift since then. */
OTOK_FN void otok_audit_compare_ground(otok_audit_terms *t, float start, float lifted, float one,
                                       float other)
{
    t->of[OTOK_TWINS_SHAPED_ONE] = fabsf((one - start) - lifted);
    t->of[OTOK_TWINS_SHAPED_APART] = fabsf(one - other);
    t->of[OTOK_TWINS_MOVED_ONE] = fabsf(one - start);
    t->of[OTOK_TWINS_MOVED_OTHER] = fabsf(other - start);
    t->of[OTOK_TWINS_LOWERED_ONE] = otok_positive(-one);
    t->of[OTOK_TWINS_LOWERED_OTHER] = otok_positive(-other);
    t->of[OTOK_TWINS_RAISED_ONE] = otok_positive(one);
    t->of[OTOK_TWINS_RAISED_OTHER] = otok_positive(other);
}

/* `rose`: has the ground of both together risen since they parted? */
OTOK_FN void otok_audit_compare_sediment(otok_audit_terms *t, float one, float other, int rose)
{
    t->of[OTOK_TWINS_SEDIMENT_ONE] = one;
    t->of[OTOK_TWINS_SEDIMENT_OTHER] = other;
    t->of[OTOK_TWINS_SEDIMENT_APART] = fabsf(one - other);
    t->of[OTOK_TWINS_SETTLING_APART] = rose ? fabsf(one - other) : 0.0f;
}

#endif
