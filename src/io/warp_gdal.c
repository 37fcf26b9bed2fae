/* warp_gdal.c: warps a raster to a projected grid with GDAL's warper, whatever file it came from.
   Compiled only with GDAL. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "gdal.h"
#include "raster.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct target {
    char *system; /* WKT, CPLMalloc'd */
    double west, north;
    double unit; /* metres of a unit of the system */
} target;

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
    int good = gdal.GDALSetGeoTransform(data, t) == CE_None &&
               gdal.GDALSetProjection(data, p->wkt) == CE_None &&
               gdal.GDALSetRasterNoDataValue(band, (double)NAN) == CE_None;
    for (int j = 0; j < ny && good; j++)
        good = gdal.GDALRasterIO(band, GF_Write, 0, j, nx, 1, r->map + (int64_t)(ny - 1 - j) * nx,
                                 nx, 1, GDT_Float32, 0, 0) == CE_None;
    if (good) return data;
    gdal.GDALClose(data);
    return NULL;
}

/* Transforms a point; x east, y north. */
static int transform(double *x, double *y, const char *from, OGRSpatialReferenceH to)
{
    OGRSpatialReferenceH source = gdal.OSRNewSpatialReference(from);
    gdal.OSRSetAxisMappingStrategy(source, OAMS_TRADITIONAL_GIS_ORDER);
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
    OGRSpatialReferenceH system = gdal.OSRNewSpatialReference(to);
    *moved = transform(&px, &py, from, system);
    gdal.OSRDestroySpatialReference(system);
    otok_gdal_leave();
    if (*moved) *x = px, *y = py;
    return OTOK_OK;
}

/* The UTM zone of the raster's middle, with the grid's middle at the same place. */
static otok_status find_zone(target *out, const otok_raster *r, otok_grid g, const char *path)
{
    const otok_georeference *p = &r->georeference;
    double x = p->west + 0.5 * p->width * (double)r->nx,
           y = p->north - 0.5 * p->height * (double)r->ny, lon = x, lat = y;
    OGRSpatialReferenceH earth = gdal.OSRNewSpatialReference(NULL),
                         zone = gdal.OSRNewSpatialReference(NULL);
    gdal.OSRImportFromEPSG(earth, 4326);
    int good = transform(&lon, &lat, p->wkt, earth) && fabs(lat) <= 84;
    lon -= 360 * floor((lon + 180) / 360);
    const int number = (int)floor((lon + 180) / 6) % 60 + 1;
    good =
        good && gdal.OSRImportFromEPSG(zone, (lat < 0 ? 32700 : 32600) + number) == OGRERR_NONE &&
        transform(&x, &y, p->wkt, zone) && gdal.OSRExportToWkt(zone, &out->system) == OGRERR_NONE;
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

static GDALDatasetH warp(GDALDatasetH from, const target *t, otok_grid g)
{
    char words[6][40];
    const double l = g.spacing / t->unit;
    snprintf(words[0], 40, "%.17g", t->west);
    snprintf(words[1], 40, "%.17g", t->north - l * (double)g.ny);
    snprintf(words[2], 40, "%.17g", t->west + l * (double)g.nx);
    snprintf(words[3], 40, "%.17g", t->north);
    snprintf(words[4], 40, "%lld", (long long)g.nx);
    snprintf(words[5], 40, "%lld", (long long)g.ny);
    char *options[] = {"-q",       "-of",    "MEM",    "-t_srs",     t->system, "-te",    words[0],
                       words[1],   words[2], words[3], "-ts",        words[4],  words[5], "-r",
                       "bilinear", "-et",    "0",      "-dstnodata", "nan",     NULL};
    GDALWarpAppOptions *parsed = gdal.GDALWarpAppOptionsNew(options, NULL);
    GDALDatasetH to = parsed ? gdal.GDALWarp("", NULL, 1, &from, parsed, NULL) : NULL;
    gdal.GDALWarpAppOptionsFree(parsed);
    return to;
}

static otok_status read_back(otok_raster *r, GDALDatasetH data, const target *t, otok_grid g,
                             const char *path)
{
    otok_raster fresh = *r;
    const int nx = (int)g.nx, ny = (int)g.ny;
    const double l = g.spacing / t->unit;
    OTOK_TRY(otok_raster_allocate(&fresh, path, g.nx, g.ny));
    fresh.missing = 0;
    fresh.slack = 0;
    fresh.georeference = (otok_georeference){1, t->west, t->north, l, l, strdup(t->system)};
    int good = fresh.georeference.wkt != NULL;
    for (int j = 0; j < ny && good; j++)
        good = gdal.GDALRasterIO(gdal.GDALGetRasterBand(data, 1), GF_Read, 0, ny - 1 - j, nx, 1,
                                 fresh.map + (int64_t)j * nx, nx, 1, GDT_Float32, 0, 0) == CE_None;
    for (int64_t n = 0; n < g.nx * g.ny && good; n++)
        fresh.missing += isnan(fresh.map[n]);
    otok_raster_destroy(good ? r : &fresh);
    if (!good) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory to reproject it", path);
    *r = fresh;
    return OTOK_OK;
}

static otok_status warp_to(otok_raster *r, const target *t, otok_grid g, const char *path)
{
    GDALDatasetH from = in_memory(r), to = from ? warp(from, t, g) : NULL;
    const otok_status status =
        to ? read_back(r, to, t, g, path)
           : OTOK_FAIL(OTOK_DATA, "%s: cannot be reprojected: %s", path, otok_gdal_why());
    if (to) gdal.GDALClose(to);
    if (from) gdal.GDALClose(from);
    return status;
}

otok_status otok_raster_warp(otok_raster *raster, otok_grid grid, const otok_georeference *place,
                             const char *path)
{
    OTOK_ROUNDING;
    target t = {.unit = 1};
    otok_status status = OTOK_OK;
    if (!raster->georeference.known || !raster->georeference.wkt)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: has no coordinate system to reproject it from; give it one, for "
                         "example with `gdal_edit.py -a_srs EPSG:4326 %s`, or a .prj file",
                         path, path);
    OTOK_TRY(otok_gdal_enter(path));
    if (place->known && place->wkt && !otok_georeference_is_geographic(place)) {
        t.system = gdal.CPLStrdup(place->wkt);
        t.unit = otok_georeference_unit(place);
        t.west = place->west;
        t.north = place->north;
    } else
        status = find_zone(&t, raster, grid, path);
    if (status == OTOK_OK) status = warp_to(raster, &t, grid, path);
    gdal.VSIFree(t.system);
    otok_gdal_leave();
    return status;
}
