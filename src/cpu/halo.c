/* halo.c: fills the ghost ring of one patch with what lies beyond its sides. */
#include "cpu.h"

#include <math.h>

/* The value beyond a side. `edge` is the cell at the side, `across` the cell at the opposite
   side, `ghost` the value that is there. */
static float ghost_value(int kind, otok_halo mode, float edge, float across, float ghost)
{
    if (kind == OTOK_PERIODIC) return across;
    switch (mode) {
    case OTOK_HALO_ZERO: return 0.0f;
    case OTOK_HALO_WALL: return INFINITY;
    case OTOK_HALO_DRY: return kind == OTOK_OPEN ? 0.0f : edge;
    case OTOK_HALO_RIGHTWARD:
    case OTOK_HALO_UPWARD: return kind == OTOK_OPEN ? ghost : 0.0f;
    case OTOK_HALO_COPY: break;
    }
    return edge;
}

void cpu_halo_sides(const otok_patch *patch, int buffer, otok_halo mode, int y0, int y1)
{
    const otok_view *v = &patch->view;
    const int nx = v->nx, *edges = patch->edges;
    const otok_halo rule = mode == OTOK_HALO_UPWARD ? OTOK_HALO_COPY : mode;
    for (int j = y0; j < y1; j++) {
        float *row = v->at[buffer] + j * v->pitch;
        row[-1] = ghost_value(edges[OTOK_LEFT], rule, row[0], row[nx - 1], row[-1]);
        row[nx] = ghost_value(edges[OTOK_RIGHT], rule, row[nx - 1], row[0], row[nx]);
    }
}

void cpu_halo_end(const otok_patch *patch, int buffer, otok_halo mode, otok_side side)
{
    const otok_view *v = &patch->view;
    const int beyond = side == OTOK_BOTTOM ? -1 : v->ny;
    const otok_halo rule = mode == OTOK_HALO_RIGHTWARD ? OTOK_HALO_COPY : mode;
    float *first = v->at[buffer], *last = first + (v->ny - 1) * v->pitch;
    const float *edge = side == OTOK_BOTTOM ? first : last,
                *across = side == OTOK_BOTTOM ? last : first;
    float *ghosts = first + beyond * v->pitch;
    for (int i = -1; i <= v->nx; i++)
        ghosts[i] = ghost_value(patch->edges[side], rule, edge[i], across[i], ghosts[i]);
    if (mode == OTOK_HALO_UPWARD) cpu_halo_sides(patch, buffer, mode, beyond, beyond + 1);
}

void cpu_halo(const otok_patch *patch, int buffer, otok_halo mode)
{
    cpu_halo_sides(patch, buffer, mode, 0, patch->view.ny);
    cpu_halo_end(patch, buffer, mode, OTOK_BOTTOM);
    cpu_halo_end(patch, buffer, mode, OTOK_TOP);
}
