/* picture_gdal.c: reads JPEG and other pictures through GDAL. Compiled only with GDAL. */
#include "../core/status.h"
#include "gdal.h"
#include "image.h"

static const char STRICT[] =
    "GDAL_ERROR_ON_LIBJPEG_WARNING"; /* a file that ends early is damaged */

static otok_status read_open(otok_picture *out, const char *path, GDALDatasetH data)
{
    const int bands = GDALGetRasterCount(data), width = GDALGetRasterXSize(data),
              height = GDALGetRasterYSize(data), gray = bands < 3;
    int order[3] = {1, gray ? 1 : 2, gray ? 1 : 3};
    if (bands < 1 || bands > 4 || GDALGetRasterColorTable(GDALGetRasterBand(data, 1)) ||
        GDALGetRasterDataType(GDALGetRasterBand(data, 1)) != GDT_Byte)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: not gray or colours of 8 bits; convert it with `convert IN -depth 8 "
                         "OUT.png`",
                         path);
    OTOK_TRY(otok_picture_allocate(out, path, width, height));
    const CPLErr error = GDALDatasetRasterIO(data, GF_Read, 0, 0, width, height, out->pixels, width,
                                             height, GDT_Byte, 3, order, 3, 3 * width, 1);
    return error == CE_None
               ? OTOK_OK
               : OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", path, otok_gdal_why());
}

otok_status otok_picture_gdal(otok_picture *out, const char *path)
{
    otok_gdal_enter();
    CPLSetThreadLocalConfigOption(STRICT, "YES");
    GDALDatasetH data = GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                                   NULL, NULL, NULL);
    const otok_status status =
        data ? read_open(out, path, data)
             : OTOK_FAIL(OTOK_DATA,
                         "%s: not a picture that can be read: %s; convert it with `convert IN "
                         "OUT.png`",
                         path, otok_gdal_why());
    if (data) GDALClose(data);
    CPLSetThreadLocalConfigOption(STRICT, NULL);
    otok_gdal_leave();
    return status;
}
