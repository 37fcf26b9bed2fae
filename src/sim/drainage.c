/* drainage.c: the area that drains through each cell, along the flow of the simulation. A cell
   passes its area on to the cells that it flows into, as its outflows share it, once all cells that
   flow into it have done so. Where flows go in a circle, none of its cells may be first: then the
   one with the highest water surface is, and it passes its area to those of its receivers that have
   not passed theirs on. So no area counts twice, and what enters a hollow ends there. */
#include "../core/status.h"
#include "../model/shallow.h"
#include "derived.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT = 11, DIGITS = (1 << DIGIT) - 1 };

typedef struct flows {
    const otok_derived_from *from;
    otok_grid grid;
    const int *edges;
    int kind;
    int64_t n, first, last, *queue; /* cells whose givers have all passed their area on */
    unsigned char *gives, *gone;    /* cells that flow into a cell, without those that have */
    double *area, (*out)[OTOK_SIDES];
} flows;

/* The cells beside a cell; -1: beyond an edge. */
static void find_sides(const flows *f, int64_t x, int64_t y, int64_t to[OTOK_SIDES])
{
    const int64_t nx = f->grid.nx, ny = f->grid.ny, at = y * nx + x;
    const int64_t wraps_x = f->edges[OTOK_LEFT] == OTOK_PERIODIC ? nx : 0,
                  wraps_y = f->edges[OTOK_BOTTOM] == OTOK_PERIODIC ? nx * ny : 0;
    to[OTOK_LEFT] = x > 0 ? at - 1 : wraps_x ? at - 1 + wraps_x : -1;
    to[OTOK_RIGHT] = x < nx - 1 ? at + 1 : wraps_x ? at + 1 - wraps_x : -1;
    to[OTOK_BOTTOM] = y > 0 ? at - nx : wraps_y ? at - nx + wraps_y : -1;
    to[OTOK_TOP] = y < ny - 1 ? at + nx : wraps_y ? at + nx - wraps_y : -1;
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

static void pass(flows *f, int64_t cell)
{
    const double *out = f->out[cell];
    double sum = 0;
    int64_t to[OTOK_SIDES];
    f->gone[cell] = 1;
    find_sides(f, cell % f->grid.nx, cell / f->grid.nx, to);
    for (int side = 0; side < OTOK_SIDES; side++)
        if (to[side] < 0 || !f->gone[to[side]]) sum += out[side];
    for (int side = 0; side < OTOK_SIDES; side++) {
        const int64_t next = to[side];
        if (out[side] == 0 || next < 0 || f->gone[next]) continue;
        f->area[next] += f->area[cell] * (out[side] / sum);
        if (--f->gives[next] == 0) f->queue[f->last++] = next;
    }
}

static void prepare(flows *f)
{
    int64_t to[OTOK_SIDES];
    for (int64_t i = 0; i < f->n; i++) {
        f->gone[i] = f->from->walls && f->from->walls[i];
        f->area[i] = f->grid.spacing * f->grid.spacing;
        if (f->gone[i]) continue;
        find_sides(f, i % f->grid.nx, i / f->grid.nx, to);
        for (int side = 0; side < OTOK_SIDES; side++) {
            const double flow = f->kind < 0 ? 0 : outflow(f, i, (otok_side)side, to[side]);
            f->out[i][side] = flow > 0 ? flow : 0;
            if (flow > 0 && to[side] >= 0) f->gives[to[side]]++;
        }
    }
    for (int64_t i = 0; i < f->n; i++)
        if (!f->gone[i] && !f->gives[i]) f->queue[f->last++] = i;
}

static void empty_queue(flows *f)
{
    while (f->first < f->last)
        pass(f, f->queue[f->first++]);
}

/* ---- circles ---- */

typedef struct level {
    uint32_t key; /* ascending where water surfaces fall */
    int64_t cell;
} level;

static uint32_t key_of(otok_column c)
{
    const float height = c.h + c.d1 + 0.0f; /* no -0 */
    uint32_t bits;
    memcpy(&bits, &height, sizeof bits);
    return bits >> 31 ? bits : ~bits & UINT32_C(0x7fffffff);
}

/* Sorts by digits; cells of one height stay in their order. */
static void sort_levels(level *levels, level *room, int64_t n)
{
    for (int shift = 0; shift < 32; shift += DIGIT) {
        int64_t at[1 << DIGIT] = {0}, next = 0;
        for (int64_t i = 0; i < n; i++)
            at[levels[i].key >> shift & DIGITS]++;
        for (int d = 0; d <= DIGITS; d++) {
            const int64_t count = at[d];
            at[d] = next;
            next += count;
        }
        for (int64_t i = 0; i < n; i++)
            room[at[levels[i].key >> shift & DIGITS]++] = levels[i];
        memcpy(levels, room, (size_t)n * sizeof *levels);
    }
}

/* Passes the areas of cells on that wait for each other. */
static otok_status break_circles(flows *f)
{
    const size_t left = (size_t)(f->n - f->last) + 1;
    level *levels = malloc(2 * left * sizeof *levels);
    int64_t n = 0;
    if (!levels) return OTOK_NOMEM;
    for (int64_t i = 0; i < f->n; i++)
        if (!f->gone[i]) levels[n++] = (level){key_of(column(f, i)), i};
    sort_levels(levels, levels + n, n);
    for (int64_t i = 0; i < n; i++) {
        if (!f->gone[levels[i].cell]) pass(f, levels[i].cell);
        empty_queue(f);
    }
    free(levels);
    return OTOK_OK;
}

otok_status otok_drainage(const otok_derived_from *from, otok_grid grid, const int *edges, int kind,
                          float *map)
{
    const int64_t n = grid.nx * grid.ny;
    const size_t cells = (size_t)n;
    flows f = {from, grid, edges, kind, n, .queue = malloc(cells * sizeof *f.queue)};
    f.gives = calloc(cells, 1), f.gone = malloc(cells);
    f.area = malloc(cells * sizeof *f.area), f.out = malloc(cells * sizeof *f.out);
    int can = f.queue && f.gives && f.gone && f.area && f.out;
    if (can) {
        prepare(&f);
        empty_queue(&f);
        can = break_circles(&f) == OTOK_OK;
    }
    for (int64_t i = 0; can && i < n; i++)
        map[i] = (float)f.area[i];
    free(f.queue), free(f.gives), free(f.gone), free(f.area), free(f.out);
    return can ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a drainage area");
}
