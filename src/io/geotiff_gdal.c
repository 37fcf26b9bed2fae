/* geotiff_gdal.c: writes a map to a GeoTIFF. GDAL makes the file in memory and file.c writes it,
   so a full disk gives the system's error and the earlier file stays. Compiled only with GDAL. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "file.h"
#include "gdal.h"
#include "raster.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CPLErr put_georeference(GDALDatasetH data, otok_grid g, const otok_georeference *p)
{
    double here[6] = {0, g.spacing, 0, (double)g.ny * g.spacing, 0, -g.spacing};
    if (p->known) {
        const double there[6] = {p->west, p->width, 0, p->north, 0, -p->height};
        memcpy(here, there, sizeof here);
    }
    if (gdal.GDALSetGeoTransform(data, here) != CE_None) return CE_Failure;
    return p->known && p->wkt ? gdal.GDALSetProjection(data, p->wkt) : CE_None;
}

static CPLErr put_words(GDALDatasetH data, const otok_field_info *about)
{
    char software[64];
    snprintf(software, sizeof software, "otok %s", otok_version());
    GDALRasterBandH band = gdal.GDALGetRasterBand(data, 1);
    gdal.GDALSetDescription(band, about->name);
    if (gdal.GDALSetRasterUnitType(band, about->unit) != CE_None) return CE_Failure;
    if (gdal.GDALSetMetadataItem(data, "TIFFTAG_SOFTWARE", software, NULL) != CE_None)
        return CE_Failure;
    return gdal.GDALSetMetadataItem(data, "TIFFTAG_IMAGEDESCRIPTION", about->long_name, NULL);
}

static CPLErr fill_dataset(GDALDatasetH data, const float *map, otok_grid g,
                           const otok_georeference *georeference, const otok_field_info *about)
{
    if (put_georeference(data, g, georeference) != CE_None || put_words(data, about) != CE_None)
        return CE_Failure;
    GDALRasterBandH band = gdal.GDALGetRasterBand(data, 1);
    int has_holes = 0;
    for (int64_t n = 0; n < g.nx * g.ny && !has_holes; n++)
        has_holes = isnan(map[n]);
    if (has_holes && gdal.GDALSetRasterNoDataValue(band, (double)NAN) != CE_None) return CE_Failure;
    for (int64_t j = 0; j < g.ny; j++) {
        float *row =
            (float *)map + (g.ny - 1 - j) * g.nx; /* read only, whatever the prototype says */
        if (gdal.GDALRasterIO(band, GF_Write, 0, (int)j, (int)g.nx, 1, row, (int)g.nx, 1,
                              GDT_Float32, 0, 0) != CE_None)
            return CE_Failure;
    }
    return gdal.GDALFlushCache(data),
           gdal.CPLGetLastErrorType() >= CE_Failure ? CE_Failure : CE_None;
}

static otok_status make_in_memory(const char *name, const char *path, const float *map, otok_grid g,
                                  const otok_georeference *georeference,
                                  const otok_field_info *about)
{
    char *options[] = {"COMPRESS=DEFLATE", "PREDICTOR=3", "TILED=YES", "BIGTIFF=IF_SAFER", NULL};
    if (g.nx < 256 || g.ny < 256) options[2] = "TILED=NO";
    GDALDriverH driver = gdal.GDALGetDriverByName("GTiff");
    if (!driver)
        return OTOK_FAIL(OTOK_INTERNAL, "%s: this GDAL cannot write GeoTIFF; write .asc", path);
    GDALDatasetH data =
        gdal.GDALCreate(driver, name, (int)g.nx, (int)g.ny, 1, GDT_Float32, options);
    otok_status status = OTOK_OK;
    if (!data || fill_dataset(data, map, g, georeference, about) != CE_None)
        status = OTOK_FAIL(OTOK_IO, "%s: cannot make a GeoTIFF: %s", path, otok_gdal_why());
    if (data) gdal.GDALClose(data);
    if (status == OTOK_OK && gdal.CPLGetLastErrorType() >= CE_Failure)
        return OTOK_FAIL(OTOK_IO, "%s: cannot finish the GeoTIFF: %s", path, otok_gdal_why());
    return status;
}

otok_status otok_geotiff_write(const char *path, const float *map, otok_grid grid,
                               const otok_georeference *georeference, const otok_field_info *about)
{
    OTOK_ROUNDING;
    static atomic_uint count;
    otok_draft *draft;
    char name[64];
    snprintf(name, sizeof name, "/vsimem/otok-%u.tif", atomic_fetch_add(&count, 1));
    OTOK_TRY(otok_file_begin(&draft, path));
    otok_status status = otok_gdal_enter(path);
    if (status != OTOK_OK) return otok_file_abandon(draft), status;
    vsi_l_offset size = 0;
    status = make_in_memory(name, path, map, grid, georeference, about);
    GByte *bytes = status == OTOK_OK ? gdal.VSIGetMemFileBuffer(name, &size, TRUE) : NULL;
    if (status == OTOK_OK && !bytes)
        status = OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a GeoTIFF", path);
    if (!bytes) gdal.VSIUnlink(name);
    otok_gdal_leave();
    if (bytes) status = otok_file_fill(draft, path, bytes, (size_t)size);
    gdal.VSIFree(bytes);
    if (status == OTOK_OK) return otok_file_commit(draft, path);
    otok_file_abandon(draft);
    return status;
}
