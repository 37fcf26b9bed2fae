/* warp_gdal.c: warps a raster to a projected grid with GDAL's warper, whatever file it came from.
   The warper sees horizontal systems alone: it would convert the unit of heights a second time, and
   shift them between datums on machines that have PROJ's grids. Compiled only with GDAL. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "gdal.h"
#include "raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 64, POINTS_AT_ONCE = 1 << 22 };

typedef struct target {
    char *system; /* WKT, horizontal, CPLMalloc'd */
    int is_3d;    /* the raster's heights are above the ellipsoid of its system */
    int maximum;  /* a cell is the highest cell of the raster in it, not a mean */
    double west, north;
    double unit; /* metres of a unit of the system */
} target;

/* The horizontal part of a system: a WKT, EPSG:NUMBER, or NULL for EPSG:4326. */
static OGRSpatialReferenceH horizontal(const char *wkt)
{
    const int number = !wkt ? 4326 : strncmp(wkt, "EPSG:", 5) == 0 ? atoi(wkt + 5) : 0;
    OGRSpatialReferenceH s = gdal.OSRNewSpatialReference(number ? NULL : wkt);
    if (s && number) gdal.OSRImportFromEPSG(s, number);
    if (s && gdal.OSRIsCompound(s)) gdal.OSRStripVertical(s);
    if (s && gdal.OSRGetAxesCount(s) == 3) gdal.OSRDemoteTo2D(s, NULL);
    if (s) gdal.OSRSetAxisMappingStrategy(s, OAMS_TRADITIONAL_GIS_ORDER);
    return s;
}

/* Its WKT of the first version, or, if that cannot say it or `from` is of the second one, of the
   second; VSIFree. NULL: none. */
static char *wkt_of(OGRSpatialReferenceH system, const char *from)
{
    const char *const older[] = {"FORMAT=WKT1_GDAL", "MULTILINE=NO", NULL}, *const newer[] = {
                                                                                "FORMAT=WKT2_2018",
                                                                                "MULTILINE=NO",
                                                                                NULL};
    char *wkt = NULL;
    if (!strstr(from, "VERTCRS[") && gdal.OSRExportToWktEx(system, &wkt, older) == OGRERR_NONE)
        return wkt;
    gdal.VSIFree(wkt);
    wkt = NULL;
    gdal.OSRExportToWktEx(system, &wkt, newer);
    return wkt;
}

static char *horizontal_wkt(const char *wkt, const char *from)
{
    OGRSpatialReferenceH s = horizontal(wkt);
    char *text = s ? wkt_of(s, from) : NULL;
    gdal.OSRDestroySpatialReference(s);
    return text;
}

/* The raster as a dataset in memory, north row first. */
static GDALDatasetH in_memory(const otok_raster *r)
{
    const otok_georeference *p = &r->georeference;
    double t[6] = {p->west, p->width, 0, p->north, 0, -p->height};
    const int nx = (int)r->nx, ny = (int)r->ny;
    GDALDatasetH data =
        gdal.GDALCreate(gdal.GDALGetDriverByName("MEM"), "", nx, ny, 1, GDT_Float32, NULL);
    if (!data) return NULL;
    GDALRasterBandH band = gdal.GDALGetRasterBand(data, 1);
    char *system = horizontal_wkt(p->wkt, p->wkt);
    int good = system && gdal.GDALSetGeoTransform(data, t) == CE_None &&
               gdal.GDALSetProjection(data, system) == CE_None &&
               gdal.GDALSetRasterNoDataValue(band, (double)NAN) == CE_None;
    for (int j = 0; j < ny && good; j++)
        good = gdal.GDALRasterIO(band, GF_Write, 0, j, nx, 1, r->map + (int64_t)(ny - 1 - j) * nx,
                                 nx, 1, GDT_Float32, 0, 0) == CE_None;
    gdal.VSIFree(system);
    if (good) return data;
    gdal.GDALClose(data);
    return NULL;
}

/* Transforms a point; x east, y north. */
static int transform(double *x, double *y, const char *from, OGRSpatialReferenceH to)
{
    OGRSpatialReferenceH source = horizontal(from);
    gdal.OSRSetAxisMappingStrategy(to, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH t = gdal.OCTNewCoordinateTransformation(source, to);
    const int good = t && gdal.OCTTransform(t, 1, x, y, NULL);
    if (t) gdal.OCTDestroyCoordinateTransformation(t);
    gdal.OSRDestroySpatialReference(source);
    return good;
}

otok_status otok_georeference_move(double *x, double *y, const char *from, const char *to,
                                   const char *path, int *moved)
{
    OTOK_ROUNDING;
    double px = *x, py = *y;
    *moved = 0;
    OTOK_TRY(otok_gdal_enter(path));
    OGRSpatialReferenceH system = horizontal(to);
    *moved = transform(&px, &py, from, system);
    gdal.OSRDestroySpatialReference(system);
    otok_gdal_leave();
    if (*moved) *x = px, *y = py;
    return OTOK_OK;
}

/* The UTM zone of the raster's middle, or of another place in it, with the grid's middle at the
   same place. */
static otok_status find_zone(target *out, const otok_raster *r, otok_grid g, const double *middle,
                             const char *path)
{
    const otok_georeference *p = &r->georeference;
    double x = middle ? middle[0] : p->west + 0.5 * p->width * (double)r->nx,
           y = middle ? middle[1] : p->north - 0.5 * p->height * (double)r->ny, lon = x, lat = y;
    OGRSpatialReferenceH earth = horizontal(NULL), zone = gdal.OSRNewSpatialReference(NULL);
    int good = transform(&lon, &lat, p->wkt, earth) && fabs(lat) <= 84;
    lon -= 360 * floor((lon + 180) / 360);
    const int number = (int)floor((lon + 180) / 6) % 60 + 1;
    good = good &&
           gdal.OSRImportFromEPSG(zone, (lat < 0 ? 32700 : 32600) + number) == OGRERR_NONE &&
           transform(&x, &y, p->wkt, zone) && (out->system = wkt_of(zone, p->wkt)) != NULL;
    gdal.OSRDestroySpatialReference(earth);
    gdal.OSRDestroySpatialReference(zone);
    if (!good)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: its middle has no UTM zone (%s); warp it to a projection of the "
                         "poles with gdalwarp",
                         path, otok_gdal_why());
    /* whole cells from the origin, so that rasters of one place share their cells */
    out->unit = 1;
    out->west = g.spacing * floor(x / g.spacing - 0.5 * (double)g.nx + 0.5);
    out->north = g.spacing * floor(y / g.spacing + 0.5 * (double)g.ny + 0.5);
    return OTOK_OK;
}

/* The system of the warped raster: horizontally the target's, with the raster's own heights. */
static char *system_of(const otok_raster *r, const target *t)
{
    if (!t->is_3d) return otok_wkt_with_heights(t->system, r->georeference.wkt);
    OGRSpatialReferenceH s = gdal.OSRNewSpatialReference(t->system);
    char *text = s && gdal.OSRPromoteTo3D(s, NULL) == OGRERR_NONE ? wkt_of(s, t->system) : NULL,
         *out = strdup(text ? text : t->system);
    gdal.VSIFree(text);
    gdal.OSRDestroySpatialReference(s);
    return out;
}

static int is_3d(const char *wkt)
{
    OGRSpatialReferenceH s = gdal.OSRNewSpatialReference(wkt);
    const int is = s && !gdal.OSRIsCompound(s) && gdal.OSRGetAxesCount(s) == 3;
    gdal.OSRDestroySpatialReference(s);
    return is;
}

/* How many points a side of a cell of the grid has, so that each cell of the raster below it
   counts: the raster's cells along it, in the middle of the grid. */
static int points_a_side(const otok_raster *r, const target *t, otok_grid g)
{
    const otok_georeference *p = &r->georeference;
    const double l = g.spacing / t->unit, east = t->west + 0.5 * l * (double)g.nx,
                 north = t->north - 0.5 * l * (double)g.ny;
    double x[3] = {east, east + l, east}, y[3] = {north, north, north + l}, most = 1;
    OGRSpatialReferenceH own = horizontal(p->wkt);
    int good = 1;
    for (int i = 0; i < 3; i++)
        good = good && transform(&x[i], &y[i], t->system, own);
    gdal.OSRDestroySpatialReference(own);
    for (int i = 1; i < 3 && good; i++)
        most = fmax(most, hypot((x[i] - x[0]) / p->width, (y[i] - y[0]) / p->height));
    const int points = (int)ceil(fmin(most, MOST_POINTS) - 0.1);
    return t->maximum ? 2 * points : points; /* turned cells are 0.7 of their side apart */
}

/* Some rows of the grid from the north, each cell with `side` times `side` points. The warper's own
   wide filter is left out (XSCALE): it moves the ground by a tenth of a cell. */
static GDALDatasetH warp(GDALDatasetH from, const target *t, otok_grid g, int side, int64_t row,
                         int64_t rows)
{
    char words[6][40];
    const double l = g.spacing / t->unit;
    snprintf(words[0], 40, "%.17g", t->west);
    snprintf(words[1], 40, "%.17g", t->north - l * (double)(row + rows));
    snprintf(words[2], 40, "%.17g", t->west + l * (double)g.nx);
    snprintf(words[3], 40, "%.17g", t->north - l * (double)row);
    snprintf(words[4], 40, "%lld", (long long)g.nx * side);
    snprintf(words[5], 40, "%lld", (long long)rows * side);
    char *options[] = {
        "-q",       "-of",        "MEM",    "-t_srs",   t->system,
        "-te",      words[0],     words[1], words[2],   words[3],
        "-ts",      words[4],     words[5], "-r",       t->maximum ? "near" : "bilinear",
        "-et",      "0",          "-wo",    "XSCALE=1", "-wo",
        "YSCALE=1", "-dstnodata", "nan",    NULL};
    GDALWarpAppOptions *parsed = gdal.GDALWarpAppOptionsNew(options, NULL);
    GDALDatasetH to = parsed ? gdal.GDALWarp("", NULL, 1, &from, parsed, NULL) : NULL;
    gdal.GDALWarpAppOptionsFree(parsed);
    return to;
}

/* A row of cells from its points: their mean or the highest, NaN where fewer than half of them have
   a value. */
static void take_points(float *cells, const float *points, int64_t nx, int side, int maximum)
{
    for (int64_t i = 0; i < nx; i++) {
        double sum = 0, highest = -INFINITY;
        int n = 0;
        for (int k = 0; k < side * side; k++) {
            const float z = points[(int64_t)(k / side) * nx * side + i * side + k % side];
            if (isnan(z)) continue;
            highest = fmax(highest, (double)z);
            sum += (double)z;
            n++;
        }
        cells[i] = 2 * n >= side * side ? (float)(maximum ? highest : sum / n) : NAN;
    }
}

/* Warps all rows into the map, a few at a time. */
static int warp_rows(float *map, float *points, GDALDatasetH from, const target *t, otok_grid g,
                     int side, int64_t at_once)
{
    const int width = (int)g.nx * side;
    for (int64_t row = 0; row < g.ny; row += at_once) {
        const int64_t rows = row + at_once < g.ny ? at_once : g.ny - row;
        GDALDatasetH to = warp(from, t, g, side, row, rows);
        const int good = to && gdal.GDALRasterIO(gdal.GDALGetRasterBand(to, 1), GF_Read, 0, 0,
                                                 width, (int)rows * side, points, width,
                                                 (int)rows * side, GDT_Float32, 0, 0) == CE_None;
        if (to) gdal.GDALClose(to);
        if (!good) return 0;
        for (int64_t j = 0; j < rows; j++)
            take_points(map + (g.ny - 1 - row - j) * g.nx, points + j * side * width, g.nx, side,
                        t->maximum);
    }
    return 1;
}

static otok_status warp_to(otok_raster *r, const target *t, otok_grid g, const char *path)
{
    otok_raster fresh = *r;
    const int side = points_a_side(r, t, g);
    const double l = g.spacing / t->unit;
    const int64_t a_row = g.nx * side * side,
                  at_once = a_row < POINTS_AT_ONCE ? POINTS_AT_ONCE / a_row : 1;
    GDALDatasetH from = in_memory(r);
    if (!from) return OTOK_FAIL(OTOK_DATA, "%s: cannot be reprojected: %s", path, otok_gdal_why());
    otok_status status = otok_raster_allocate(&fresh, path, g.nx, g.ny);
    float *points = NULL;
    if (status == OTOK_OK) {
        fresh.missing = 0;
        fresh.slack = 0;
        fresh.georeference = (otok_georeference){1, t->west, t->north, l, l, system_of(r, t)};
        points = malloc((size_t)(at_once < g.ny ? at_once : g.ny) * (size_t)a_row * sizeof *points);
        if (!points || !fresh.georeference.wkt)
            status = OTOK_FAIL(OTOK_NOMEM, "%s: no memory to reproject it", path);
        else if (!warp_rows(fresh.map, points, from, t, g, side, at_once))
            status = OTOK_FAIL(OTOK_DATA, "%s: cannot be reprojected: %s", path, otok_gdal_why());
        for (int64_t n = 0; n < g.nx * g.ny && status == OTOK_OK; n++)
            fresh.missing += isnan(fresh.map[n]);
        otok_raster_destroy(status == OTOK_OK ? r : &fresh);
    }
    free(points);
    gdal.GDALClose(from);
    if (status == OTOK_OK) *r = fresh;
    return status;
}

otok_status otok_raster_warp(otok_raster *raster, otok_grid grid, const otok_georeference *place,
                             const double *middle, int maximum, const char *path)
{
    OTOK_ROUNDING;
    target t = {.unit = 1, .maximum = maximum};
    otok_status status = OTOK_OK;
    if (!raster->georeference.known || !raster->georeference.wkt)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: has no coordinate system to reproject it from; give it one, for "
                         "example with `gdal_edit.py -a_srs EPSG:4326 %s`, or a .prj file",
                         path, path);
    OTOK_TRY(otok_gdal_enter(path));
    if (place->known && place->wkt && !otok_georeference_is_geographic(place)) {
        t.system = horizontal_wkt(place->wkt, raster->georeference.wkt);
        t.unit = otok_georeference_unit(place);
        t.west = place->west;
        t.north = place->north;
    } else
        status = find_zone(&t, raster, grid, middle, path);
    t.is_3d = is_3d(raster->georeference.wkt);
    if (status == OTOK_OK) status = warp_to(raster, &t, grid, path);
    gdal.VSIFree(t.system);
    otok_gdal_leave();
    return status;
}
