/* raster_fill.c: cells without data take the value of the nearest cell that has one. Exact and the same in every build, unlike
 * GDAL's. */
#include "../core/status.h"
#include "raster.h"

#include <stdlib.h>

enum { NONE = -1 };

/* row[n]: the row of the nearest cell with data in the same column, NONE where the column is empty. */
static void search_columns(int32_t *row, const otok_raster *r)
{
    const int64_t nx = r->nx, ny = r->ny;
    for (int64_t j = 0; j < ny; j++)
        for (int64_t i = 0; i < nx; i++)
            row[j * nx + i] = !isnan(r->map[j * nx + i]) ? (int32_t)j : j > 0 ? row[(j - 1) * nx + i] : NONE;
    for (int64_t j = ny - 2; j >= 0; j--)
        for (int64_t i = 0; i < nx; i++) {
            const int32_t below = row[j * nx + i], above = row[(j + 1) * nx + i];
            if (above != NONE && (below == NONE || above - j < j - below)) row[j * nx + i] = above;
        }
}

/* Walks out from the column until no farther one can be nearer. */
static int64_t nearest(const int32_t *row, const otok_raster *r, int64_t i, int64_t j)
{
    int64_t best = INT64_MAX, at = NONE;
    for (int64_t away = 0; away < r->nx && away * away < best; away++)
        for (int side = 0; side < (away ? 2 : 1); side++) {
            const int64_t k = side ? i + away : i - away;
            if (k < 0 || k >= r->nx || row[j * r->nx + k] == NONE) continue;
            const int64_t dy = row[j * r->nx + k] - j, distance = away * away + dy * dy;
            if (distance >= best) continue;
            best = distance;
            at = (j + dy) * r->nx + k;
        }
    return at;
}

otok_status otok_raster_fill(otok_raster *r, const char *path)
{
    const int64_t cells = r->nx * r->ny;
    if (r->missing == 0) return OTOK_OK;
    if (r->missing == cells) return OTOK_FAIL(OTOK_DATA, "%s: none of its cells has data; nothing to fill it from", path);
    int32_t *row = malloc((size_t)cells * sizeof *row);
    float *filled = malloc((size_t)cells * sizeof *filled);
    if (row && filled) {
        search_columns(row, r);
#pragma omp parallel for schedule(dynamic, 4096)
        for (int64_t n = 0; n < cells; n++)
            filled[n] = isnan(r->map[n]) ? r->map[nearest(row, r, n % r->nx, n / r->nx)] : r->map[n];
        free(r->map);
        r->map = filled;
        filled = NULL;
    }
    const int done = row && !filled;
    free(row);
    free(filled);
    return done ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "%s: no memory to fill cells without data", path);
}
