/* halo.c: fills the ghost ring of one patch with what lies beyond its sides. */
#include "cpu.h"

#include <math.h>

/* The value beyond a side. `edge` is the cell at the side, `across` the cell at the opposite
   side. */
static float ghost_value(int kind, otok_halo mode, float edge, float across)
{
    if (kind == OTOK_PERIODIC) return across;
    switch (mode) {
    case OTOK_HALO_ZERO: return 0.0f;
    case OTOK_HALO_WALL: return INFINITY;
    case OTOK_HALO_DRY: return kind == OTOK_OPEN ? 0.0f : edge;
    case OTOK_HALO_COPY: break;
    }
    return edge;
}

void cpu_halo_sides(const otok_patch *patch, int buffer, otok_halo mode, int y0, int y1)
{
    const otok_view *v = &patch->view;
    const int nx = v->nx, *edges = patch->edges;
    for (int j = y0; j < y1; j++) {
        float *row = v->at[buffer] + j * v->pitch;
        row[-1] = ghost_value(edges[OTOK_LEFT], mode, row[0], row[nx - 1]);
        row[nx] = ghost_value(edges[OTOK_RIGHT], mode, row[nx - 1], row[0]);
    }
}

void cpu_halo_end(const otok_patch *patch, int buffer, otok_halo mode, otok_side side)
{
    const otok_view *v = &patch->view;
    float *first = v->at[buffer], *last = first + (v->ny - 1) * v->pitch;
    const float *edge = side == OTOK_BOTTOM ? first : last,
                *across = side == OTOK_BOTTOM ? last : first;
    float *ghosts = side == OTOK_BOTTOM ? first - v->pitch : last + v->pitch;
    for (int i = -1; i <= v->nx; i++)
        ghosts[i] = ghost_value(patch->edges[side], mode, edge[i], across[i]);
}

void cpu_halo(const otok_patch *patch, int buffer, otok_halo mode)
{
    cpu_halo_sides(patch, buffer, mode, 0, patch->view.ny);
    cpu_halo_end(patch, buffer, mode, OTOK_BOTTOM);
    cpu_halo_end(patch, buffer, mode, OTOK_TOP);
}
