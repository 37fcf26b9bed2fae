/* tables.c: numbers that cells look up, computed once in double. */
#include "tables.h"

#include "../core/status.h"
#include "../model/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static otok_status append(otok_base_plan *plan, int n, float **at, int *from)
{
    *at = NULL;
    if (n > (1 << 28) - plan->ntable)
        return OTOK_FAIL(
            OTOK_DATA, "the base looks up more than 2^28 numbers; use fewer faults or sown points");
    float *table = realloc(plan->table, ((size_t)plan->ntable + (size_t)n) * sizeof *table);
    if (!table) return OTOK_FAIL(OTOK_NOMEM, "no memory for %d numbers of the base terrain", n);
    plan->table = table;
    *from = (int)plan->ntable;
    *at = table + plan->ntable;
    plan->ntable += n;
    return OTOK_OK;
}

static double uniform(uint32_t bits)
{
    return (double)otok_uniform(bits);
}

/* The n-th unit vector of a stream, of 2 or 3 dimensions by rejection in the disc or ball, and a
   number in [-1, 1). */
static double direction(const otok_base_plan *plan, const otok_generator *g, int n, int dimensions,
                        double v[3])
{
    for (uint32_t draw = 0;; draw++) {
        const otok_random4 r =
            otok_random(plan->seed[0], plan->seed[1], (uint32_t)g->stream * 32u, (uint64_t)n, draw);
        double length = 0;
        for (int d = 0; d < dimensions; d++) {
            v[d] = 2 * uniform(r.v[d]) - 1;
            length += v[d] * v[d];
        }
        if (length > 1 || length < 1e-6) continue;
        for (int d = 0; d < dimensions; d++)
            v[d] /= sqrt(length);
        return 2 * uniform(r.v[3]) - 1;
    }
}

/* The height by which fault n moves (J16: dh falls by a constant each time). */
static float rise(const otok_faults *f, int n)
{
    return (float)fmax(f->floor, f->height - n * f->step);
}

/* A line: normal, offset within half the domain's diagonal from its middle [half cells], rise. */
otok_status otok_table_faults(otok_base_plan *plan, const otok_generator *g, const otok_grid *grid,
                              otok_base_faults *out)
{
    const otok_faults *f = &g->as.faults;
    const double reach = hypot((double)grid->nx, (double)grid->ny); /* half the diagonal */
    float *at;
    *out = (otok_base_faults){.n = (int)f->count, .nx = (int)grid->nx, .ny = (int)grid->ny};
    OTOK_TRY(append(plan, 4 * out->n, &at, &out->table));
    for (int n = 0; n < out->n; n++, at += 4) {
        double v[3];
        const double offset = direction(plan, g, n, 2, v) * reach;
        memcpy(at, (float[]){(float)v[0], (float)v[1], (float)offset, rise(f, n)}, 4 * sizeof *at);
    }
    return OTOK_OK;
}

/* Cosine and sine of n longitudes. If n is even, opposite longitudes have exactly opposite
   values. */
static otok_status longitudes(otok_base_plan *plan, int n, int *from)
{
    const int turn = n % 2 ? n : n / 2;
    float *at;
    OTOK_TRY(append(plan, 2 * n, &at, from));
    for (int i = 0; i < n; i++) {
        const double angle = acos(-1) * (2 * (i % turn) + 1) / n, sign = i < turn ? 1 : -1;
        at[2 * i] = (float)(sign * cos(angle));
        at[2 * i + 1] = (float)(sign * sin(angle));
    }
    return OTOK_OK;
}

/* The same for latitudes, from south to north. */
static otok_status latitudes(otok_base_plan *plan, int n, int *from)
{
    float *at;
    OTOK_TRY(append(plan, 2 * n, &at, from));
    for (int j = 0; j < n; j++) {
        const double angle = acos(-1) * (2 * j + 1 - n) / (2.0 * n);
        at[2 * j] = (float)cos(angle);
        at[2 * j + 1] = (float)sin(angle);
    }
    return OTOK_OK;
}

/* A plane: normal, offset from the centre of the sphere [radii], rise. */
otok_status otok_table_planet(otok_base_plan *plan, const otok_generator *g, const otok_grid *grid,
                              otok_base_faults *out)
{
    const otok_faults *f = &g->as.faults;
    float *at;
    *out = (otok_base_faults){.n = (int)f->count, .nx = (int)grid->nx, .ny = (int)grid->ny};
    OTOK_TRY(append(plan, 5 * out->n, &at, &out->table));
    for (int n = 0; n < out->n; n++, at += 5) {
        double v[3];
        const double offset = direction(plan, g, n, 3, v) * f->offset;
        memcpy(at, (float[]){(float)v[0], (float)v[1], (float)v[2], (float)offset, rise(f, n)},
               5 * sizeof *at);
    }
    OTOK_TRY(longitudes(plan, out->nx, &out->columns));
    return latitudes(plan, out->ny, &out->rows);
}

otok_status otok_table_crop(otok_base_plan *plan, const otok_generator *g, const otok_grid *grid,
                            otok_base_crop *out)
{
    static const otok_base_shape shapes[] = {[OTOK_CROP_RECTANGLE] = OTOK_BASE_RECTANGLE,
                                             [OTOK_CROP_CIRCLE] = OTOK_BASE_ELLIPSE,
                                             [OTOK_CROP_ELLIPSE] = OTOK_BASE_ELLIPSE,
                                             [OTOK_CROP_POLYGON] = OTOK_BASE_POLYGON};
    const otok_crop *c = &g->as.crop;
    const double l = grid->spacing, diameter = fmin(c->width, c->height);
    const int circle = c->shape == OTOK_CROP_CIRCLE;
    *out = (otok_base_crop){.shape = shapes[c->shape], .outside = (float)c->outside};
    out->x = (float)(c->x / l - 0.5); /* centre of cell i: i + 1/2 */
    out->y = (float)(c->y / l - 0.5);
    out->half_width = (float)((circle ? diameter : c->width) / (2 * l));
    out->half_height = (float)((circle ? diameter : c->height) / (2 * l));
    if (c->shape != OTOK_CROP_POLYGON) return OTOK_OK;
    float *at;
    out->x = out->y = -0.5f;
    out->n = g->nnumbers / 2;
    OTOK_TRY(append(plan, 4 * out->n, &at, &out->table));
    for (int n = 0; n < out->n; n++, at += 4) {
        const double *a = g->numbers + 2 * n, *b = g->numbers + 2 * ((n + 1) % out->n);
        const double slope =
            a[1] == b[1] ? 0 : (b[0] - a[0]) / (b[1] - a[1]); /* a level edge is never crossed */
        memcpy(at, (float[]){(float)(a[0] / l), (float)(a[1] / l), (float)(b[1] / l), (float)slope},
               4 * sizeof *at);
    }
    return OTOK_OK;
}

otok_status otok_table_midpoint(otok_base_plan *plan, const otok_generator *g,
                                otok_midpoint_fill *out)
{
    const otok_diamond_square *d = &g->as.diamond_square;
    *out = (otok_midpoint_fill){.levels = (int)d->levels,
                                .tile = d->tile,
                                .midpoint = g->kind == OTOK_GEN_MIDPOINT,
                                .stream = (uint32_t)g->stream * 32u,
                                .sown_depth = -1};
    for (int depth = 0; depth <= out->levels;
         depth++) { /* corners and the first squares have the whole range */
        const double scale = pow(d->gain, depth > 0 ? depth - 1 : 0);
        out->low[depth] = (float)(d->low * scale);
        out->span[depth] = (float)((d->high - d->low) * scale);
    }
    if (!g->nnumbers) return OTOK_OK;
    float *at;
    const int side = (int)lround(sqrt(g->nnumbers));
    out->sown_depth = (int)lround(log2(side - 1));
    OTOK_TRY(append(plan, g->nnumbers, &at, &out->sown));
    for (int n = 0; n < g->nnumbers; n++)
        at[n] = (float)g->numbers[n];
    return OTOK_OK;
}
