/* detect.h: what the detectors of a study see in one cell of a state: roughness, a limited cell, a cell at the speed's bound, an
   extremum; and how a look adds them up, in integers, so that no order of cells matters. It judges nothing: verdicts are
   core/verdict.c. */
#ifndef OTOK_DETECT_H
#define OTOK_DETECT_H

#include "fixed.h"

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

/* What a look adds up. Metres take two places, as in fixed.h. */
enum {
    OTOK_LOOK_WET,     /* cells */
    OTOK_LOOK_WATERED, /* cells wet now or an iteration before */
    OTOK_LOOK_LIMITED, /* of these */
    OTOK_LOOK_FAST,    /* of the wet cells */
    OTOK_LOOK_EXTREMA,
    OTOK_LOOK_NEW_EXTREMA,
    OTOK_LOOK_DEPTH,
    OTOK_LOOK_ROUGH = OTOK_LOOK_DEPTH + 2,
    OTOK_LOOK_FLIPS = OTOK_LOOK_ROUGH + 2,
    OTOK_LOOK_CHECKER = OTOK_LOOK_FLIPS + 2,
    OTOK_LOOK_STRIPES_X = OTOK_LOOK_CHECKER + 2,
    OTOK_LOOK_STRIPES_Y = OTOK_LOOK_STRIPES_X + 2,
    OTOK_LOOK_GROUND_ROUGH = OTOK_LOOK_STRIPES_Y + 2,
    OTOK_LOOK_SUMS = OTOK_LOOK_GROUND_ROUGH + 2
};

/* What a look finds the most of: the upper half of a key is how much, the lower how early the cell comes, so that the largest key
   is the first of the greatest. 0: nowhere. */
enum {
    OTOK_LOOK_NOT_FINITE, /* its first cell */
    OTOK_LOOK_FASTEST,    /* the first cell at the speed's bound */
    OTOK_LOOK_ROUGHEST,
    OTOK_LOOK_DEEPEST,
    OTOK_LOOK_CHANGED,
    OTOK_LOOK_LOWEST, /* of the ground, negative; no cell, as the two below */
    OTOK_LOOK_HIGHEST,
    OTOK_LOOK_LARGEST, /* of the ground, without its sign */
    OTOK_LOOK_MOSTS
};

typedef struct otok_look_found {
    int64_t sums[OTOK_LOOK_SUMS];
    uint64_t most[OTOK_LOOK_MOSTS];
} otok_look_found;

OTOK_FN void otok_look_add(otok_look_found *look, int sum, float metres)
{
    const otok_fixed f = otok_fixed_from(metres);
    look->sums[sum] += f.hi;
    look->sums[sum + 1] += f.lo;
}

OTOK_FN void otok_look_most(otok_look_found *look, int which, uint64_t key)
{
    if (key > look->most[which]) look->most[which] = key;
}

/* The key of a cell; `size` orders. Cells are numbered in rows from the bottom. */
OTOK_FN uint64_t otok_look_key(uint32_t size, uint32_t cell)
{
    return (uint64_t)size << 32 | (0xffffffffu - cell);
}

static inline int64_t otok_look_cell(uint64_t key)
{
    return key ? (int64_t)(0xffffffffu - (uint32_t)key) : -1;
}

/* Floats as integers of the same order, never 0; NaN is not asked for. */
OTOK_FN uint32_t otok_look_ordered(float value)
{
    const uint32_t bits = otok_bits(value);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static inline float otok_look_value(uint32_t ordered)
{
    return otok_from_bits(ordered >> 31 ? ordered & 0x7fffffffu : ~ordered);
}

/* What a look sees in one cell. */
typedef struct otok_sight {
    float height, change, ground_rough; /* of the ground; since the look before; above or below its neighbours, without a sign */
    float depth;
    float rough, rougher, flip; /* of the surface of wet cells where water flows, else 0: as otok_rough, otok_rougher; |dd| */
    int is, is_new;             /* an extremum of the ground, and none before */
    int wet, watered, limited, fast;
} otok_sight;

/* Of the ground: `h` and its four neighbours, what it was at the look before, whether it is and was an extremum. */
OTOK_FN otok_sight otok_see_ground(otok_cross h, float before, int is, int was)
{
    const otok_sight sight = {h.here, fabsf(h.here - before), fabsf(otok_rough(h)), 0.0f, 0.0f, 0.0f, 0.0f, is, is && !was, 0, 0, 0,
                              0};
    return sight;
}

/* Of the water, d deep now and its here `before` an iteration before; in, out: flows [m^3/s]; u, w: its velocity. */
OTOK_FN void otok_see_water(otok_sight *sight, otok_cross h, otok_cross d, float before, float in, float out, float u, float w,
                            int flows, otok_detect_coefficients k)
{
    const otok_cross eta = {h.here + d.here, h.left + d.left, h.right + d.right, h.bottom + d.bottom, h.top + d.top};
    sight->depth = d.here;
    sight->wet = d.here > k.dry;
    sight->watered = sight->wet || before > k.dry;
    sight->limited = sight->watered && otok_is_limited(d.here, in, out, k);
    const int moves = sight->wet && flows;
    const float r = otok_rough(eta);
    sight->fast = moves && otok_is_fast(u, w, k);
    sight->rough = moves ? r : 0.0f;
    sight->rougher = moves ? otok_rougher(r, otok_rough(h)) : 0.0f;
    sight->flip = moves ? fabsf(d.here - before) : 0.0f;
}

/* Adds what was seen in cell (i, j). A kernel may add the same integers in another order (cuda/look.cu). */
OTOK_FN void otok_look_note(otok_look_found *look, const otok_sight *s, int i, int j, uint32_t cell)
{
    int64_t *sums = look->sums;
    sums[OTOK_LOOK_EXTREMA] += s->is;
    sums[OTOK_LOOK_NEW_EXTREMA] += s->is_new;
    sums[OTOK_LOOK_WET] += s->wet;
    sums[OTOK_LOOK_WATERED] += s->watered;
    sums[OTOK_LOOK_LIMITED] += s->limited;
    sums[OTOK_LOOK_FAST] += s->fast;
    otok_look_add(look, OTOK_LOOK_GROUND_ROUGH, s->ground_rough);
    otok_look_add(look, OTOK_LOOK_DEPTH, s->wet ? s->depth : 0.0f);
    otok_look_add(look, OTOK_LOOK_ROUGH, s->rougher);
    otok_look_add(look, OTOK_LOOK_FLIPS, s->flip);
    otok_look_add(look, OTOK_LOOK_CHECKER, (i + j) & 1 ? -s->rough : s->rough);
    otok_look_add(look, OTOK_LOOK_STRIPES_X, i & 1 ? -s->rough : s->rough);
    otok_look_add(look, OTOK_LOOK_STRIPES_Y, j & 1 ? -s->rough : s->rough);
    if (s->change > 0.0f) otok_look_most(look, OTOK_LOOK_CHANGED, otok_look_key(otok_bits(s->change), cell));
    if (s->rougher > 0.0f) otok_look_most(look, OTOK_LOOK_ROUGHEST, otok_look_key(otok_bits(s->rougher), cell));
    if (s->fast) otok_look_most(look, OTOK_LOOK_FASTEST, otok_look_key(0, cell));
    if (s->depth > 0.0f) otok_look_most(look, OTOK_LOOK_DEEPEST, otok_look_key(otok_bits(s->depth), cell));
    if (!(s->height == s->height)) return;
    otok_look_most(look, OTOK_LOOK_LOWEST, otok_look_ordered(-s->height));
    otok_look_most(look, OTOK_LOOK_HIGHEST, otok_look_ordered(s->height));
    otok_look_most(look, OTOK_LOOK_LARGEST, otok_bits(fabsf(s->height)));
}

#endif
