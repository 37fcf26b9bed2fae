/* raster_stretch.c: a raster stretched over the grid: bilinear, or of the cells of a finer file. */
#include "../core/status.h"
#include "raster.h"

#include <math.h>
#include <stdlib.h>

/* The position of a cell's centre between the centres of the file's cells, held at the edges. */
static double position_between(int64_t i, int64_t n, int64_t from, int64_t *first)
{
    const double x =
        fmin(fmax(((double)i + 0.5) * (double)from / (double)n - 0.5, 0), (double)(from - 1));
    *first = (int64_t)x < from - 1 ? (int64_t)x : from > 1 ? from - 2 : 0;
    return x - (double)*first;
}

/* The place of a stretched raster: that of the file if its outer edges are as far apart as the
   grid's, else none, because no coordinates then fit both. */
static void stretch_place(otok_raster *r, otok_grid g)
{
    double width, height;
    otok_georeference *p = &r->georeference;
    if (!p->known) return;
    otok_georeference_metres(p, r->ny, &width, &height);
    width *= (double)r->nx / (double)g.nx;
    height *= (double)r->ny / (double)g.ny;
    p->width *= (double)r->nx / (double)g.nx;
    p->height *= (double)r->ny / (double)g.ny;
    const double near = otok_georeference_is_geographic(p) ? 0.01 : 1e-6;
    if (fabs(width - g.spacing) > near * g.spacing || fabs(height - g.spacing) > near * g.spacing)
        otok_georeference_destroy(p);
}

/* The cells of the file that a cell of the grid takes its value from along an axis: as many, from
   `first` on, with weights whose sum is 1. Of a finer file those within the cell, by their share of
   it, so that sums stay; of another one the two nearest. */
typedef struct taking {
    int64_t first, n;
    double *weights;
} taking;

static void take(taking *t, int64_t i, int64_t n, int64_t from)
{
    if (from <= n) {
        const double p = position_between(i, n, from, &t->first);
        t->n = from > 1 ? 2 : 1;
        t->weights[0] = 1 - p;
        t->weights[1] = p;
        return;
    }
    const double size = (double)from / (double)n, begin = (double)i * size, end = begin + size;
    t->first = i * from / n;
    t->n = ((i + 1) * from + n - 1) / n - t->first;
    for (int64_t k = 0; k < t->n; k++) {
        const double here = (double)(t->first + k);
        t->weights[k] = fmax(0, fmin(end, here + 1) - fmax(begin, here)) / size;
    }
}

/* A cell over a finer file is a hole if more than half of it is one, and else has the value of the
   rest. Over another file it is a hole if the file's cell below its centre is one. */
static void take_cell(float *value, unsigned char *hole, const otok_raster *r, const taking *x,
                      const taking *y, const unsigned char *below)
{
    double all = 0, known = 0, share = 0;
    for (int64_t j = 0; j < y->n; j++) {
        double row = 0;
        for (int64_t i = 0; i < x->n; i++) {
            const int64_t at = (y->first + j) * r->nx + x->first + i;
            const double weight = x->weights[i] * y->weights[j];
            row += x->weights[i] * (double)r->map[at];
            if (!r->holes || r->holes[at]) continue;
            known += weight * (double)r->map[at];
            share += weight;
        }
        all += y->weights[j] * row;
    }
    const int averages = r->holes && !below;
    *value = (float)(averages && share > 0 ? known / share : all);
    if (r->holes) *hole = averages ? share < 0.5 : *below;
}

/* The highest cell of the file that is no hole; `none`: there is none. */
static float highest(const otok_raster *r, const taking *x, const taking *y, float none)
{
    float most = -INFINITY;
    for (int64_t j = 0; j < y->n; j++)
        for (int64_t i = 0; i < x->n; i++) {
            const int64_t at = (y->first + j) * r->nx + x->first + i;
            const int counts = x->weights[i] * y->weights[j] > 1e-9 && !(r->holes && r->holes[at]);
            if (counts && r->map[at] > most) most = r->map[at];
        }
    return most > -INFINITY ? most : none;
}

/* The maps on the grid. */
static void take_all(float *map, unsigned char *holes, const otok_raster *r, otok_grid g,
                     int maximum, taking *x, taking *y)
{
    const int is_finer = r->nx > g.nx || r->ny > g.ny;
    for (int64_t j = 0; j < g.ny; j++) {
        take(y, j, g.ny, r->ny);
        for (int64_t i = 0; i < g.nx; i++) {
            const int64_t n = j * g.nx + i, below = (2 * j + 1) * r->ny / (2 * g.ny) * r->nx +
                                                    (2 * i + 1) * r->nx / (2 * g.nx);
            take(x, i, g.nx, r->nx);
            take_cell(&map[n], holes ? &holes[n] : NULL, r, x, y,
                      r->holes && !is_finer ? &r->holes[below] : NULL);
            if (maximum && is_finer) map[n] = highest(r, &x[0], &y[0], map[n]);
        }
    }
}

otok_status otok_base_stretch(otok_raster *r, otok_grid g, int maximum, const char *path)
{
    const size_t cells = (size_t)(g.nx * g.ny);
    float *map = malloc(cells * sizeof *map);
    unsigned char *holes = r->holes ? malloc(cells) : NULL;
    taking x = {0, 0, malloc((size_t)(r->nx + 2) * sizeof(double))},
           y = {0, 0, malloc((size_t)(r->ny + 2) * sizeof(double))};
    const int has_room = map && (holes || !r->holes) && x.weights && y.weights;
    if (has_room) take_all(map, holes, r, g, maximum, &x, &y);
    free(x.weights);
    free(y.weights);
    if (!has_room) {
        free(map);
        free(holes);
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for %lld x %lld cells", path, (long long)g.nx,
                         (long long)g.ny);
    }
    free(r->map);
    free(r->holes);
    r->map = map;
    r->holes = holes;
    stretch_place(r, g);
    r->nx = g.nx;
    r->ny = g.ny;
    return OTOK_OK;
}
