/* reef_light.h: growth of a coral reef by light (Bosscher & Schlager 1992, Sedimentology 39:503)
   while the sea and the ground move. Within a part of an iteration both move at constant speed.
   Rates are in metres per iteration, and times in iterations: 1 is the whole of it. */
#ifndef OTOK_REEF_LIGHT_H
#define OTOK_REEF_LIGHT_H

#include "coefficients.h"
#include "common.h"
#include "dither.h"

/* tanh(x) for x >= 0, within 3e-7 of itself. */
OTOK_FN float otok_saturation(float x)
{
    const float x2 = x * x, t = otok_exp_decay(-2.0f * x);
    const float small =
        x * fmaf(x2, fmaf(x2, fmaf(x2, -0.053968254f, 0.13333334f), -0.33333334f), 1.0f);
    return x < 0.2f ? small : (1.0f - t) / (1.0f + t);
}

/* A value of each of n producers; those beyond are 0. In all functions below n is a constant. */
typedef struct otok_producers {
    float of[OTOK_PRODUCERS];
} otok_producers;

OTOK_FN float otok_producers_sum(otok_producers p, int n)
{
    float sum = p.of[0];
    for (int i = 1; i < n; i++)
        sum += p.of[i];
    return sum;
}

/* G_m tanh(I_0 / I_k exp(-k g)) at depth g >= 0. */
OTOK_FN float otok_light_rate(float g, float most, otok_producer_coefficients k)
{
    return most * otok_saturation(k.light * otok_exp_decay(-g * k.absorption));
}

OTOK_FN otok_producers otok_light_rates(float g, otok_producers most, int n,
                                        const otok_light_coefficients *k)
{
    otok_producers rates = {{0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < n; i++)
        rates.of[i] = otok_light_rate(g, most.of[i], k->of[i]);
    return rates;
}

/* The share of the growth that an exposure to waves allows. */
OTOK_FN float otok_light_share(float exposure, float still, float swell)
{
    return still + (1.0f - still) * (1.0f - otok_exp_decay(-exposure * swell));
}

/* The number of substeps of a part of an iteration, while the depth of the sea above the ground
   changes by `rise`: in each, the light changes by at most a tenth of itself. */
OTOK_FN int otok_light_substeps(float rise, float part, otok_light_coefficients k)
{
    const float n = otok_larger(k.growth * part, fabsf(rise)) * k.absorption * 10.0f;
    return n > 1.0f ? (n < OTOK_LIGHT_SUBSTEPS ? (int)-floorf(-n) : OTOK_LIGHT_SUBSTEPS) : 1;
}

/* The growth of all producers [m], and what each of them made of it. */
typedef struct otok_light_grown {
    float all;
    otok_producers by;
} otok_light_grown;

/* The growth in a substep of length s that begins at depth g (Heun). Growth begins when the sea
   covers the ground by min_depth, and never passes this depth; a crest that the falling sea meets
   ends there. Producers share it as their rates. */
OTOK_FN otok_light_grown otok_light_substep(float g, float rise, float s, otok_producers most,
                                            int n, otok_light_coefficients k)
{
    const float m = k.min_depth, missing = m - g;
    const float flooded = rise > 0.0f ? otok_smaller(s, missing / rise) : s;
    const float lasts = missing < 0.0f ? s : s - flooded, from = otok_larger(g, m);
    const otok_producers firsts = otok_light_rates(from, most, n, &k);
    const float first = otok_producers_sum(firsts, n);
    const float then = otok_larger(fmaf(rise - first, lasts, from), m);
    const otok_producers thens = otok_light_rates(then, most, n, &k);
    const float twice = first + otok_producers_sum(thens, n), rate = 0.5f * twice;
    const float room = otok_positive(fmaf(rise, s, g) - m);
    const float meets = otok_smaller(otok_positive(-missing) / (rate - rise), s);
    otok_light_grown out = {rise < 0.0f ? rate * meets : otok_smaller(rate * lasts, room),
                            {{0.0f, 0.0f, 0.0f}}};
    for (int i = 1; i < n; i++)
        out.by.of[i] = twice > 0.0f ? out.all * ((firsts.of[i] + thens.of[i]) / twice) : 0.0f;
    return out;
}

/* The growth in a part of an iteration that begins at depth g and changes it by `rise`, at most
   `most` metres in a whole one. What the first producer made is the rest. */
OTOK_FN otok_light_grown otok_light_growth(float g, float rise, float part, otok_producers most,
                                           int n, otok_light_coefficients k)
{
    const int substeps = otok_light_substeps(rise, part, k);
    const float s = part / (float)substeps, speed = rise / part;
    otok_light_grown grown = {0.0f, {{0.0f, 0.0f, 0.0f}}};
    for (int step = 0; step < substeps; step++) {
        const otok_light_grown more = otok_light_substep(g, speed, s, most, n, k);
        grown.all += more.all;
        for (int i = 1; i < n; i++)
            grown.by.of[i] += more.by.of[i];
        g += fmaf(speed, s, -more.all);
    }
    return grown;
}

/* The share of an iteration for which the ground is above a sea that goes from one level to
 * another.
 */
OTOK_FN float otok_emerged_share(float h, float sea, float sea_to)
{
    const float low = otok_smaller(sea, sea_to), high = otok_larger(sea, sea_to);
    const float part = h > low ? (h - low) / (high - low) : 0.0f;
    return h > high ? 1.0f : part;
}

/* Karst: the fall of ground at height h that emerges for a share of an iteration and whose reef is
   so thick; not below the lowest level of the sea. */
OTOK_FN float otok_dissolved(float h, float thickness, float emerged, float lowest,
                             otok_light_coefficients k)
{
    const float above = otok_positive(h - lowest);
    const float falls = k.dissolves * emerged;
    return otok_smaller(falls, otok_smaller(above, otok_positive(thickness)));
}

/* Where a reef grew: the ground, the reef counter, and the bottom of the first layer. The ground
   rises by the growth, the counter by the rise of the ground after rounding, the bottom by the
   share of this rise that is rock; it stays below the ground. All three by otok_ground_add. */
typedef struct otok_reef_column {
    float change, reef, bottom;
} otok_reef_column;

OTOK_FN otok_reef_column otok_reef_rise(otok_reef_column c, float grown, uint32_t phase,
                                        otok_light_coefficients k)
{
    const float other = otok_dither(phase + OTOK_DITHER_TURN);
    const float change = otok_ground_add(c.change, grown, otok_dither(phase)),
                risen = change - c.change;
    const otok_reef_column out = {
        change, otok_ground_add(c.reef, risen, other),
        otok_smaller(otok_ground_add(c.bottom, k.rock * risen, other), change)};
    return out;
}

#endif
