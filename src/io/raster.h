/* raster.h: reads maps of heights from files: gray PNG and Esri ASCII grids in every build, all
   formats of GDAL in a build with GDAL. base/raster.c fits them to a scenario. */
#ifndef OTOK_RASTER_H
#define OTOK_RASTER_H

#include "georeference.h"

#include <math.h>

/* Row 0 is the bottom row. Cells without data are NaN. */
typedef struct otok_raster {
    int64_t nx, ny;
    float *map; /* [ny][nx], malloc'd */
    int64_t missing;
    otok_georeference georeference;
} otok_raster;

/* `low` and `high` are the heights of black and white, for PNG only; NAN: as the file says
   (otok_low, otok_high). OTOK_IO: the file cannot be read. OTOK_DATA: it is damaged, of an
   unknown kind, or lacks what is needed; the text says what to do. */
otok_status otok_raster_read(otok_raster *out, const char *path, double low, double high);
void otok_raster_destroy(otok_raster *raster);

/* Gives every cell without data the value of the nearest cell with data (of equal ones, in its
   own column, below, then left). OTOK_DATA: no cell has data. */
otok_status otok_raster_fill(otok_raster *raster, const char *path);

/* Writes a GeoTIFF of float32, deflated, north row first. An unknown georeference becomes metres
   from the lower left corner. OTOK_USAGE: this build is without GDAL. */
otok_status otok_geotiff_write(const char *path, const float *map, otok_grid grid,
                               const otok_georeference *georeference, const otok_field_info *about);

/* ---- the readers behind it. They leave the rows in the order of the file, top row first, with NaN
   for cells without data. ---- */

otok_status otok_raster_allocate(otok_raster *out, const char *path, int64_t nx, int64_t ny);
otok_status otok_raster_png(otok_raster *out, const char *path, double low, double high);
otok_status otok_raster_ascii(otok_raster *out, const char *path);
otok_status otok_raster_gdal(otok_raster *out, const char *path); /* only in a build with GDAL */

#endif
