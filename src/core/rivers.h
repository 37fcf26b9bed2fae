/* rivers.h: the cell functions of incision. The plain loops and the plain kernels use them. */
#ifndef OTOK_RIVERS_H
#define OTOK_RIVERS_H

#include "ground.h"
#include "routing.h"

/* A side that is a base level gives away what uplift raised it by in this iteration. Below the sea,
   and while it sinks, it moves with the rest. */
OTOK_FN void otok_cell_hold(const otok_view *v, int i, int j, double rate, otok_lift same,
                            const otok_step *step, int n)
{
    const ptrdiff_t at = j * v->pitch + i;
    if (!otok_is_at_sides(v, i, j, step->held)) return;
    const float rise = otok_column_uplift(v, at, n, otok_lift_at(v, at, rate, same, step));
    const float h = v->at[OTOK_TERRAIN_BASE][at] + (v->at[OTOK_TERRAIN_CHANGE][at] - rise);
    if (rise > 0.0f && h >= step->sea) otok_column_rise(v, at, n, -rise);
}

/* After a stage that moves solid between cells: such a side stays where it was. What came to it
   leaves, and what it gave comes from beyond. */
OTOK_FN void otok_cell_stay(const otok_view *v, int i, int j, const otok_step *step)
{
    const ptrdiff_t at = j * v->pitch + i;
    const float was = v->at[OTOK_TERRAIN_CHANGE][at];
    if (otok_is_at_sides(v, i, j, step->held) && v->at[OTOK_TERRAIN_BASE][at] + was >= step->sea)
        v->at[OTOK_CHANGE_NEXT][at] = was;
}

/* The erodibility of the layer at the top; 1 without layers. */
OTOK_FN float otok_top_erodibility(const otok_view *v, ptrdiff_t at,
                                   const otok_layer_coefficients *k)
{
    int top = 0;
    while (top < k->n - 1 && !(v->at[OTOK_TERRAIN_CHANGE][at] > v->at[OTOK_LAYER_BOTTOM + top][at]))
        top++;
    return k->n > 0 ? k->erodibility[top] : 1.0f;
}

/* The cells that drain through one, each as often as it rains there, with what enters the map. */
OTOK_FN float otok_cell_area(const otok_view *v, ptrdiff_t at, otok_incision_coefficients k)
{
    const float cells =
        k.flows ? v->at[OTOK_RIVER_AREA][at] : (float)otok_naturals(v, OTOK_RIVER_AREA)[at];
    return cells * v->steps[*v->now].rainfall;
}

/* How strong the river of a cell is. */
OTOK_FN void otok_cell_river(const otok_view *v, ptrdiff_t at, otok_incision_coefficients k,
                             const otok_layer_coefficients *layers)
{
    const float rate = otok_map_at(v, OTOK_MAP_ERODIBILITY, k.rate, at) *
                       (otok_erodibility_at(v, at) * otok_top_erodibility(v, at, layers));
    v->at[OTOK_RIVER_CUT][at] =
        otok_incision_rate(rate, otok_cell_area(v, at, k), otok_way_of(v, at), k);
}

/* The ground after its river has cut it. */
OTOK_FN void otok_cell_cut(const otok_view *v, ptrdiff_t at, uint32_t phase)
{
    v->at[OTOK_CHANGE_NEXT][at] = otok_ground_add(v->at[OTOK_TERRAIN_CHANGE][at],
                                                  v->at[OTOK_RIVER_CUT][at], otok_dither(phase));
}

#endif
