/* detect.h: what the detectors of a study measure in one cell: roughness, a limited cell, a cell at
   the bound of the speed, an extremum; and how a sample adds these up. Sums are integers, so that
   the order of cells does not matter. Nothing is judged here: verdicts are made in
   core/verdict.c. */
#ifndef OTOK_DETECT_H
#define OTOK_DETECT_H

#include "fixed.h"

typedef struct otok_detect_coefficients {
    float arrived; /* depth that an inflow of 1 m^3/s brings in an iteration, less what then
                      evaporates, plus 2^-14 of it */
    float fast;    /* 0.999 l/dt [m/s] */
    float dry;     /* a cell deeper than this is wet */
} otok_detect_coefficients;

/* The height above the mean of the four neighbours: twice the amplitude of a checkerboard, the
   amplitude of stripes one cell wide, 0 on a slope. */
OTOK_FN float otok_rough(otok_cross h)
{
    return h.here - 0.25f * ((h.left + h.right) + (h.bottom + h.top));
}

/* How much rougher the surface is than the ground below it. 0 where a thin film follows rough
   ground, and on a still lake. */
OTOK_FN float otok_rougher(float surface, float ground)
{
    return otok_positive(fabsf(surface) - fabsf(ground));
}

/* Did the factor K limit the outflow of the cell? Then all of its water left, and it holds no more
   than what flowed in. */
OTOK_FN int otok_is_limited(float d, float in, float out, otok_detect_coefficients k)
{
    return out > 0.0f && d <= in * k.arrived;
}

/* The depth before the flow of the last iteration, computed back where no copy was kept. Rain is
   not subtracted. */
OTOK_FN float otok_depth_before(float d, float in, float out, otok_detect_coefficients k)
{
    return d - (in - out) * k.arrived;
}

/* Is the speed at its bound? The limiter K guarantees |u| + |w| <= l/dt. */
OTOK_FN int otok_is_fast(float u, float w, otok_detect_coefficients k)
{
    return fabsf(u) + fabsf(w) >= k.fast;
}

/* Is the cell strictly above the highest or strictly below the lowest of its neighbours? */
OTOK_FN int otok_is_extremum(float here, float lowest, float highest)
{
    return here > highest || here < lowest;
}

/* The sums of a sample. A sum of metres takes two places, as in fixed.h. */
enum {
    OTOK_DIAGNOSTICS_WET,     /* cells */
    OTOK_DIAGNOSTICS_WATERED, /* cells that are wet now or were wet an iteration before */
    OTOK_DIAGNOSTICS_LIMITED, /* of the watered cells */
    OTOK_DIAGNOSTICS_FAST,    /* of the wet cells */
    OTOK_DIAGNOSTICS_EXTREMA,
    OTOK_DIAGNOSTICS_NEW_EXTREMA,
    OTOK_DIAGNOSTICS_DEPTH,
    OTOK_DIAGNOSTICS_ROUGH = OTOK_DIAGNOSTICS_DEPTH + 2,
    OTOK_DIAGNOSTICS_FLIPS = OTOK_DIAGNOSTICS_ROUGH + 2,
    OTOK_DIAGNOSTICS_CHECKER = OTOK_DIAGNOSTICS_FLIPS + 2,
    OTOK_DIAGNOSTICS_STRIPES_X = OTOK_DIAGNOSTICS_CHECKER + 2,
    OTOK_DIAGNOSTICS_STRIPES_Y = OTOK_DIAGNOSTICS_STRIPES_X + 2,
    OTOK_DIAGNOSTICS_GROUND_ROUGH = OTOK_DIAGNOSTICS_STRIPES_Y + 2,
    OTOK_DIAGNOSTICS_SUMS = OTOK_DIAGNOSTICS_GROUND_ROUGH + 2
};

/* The largest values of a sample. The upper half of a key is the value, the lower half is larger
   for an earlier cell, so that the largest key is the first cell with the greatest value. 0: no
   cell. */
enum {
    OTOK_DIAGNOSTICS_NOT_FINITE, /* the first cell with a value that is not finite */
    OTOK_DIAGNOSTICS_FASTEST,    /* the first cell at the bound of the speed */
    OTOK_DIAGNOSTICS_ROUGHEST,
    OTOK_DIAGNOSTICS_DEEPEST,
    OTOK_DIAGNOSTICS_CHANGED,
    OTOK_DIAGNOSTICS_LOWEST, /* of the ground, negated; this and the next two name no cell */
    OTOK_DIAGNOSTICS_HIGHEST,
    OTOK_DIAGNOSTICS_LARGEST, /* of the ground, absolute */
    OTOK_DIAGNOSTICS_MOSTS
};

typedef struct otok_diagnostics {
    int64_t sums[OTOK_DIAGNOSTICS_SUMS];
    uint64_t most[OTOK_DIAGNOSTICS_MOSTS];
} otok_diagnostics;

OTOK_FN void otok_diagnostics_add(otok_diagnostics *diagnostics, int sum, float metres)
{
    const otok_fixed f = otok_fixed_from(metres);
    diagnostics->sums[sum] += f.hi;
    diagnostics->sums[sum + 1] += f.lo;
}

OTOK_FN void otok_diagnostics_most(otok_diagnostics *diagnostics, int which, uint64_t key)
{
    if (key > diagnostics->most[which]) diagnostics->most[which] = key;
}

/* The key of a cell. `size` gives the order; cells are numbered along rows from the bottom. */
OTOK_FN uint64_t otok_diagnostics_key(uint32_t size, uint32_t cell)
{
    return (uint64_t)size << 32 | (0xffffffffu - cell);
}

static inline int64_t otok_diagnostics_cell(uint64_t key)
{
    return key ? (int64_t)(0xffffffffu - (uint32_t)key) : -1;
}

/* Maps floats to integers of the same order, never 0. NaN is not allowed. */
OTOK_FN uint32_t otok_diagnostics_ordered(float value)
{
    const uint32_t bits = otok_bits(value);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static inline float otok_diagnostics_value(uint32_t ordered)
{
    return otok_from_bits(ordered >> 31 ? ordered & 0x7fffffffu : ~ordered);
}

/* The diagnostics of one cell. */
typedef struct otok_cell_diagnostics {
    float height, change, ground_rough; /* of the ground; change since the previous sample; distance
                                           from the mean of its neighbours */
    float depth;
    float rough, rougher,
        flip; /* of the surface of wet cells in flow, else 0: otok_rough, otok_rougher and |dd| */
    int is, is_new; /* the ground is an extremum here; it was none before */
    int wet, watered, limited, fast;
} otok_cell_diagnostics;

/* Measures the ground. `h`: the cell and its four neighbours; then its height at the previous
   sample, and whether it is and was an extremum. */
OTOK_FN otok_cell_diagnostics otok_diagnose_ground(otok_cross h, float before, int is, int was)
{
    const otok_cell_diagnostics measured = {h.here,
                                            fabsf(h.here - before),
                                            fabsf(otok_rough(h)),
                                            0.0f,
                                            0.0f,
                                            0.0f,
                                            0.0f,
                                            is,
                                            is && !was,
                                            0,
                                            0,
                                            0,
                                            0};
    return measured;
}

/* Measures the water. d: the depth now; `before`: the depth an iteration before; in, out: flows
   [m^3/s]; u, w: velocity. */
OTOK_FN void otok_diagnose_water(otok_cell_diagnostics *measured, otok_cross h, otok_cross d,
                                 float before, float in, float out, float u, float w, int flows,
                                 otok_detect_coefficients k)
{
    const otok_cross eta = {h.here + d.here, h.left + d.left, h.right + d.right,
                            h.bottom + d.bottom, h.top + d.top};
    measured->depth = d.here;
    measured->wet = d.here > k.dry;
    measured->watered = measured->wet || before > k.dry;
    measured->limited = measured->watered && otok_is_limited(d.here, in, out, k);
    const int moves = measured->wet && flows;
    const float r = otok_rough(eta);
    measured->fast = moves && otok_is_fast(u, w, k);
    measured->rough = moves ? r : 0.0f;
    measured->rougher = moves ? otok_rougher(r, otok_rough(h)) : 0.0f;
    measured->flip = moves ? fabsf(d.here - before) : 0.0f;
}

/* Adds the diagnostics of cell (i, j). A kernel may add the same integers in another order
   (cuda/diagnostics.cu). */
OTOK_FN void otok_diagnostics_note(otok_diagnostics *diagnostics, const otok_cell_diagnostics *s,
                                   int i, int j, uint32_t cell)
{
    int64_t *sums = diagnostics->sums;
    sums[OTOK_DIAGNOSTICS_EXTREMA] += s->is;
    sums[OTOK_DIAGNOSTICS_NEW_EXTREMA] += s->is_new;
    sums[OTOK_DIAGNOSTICS_WET] += s->wet;
    sums[OTOK_DIAGNOSTICS_WATERED] += s->watered;
    sums[OTOK_DIAGNOSTICS_LIMITED] += s->limited;
    sums[OTOK_DIAGNOSTICS_FAST] += s->fast;
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_GROUND_ROUGH, s->ground_rough);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_DEPTH, s->wet ? s->depth : 0.0f);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_ROUGH, s->rougher);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_FLIPS, s->flip);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_CHECKER, (i + j) & 1 ? -s->rough : s->rough);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_STRIPES_X, i & 1 ? -s->rough : s->rough);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_STRIPES_Y, j & 1 ? -s->rough : s->rough);
    if (s->change > 0.0f)
        otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_CHANGED,
                              otok_diagnostics_key(otok_bits(s->change), cell));
    if (s->rougher > 0.0f)
        otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_ROUGHEST,
                              otok_diagnostics_key(otok_bits(s->rougher), cell));
    if (s->fast)
        otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_FASTEST, otok_diagnostics_key(0, cell));
    if (s->depth > 0.0f)
        otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_DEEPEST,
                              otok_diagnostics_key(otok_bits(s->depth), cell));
    if (!(s->height == s->height)) return;
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_LOWEST,
                          otok_diagnostics_ordered(-s->height));
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_HIGHEST,
                          otok_diagnostics_ordered(s->height));
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_LARGEST, otok_bits(fabsf(s->height)));
}

#endif
