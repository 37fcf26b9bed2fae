/* hollows.c: the lowest ground at each side; and the deepest hollow of a ground without outlet,
   from its open sides upwards. */
#include "../core/walls.h"
#include "rim.h"
#include "site.h"

#include <math.h>
#include <stdlib.h>

typedef struct flood {
    const float *heights;
    int64_t nx, ny;
    const int *edges;
    const float *walls; /* OTOK_WALLS; NULL: none */
    rim *heap;
    int64_t n;
    int *hollow; /* of a cell: that it drains into, 0: an open side, or it is a wall; -1: not
                    reached */
    double *depth, *volume, *drains; /* of hollows: most depth, sum of depths, cells */
    int nhollows;
} flood;

/* The neighbour of a cell, or -1 beyond a side that is not periodic. */
static int64_t neighbour(const flood *f, int64_t cell, int side)
{
    const int64_t x = cell % f->nx, y = cell / f->nx;
    switch (side) {
    case OTOK_LEFT:
        return x > 0 ? cell - 1 : f->edges[side] == OTOK_PERIODIC ? cell + f->nx - 1 : -1;
    case OTOK_RIGHT:
        return x < f->nx - 1 ? cell + 1 : f->edges[side] == OTOK_PERIODIC ? cell - f->nx + 1 : -1;
    case OTOK_BOTTOM:
        return y > 0                             ? cell - f->nx
               : f->edges[side] == OTOK_PERIODIC ? cell + (f->ny - 1) * f->nx
                                                 : -1;
    default:
        return y < f->ny - 1                     ? cell + f->nx
               : f->edges[side] == OTOK_PERIODIC ? cell - (f->ny - 1) * f->nx
                                                 : -1;
    }
}

/* Begins with the cells at open sides. */
static void begin(flood *f)
{
    for (int64_t cell = 0; cell < f->nx * f->ny; cell++) {
        int open = 0;
        for (int side = 0; side < OTOK_SIDES; side++)
            open |= neighbour(f, cell, side) < 0 && f->edges[side] == OTOK_OPEN;
        const int wall = f->walls && f->walls[cell] == OTOK_IN_WALL;
        f->hollow[cell] = open || wall ? 0 : -1;
        if (open && !wall) rim_push(f->heap, &f->n, (rim){f->heights[cell], cell});
    }
}

/* A cell that was reached from `from`, whose water stands at from->level when all is full. */
static void reach(flood *f, const rim *from, int64_t cell)
{
    const float h = f->heights[cell];
    const int is_under = h < from->level;
    int hollow = f->hollow[from->cell];
    if (is_under && f->heights[from->cell] >= from->level) { /* the outlet of another one */
        hollow = ++f->nhollows;
        f->depth[hollow] = f->volume[hollow] = f->drains[hollow] = 0;
    }
    f->hollow[cell] = hollow;
    f->drains[hollow]++;
    if (is_under) {
        f->depth[hollow] = fmax(f->depth[hollow], (double)(from->level - h));
        f->volume[hollow] += (double)(from->level - h);
    }
    rim_push(f->heap, &f->n, (rim){is_under ? from->level : h, cell});
}

static void run(flood *f)
{
    while (f->n > 0) {
        const rim lowest = rim_pop(f->heap, &f->n);
        for (int side = 0; side < OTOK_SIDES; side++) {
            const int64_t cell = neighbour(f, lowest.cell, side);
            if (cell >= 0 && f->hollow[cell] < 0) reach(f, &lowest, cell);
        }
    }
}

int otok_hollow_find(double *depth, double *rain, const float *heights, const float *walls,
                     int64_t nx, int64_t ny, const int *edges)
{
    const size_t cells = (size_t)nx * (size_t)ny;
    flood f = {.heights = heights, .walls = walls, .nx = nx, .ny = ny, .edges = edges};
    f.heap = malloc(cells * sizeof *f.heap);
    f.hollow = malloc(cells * sizeof *f.hollow);
    double *numbers = calloc(3 * (cells + 1), sizeof *numbers);
    const int room = f.heap && f.hollow && numbers;
    *depth = *rain = 0;
    if (room) {
        f.depth = numbers;
        f.volume = numbers + cells + 1;
        f.drains = numbers + 2 * (cells + 1);
        begin(&f);
        run(&f);
        double enclosed = 0, open = 0; /* cells, which walls may enclose */
        for (size_t n = 0; n < cells; n++)
            *(f.hollow[n] < 0 ? &enclosed : &open) += !(walls && walls[n] == OTOK_IN_WALL);
        if (enclosed > open) *depth = INFINITY;
        for (int n = 1; n <= f.nhollows; n++)
            if (f.depth[n] > *depth) {
                *depth = f.depth[n];
                *rain = f.volume[n] / f.drains[n];
            }
    }
    free(f.heap);
    free(f.hollow);
    free(numbers);
    return room;
}

void otok_site_sides(double lowest[OTOK_SIDES], const float *heights, const float *walls,
                     int64_t nx, int64_t ny)
{
    for (int side = 0; side < OTOK_SIDES; side++) {
        const int along = side == OTOK_BOTTOM || side == OTOK_TOP;
        const int64_t n = along ? nx : ny, step = along ? 1 : nx,
                      first = side == OTOK_RIGHT ? nx - 1
                              : side == OTOK_TOP ? (ny - 1) * nx
                                                 : 0;
        lowest[side] = INFINITY;
        for (int64_t i = first; i < first + n * step; i += step)
            if (!walls || walls[i] != OTOK_IN_WALL)
                lowest[side] = fmin(lowest[side], (double)heights[i]);
    }
}
