/* ground_flow.c: the area that drains through each cell of a bare ground. A flood from the outlets
   visits the cells in the order of the levels that they have when all hollows are full. In the
   reverse order each cell passes its area on to its lower neighbours, in proportion to slope^1.1
   (after Freeman 1991: fans spread, valleys gather). Full hollows rise by a last digit per cell
   from their outlets on. */
#include "../core/status.h"
#include "derived.h"
#include "rim.h"

#include <math.h>
#include <stdlib.h>

enum { AROUND = 8 };

typedef struct ground {
    otok_grid grid;
    rim *heap, *order; /* `order`: as the flood visits the cells */
    int64_t n, visited;
    float *level;        /* when all hollows are full [m]; NAN: not reached */
    unsigned char *ends; /* 1: an outlet */
    double *area;
} ground;

/* The neighbours of a cell; -1 beyond the map. */
static void find_around(int64_t around[AROUND], otok_grid g, int64_t cell)
{
    static const int dx[] = {-1, 1, 0, 0, -1, 1, -1, 1}, dy[] = {0, 0, -1, 1, -1, -1, 1, 1};
    const int64_t x = cell % g.nx, y = cell / g.nx;
    for (int k = 0; k < AROUND; k++) {
        const int64_t i = x + dx[k], j = y + dy[k];
        around[k] = i < 0 || j < 0 || i >= g.nx || j >= g.ny ? -1 : j * g.nx + i;
    }
}

static void reach(ground *f, int64_t cell, float level, int is_outlet)
{
    f->level[cell] = level;
    f->ends[cell] = (unsigned char)is_outlet;
    rim_push(f->heap, &f->n, (rim){level, cell});
}

static void flood(ground *f, const float *heights, double sea)
{
    const otok_grid g = f->grid;
    int64_t around[AROUND];
    for (int64_t cell = 0; cell < g.nx * g.ny; cell++)
        f->level[cell] = NAN;
    for (int64_t cell = 0; cell < g.nx * g.ny; cell++) {
        int is_outlet = !isnan(heights[cell]) && (double)heights[cell] < sea;
        find_around(around, g, cell);
        for (int k = 0; k < AROUND; k++)
            is_outlet |= around[k] < 0 || isnan(heights[around[k]]);
        if (is_outlet && !isnan(heights[cell])) reach(f, cell, heights[cell], 1);
    }
    while (f->n > 0) {
        const rim lowest = rim_pop(f->heap, &f->n);
        f->order[f->visited++] = lowest;
        find_around(around, g, lowest.cell);
        for (int k = 0; k < AROUND; k++) {
            const int64_t next = around[k];
            if (next >= 0 && isnan(f->level[next]) && !isnan(heights[next]))
                reach(f, next, fmaxf(heights[next], nextafterf(lowest.level, INFINITY)), 0);
        }
    }
}

static void pass(ground *f, int64_t cell)
{
    int64_t around[AROUND];
    double part[AROUND], sum = 0;
    if (f->ends[cell]) return;
    find_around(around, f->grid, cell);
    for (int k = 0; k < AROUND; k++) {
        const double fall =
            around[k] < 0 ? 0 : (double)(f->level[cell] - f->level[around[k]]); /* or NaN */
        part[k] = fall > 0 ? pow(fall / (k < 4 ? 1 : M_SQRT2), 1.1) : 0;
        sum += part[k];
    }
    for (int k = 0; k < AROUND; k++)
        if (part[k] > 0) f->area[around[k]] += f->area[cell] * (part[k] / sum);
}

otok_status otok_ground_drainage(const float *heights, otok_grid g, double sea, float *map)
{
    const size_t cells = (size_t)(g.nx * g.ny);
    ground f = {.grid = g,
                .heap = malloc((cells + 1) * sizeof *f.heap),
                .order = malloc(cells * sizeof *f.order),
                .level = malloc(cells * sizeof *f.level),
                .ends = malloc(cells),
                .area = malloc(cells * sizeof *f.area)};
    const int has_room = f.heap && f.order && f.level && f.ends && f.area;
    if (has_room) {
        for (size_t n = 0; n < cells; n++)
            f.area[n] = isnan(heights[n]) ? 0 : g.spacing * g.spacing;
        flood(&f, heights, sea);
        while (f.visited > 0)
            pass(&f, f.order[--f.visited].cell);
        for (size_t n = 0; n < cells; n++)
            map[n] = (float)f.area[n];
    }
    free(f.heap), free(f.order), free(f.level), free(f.ends), free(f.area);
    return has_room ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for the flow of the ground");
}
