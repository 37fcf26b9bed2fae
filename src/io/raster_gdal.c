/* raster_gdal.c: reads one band of heights through GDAL: GeoTIFF, SRTM, netCDF and others. No-data
   follows the band's mask, scale and offset are applied, and the coordinate system is kept.
   Compiled only with GDAL. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "cf.h"
#include "gdal.h"
#include "raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rasters within a file that has none of its own, as GDAL names them. */
static otok_status fail_container(const char *path, GDALDatasetH data)
{
    char **found = gdal.GDALGetMetadata(data, "SUBDATASETS");
    otok_map_names names = {.n = 0};
    for (int n = 1;; n++) {
        char key[32];
        snprintf(key, sizeof key, "SUBDATASET_%d_NAME", n);
        const char *name = gdal.CSLFetchNameValue(found, key);
        if (!name) break;
        otok_map_names_add(&names, name);
    }
    if (names.n == 0)
        return OTOK_FAIL(OTOK_DATA, "%s: GDAL finds no raster in it; look at it with `gdalinfo %s`",
                         path, path);
    return OTOK_FAIL(
        OTOK_DATA,
        "%s: has %d rasters: %s%s; make a file of one, with `gdal_translate '%s' OUT.tif`", path,
        names.n, names.list, names.listed < names.n ? " and more" : "", names.first);
}

/* Refuses values that this program would misread. */
static otok_status check_dataset(const char *path, GDALDatasetH data)
{
    const int bands = gdal.GDALGetRasterCount(data),
              has_alpha = bands == 2 && gdal.GDALGetRasterColorInterpretation(
                                            gdal.GDALGetRasterBand(data, 2)) == GCI_AlphaBand;
    if (bands == 0) return fail_container(path, data);
    if (bands != 1 && !has_alpha)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: has %d bands where one of heights is needed; choose one with "
                         "`gdal_translate -b 1 %s OUT.tif`",
                         path, bands, path);
    GDALRasterBandH band = gdal.GDALGetRasterBand(data, 1);
    if (gdal.GDALDataTypeIsComplex(gdal.GDALGetRasterDataType(band)) ||
        gdal.GDALGetRasterColorTable(band))
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: holds complex numbers or a palette, no heights; convert it with gdal_translate",
            path);
    return OTOK_OK;
}

/* How a file stores heights: scale * number + offset, where valid. */
typedef struct encoding {
    GDALDataType type; /* Float32: read into the raster itself; otherwise read as Float64 */
    double scale, offset;
    int plain; /* the stored numbers are the heights */
} encoding;

static encoding encoding_of(GDALRasterBandH band)
{
    int scaled = 0, moved = 0;
    const double scale = gdal.GDALGetRasterScale(band, &scaled),
                 offset = gdal.GDALGetRasterOffset(band, &moved);
    encoding e = {.type =
                      gdal.GDALGetRasterDataType(band) == GDT_Float32 ? GDT_Float32 : GDT_Float64};
    e.scale = scaled ? scale : 1;
    e.offset = moved ? offset : 0;
    e.plain = e.scale == 1 && e.offset == 0;
    return e;
}

static void decode_row(float *to, const double *row, const unsigned char *valid, int nx,
                       const encoding *e)
{
    for (int i = 0; i < nx; i++) {
        const double number = e->type == GDT_Float32 ? (double)to[i] : row[i];
        to[i] = !valid[i] ? NAN : (float)(e->plain ? number : number * e->scale + e->offset);
    }
}

/* Puts the northern row first, whatever the order of the file. */
static otok_status read_rows(otok_raster *out, const char *path, GDALRasterBandH band, int turned)
{
    const int nx = (int)out->nx, ny = (int)out->ny;
    const encoding e = encoding_of(band);
    GDALRasterBandH mask =
        gdal.GDALGetMaskFlags(band) & GMF_ALL_VALID ? NULL : gdal.GDALGetMaskBand(band);
    double *row = malloc((size_t)nx * sizeof *row);
    unsigned char *valid = malloc((size_t)nx);
    CPLErr error = row && valid ? CE_None : CE_Failure;
    const otok_status status =
        error == CE_None ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a row", path);
    if (valid) memset(valid, 255, (size_t)nx);
    for (int j = 0; j < ny && error == CE_None; j++) {
        float *to = out->map + (int64_t)(turned ? ny - 1 - j : j) * nx;
        error = gdal.GDALRasterIO(band, GF_Read, 0, j, nx, 1,
                                  e.type == GDT_Float32 ? (void *)to : (void *)row, nx, 1, e.type,
                                  0, 0);
        if (error == CE_None && mask)
            error = gdal.GDALRasterIO(mask, GF_Read, 0, j, nx, 1, valid, nx, 1, GDT_Byte, 0, 0);
        if (error == CE_None) decode_row(to, row, valid, nx, &e);
    }
    free(row);
    free(valid);
    if (status == OTOK_OK && error != CE_None)
        return OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", path, otok_gdal_why());
    return status;
}

static otok_status read_georeference(otok_georeference *georeference, const char *path,
                                     GDALDatasetH data, int *turned)
{
    double t[6];
    char *wkt = NULL;
    *turned = 0;
    if (gdal.GDALGetGeoTransform(data, t) != CE_None) {
        if (gdal.GDALGetGCPCount(data) == 0) return OTOK_OK;
        return OTOK_FAIL(OTOK_DATA,
                         "%s: has control points, and no corner and size of cells; make them with "
                         "`gdalwarp %s OUT.tif`",
                         path, path);
    }
    if (t[2] != 0 || t[4] != 0 || t[1] < 0)
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: is rotated or mirrored on the map; straighten it with `gdalwarp %s OUT.tif`", path,
            path);
    *turned = t[5] > 0;
    georeference->known = 1;
    georeference->west = t[0];
    georeference->north = *turned ? t[3] + t[5] * gdal.GDALGetRasterYSize(data) : t[3];
    georeference->width = t[1];
    georeference->height = fabs(t[5]);
    OGRSpatialReferenceH system = gdal.GDALGetSpatialRef(data);
    const char *const options[] = {"FORMAT=WKT1_GDAL", "MULTILINE=NO", NULL},
                      *const newer[] = {"FORMAT=WKT2_2018", "MULTILINE=NO", NULL};
    if (system && gdal.OSRExportToWktEx(system, &wkt, options) != OGRERR_NONE) {
        gdal.VSIFree(wkt);
        wkt = NULL;
        gdal.OSRExportToWktEx(system, &wkt, newer);
    }
    if (wkt && *wkt) georeference->wkt = strdup(wkt);
    const int lost = wkt && *wkt && !georeference->wkt;
    gdal.VSIFree(wkt);
    if (lost) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for its coordinate system", path);
    if (otok_georeference_is_good(georeference)) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA, "%s: its georeference is not valid; correct it with gdal_edit.py",
                     path);
}

/* An item of a list of GDAL's metadata. */
static void item_text(void *of, const char *name, char *text, size_t size)
{
    const char *word = gdal.CSLFetchNameValue((char **)of, name);
    snprintf(text, size, "%s", word ? word : "");
}

/* What gdal_translate keeps of a variable of NetCDF: its names and its direction. */
static void read_direction(otok_raster *out, GDALRasterBandH band)
{
    const otok_attributes items = {.of = gdal.GDALGetMetadata(band, NULL), .text = item_text};
    char name[OTOK_TEXT_SIZE];
    otok_marks marks = {0};
    item_text(items.of, "NETCDF_VARNAME", name, sizeof name);
    otok_cf_direction(&marks, name, &items);
    out->positive = marks.positive;
    out->is_called_depth =
        marks.is_called_depth || otok_is_depth_name(gdal.GDALGetDescription(band));
    if (!*out->unit) item_text(items.of, "units", out->unit, sizeof out->unit);
}

static otok_status read_open(otok_raster *out, const char *path, GDALDatasetH data)
{
    int turned;
    OTOK_TRY(check_dataset(path, data));
    OTOK_TRY(read_georeference(&out->georeference, path, data, &turned));
    OTOK_TRY(otok_raster_allocate(out, path, gdal.GDALGetRasterXSize(data),
                                  gdal.GDALGetRasterYSize(data)));
    GDALRasterBandH band = gdal.GDALGetRasterBand(data, 1);
    int has_nodata;
    const double nodata = gdal.GDALGetRasterNoDataValue(band, &has_nodata);
    snprintf(out->unit, sizeof out->unit, "%s", gdal.GDALGetRasterUnitType(band));
    read_direction(out, band);
    out->declared = has_nodata || gdal.GDALGetMaskFlags(band) != GMF_ALL_VALID;
    const encoding e = encoding_of(band);
    if (has_nodata && e.plain) out->nodata = nodata;
    return read_rows(out, path, band, turned);
}

otok_status otok_raster_gdal(otok_raster *out, const char *path)
{
    OTOK_ROUNDING;
    OTOK_TRY(otok_gdal_enter(path));
    GDALDatasetH data = gdal.GDALOpenEx(
        path, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    otok_status status =
        data ? read_open(out, path, data)
             : OTOK_FAIL(OTOK_DATA,
                         "%s: not a raster that GDAL can read: %s; look at it with gdalinfo", path,
                         otok_gdal_why());
    if (data) gdal.GDALClose(data);
    otok_gdal_leave();
    return status;
}
