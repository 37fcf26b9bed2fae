/* ground.h: loads and stores the layers of a cell. Used by the plain loops and the plain kernels.
 */
#ifndef OTOK_GROUND_H
#define OTOK_GROUND_H

#include "../model/layers.h"
#include "state.h"

/* Erodibility of a cell; 1 where there is no map. For every process that erodes. */
OTOK_FN float otok_erodibility_at(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_ERODIBILITY] ? v->at[OTOK_ERODIBILITY][at] : 1.0f;
}

/* The bottoms of the layers of a ground of n; the rest is 0. */
OTOK_FN otok_bottoms otok_bottoms_at(const otok_view *v, ptrdiff_t at, int n)
{
    otok_bottoms b;
    for (int i = 0; i < OTOK_BOTTOMS; i++)
        b.at[i] = i < n - 1 ? v->at[OTOK_LAYER_BOTTOM + i][at] : 0.0f;
    return b;
}

/* The ground moved from `was` to `is`: cuts the bottoms and books the layers' part. */
OTOK_FN void otok_ground_moved(const otok_view *v, ptrdiff_t at, float was, float is,
                               otok_bottoms b, int n, otok_layer_books *books)
{
    const otok_bottoms cut = otok_layers_cut(b, is);
    otok_layers_book(books, was, b, is, cut, n);
    for (int i = 0; i < OTOK_BOTTOMS; i++)
        if (i < n - 1 && cut.at[i] != b.at[i]) v->at[OTOK_LAYER_BOTTOM + i][at] = cut.at[i];
}

#endif
