/* drainage.c: the area that drains through each cell along the flow of the simulation. A cell
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
    int64_t n, first, last, *queue; /* cells whose givers have all passed their area on */
    int64_t step[OTOK_SIDES];       /* to the cell beside a cell, ... */
    int64_t wrap[OTOK_SIDES];       /* ... from the last one on a side; 0: nothing is beyond it */
    unsigned char *gives, *gone;    /* cells that flow into a cell, without those that have */
    unsigned char *rim;             /* bits: the sides at which a cell is the last one */
    double *area, (*out)[OTOK_SIDES];
} flows;

/* The cell beside a cell; n beyond an edge, for which the arrays have a place too. */
static inline int64_t beside(const flows *f, int64_t cell, int side)
{
    const int64_t step = f->rim[cell] >> side & 1 ? f->wrap[side] : f->step[side];
    return step ? cell + step : f->n;
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
static inline double outflow(const flows *f, int kind, int64_t cell, otok_side side, int64_t other)
{
    static const int back[] = {OTOK_OUTFLOW_RIGHT, OTOK_OUTFLOW_LEFT, OTOK_OUTFLOW_TOP,
                               OTOK_OUTFLOW_BOTTOM};
    const int field = OTOK_OUTFLOW_LEFT + (int)side,
              starts = side == OTOK_LEFT || side == OTOK_BOTTOM, beyond = other == f->n;
    if (kind == OTOK_ONE_WAY)
        return (double)value(f, field, cell) - (beyond ? 0 : (double)value(f, back[side], other));
    float flow = !beyond && starts ? -value(f, back[side], other) : value(f, field, cell);
    if (kind == OTOK_SPEEDS) {
        const otok_column a = column(f, cell), b = beyond ? a : column(f, other);
        flow *= otok_upwind_depth(flow, a, b);
    }
    return (double)flow;
}

/* Passes the area of a cell on. Most cells have one or two receivers, at sides that nothing
   foretells, so there are no branches. */
static void pass(flows *f, int64_t cell)
{
    unsigned char *restrict gives = f->gives, *restrict gone = f->gone;
    double *restrict areas = f->area, out[OTOK_SIDES], part[OTOK_SIDES], sum = 0;
    const double area = areas[cell], *all = f->out[cell];
    int64_t *restrict queue = f->queue, last = f->last, to[OTOK_SIDES];
    gone[cell] = 1;
    for (int side = 0; side < OTOK_SIDES; side++)
        to[side] = beside(f, cell, side);
    for (int side = 0; side < OTOK_SIDES; side++) {
        out[side] = all[side] * (double)!gone[to[side]];
        sum += out[side];
    }
    const double whole = sum > 0 ? sum : 1;
    for (int side = 0; side < OTOK_SIDES; side++)
        part[side] = area * (out[side] / whole);
    for (int side = 0; side < OTOK_SIDES; side++) {
        const int64_t next = to[side];
        const int gets = out[side] > 0;
        areas[next] += part[side];
        gives[next] = (unsigned char)(gives[next] - gets);
        queue[last] = next;
        last += gets & (gives[next] == 0) & (next < f->n);
    }
    f->last = last;
}

/* The flow through one side of a cell, which is that through a side of the cell beside it. */
static inline void open_face(flows *f, int kind, int64_t cell, otok_side side)
{
    const int64_t other = beside(f, cell, side);
    const double flow = outflow(f, kind, cell, side, other);
    const int there = flow > 0, back = flow < 0;
    f->out[cell][side] = there ? flow : 0;
    f->out[other][(int)side ^ 1] = back ? -flow : 0;
    f->gives[other] = (unsigned char)(f->gives[other] + (there & !f->gone[cell]));
    f->gives[cell] = (unsigned char)(f->gives[cell] + (back & !f->gone[other] & (other < f->n)));
}

static inline void open_faces(flows *f, int kind)
{
    for (int64_t i = 0; i < f->n; i++) {
        open_face(f, kind, i, OTOK_RIGHT);
        open_face(f, kind, i, OTOK_TOP);
        if (beside(f, i, OTOK_LEFT) == f->n) open_face(f, kind, i, OTOK_LEFT);
        if (beside(f, i, OTOK_BOTTOM) == f->n) open_face(f, kind, i, OTOK_BOTTOM);
    }
}

static void prepare(flows *f, int kind)
{
    const int64_t nx = f->grid.nx, ny = f->grid.ny;
    for (int64_t y = 0, i = 0; y < ny; y++)
        for (int64_t x = 0; x < nx; x++, i++) {
            f->gone[i] = f->from->walls && f->from->walls[i];
            f->area[i] = f->grid.spacing * f->grid.spacing;
            f->rim[i] = (unsigned char)((x == 0) << OTOK_LEFT | (x == nx - 1) << OTOK_RIGHT |
                                        (y == 0) << OTOK_BOTTOM | (y == ny - 1) << OTOK_TOP);
        }
    if (kind == OTOK_ONE_WAY)
        open_faces(f, OTOK_ONE_WAY);
    else if (kind == OTOK_SIGNED)
        open_faces(f, OTOK_SIGNED);
    else if (kind == OTOK_SPEEDS)
        open_faces(f, OTOK_SPEEDS);
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
    const int64_t nx = grid.nx, n = nx * grid.ny,
                  wraps_x = edges[OTOK_LEFT] == OTOK_PERIODIC ? nx - 1 : 0,
                  wraps_y = edges[OTOK_BOTTOM] == OTOK_PERIODIC ? n - nx : 0;
    const size_t places = (size_t)n + 1;
    flows f = {.from = from,
               .grid = grid,
               .n = n, /* sides: left, right, bottom, top */
               .step = {-1, 1, -nx, nx},
               .wrap = {wraps_x, -wraps_x, wraps_y, -wraps_y}};
    f.queue = malloc(places * sizeof *f.queue), f.rim = malloc(places);
    f.gives = calloc(places, 1), f.gone = calloc(places, 1);
    f.area = calloc(places, sizeof *f.area), f.out = calloc(places, sizeof *f.out);
    int can = f.queue && f.rim && f.gives && f.gone && f.area && f.out;
    if (can) {
        prepare(&f, kind);
        empty_queue(&f);
        can = break_circles(&f) == OTOK_OK;
    }
    for (int64_t i = 0; can && i < n; i++)
        map[i] = (float)f.area[i];
    free(f.queue), free(f.rim), free(f.gives), free(f.gone), free(f.area), free(f.out);
    return can ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a drainage area");
}
