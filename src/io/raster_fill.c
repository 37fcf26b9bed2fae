/* raster_fill.c: a raster's memory; fills cells without data with the value of the nearest cell
   that has one. Unlike GDAL's filling it is exact and the same in every build. */
#include "../core/status.h"
#include "raster.h"

#include <stdlib.h>

enum { LARGEST = 1 << 20 }; /* cells along an axis, as in the parameter table */
enum { NONE = -1 };

otok_status otok_raster_allocate(otok_raster *out, const char *path, int64_t nx, int64_t ny)
{
    if (nx < 1 || ny < 1 || nx > LARGEST || ny > LARGEST || nx * ny >= INT64_C(1) << 31)
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: %lld x %lld cells; a raster has 1..%d along an axis and fewer than 2^31 here",
            path, (long long)nx, (long long)ny, LARGEST);
    out->nx = nx;
    out->ny = ny;
    out->map = malloc((size_t)(nx * ny) * sizeof *out->map);
    return out->map ? OTOK_OK
                    : OTOK_FAIL(OTOK_NOMEM, "%s: no memory for %lld x %lld cells", path,
                                (long long)nx, (long long)ny);
}

void otok_raster_destroy(otok_raster *raster)
{
    free(raster->map);
    free(raster->holes);
    otok_georeference_destroy(&raster->georeference);
    *raster = (otok_raster){0};
}

/* Sets row[n] to the row of the nearest cell with data in the same column; NONE: the column is
   empty. */
static void search_columns(int32_t *row, const otok_raster *r)
{
    const int64_t nx = r->nx, ny = r->ny;
    for (int64_t j = 0; j < ny; j++)
        for (int64_t i = 0; i < nx; i++)
            row[j * nx + i] = !isnan(r->map[j * nx + i]) ? (int32_t)j
                              : j > 0                    ? row[(j - 1) * nx + i]
                                                         : NONE;
    for (int64_t j = ny - 2; j >= 0; j--)
        for (int64_t i = 0; i < nx; i++) {
            const int32_t below = row[j * nx + i], above = row[(j + 1) * nx + i];
            if (above != NONE && (below == NONE || above - j < j - below)) row[j * nx + i] = above;
        }
}

/* The square of the distance from cell (i, j) to the nearest cell with data in column k. */
static int64_t distance(const int32_t *row, int64_t j, int64_t i, int64_t k)
{
    const int64_t dy = row[k] - j;
    return (i - k) * (i - k) + dy * dy;
}

/* Is the second of three successive columns farther than one of the others from every cell of the
   row? Its parabola of squared distances then lies above the point where those of the others
   meet. */
static int hidden(const int32_t *row, int64_t j, int64_t a, int64_t b, int64_t c)
{
    const int64_t height[3] = {distance(row, j, 0, a), distance(row, j, 0, b),
                               distance(row, j, 0, c)};
    return (height[2] - height[1]) * (b - a) < (height[1] - height[0]) * (c - b);
}

/* Fills row j in one pass over its columns and one over its cells (Felzenszwalb and Huttenlocher
   2012). Of equally near columns it takes the one fewer columns away, then the left one. `row`
   is the row's result of search_columns, `columns` is room for nx. */
static void fill_row(float *out, int64_t *columns, const int32_t *row, const otok_raster *r,
                     int64_t j)
{
    const float *in = r->map + j * r->nx;
    int64_t n = 0, at = 0;
    for (int64_t k = 0; k < r->nx; k++) {
        if (row[k] == NONE) continue;
        while (n > 1 && hidden(row, j, columns[n - 2], columns[n - 1], k))
            n--;
        columns[n++] = k;
    }
    for (int64_t i = 0; i < r->nx; i++) {
        while (at + 1 < n &&
               distance(row, j, i, columns[at + 1]) <= distance(row, j, i, columns[at]))
            at++;
        int64_t best = columns[at];
        const int64_t least = distance(row, j, i, best);
        for (int64_t k = at - 1; k >= 0 && distance(row, j, i, columns[k]) == least; k--)
            if (llabs(i - columns[k]) <= llabs(i - best)) best = columns[k];
        out[i] = isnan(in[i]) ? r->map[row[best] * r->nx + best] : in[i];
    }
}

static int fill(float *out, const int32_t *row, const otok_raster *r)
{
    int good = 1;
#pragma omp parallel for schedule(static) reduction(& : good)
    for (int64_t j = 0; j < r->ny; j++) {
        int64_t *columns = malloc((size_t)r->nx * sizeof *columns);
        if (columns) fill_row(out + j * r->nx, columns, row + j * r->nx, r, j);
        good &= columns != NULL;
        free(columns);
    }
    return good;
}

otok_status otok_raster_fill(otok_raster *r, const char *path)
{
    const int64_t cells = r->nx * r->ny;
    if (r->missing == 0) return OTOK_OK;
    if (r->missing == cells)
        return OTOK_FAIL(OTOK_DATA, "%s: none of its cells has data; nothing to fill it from",
                         path);
    int32_t *row = malloc((size_t)cells * sizeof *row);
    float *filled = malloc((size_t)cells * sizeof *filled);
    int done = 0;
    if (row && filled) {
        search_columns(row, r);
        done = fill(filled, row, r);
    }
    free(row);
    free(done ? r->map : filled);
    if (done) r->map = filled;
    return done ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "%s: no memory to fill cells without data", path);
}
