/* layers.h: a ground of several kinds of rock, and an erodibility that varies over the map (Stava
   et al. 2008). Erosion and sliding take from the top layer down. Deposits join the first layer,
   whatever process lays them down.
   A layer is stored by its bottom, which is measured from TERRAIN_BASE as TERRAIN_CHANGE is. The
   thickness of a layer is the bottom of the layer above it, or the ground, less its own bottom.
   Ground that falls below a bottom takes the bottom along (otok_layers_cut); ground that rises
   leaves it. So a layer loses exactly what the ground lost, whatever rounding did, and slow erosion
   of a thick layer is not rounded away. The last layer has no bottom.
   One step of erosion: a layer alone would lose k_i (C - s). A layer thinner than that lasts for a
   share of the step and leaves the rest of the step to the layer below, at the rate of that layer.
   Sliding follows the same rule with the talus of each layer. One layer of erodibility 1 gives the
   bits of a ground without layers. */
#ifndef OTOK_LAYERS_H
#define OTOK_LAYERS_H

#include "erosion.h"
#include "fixed.h"
#include "thermal.h"

enum { OTOK_BOTTOMS = OTOK_LAYERS - 1 };

/* The bottoms of layers 0 .. n-2 of a cell, in falling order; the rest are not used. */
typedef struct otok_bottoms {
    float at[OTOK_BOTTOMS];
} otok_bottoms;

/* A bottom above the ground comes down with it. */
OTOK_FN otok_bottoms otok_layers_cut(otok_bottoms b, float ground)
{
    for (int i = 0; i < OTOK_BOTTOMS; i++)
        b.at[i] = otok_smaller(b.at[i], ground);
    return b;
}

/* The fraction of C - s that one step dissolves: the mean of the layers' k_i, weighted by the share
   of the step that each layer takes. */
OTOK_FN float otok_layers_dissolve(float ground, otok_bottoms b, float lack, float erodibility,
                                   float dissolve, otok_layer_coefficients k)
{
    float left = 1.0f, share = 0.0f, top = ground;
    for (int i = 0; i < OTOK_LAYERS; i++) {
        if (i >= k.n || !(left > 0.0f)) break;
        const float rate = otok_smaller(dissolve * (k.erodibility[i] * erodibility), 1.0f);
        const float whole = rate * lack;
        float used = left;
        if (i < OTOK_BOTTOMS && i < k.n - 1) {
            const float thickness = otok_positive(top - b.at[i]);
            used = thickness > 0.0f && thickness >= left * whole ? left
                   : whole > 0.0f                                ? thickness / whole
                                                                 : 0.0f;
            top = b.at[i];
        }
        share += used * rate;
        left = otok_positive(left - used);
    }
    return share;
}

/* Stage 4 over a ground in layers. */
OTOK_FN otok_eroded otok_erosion_layered(float change, otok_bottoms b, float s, float d2,
                                         float capacity, float erodibility,
                                         otok_erosion_coefficients k,
                                         otok_layer_coefficients layers)
{
    const float lack = capacity - s;
    if (lack > 0.0f)
        k.dissolve = otok_layers_dissolve(change, b, lack, erodibility, k.dissolve, layers);
    return otok_erosion(change, s, d2, capacity, k);
}

OTOK_FN otok_eight otok_eight_add(otok_eight a, float share, otok_eight b)
{
    a.left += share * b.left;
    a.right += share * b.right;
    a.bottom += share * b.bottom;
    a.top += share * b.top;
    a.bottom_left += share * b.bottom_left;
    a.bottom_right += share * b.bottom_right;
    a.top_left += share * b.top_left;
    a.top_right += share * b.top_right;
    return a;
}

/* What would slide if all of the ground were layer i. Erodibility multiplies the amount up to
   k.most_slide, beyond which new extrema begin (dt rate 1/4 for law share, 1/8 for law excess), or
   up to the amount of the phase if that is larger. */
OTOK_FN otok_slide otok_slide_of_layer(int i, otok_moore h, float change, float erodibility,
                                       otok_thermal_coefficients k, otok_layer_coefficients layers)
{
    k.amount = otok_smaller(k.amount * (layers.erodibility[i] * erodibility), layers.most_slide);
    k.talus = layers.talus[i];
    k.talus_diagonal = layers.talus_diagonal[i];
    return otok_thermal_outflow(h, change, k);
}

/* Is no drop more than a talus? Then nothing slides out of the cell, whichever layers it has. */
OTOK_FN int otok_layers_hold(otok_moore h, otok_layer_coefficients layers)
{
    const otok_eight drop = otok_slide_drops(h);
    const float axis = otok_deepest_axis(drop), diagonal = otok_deepest_diagonal(drop);
    int slides = 0;
    for (int i = 0; i < OTOK_LAYERS; i++)
        slides |= i < layers.n && (axis > layers.talus[i] || diagonal > layers.talus_diagonal[i]);
    return !slides;
}

/* Thermal erosion over a ground in layers. A layer that does not slide holds the layers below
   it. */
OTOK_FN otok_slide otok_thermal_outflow_layered(otok_moore h, float change, otok_bottoms b,
                                                float erodibility, otok_thermal_coefficients k,
                                                otok_layer_coefficients layers)
{
    otok_slide out = {{0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}, change};
    float left = 1.0f, taken = 0.0f, top = change;
    if (otok_layers_hold(h, layers)) return out;
    for (int i = 0; i < OTOK_LAYERS; i++) {
        if (i >= layers.n || !(left > 0.0f)) break;
        const int last = i == OTOK_BOTTOMS || i == layers.n - 1;
        const float bottom = last ? -INFINITY : b.at[i], thickness = top - bottom;
        top = bottom;
        if (!(thickness > 0.0f)) continue;
        const otok_slide slide = otok_slide_of_layer(i, h, change, erodibility, k, layers);
        const float whole = change - slide.change;
        if (left == 1.0f && whole <= thickness) return slide;
        const float used = thickness < left * whole ? thickness / whole : left;
        out.pipe = otok_eight_add(out.pipe, used, slide.pipe);
        taken += used * whole;
        left = otok_positive(left - used);
    }
    out.change = change - taken;
    const float sum = otok_sum_eight(out.pipe);
    const otok_eight none = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    out.pipe = otok_eight_add(none, sum > 0.0f ? (change - out.change) / sum : 0.0f,
                              out.pipe); /* what was really taken */
    return out;
}

/* What layers lost and what was laid down, in the integers of fixed.h. Entry k belongs to the sum
   OTOK_SUM_DEPOSITED + k of the grid. */
typedef struct otok_layer_books {
    int64_t hi[1 + OTOK_LAYERS], lo[1 + OTOK_LAYERS]; /* deposited; lost by layer 0, 1, ... */
} otok_layer_books;

OTOK_FN void otok_layers_enter(otok_layer_books *books, int k, int sign, float value)
{
    const otok_fixed f = otok_fixed_from(value);
    books->hi[k] += sign * (int64_t)f.hi;
    books->lo[k] += sign * (int64_t)f.lo;
}

/* Books a move of the ground from `was` to `is`, with the bottoms that come down
   (otok_layers_cut). */
OTOK_FN void otok_layers_book(otok_layer_books *books, float was, otok_bottoms b, float is,
                              otok_bottoms cut, int n)
{
    if (is > was) {
        otok_layers_enter(books, 0, 1, is);
        otok_layers_enter(books, 0, -1, was);
        return;
    }
    /* Layer i loses the fall of its top less the fall of its bottom. */
    for (int i = 0; i < OTOK_LAYERS; i++) {
        if (i >= n || was == is) break;
        otok_layers_enter(books, 1 + i, 1, was);
        otok_layers_enter(books, 1 + i, -1, is);
        if (i == OTOK_BOTTOMS || i == n - 1) break;
        was = b.at[i];
        is = cut.at[i];
        if (was == is) break;
        otok_layers_enter(books, 1 + i, -1, was);
        otok_layers_enter(books, 1 + i, 1, is);
    }
}

#endif
