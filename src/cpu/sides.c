/* sides.c: what leaves and enters over open sides of a kind of their own. */
#include "../core/side_flows.h"

#include "cpu.h"

static void each_cell(const otok_patch *patch, otok_box b, const otok_coefficients *k,
                      void (*f)(const otok_view *, int, ptrdiff_t, otok_side_coefficients))
{
    const otok_view *v = &patch->view;
    const int *edges = patch->edges;
    for (int j = b.y0; j < b.y1; j++) {
        if (edges[OTOK_LEFT] == OTOK_OPEN) f(v, OTOK_LEFT, j * v->pitch, k->sides);
        if (edges[OTOK_RIGHT] == OTOK_OPEN) f(v, OTOK_RIGHT, j * v->pitch + v->nx - 1, k->sides);
    }
    for (int i = b.x0; i < b.x1 && b.y0 == 0 && edges[OTOK_BOTTOM] == OTOK_OPEN; i++)
        f(v, OTOK_BOTTOM, i, k->sides);
    for (int i = b.x0; i < b.x1 && b.y1 == v->ny && edges[OTOK_TOP] == OTOK_OPEN; i++)
        f(v, OTOK_TOP, (v->ny - 1) * v->pitch + i, k->sides);
}

CPU_STAGE(side_flow, each_cell(patch, b, k, otok_side_flow))
CPU_STAGE(side_rest, each_cell(patch, b, k, otok_side_rest))

/* With the corners, if the sides across are joined. */
void cpu_side_level(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const int *edges = patch->edges;
    const int high = edges[OTOK_BOTTOM] == OTOK_PERIODIC, wide = edges[OTOK_LEFT] == OTOK_PERIODIC;
    for (int j = b.y0 - (high && b.y0 == 0); j < b.y1 + (high && b.y1 == v->ny); j++) {
        if (edges[OTOK_LEFT] == OTOK_OPEN) otok_side_level(v, OTOK_LEFT, j * v->pitch, k->sides);
        if (edges[OTOK_RIGHT] == OTOK_OPEN)
            otok_side_level(v, OTOK_RIGHT, j * v->pitch + v->nx - 1, k->sides);
    }
    const int x0 = b.x0 - wide, x1 = b.x1 + wide;
    for (int i = x0; i < x1 && b.y0 == 0 && edges[OTOK_BOTTOM] == OTOK_OPEN; i++)
        otok_side_level(v, OTOK_BOTTOM, i, k->sides);
    for (int i = x0; i < x1 && b.y1 == v->ny && edges[OTOK_TOP] == OTOK_OPEN; i++)
        otok_side_level(v, OTOK_TOP, (v->ny - 1) * v->pitch + i, k->sides);
}
