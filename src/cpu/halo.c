/* halo.c: the ghost ring of one patch: what lies beyond its sides. */
#include "cpu.h"

#include <math.h>

/* The value beyond a side: `edge` is the cell at the side, `across` the one that a periodic grid has there. */
static float beyond(int kind, otok_halo mode, float edge, float across)
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

void cpu_halo(const otok_patch *patch, int buffer, otok_halo mode)
{
    const otok_view *v = &patch->view;
    const int nx = v->nx, ny = v->ny, *edges = patch->edges;
    float *at = v->at[buffer];
    for (int j = 0; j < ny; j++) {
        float *row = at + j * v->pitch;
        row[-1] = beyond(edges[OTOK_LEFT], mode, row[0], row[nx - 1]);
        row[nx] = beyond(edges[OTOK_RIGHT], mode, row[nx - 1], row[0]);
    }
    float *first = at, *last = at + (ny - 1) * v->pitch;
    float *below = at - v->pitch, *above = last + v->pitch;
    for (int i = -1; i <= nx; i++) {
        below[i] = beyond(edges[OTOK_BOTTOM], mode, first[i], last[i]);
        above[i] = beyond(edges[OTOK_TOP], mode, last[i], first[i]);
    }
    patch->comm->exchange(v, buffer, NULL);
}
