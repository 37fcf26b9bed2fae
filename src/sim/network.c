/* network.c: what follows from the rivers of OTOK_RECEIVER: areas, lengths, slopes, orders and chi.
   A pass goes down the rivers, in an order in which all that drains into a cell comes before it, or
   back up. */
#include "../core/status.h"
#include "../model/incision.h"
#include "derived.h"

#include <math.h>
#include <stdlib.h>

/* A cell, the one that it drains to (-1: none), and how far that is [m]. */
typedef struct link {
    int64_t cell, to;
    double length;
} link;

typedef struct network {
    const otok_derived_from *from;
    otok_grid grid;
    int64_t n, *order;     /* cells, from those to which none drains downwards */
    double *areas, *other; /* the drained area [m2]; room for another number, 0 at first */
} network;

static link link_of(const network *w, int64_t cell)
{
    const int way = (int)w->from->maps[OTOK_RECEIVER][cell] - 1;
    const int64_t nx = w->grid.nx, ny = w->grid.ny;
    if (way < 0 || way >= OTOK_WAYS) return (link){cell, -1, 0};
    const int64_t x = cell % nx + otok_way_x(way), y = cell / nx + otok_way_y(way);
    return (link){cell, (y + ny) % ny * nx + (x + nx) % nx,
                  w->grid.spacing * hypot(otok_way_x(way), otok_way_y(way))};
}

/* Fills `order` and the areas, with those that rivers bring into the map. 0: no memory. */
static int put_in_order(network *w, const otok_phase *cuts)
{
    int32_t *left = calloc((size_t)w->n, sizeof *left);
    const int64_t n = w->n;
    const double l = w->grid.spacing;
    w->n = 0;
    for (int64_t i = 0; left && i < n; i++) {
        const int64_t to = link_of(w, i).to;
        w->areas[i] = l * l;
        if (to >= 0) left[to]++;
    }
    for (int i = 0; cuts && i < cuts->incision.ninflows; i++) {
        const struct otok_inflow *in = &cuts->incision.inflows[i];
        w->areas[(int64_t)(in->y / l) * w->grid.nx + (int64_t)(in->x / l)] += in->area;
    }
    for (int64_t i = 0; left && i < n; i++)
        for (int64_t at = i; at >= 0 && left[at] == 0;) { /* all that drains here is known */
            const link k = link_of(w, at);
            left[at] = -1;
            w->order[w->n++] = at;
            if (k.to >= 0) w->areas[k.to] += w->areas[at], left[k.to]--;
            at = k.to;
        }
    free(left);
    return left != NULL;
}

/* The length of the longest river from a divide to a cell [m]. */
static void fill_length(network *w, float *map)
{
    for (int64_t i = 0; i < w->n; i++) {
        const link k = link_of(w, w->order[i]);
        map[k.cell] = (float)w->other[k.cell];
        if (k.to >= 0) w->other[k.to] = fmax(w->other[k.to], w->other[k.cell] + k.length);
    }
}

/* Strahler's order: `other` has the largest one of the tributaries, and a half if two have it. */
static void fill_order(network *w, float *map)
{
    for (int64_t i = 0; i < w->n; i++) {
        const link k = link_of(w, w->order[i]);
        const double most = floor(w->other[k.cell]), order = ceil(w->other[k.cell]) + (most == 0);
        map[k.cell] = (float)order;
        if (k.to < 0 || order < floor(w->other[k.to])) continue;
        w->other[k.to] = order == floor(w->other[k.to]) ? order + 0.5 : order;
    }
}

/* The fall to the next cell, or to the sea, over its distance. */
static void fill_slope(network *w, double sea, float *map)
{
    const float *h = w->from->maps[OTOK_TERRAIN];
    for (int64_t i = 0; i < w->n; i++) {
        const link k = link_of(w, w->order[i]);
        const double below = k.to < 0 ? 0 : fmax((double)h[k.to], sea);
        map[k.cell] = k.to < 0 ? OTOK_NAN : (float)(((double)h[k.cell] - below) / k.length);
    }
}

/* The height of the water that stands over a cell, less that of the ground. */
static void fill_lakes(network *w, double sea, float *map)
{
    const float *h = w->from->maps[OTOK_TERRAIN];
    for (int64_t i = w->n - 1; i >= 0; i--) {
        const link k = link_of(w, w->order[i]);
        const double ground = (double)h[k.cell];
        w->other[k.cell] = fmax(k.to < 0 ? sea : w->other[k.to], ground);
        map[k.cell] = ground < sea ? 0 : (float)(w->other[k.cell] - ground);
    }
}

/* The integral of A^-theta up the rivers (Perron & Royden 2013). As in the solve of incision a cell
   has one slope, that to the next one, so that heights of a steady state are U/K chi. */
static void fill_chi(network *w, double theta, float *map)
{
    for (int64_t i = w->n - 1; i >= 0; i--) {
        const link k = link_of(w, w->order[i]);
        const double rate = (double)otok_powf((float)w->areas[k.cell], (float)-theta);
        w->other[k.cell] = k.to < 0 ? 0 : w->other[k.to] + rate * k.length;
        map[k.cell] = (float)w->other[k.cell];
    }
}

static void fill(network *w, int field, double theta, double sea, float *map)
{
    if (field == OTOK_DERIVED_RIVER_LENGTH)
        fill_length(w, map);
    else if (field == OTOK_DERIVED_STREAM_ORDER)
        fill_order(w, map);
    else if (field == OTOK_DERIVED_LAKE_DEPTH)
        fill_lakes(w, sea, map);
    else if (field == OTOK_DERIVED_CHI)
        fill_chi(w, theta, map);
    else if (field != OTOK_DERIVED_DRAINAGE_AREA)
        fill_slope(w, sea, map);
    for (int64_t i = 0; i < w->grid.nx * w->grid.ny; i++)
        if (field == OTOK_DERIVED_DRAINAGE_AREA)
            map[i] = (float)w->areas[i];
        else if (field == OTOK_DERIVED_STEEPNESS)
            map[i] *= otok_powf((float)w->areas[i], (float)theta);
}

otok_status otok_rivers_derive(const otok_derived_from *from, otok_grid grid, int field,
                               const otok_phase *cuts, double sea, float *map)
{
    const size_t n = (size_t)(grid.nx * grid.ny);
    network w = {from,
                 grid,
                 (int64_t)n,
                 malloc(n * sizeof *w.order),
                 malloc(n * sizeof *w.areas),
                 calloc(n, sizeof *w.other)};
    const int can = w.order && w.areas && w.other && put_in_order(&w, cuts);
    for (size_t i = 0; i < n; i++)
        map[i] = OTOK_NAN;
    if (can) fill(&w, field, cuts ? cuts->incision.m / cuts->incision.n : NAN, sea, map);
    free(w.order), free(w.areas), free(w.other);
    return can ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for what follows from rivers");
}
