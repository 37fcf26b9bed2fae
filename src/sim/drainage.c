/* drainage.c: the area that drains through each cell, along the flow of the simulation. A cell
   passes its area on to the cells that it flows into, as its outflows share it, once all cells that
   flow into it have done so. Where flows go in a circle, none of its cells may be first: then the
   one with the highest water surface is, and it passes its area to those of its receivers that have
   not passed theirs on. So no area counts twice, and what enters a hollow ends there. */
#include "../core/status.h"
#include "../model/shallow.h"
#include "derived.h"

#include <stdlib.h>

typedef struct flows {
    const otok_derived_from *from;
    otok_grid grid;
    const int *edges;
    int kind;
    int64_t n, first, last, *queue; /* cells whose givers have all passed their area on */
    unsigned char *gives, *gone;    /* cells that flow into a cell, without those that have */
    double *area;
    struct level {
        float height;
        int64_t cell;
    } * levels; /* all cells, the highest water surface first */
} flows;

/* The cell on a side; -1: beyond an edge. */
static int64_t beside(const flows *f, int64_t cell, otok_side side)
{
    const int64_t nx = f->grid.nx, ny = f->grid.ny;
    int64_t x = cell % nx + (side == OTOK_RIGHT) - (side == OTOK_LEFT),
            y = cell / nx + (side == OTOK_TOP) - (side == OTOK_BOTTOM);
    if (f->edges[OTOK_LEFT] == OTOK_PERIODIC) x = (x + nx) % nx;
    if (f->edges[OTOK_BOTTOM] == OTOK_PERIODIC) y = (y + ny) % ny;
    return x < 0 || y < 0 || x >= nx || y >= ny ? -1 : y * nx + x;
}

static otok_column column(const flows *f, int64_t cell)
{
    return (otok_column){f->from->maps[OTOK_TERRAIN][cell], f->from->maps[OTOK_WATER][cell]};
}

static float value(const flows *f, int field, int64_t cell)
{
    return f->from->maps[field] ? f->from->maps[field][cell] : 0.0f;
}

/* The flow out of a cell through a side, less that into it, in a unit that all sides share. `other`
   is the cell there. */
static double outflow(const flows *f, int64_t cell, otok_side side, int64_t other)
{
    static const int back[] = {OTOK_OUTFLOW_RIGHT, OTOK_OUTFLOW_LEFT, OTOK_OUTFLOW_TOP,
                               OTOK_OUTFLOW_BOTTOM};
    const int field = OTOK_OUTFLOW_LEFT + (int)side,
              starts = side == OTOK_LEFT || side == OTOK_BOTTOM;
    if (f->kind == OTOK_ONE_WAY)
        return (double)value(f, field, cell) -
               (other < 0 ? 0 : (double)value(f, back[side], other));
    float flow = other >= 0 && starts ? -value(f, back[side], other) : value(f, field, cell);
    if (f->kind == OTOK_SPEEDS) {
        const otok_column a = column(f, cell), b = other < 0 ? a : column(f, other);
        flow *= otok_upwind_depth(flow, a, b);
    }
    return (double)flow;
}

/* The outflows that are above 0, and the cells that get them. */
static void find_outflows(const flows *f, int64_t cell, double out[OTOK_SIDES],
                          int64_t to[OTOK_SIDES])
{
    for (int side = 0; side < OTOK_SIDES; side++) {
        to[side] = beside(f, cell, (otok_side)side);
        const double flow = f->kind < 0 ? 0 : outflow(f, cell, (otok_side)side, to[side]);
        out[side] = flow > 0 ? flow : 0;
    }
}

static void pass(flows *f, int64_t cell)
{
    double out[OTOK_SIDES], sum = 0;
    int64_t to[OTOK_SIDES];
    f->gone[cell] = 1;
    find_outflows(f, cell, out, to);
    for (int side = 0; side < OTOK_SIDES; side++)
        if (to[side] < 0 || !f->gone[to[side]]) sum += out[side];
    for (int side = 0; side < OTOK_SIDES; side++) {
        const int64_t next = to[side];
        if (out[side] == 0 || next < 0 || f->gone[next]) continue;
        f->area[next] += f->area[cell] * (out[side] / sum);
        if (--f->gives[next] == 0) f->queue[f->last++] = next;
    }
}

static int compare_levels(const void *a, const void *b)
{
    const struct level *p = a, *q = b;
    if (p->height != q->height) return p->height < q->height ? 1 : -1;
    return p->cell < q->cell ? -1 : 1;
}

static void prepare(flows *f)
{
    double out[OTOK_SIDES];
    int64_t to[OTOK_SIDES];
    for (int64_t i = 0; i < f->n; i++) {
        const otok_column c = column(f, i);
        f->levels[i] = (struct level){c.h + c.d1, i};
        f->gone[i] = f->from->walls && f->from->walls[i];
        f->area[i] = f->grid.spacing * f->grid.spacing;
        if (f->gone[i]) continue;
        find_outflows(f, i, out, to);
        for (int side = 0; side < OTOK_SIDES; side++)
            if (out[side] > 0 && to[side] >= 0) f->gives[to[side]]++;
    }
    qsort(f->levels, (size_t)f->n, sizeof *f->levels, compare_levels);
    for (int64_t i = 0; i < f->n; i++)
        if (!f->gone[i] && !f->gives[i]) f->queue[f->last++] = i;
}

otok_status otok_drainage(const otok_derived_from *from, otok_grid grid, const int *edges, int kind,
                          float *map)
{
    const int64_t n = grid.nx * grid.ny;
    const size_t cells = (size_t)n;
    flows f = {from, grid, edges, kind, n, .queue = malloc(cells * sizeof *f.queue)};
    f.gives = calloc(cells, 1), f.gone = malloc(cells);
    f.area = malloc(cells * sizeof *f.area), f.levels = malloc(cells * sizeof *f.levels);
    const int can = f.queue && f.gives && f.gone && f.area && f.levels;
    if (can) prepare(&f);
    for (int64_t next = 0; can && next < n; next++) {
        while (f.first < f.last)
            pass(&f, f.queue[f.first++]);
        if (!f.gone[f.levels[next].cell]) pass(&f, f.levels[next].cell);
    }
    while (can && f.first < f.last)
        pass(&f, f.queue[f.first++]);
    for (int64_t i = 0; can && i < n; i++)
        map[i] = (float)f.area[i];
    free(f.queue), free(f.gives), free(f.gone), free(f.area), free(f.levels);
    return can ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a drainage area");
}
