/* reef_light.h: growth of a coral reef by light (Bosscher & Schlager 1992, Sedimentology 39:503)
   while the sea and the ground move. Within an iteration both move at constant speed. Rates are in
   metres per iteration, and times in iterations: 1 is the whole of it. */
#ifndef OTOK_REEF_LIGHT_H
#define OTOK_REEF_LIGHT_H

#include "coefficients.h"
#include "common.h"
#include "math.h"

/* tanh(x) for x >= 0, within 3e-7 of itself. */
OTOK_FN float otok_saturation(float x)
{
    const float x2 = x * x, t = otok_exp_decay(-2.0f * x);
    const float small =
        x * fmaf(x2, fmaf(x2, fmaf(x2, -0.053968254f, 0.13333334f), -0.33333334f), 1.0f);
    return x < 0.2f ? small : (1.0f - t) / (1.0f + t);
}

/* G_m tanh(I_0 / I_k exp(-k g)) at depth g >= 0. */
OTOK_FN float otok_light_rate(float g, float most, otok_light_coefficients k)
{
    return most * otok_saturation(k.light * otok_exp_decay(-g * k.absorption));
}

/* The number of substeps of an iteration, while the depth of the sea above the ground changes by
   `rise`: in each, the light changes by at most a tenth of itself. */
OTOK_FN int otok_light_substeps(float rise, otok_light_coefficients k)
{
    const float n = otok_larger(k.growth, fabsf(rise)) * k.absorption * 10.0f;
    return n > 1.0f ? (n < OTOK_LIGHT_SUBSTEPS ? (int)-floorf(-n) : OTOK_LIGHT_SUBSTEPS) : 1;
}

/* The growth in a substep of length s that begins at depth g (Heun). Growth begins when the sea
   covers the ground by min_depth, and never passes this depth; a crest that the falling sea meets
   ends there. */
OTOK_FN float otok_light_substep(float g, float rise, float s, float most,
                                 otok_light_coefficients k)
{
    const float m = k.min_depth, missing = m - g;
    const float flooded = rise > 0.0f ? otok_smaller(s, missing / rise) : s;
    const float lasts = missing < 0.0f ? s : s - flooded, from = otok_larger(g, m);
    const float first = otok_light_rate(from, most, k);
    const float then = otok_larger(fmaf(rise - first, lasts, from), m);
    const float rate = 0.5f * (first + otok_light_rate(then, most, k));
    const float room = otok_positive(fmaf(rise, s, g) - m);
    const float meets = otok_smaller(otok_positive(-missing) / (rate - rise), s);
    return rise < 0.0f ? rate * meets : otok_smaller(rate * lasts, room);
}

/* The growth [m] in an iteration that begins at depth g, at most `most` metres. */
OTOK_FN float otok_light_growth(float g, float rise, float most, otok_light_coefficients k)
{
    const int n = otok_light_substeps(rise, k);
    const float s = 1.0f / (float)n;
    float grown = 0.0f;
    for (int i = 0; i < n; i++) {
        const float more = otok_light_substep(g, rise, s, most, k);
        grown += more;
        g += fmaf(rise, s, -more);
    }
    return grown;
}

/* Where a reef grew: the ground, the reef counter, and the bottom of the first layer. The ground
   rises by the growth, the counter by the rise of the ground after rounding, the bottom by the
   share of this rise that is rock; it stays below the ground. */
typedef struct otok_reef_column {
    float change, reef, bottom;
} otok_reef_column;

OTOK_FN otok_reef_column otok_reef_rise(otok_reef_column c, float grown, otok_light_coefficients k)
{
    const float change = c.change + grown, risen = change - c.change;
    const otok_reef_column out = {change, c.reef + risen,
                                  otok_smaller(fmaf(k.rock, risen, c.bottom), change)};
    return out;
}

#endif
