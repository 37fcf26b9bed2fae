/* detect.h: what the detectors of a study measure in one cell: roughness, a limited cell, a cell at
   the bound of the speed, one that chatters or rolls, an extremum; and how a sample adds these up.
   Sums are integers, so that the order of cells does not matter. Nothing is judged here: verdicts
   are made in core/verdict.c, which also has the thresholds. */
#ifndef OTOK_DETECT_H
#define OTOK_DETECT_H

#include "fixed.h"

typedef struct otok_detect_coefficients {
    float arrived;         /* depth that an inflow of 1 m^3/s brings in an iteration, less what then
                              evaporates, plus 2^-14 of it */
    float fast;            /* 0.999 l/dt [m/s] */
    float wave;            /* law shallow_water: waves on water d deep count too, with the speed
                              sqrt(wave d); else 0 */
    float dry;             /* a cell deeper than this is wet */
    float tall;            /* an extremum of the ground this prominent counts [m] */
    float flip;            /* water that changes by more than this share of itself flips */
    float pull, pull_deep; /* 4 dt^2 g A / l^3 of pipes of one area; per metre of depth, of pipes
                              as deep as the water. The other is 0 */
    float gravity;         /* of water that can roll, else 0 */
    float crossed;         /* l/dt [m/s] */
    float steep; /* the share of the depth by which water that rolls changes per cell crossed */
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

/* How fast signals run in water, for steps that follow it (hydraulic.courant) [m/s]. Speeds beyond
   three times those of waves do not count: they are those of films, which the limiter K and
   friction rule at any step, and which rise to l/dt as dt falls. wave: 2 g, on a row of cells g. */
OTOK_FN float otok_signal_speed(float d, float u, float w, float wave)
{
    const float waves = sqrtf(wave * d), speed = fabsf(u) + fabsf(w), most = 3.0f * waves;
    return (speed < most ? speed : most) + waves;
}

/* Is the speed at its bound? The limiter K guarantees |u| + |w| <= l/dt. Under the shallow-water
   law, are the speed and that of waves beyond their limit of stability? */
OTOK_FN int otok_is_fast(float d, float u, float w, otok_detect_coefficients k)
{
    const float wave = k.wave > 0.0f ? sqrtf(k.wave * d) : 0.0f;
    return (fabsf(u) + fabsf(w)) + wave >= k.fast;
}

/* How far the cell is above the highest or below the lowest of its neighbours; 0: neither, or it
   has none (lowest > highest). */
OTOK_FN float otok_prominence(float here, float lowest, float highest)
{
    const float up = here - highest, down = lowest - here;
    const float most = up > down ? up : down;
    return lowest <= highest && most > 0.0f ? most : 0.0f;
}

/* Does the cell chatter? In the last iteration its depth changed by a large share of itself, and
   its surface is rougher than the ground by as much; it overshot its neighbours; and the surface
   now pulls hard enough for the next iteration to turn the change around: without friction it
   changes the depth by dd - pull * rough. A front that passes overshoots too, but goes on. And if
   the neighbours flip the other way as far, it was on their other side before: |rough| < 2 |dd|. A
   film that drains beside deep water was not.
   `deep`: the larger of the depths before and after; dd: its change; `rough` and `rougher`: of the
   surface. */
OTOK_FN int otok_is_chatter(float deep, float dd, float rough, float rougher,
                            otok_detect_coefficients k)
{
    const float least = k.flip * deep, pull = k.pull + k.pull_deep * deep;
    return (fabsf(dd) > least) & (rougher > least) & (dd * rough > 0.0f) &
           (pull * fabsf(rough) > fabsf(dd)) & (fabsf(rough) < 2.0f * fabsf(dd));
}

/* Is uniform flow of this depth and speed unstable under local inertia? Waves roll where the
   kinematic wave, 5/3 u, outruns sqrt(g d): Fr^2 > 9/25. Upwind depths diffuse by 5/3 u l/2, which
   adds 3/5 S l/d. `fall`: S l, of the ground [m]. */
OTOK_FN int otok_is_beyond_rolling(float d, float speed2, float fall, otok_detect_coefficients k)
{
    return (k.gravity > 0.0f) & (speed2 > k.gravity * (0.36f * d + 0.6f * fall));
}

/* Does a steep wave pass the cell? It moves at about the speed plus sqrt(g d). */
OTOK_FN int otok_is_steep(float d, float dd, float speed2, otok_detect_coefficients k)
{
    return fabsf(dd) * k.crossed > k.steep * d * (sqrtf(speed2) + sqrtf(k.gravity * d));
}

/* The sums of a sample. A sum of metres takes two places, as in fixed.h. */
enum {
    OTOK_DIAGNOSTICS_WET,      /* cells */
    OTOK_DIAGNOSTICS_WATERED,  /* cells that are wet now or were wet an iteration before */
    OTOK_DIAGNOSTICS_LIMITED,  /* of the watered cells */
    OTOK_DIAGNOSTICS_FAST,     /* of the wet cells */
    OTOK_DIAGNOSTICS_CHATTERS, /* of the wet cells */
    OTOK_DIAGNOSTICS_ROLLS,    /* of the wet cells beyond the roll limit: those with a steep wave */
    OTOK_DIAGNOSTICS_PEAKS,    /* extrema of the ground that count */
    OTOK_DIAGNOSTICS_DEPTH,
    OTOK_DIAGNOSTICS_ROUGH = OTOK_DIAGNOSTICS_DEPTH + 2,
    OTOK_DIAGNOSTICS_FLIPS = OTOK_DIAGNOSTICS_ROUGH + 2,
    OTOK_DIAGNOSTICS_BEYOND = OTOK_DIAGNOSTICS_FLIPS + 2,   /* depth beyond the roll limit */
    OTOK_DIAGNOSTICS_ROLLING = OTOK_DIAGNOSTICS_BEYOND + 2, /* depth of the cells that roll */
    OTOK_DIAGNOSTICS_GROUND_ROUGH = OTOK_DIAGNOSTICS_ROLLING + 2,
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
    OTOK_DIAGNOSTICS_FLIPPED,   /* of the cells that chatter, the one that changed most */
    OTOK_DIAGNOSTICS_ROLLED,    /* likewise of those that roll */
    OTOK_DIAGNOSTICS_PROMINENT, /* extremum of the ground */
    OTOK_DIAGNOSTICS_PLACES,    /* the keys before this one name cells */
    OTOK_DIAGNOSTICS_LOWEST = OTOK_DIAGNOSTICS_PLACES, /* of the ground, negated */
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

/* Notes a value above 0; NaN is none. */
OTOK_FN void otok_diagnostics_largest(otok_diagnostics *diagnostics, int which, float value,
                                      uint32_t cell)
{
    if (value > 0.0f)
        otok_diagnostics_most(diagnostics, which, otok_diagnostics_key(otok_bits(value), cell));
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
    float prominence;                   /* of the ground, if it is an extremum here */
    float depth;
    float rougher, flip; /* of the surface of wet cells in flow, else 0: otok_rougher and |dd| */
    int peak;            /* the extremum counts */
    int wet, watered, limited, fast, chatters, beyond, rolls;
} otok_cell_diagnostics;

/* Measures the ground. `h`: the cell and its four neighbours; then its height at the previous
   sample, and its prominence. */
OTOK_FN otok_cell_diagnostics otok_diagnose_ground(otok_cross h, float before, float prominence,
                                                   otok_detect_coefficients k)
{
    const otok_cell_diagnostics measured = {h.here,
                                            fabsf(h.here - before),
                                            fabsf(otok_rough(h)),
                                            prominence,
                                            0.0f,
                                            0.0f,
                                            0.0f,
                                            prominence > k.tall,
                                            0,
                                            0,
                                            0,
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
    const float r = otok_rough(eta), rougher = otok_rougher(r, otok_rough(h));
    const float dd = d.here - before, speed2 = u * u + w * w;
    const float x = h.right - h.left, y = h.top - h.bottom;
    const float deep = d.here > before ? d.here : before;
    measured->fast = moves && otok_is_fast(d.here, u, w, k);
    measured->rougher = moves ? rougher : 0.0f;
    measured->flip = moves ? fabsf(dd) : 0.0f;
    measured->chatters = moves & otok_is_chatter(deep, dd, r, rougher, k);
    measured->beyond =
        moves & otok_is_beyond_rolling(d.here, speed2, 0.5f * sqrtf(x * x + y * y), k);
    measured->rolls = measured->beyond & otok_is_steep(d.here, dd, speed2, k);
}

/* Adds the diagnostics of cell (i, j). A kernel may add the same integers in another order
   (cuda/diagnostics.cu). */
OTOK_FN void otok_diagnostics_note(otok_diagnostics *diagnostics, const otok_cell_diagnostics *s,
                                   uint32_t cell)
{
    int64_t *sums = diagnostics->sums;
    sums[OTOK_DIAGNOSTICS_PEAKS] += s->peak;
    sums[OTOK_DIAGNOSTICS_CHATTERS] += s->chatters;
    sums[OTOK_DIAGNOSTICS_ROLLS] += s->rolls;
    sums[OTOK_DIAGNOSTICS_WET] += s->wet;
    sums[OTOK_DIAGNOSTICS_WATERED] += s->watered;
    sums[OTOK_DIAGNOSTICS_LIMITED] += s->limited;
    sums[OTOK_DIAGNOSTICS_FAST] += s->fast;
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_GROUND_ROUGH, s->ground_rough);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_DEPTH, s->wet ? s->depth : 0.0f);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_ROUGH, s->rougher);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_FLIPS, s->flip);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_BEYOND, s->beyond ? s->depth : 0.0f);
    otok_diagnostics_add(diagnostics, OTOK_DIAGNOSTICS_ROLLING, s->rolls ? s->depth : 0.0f);
    otok_diagnostics_largest(diagnostics, OTOK_DIAGNOSTICS_CHANGED, s->change, cell);
    otok_diagnostics_largest(diagnostics, OTOK_DIAGNOSTICS_PROMINENT, s->prominence, cell);
    otok_diagnostics_largest(diagnostics, OTOK_DIAGNOSTICS_ROUGHEST, s->rougher, cell);
    otok_diagnostics_largest(diagnostics, OTOK_DIAGNOSTICS_DEEPEST, s->depth, cell);
    otok_diagnostics_largest(diagnostics, OTOK_DIAGNOSTICS_FLIPPED, s->chatters ? s->flip : 0.0f,
                             cell);
    otok_diagnostics_largest(diagnostics, OTOK_DIAGNOSTICS_ROLLED, s->rolls ? s->flip : 0.0f, cell);
    if (s->fast)
        otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_FASTEST, otok_diagnostics_key(0, cell));
    if (!(s->height == s->height)) return;
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_LOWEST,
                          otok_diagnostics_ordered(-s->height));
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_HIGHEST,
                          otok_diagnostics_ordered(s->height));
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_LARGEST, otok_bits(fabsf(s->height)));
}

#endif
