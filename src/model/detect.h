/* detect.h: what the detectors of a study see in one cell of a state: roughness, a limited cell, a cell at the speed's bound, an
   extremum. It judges nothing: verdicts are study/verdict.c. */
#ifndef OTOK_DETECT_H
#define OTOK_DETECT_H

#include "common.h"

typedef struct otok_detect_coefficients {
    float
        arrived; /* depth that an inflow of 1 m^3/s brings in an iteration, what then evaporates taken off, and 2^-14 of it more */
    float fast;  /* 0.999 l/dt [m/s]                     */
    float dry;   /* a cell deeper than this is wet       */
} otok_detect_coefficients;

/* Height above the mean of the four neighbours: twice the amplitude of a checkerboard, the amplitude of stripes one cell wide, 0 on
   slopes. */
OTOK_FN float otok_rough(otok_cross h)
{
    return h.here - 0.25f * ((h.left + h.right) + (h.bottom + h.top));
}

/* What the surface has more of it than the ground below: 0 where a thin film follows rough ground, and on a still lake. */
OTOK_FN float otok_rougher(float surface, float ground)
{
    return otok_positive(fabsf(surface) - fabsf(ground));
}

/* Was the cell's outflow cut by K? Then all that stood in it left, and it holds no more than what came in. */
OTOK_FN int otok_is_limited(float d, float in, float out, otok_detect_coefficients k)
{
    return out > 0.0f && d <= in * k.arrived;
}

/* |u| + |w| <= l/dt is the theorem of the limiter; this is its bound. */
OTOK_FN int otok_is_fast(float u, float w, otok_detect_coefficients k)
{
    return fabsf(u) + fabsf(w) >= k.fast;
}

/* Strictly above, or strictly below, the lowest and highest of the neighbours. */
OTOK_FN int otok_is_extremum(float here, float lowest, float highest)
{
    return here > highest || here < lowest;
}

#endif
