/* detect.h: what the detectors of a study see in one cell of a state: roughness, a limited cell, a
   cell at the speed's bound, an extremum; and how a sample adds them up, in integers, so that no
   order of cells matters. It judges nothing: verdicts are core/verdict.c. */
#ifndef OTOK_DETECT_H
#define OTOK_DETECT_H

#include "fixed.h"

typedef struct otok_detect_coefficients {
    float arrived; /* depth that an inflow of 1 m^3/s brings in an iteration, what then evaporates
                      taken off, and 2^-14 of it more */
    float fast;    /* 0.999 l/dt [m/s] */
    float dry;     /* a cell deeper than this is wet */
} otok_detect_coefficients;

/* Height above the mean of the four neighbours: twice the amplitude of a checkerboard, the
   amplitude of stripes one cell wide, 0 on slopes. */
OTOK_FN float otok_rough(otok_cross h)
{
    return h.here - 0.25f * ((h.left + h.right) + (h.bottom + h.top));
}

/* What the surface has more of it than the ground below: 0 where a thin film follows rough ground,
 * and on a still lake. */
OTOK_FN float otok_rougher(float surface, float ground)
{
    return otok_positive(fabsf(surface) - fabsf(ground));
}

/* Was the cell's outflow cut by K? Then all that stood in it left, and it holds no more than what
 * came in. */
OTOK_FN int otok_is_limited(float d, float in, float out, otok_detect_coefficients k)
{
    return out > 0.0f && d <= in * k.arrived;
}

/* The depth before the flow of the last iteration, where nobody kept it; rain is not taken off. */
OTOK_FN float otok_depth_before(float d, float in, float out, otok_detect_coefficients k)
{
    return d - (in - out) * k.arrived;
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

/* What a sample adds up. Metres take two places, as in fixed.h. */
enum {
    OTOK_DIAGNOSTICS_WET,     /* cells */
    OTOK_DIAGNOSTICS_WATERED, /* cells wet now or an iteration before */
    OTOK_DIAGNOSTICS_LIMITED, /* of these */
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

/* What a sample finds the most of: the upper half of a key is how much, the lower how early the
   cell comes, so that the largest key is the first of the greatest. 0: nowhere. */
enum {
    OTOK_DIAGNOSTICS_NOT_FINITE, /* its first cell */
    OTOK_DIAGNOSTICS_FASTEST,    /* the first cell at the speed's bound */
    OTOK_DIAGNOSTICS_ROUGHEST,
    OTOK_DIAGNOSTICS_DEEPEST,
    OTOK_DIAGNOSTICS_CHANGED,
    OTOK_DIAGNOSTICS_LOWEST, /* of the ground, negative; no cell, as the two below */
    OTOK_DIAGNOSTICS_HIGHEST,
    OTOK_DIAGNOSTICS_LARGEST, /* of the ground, without its sign */
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

/* The key of a cell; `size` orders. Cells are numbered in rows from the bottom. */
OTOK_FN uint64_t otok_diagnostics_key(uint32_t size, uint32_t cell)
{
    return (uint64_t)size << 32 | (0xffffffffu - cell);
}

static inline int64_t otok_diagnostics_cell(uint64_t key)
{
    return key ? (int64_t)(0xffffffffu - (uint32_t)key) : -1;
}

/* Floats as integers of the same order, never 0; NaN is not asked for. */
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
    float height, change, ground_rough; /* of the ground; since the sample before; above or below
                                           its neighbours, without a sign */
    float depth;
    float rough, rougher, flip; /* of the surface of wet cells where water flows, else 0: as
                                   otok_rough, otok_rougher; |dd| */
    int is, is_new;             /* an extremum of the ground, and none before */
    int wet, watered, limited, fast;
} otok_cell_diagnostics;

/* Of the ground: `h` and its four neighbours, what it was at the sample before, whether it is and
 * was an extremum. */
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

/* Of the water, d deep now and its here `before` an iteration before; in, out: flows [m^3/s]; u, w:
 * its velocity. */
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

/* Adds what was seen in cell (i, j). A kernel may add the same integers in another order
 * (cuda/diagnostics.cu). */
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
