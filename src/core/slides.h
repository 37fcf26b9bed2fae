/* slides.h: loads and stores of slides: debris from a cell to its eight neighbours, and from them
   to it. Used by the plain loops and the plain kernels. */
#ifndef OTOK_SLIDES_H
#define OTOK_SLIDES_H

#include "ground.h"

OTOK_FN void otok_slides_store(const otok_view *v, ptrdiff_t at, otok_eight from)
{
    v->at[OTOK_PIPE_LEFT][at] = from.left;
    v->at[OTOK_PIPE_RIGHT][at] = from.right;
    v->at[OTOK_PIPE_BOTTOM][at] = from.bottom;
    v->at[OTOK_PIPE_TOP][at] = from.top;
    v->at[OTOK_PIPE_BOTTOM_LEFT][at] = from.bottom_left;
    v->at[OTOK_PIPE_BOTTOM_RIGHT][at] = from.bottom_right;
    v->at[OTOK_PIPE_TOP_LEFT][at] = from.top_left;
    v->at[OTOK_PIPE_TOP_RIGHT][at] = from.top_right;
}

OTOK_FN void otok_cell_slide(const otok_view *v, ptrdiff_t at, otok_thermal_coefficients k)
{
    const otok_slide s =
        otok_thermal_outflow(otok_ground_about(v, at), v->at[OTOK_TERRAIN_CHANGE][at], k);
    v->at[OTOK_CHANGE_NEXT][at] = s.change;
    otok_slides_store(v, at, s.pipe);
}

/* Over layers nothing slides out of most cells. Such a cell has this in PIPE_LEFT, and anything in
   its other pipes. */
#define OTOK_HOLDS (-1.0f)

OTOK_FN void otok_cell_slide_layered(const otok_view *v, ptrdiff_t at, otok_thermal_coefficients k,
                                     otok_layer_coefficients layers, otok_layer_books *books)
{
    const float change = v->at[OTOK_TERRAIN_CHANGE][at];
    const otok_bottoms bottoms = otok_bottoms_at(v, at, layers.n);
    const otok_slide s = otok_thermal_outflow_layered(otok_ground_about(v, at), change, bottoms,
                                                      otok_erodibility_at(v, at), k, layers);
    v->at[OTOK_CHANGE_NEXT][at] = s.change;
    otok_ground_moved(v, at, change, s.change, bottoms, layers.n, books);
    if (s.change == change)
        v->at[OTOK_PIPE_LEFT][at] = OTOK_HOLDS;
    else
        otok_slides_store(v, at, s.pipe);
}

OTOK_FN float otok_slid(const otok_view *v, int pipe, ptrdiff_t at, int layered)
{
    return layered && v->at[OTOK_PIPE_LEFT][at] < 0.0f ? 0.0f : v->at[pipe][at];
}

/* The change of the ground after what slides into the cell. */
OTOK_FN float otok_cell_collect(const otok_view *v, ptrdiff_t at, int layered)
{
    const ptrdiff_t below = at - v->pitch, above = at + v->pitch;
    otok_eight into;
    into.left = otok_slid(v, OTOK_PIPE_RIGHT, at - 1, layered);
    into.right = otok_slid(v, OTOK_PIPE_LEFT, at + 1, layered);
    into.bottom = otok_slid(v, OTOK_PIPE_TOP, below, layered);
    into.top = otok_slid(v, OTOK_PIPE_BOTTOM, above, layered);
    into.bottom_left = otok_slid(v, OTOK_PIPE_TOP_RIGHT, below - 1, layered);
    into.bottom_right = otok_slid(v, OTOK_PIPE_TOP_LEFT, below + 1, layered);
    into.top_left = otok_slid(v, OTOK_PIPE_BOTTOM_RIGHT, above - 1, layered);
    into.top_right = otok_slid(v, OTOK_PIPE_BOTTOM_LEFT, above + 1, layered);
    return otok_thermal_collect(v->at[OTOK_CHANGE_NEXT][at], into);
}

/* The same over layers, in CHANGE_NEXT, too. */
OTOK_FN float otok_cell_collect_layered(const otok_view *v, ptrdiff_t at, otok_layer_books *books)
{
    const float had = v->at[OTOK_CHANGE_NEXT][at], has = otok_cell_collect(v, at, 1);
    if (otok_bits(has) == otok_bits(had)) return has;
    otok_layers_enter(books, 0, 1, has);
    otok_layers_enter(books, 0, -1, had);
    return v->at[OTOK_CHANGE_NEXT][at] = has;
}

#endif
