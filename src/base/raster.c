/* raster.c: see raster.h. A file is never reprojected: its cells become the grid's one to one,
   or are stretched on request. */
#include "raster.h"

#include "../core/status.h"

#include <stdio.h>
#include <stdlib.h>

static int is_near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fabs(b);
}

/* Checks the size of cells. In metres it must be the grid's. Cells in degrees are not square in
   metres, so any spacing between their width and height is accepted. */
static otok_status check_spacing(const otok_raster *r, otok_grid g, const char *path)
{
    double width, height;
    if (!r->georeference.known) return OTOK_OK;
    otok_georeference_metres(&r->georeference, r->ny, &width, &height);
    if (!otok_georeference_is_geographic(&r->georeference)) {
        if (is_near(width, g.spacing) && is_near(height, g.spacing)) return OTOK_OK;
        if (is_near(width, height))
            return OTOK_FAIL(OTOK_DATA,
                             "%s: its cells are %.9g m, the grid's spacing is %.9g; write `grid: "
                             "{nx: %lld, ny: %lld, spacing: "
                             "%.9g}`, or `fit: stretch`",
                             path, width, g.spacing, (long long)r->nx, (long long)r->ny, width);
        return OTOK_FAIL(OTOK_DATA,
                         "%s: its cells are %.9g m wide and %.9g m high, a grid's are square; make "
                         "them so with `gdalwarp -tr %.9g "
                         "%.9g -r bilinear %s OUT.tif`",
                         path, width, height, r->georeference.height, r->georeference.height, path);
    }
    const double low = fmin(width, height), high = fmax(width, height);
    if (g.spacing >= low * (1 - 1e-3) && g.spacing <= high * (1 + 1e-3)) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: is in degrees; its cells are about %.4g m wide and %.4g m high, the "
                     "grid's spacing is %.9g; make them square with "
                     "`gdalwarp -t_srs EPSG:UTM_ZONE -tr 90 90 -r bilinear`, or write `grid: {nx: "
                     "%lld, ny: %lld, spacing: %.4g}`",
                     path, width, height, g.spacing, (long long)r->nx, (long long)r->ny,
                     sqrt(width * height));
}

static otok_status check_size(const otok_raster *r, otok_grid g, const char *path)
{
    if (r->nx == g.nx && r->ny == g.ny) return OTOK_OK;
    double width = g.spacing, height = g.spacing;
    if (r->georeference.known) otok_georeference_metres(&r->georeference, r->ny, &width, &height);
    return OTOK_FAIL(OTOK_DATA,
                     "%s: has %lld x %lld cells, the grid %lld x %lld; write `grid: {nx: %lld, ny: "
                     "%lld, spacing: %.9g}`, or `fit: stretch`",
                     path, (long long)r->nx, (long long)r->ny, (long long)g.nx, (long long)g.ny,
                     (long long)r->nx, (long long)r->ny,
                     is_near(width, height) ? width : sqrt(width * height));
}

/* The position of a cell's centre between the centres of the file's cells, held at the edges. */
static double position_between(int64_t i, int64_t n, int64_t from, int64_t *first)
{
    const double x =
        fmin(fmax(((double)i + 0.5) * (double)from / (double)n - 0.5, 0), (double)(from - 1));
    *first = (int64_t)x < from - 1 ? (int64_t)x : from > 1 ? from - 2 : 0;
    return x - (double)*first;
}

/* Bilinear interpolation, in double. The georeference keeps its outer edges. */
static otok_status stretch(otok_raster *r, otok_grid g, const char *path)
{
    float *map = malloc((size_t)(g.nx * g.ny) * sizeof *map);
    if (!map)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for %lld x %lld cells", path, (long long)g.nx,
                         (long long)g.ny);
    for (int64_t j = 0; j < g.ny; j++)
        for (int64_t i = 0; i < g.nx; i++) {
            int64_t x, y;
            const double p = position_between(i, g.nx, r->nx, &x),
                         q = position_between(j, g.ny, r->ny, &y);
            const float *low = r->map + y * r->nx + x, *high = low + (r->ny > 1 ? r->nx : 0);
            const int64_t right = r->nx > 1;
            map[j * g.nx + i] = (float)((1 - q) * ((1 - p) * low[0] + p * low[right]) +
                                        q * ((1 - p) * high[0] + p * high[right]));
        }
    free(r->map);
    r->map = map;
    r->georeference.width *= (double)r->nx / (double)g.nx;
    r->georeference.height *= (double)r->ny / (double)g.ny;
    r->nx = g.nx;
    r->ny = g.ny;
    return OTOK_OK;
}

static otok_status fill(otok_raster *r, const otok_raster_generator *given)
{
    if (given->fill == OTOK_FILL_NEAREST) return otok_raster_fill(r, given->file);
    if (given->fill == OTOK_FILL_REFUSE && r->missing)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: %lld of its cells have no data; fill them, or write `fill: nearest` "
                         "or `fill: constant`",
                         given->file, (long long)r->missing);
    for (int64_t n = 0; n < r->nx * r->ny && r->missing; n++)
        if (isnan(r->map[n])) r->map[n] = (float)given->fill_height;
    return OTOK_OK;
}

otok_status otok_base_raster_fit(otok_raster *r, const otok_raster_generator *given, otok_grid grid)
{
    if (given->fit == OTOK_FIT_EXACT) {
        OTOK_TRY(check_size(r, grid, given->file));
        OTOK_TRY(check_spacing(r, grid, given->file));
        return fill(r, given);
    }
    OTOK_TRY(fill(r, given));
    return stretch(r, grid, given->file);
}

static otok_status read_one(otok_base_rasters *out, const otok_generator *g, otok_grid grid)
{
    otok_raster r;
    OTOK_TRY(otok_raster_read(&r, g->as.raster.file, g->as.raster.low, g->as.raster.high));
    out->cells += r.nx * r.ny;
    otok_status status = otok_base_raster_fit(&r, &g->as.raster, grid);
    if (status == OTOK_OK && r.georeference.known && !out->georeference.known)
        status = otok_georeference_copy(&out->georeference, &r.georeference);
    if (status == OTOK_OK) {
        out->maps[g->map] = r.map;
        out->filled += r.missing;
        r.map = NULL;
    }
    otok_raster_destroy(&r);
    return status;
}

static otok_status read_list(otok_base_rasters *out, const otok_generator *list, int n,
                             otok_grid grid)
{
    for (int i = 0; i < n; i++) {
        if (list[i].kind == OTOK_GEN_RASTER) OTOK_TRY(read_one(out, &list[i], grid));
        OTOK_TRY(read_list(out, list[i].with, list[i].nwith, grid));
        OTOK_TRY(read_list(out, list[i].mask, list[i].nmask, grid));
    }
    return OTOK_OK;
}

otok_status otok_base_rasters_read(otok_base_rasters *out, const otok_scenario *scenario)
{
    *out = (otok_base_rasters){0};
    const otok_status status = read_list(out, scenario->base, scenario->nbase, scenario->grid);
    if (status != OTOK_OK) otok_base_rasters_destroy(out);
    return status;
}

void otok_base_rasters_destroy(otok_base_rasters *rasters)
{
    for (int m = 0; m < OTOK_MAX_RASTERS; m++)
        free(rasters->maps[m]);
    otok_georeference_destroy(&rasters->georeference);
    *rasters = (otok_base_rasters){0};
}

int otok_base_raster_count(const otok_generator *list, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += (list[i].kind == OTOK_GEN_RASTER) +
                 otok_base_raster_count(list[i].with, list[i].nwith) +
                 otok_base_raster_count(list[i].mask, list[i].nmask);
    return count;
}
