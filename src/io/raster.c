/* raster.c: chooses the reader of a raster by the first bytes of the file, so that builds with and
   without GDAL read the same heights from PNG and ASCII. It then puts the bottom row first and
   counts cells without data. */
#include "raster.h"

#include "../core/status.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void put_bottom_row_first(otok_raster *r)
{
    for (int64_t j = 0; j < r->ny / 2; j++) {
        float *a = r->map + j * r->nx, *b = r->map + (r->ny - 1 - j) * r->nx;
        for (int64_t i = 0; i < r->nx; i++) {
            const float kept = a[i];
            a[i] = b[i];
            b[i] = kept;
        }
    }
}

static int is_ascii_grid(const unsigned char *start)
{
    static const char *const words[] = {"ncols", "nrows", "xll", "yll", "cellsize", "nodata"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncasecmp((const char *)start, words[i],
                        strlen(words[i]) < 8 ? strlen(words[i]) : 8) == 0)
            return 1;
    return 0;
}

static otok_status read_kind(otok_raster *out, const char *path, double low, double high)
{
    unsigned char start[8];
    int64_t size;
    OTOK_TRY(otok_file_probe(path, start, &size));
    if (size == 0)
        return OTOK_FAIL(OTOK_DATA, "%s: the file is empty; give a raster of heights", path);
    if (memcmp(start, "\x89PNG\r\n\x1a\n", 8) == 0) return otok_raster_png(out, path, low, high);
    if (!isnan(low) || !isnan(high))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: `low` and `high` are for PNG files, and this is none; leave them out",
                         path);
    if (is_ascii_grid(start)) return otok_raster_ascii(out, path);
#ifdef OTOK_WITH_GDAL
    return otok_raster_gdal(out, path);
#else
    return OTOK_FAIL(OTOK_DATA,
                     "%s: neither a PNG file nor an Esri ASCII grid, all that this build reads; "
                     "convert it with `gdal_translate -of "
                     "AAIGrid`, or install libgdal-dev and build otok again",
                     path);
#endif
}

otok_status otok_raster_read(otok_raster *out, const char *path, double low, double high)
{
    *out = (otok_raster){0};
    const otok_status status = read_kind(out, path, low, high);
    if (status != OTOK_OK) {
        otok_raster_destroy(out);
        return status;
    }
    put_bottom_row_first(out);
    for (int64_t n = 0; n < out->nx * out->ny; n++) {
        if (!isfinite(out->map[n])) out->map[n] = NAN;
        out->missing += isnan(out->map[n]);
    }
    return OTOK_OK;
}

#ifndef OTOK_WITH_GDAL
otok_status otok_geotiff_write(const char *path, const float *map, otok_grid grid,
                               const otok_georeference *georeference, const otok_field_info *about)
{
    (void)map, (void)grid, (void)georeference, (void)about;
    return OTOK_FAIL(OTOK_USAGE,
                     "%s: this otok was built without GDAL; write .asc, or install libgdal-dev and "
                     "build otok again",
                     path);
}
#endif
