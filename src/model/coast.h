/* coast.h: what waves do to a coast. Where they lose the power D [W/m^2] they loosen k_w D of the
   rock below the first layer, the loose one [m/s], however thick it is: the volume is k_w times the
   energy spent, at every cell size. Loose material goes the way of the waves, k_l times their
   energy flux [m^2/s]. Neither reaches ground deeper than the closure depth. */
#ifndef OTOK_COAST_H
#define OTOK_COAST_H

#include "dither.h"
#include "layers.h"

/* The depth below the sea to which waves cut a cell. */
OTOK_FN float otok_coast_deepest(float depth, otok_coast_coefficients k)
{
    return depth > 0.0f ? k.closure : k.shore;
}

/* The bottoms after an iteration. The loose layer's goes down through the layers below it, each
   with its own erodibility, to the height `least`. */
OTOK_FN otok_bottoms otok_abraded(otok_bottoms b, float least, float loss, float erodibility,
                                  float dither, otok_coast_coefficients k,
                                  otok_layer_coefficients layers)
{
    const float whole = k.abrades * loss * erodibility;
    float left = 1.0f, top = b.at[0];
    for (int i = 1; i < OTOK_LAYERS; i++) {
        if (i >= layers.n || !(left > 0.0f) || !(top > least)) break;
        const int last = i == OTOK_BOTTOMS || i == layers.n - 1;
        const float rate = layers.erodibility[i] * whole,
                    bottom = last ? least : otok_larger(b.at[i], least),
                    thickness = otok_positive(top - bottom);
        const int through = left * rate > thickness;
        top = through ? otok_smaller(top, bottom) : otok_ground_add(top, -(left * rate), dither);
        left = through ? left - thickness / rate : 0.0f;
    }
    return otok_layers_cut(b, top);
}

/* Books the fall of the tops of the layers below the first. */
OTOK_FN void otok_abraded_book(otok_layer_books *books, otok_bottoms was, otok_bottoms is, int n)
{
    for (int i = 1; i < OTOK_LAYERS; i++) {
        if (i >= n || was.at[i - 1] == is.at[i - 1]) break;
        otok_layers_enter(books, 1 + i, 1, was.at[i - 1]);
        otok_layers_enter(books, 1 + i, -1, is.at[i - 1]);
        if (i == OTOK_BOTTOMS || i == n - 1) break;
        otok_layers_enter(books, 1 + i, -1, was.at[i]);
        otok_layers_enter(books, 1 + i, 1, is.at[i]);
    }
}

/* A vector: the flux of waves, and the loose material that leaves a cell to the right and to the
   top [m]. */
typedef struct otok_drift {
    float x, y;
} otok_drift;

/* The flux without the part of it that the slope of the bed holds back: uphill, all of it on a
   beach of the slope at which the backwash carries down what waves bring. The rest goes along the
   coast. */
OTOK_FN otok_drift otok_drift_along(otok_drift flux, otok_cross h, otok_coast_coefficients k)
{
    const float x = h.right - h.left, y = h.top - h.bottom, square = x * x + y * y,
                uphill = otok_positive(flux.x * x + flux.y * y);
    const float held = otok_smaller(sqrtf(square) * k.beach, 1.0f);
    const float part = square > 0.0f ? uphill / square * held : 0.0f;
    const otok_drift along = {flux.x - part * x, flux.y - part * y};
    return along;
}

/* No more than there is. */
OTOK_FN otok_drift otok_drift_gives(float depth, float loose, otok_drift flux,
                                    otok_coast_coefficients k)
{
    const float x = k.drifts * flux.x, y = k.drifts * flux.y;
    const float share = depth < k.closure ? otok_share_of(fabsf(x) + fabsf(y), loose) : 0.0f;
    const otok_drift out = {share * x, share * y};
    return out;
}

/* What comes from the neighbours, if a cell has room for all of it. */
OTOK_FN otok_four otok_drift_into(otok_cross x, otok_cross y)
{
    const otok_four in = {otok_positive(x.left), otok_positive(-x.right), otok_positive(y.bottom),
                          otok_positive(-y.top)};
    return in;
}

/* The share of it that fits below the run-up of the waves that come to the cell. Its height goes as
   theirs, the root of their flux: a rim is thrown up on its windward side, a lagoon fills to the
   sea. Without run-up land takes none. */
OTOK_FN float otok_drift_takes(float depth, otok_four in, otok_drift flux,
                               otok_coast_coefficients k)
{
    const float height = sqrtf(sqrtf(flux.x * flux.x + flux.y * flux.y));
    return otok_share_of(otok_sum_four(in), fmaf(k.runup, height, depth));
}

/* What a cell shows to its faces: what leaves it, and the share of what comes that it takes. */
typedef struct otok_carried {
    otok_drift out;
    float takes;
} otok_carried;

/* Goes through a face between two cells with these drifts across it. */
OTOK_FN float otok_drift_through(float first, float second, float first_takes, float second_takes)
{
    return otok_positive(first) * second_takes - otok_positive(-second) * first_takes;
}

#endif
