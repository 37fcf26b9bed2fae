/* raster_gdal.c - input: a raster through GDAL. What GDAL itself makes of more cells than the input
   can hold is its affair: a TIFF of 100 bytes may truly have 2^31 cells, all 0. */
#include "raster.h"

#include "io/gdal.h"

static int is_small(const char *path)
{
    if (otok_gdal_enter(path) != OTOK_OK) return 0;
    GDALDatasetH data = gdal.GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    const int small =
        data && (int64_t)gdal.GDALGetRasterXSize(data) * gdal.GDALGetRasterYSize(data) <= 1 << 16;
    if (data) gdal.GDALClose(data);
    otok_gdal_leave();
    return small;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || (memcmp(data, "II", 2) != 0 && memcmp(data, "MM", 2) != 0))
        return 0; /* a TIFF: other formats are GDAL's alone */
    const char *path = fuzz_file("input.tif", data, size);
    if (is_small(path)) fuzz_raster(path);
    return 0;
}
