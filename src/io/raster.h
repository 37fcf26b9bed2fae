/* raster.h: reads maps from files: gray PNG, Esri ASCII grids, HDF5 and NetCDF-4 in every build,
   all formats of GDAL in a build with GDAL. base/raster.c fits them to a scenario. */
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
    unsigned char *holes; /* base/raster.c: 1 per cell that becomes a wall; NULL: none */
    double slack;         /* relative uncertainty of the size of cells */
    int declared;         /* the file itself, or the scenario, says what "no data" is */
    int is_scaled;        /* the scenario gives the heights of black and white */
    int64_t steps;        /* of a map over time; 0: it is none */
    double begin, end;    /* of this step, since the beginning of the first [s] */
    double first;         /* of the first step, since the moment `since` of the file [s] */
    char since[64];       /* "2026-07-12 06:00", as the file has it */
    /* ---- as in the file; otok_raster_read applies them ---- */
    double nodata;       /* the number that means "no data"; NAN: none */
    int positive;        /* 1: up, heights; -1: down, depths; 0: the file does not tell */
    int is_called_depth; /* by its name */
    char unit[64];       /* of the values; "": not given */
} otok_raster;

/* What to read. */
typedef struct otok_raster_wanted {
    const char *path, *variable; /* variable: of a file with many maps; "": its only one */
    double low, high;            /* values of black and white, for PNG only; NAN: the file's */
    double nodata;               /* means "no data" beside the file's own number; NAN: none */
    int positive;                /* as otok_raster.positive; 0: as the file tells */
    const char *unit;            /* of the values: "m", "1"; they are converted to it */
    int64_t step;                /* of a map over time, from 1 on; 0: a map without steps */
} otok_raster_wanted;

/* OTOK_IO: the file cannot be read. OTOK_DATA: it is damaged, of an unknown kind, lacks what is
   needed, or has values of another unit; the text says what to do. */
otok_status otok_raster_get(otok_raster *out, const otok_raster_wanted *wanted);

/* Heights in metres. */
otok_status otok_raster_read(otok_raster *out, const char *path, double low, double high);
void otok_raster_destroy(otok_raster *raster);

/* Is a number the mark of cells without data? Both are compared as float32. All beyond 1e30 on the
   same side are equal, because programs write the largest float in any number of digits. */
int otok_is_mark(double number, double mark);

/* Does a name mean depths? Their numbers may grow up or down. */
int otok_is_depth_name(const char *name);

/* For the readers of rasters and arrays; `where` begins the text of a failure, such as the path.
   convert: turns the values from raster->unit, and from depths, into the wanted unit, and the
   system's heights into metres, up; OTOK_DATA
   also for numbers above 0 that are called depths if nothing tells up from down. check_marks:
   refuses numbers that programs write for "no data", in a file that declares none; in one that
   declares another, which may be no more than the default of the program that wrote it, only those
   far from all other values. check_heights:
   refuses heights beyond +-highest [m]. */
#define OTOK_HIGHEST 12000.0
otok_status otok_raster_convert(otok_raster *raster, const char *unit, const char *where);
otok_status otok_raster_check_marks(const otok_raster *raster, int are_heights, const char *where);
otok_status otok_raster_check_heights(const otok_raster *raster, double highest, const char *where);

/* Gives every cell without data the value of the nearest cell with data (of equal ones, in its
   own column, below, then left). OTOK_DATA: no cell has data. */
otok_status otok_raster_fill(otok_raster *raster, const char *path);

/* Writes a GeoTIFF of float32, deflated, north row first. An unknown georeference becomes metres
   from the lower left corner. OTOK_USAGE: this build is without GDAL. */
otok_status otok_geotiff_write(const char *path, const float *map, otok_grid grid,
                               const otok_georeference *georeference, const otok_field_info *about);

/* ---- the readers behind it. They leave the top row first, with NaN for cells without data, in the
   file's unit. Only the reader of HDF5 and NetCDF (cf.h) puts the bottom row first. ---- */

otok_status otok_raster_allocate(otok_raster *out, const char *path, int64_t nx, int64_t ny);
otok_status otok_raster_png(otok_raster *out, const char *path, double low, double high);
otok_status otok_raster_ascii(otok_raster *out, const char *path);
otok_status otok_raster_hdf(otok_raster *out, const char *path, const char *variable, int64_t step);
/* Only in a build with GDAL; the second one reads NetCDF-3. */
otok_status otok_raster_gdal(otok_raster *out, const char *path);
otok_status otok_raster_netcdf3(otok_raster *out, const char *path, const char *variable);

/* Warps a raster with a georeference to a grid, as means of points between its cells, or, if
   `maximum`, with the highest of its cells in each: to the place and the system of `place`
   if it is known, else to the UTM zone of `middle` in the raster's own coordinates (NULL: the
   raster's middle), on which the grid's middle comes to be.
   Cells beyond the raster have no data. OTOK_USAGE: this build is without GDAL. */
otok_status otok_raster_warp(otok_raster *raster, otok_grid grid, const otok_georeference *place,
                             const double *middle, int maximum, const char *path);

#endif
