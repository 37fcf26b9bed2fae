/* raster.c: chooses the reader of a raster by the first bytes of the file, so that builds with and
   without GDAL read the same heights from PNG and ASCII. It then puts the bottom row first and
   counts cells without data. */
#include "raster.h"

#include "../core/status.h"
#include "file.h"

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

static int is_ascii_grid(const unsigned char *start, size_t size)
{
    static const char *const words[] = {"ncols", "nrows", "xll", "yll", "cellsize", "nodata"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncasecmp((const char *)start, words[i],
                        strlen(words[i]) < size ? strlen(words[i]) : size) == 0)
            return 1;
    return 0;
}

static otok_status read_other(otok_raster *out, const otok_raster_wanted *w, int is_classic)
{
#ifdef OTOK_WITH_GDAL
    return is_classic ? otok_raster_netcdf3(out, w->path, w->variable)
                      : otok_raster_gdal(out, w->path);
#else
    (void)out;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: neither PNG, an Esri ASCII grid, HDF5 nor NetCDF-4, all that this build "
                     "reads; convert it with `%s`, or install libgdal-dev and build otok again",
                     w->path, is_classic ? "nccopy -k nc4 IN OUT" : "gdal_translate -of AAIGrid");
#endif
}

/* A BAG is an HDF5 file with an order of its own, which GDAL knows. */
static int is_bag(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".bag") == 0;
}

static otok_status read_kind(otok_raster *out, const otok_raster_wanted *w, int *bottom_first)
{
    unsigned char start[8];
    int64_t size;
    OTOK_TRY(otok_file_probe(w->path, start, &size));
    if (size == 0)
        return OTOK_FAIL(OTOK_DATA, "%s: the file is empty; give a raster of heights", w->path);
    const int is_hdf = memcmp(start, "\x89HDF\r\n\x1a\n", 8) == 0 && !is_bag(w->path);
    if (memcmp(start, "\x89PNG\r\n\x1a\n", 8) == 0 && !w->step)
        return otok_raster_png(out, w->path, w->low, w->high);
    if (!isnan(w->low) || !isnan(w->high))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: `low` and `high` are for PNG files, and this is none; leave them out",
                         w->path);
    if (w->step && !is_hdf)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: `over_time` needs NetCDF-4 or HDF5, and this is neither; convert it, "
                         "for example with `nccopy -k nc4 IN OUT`",
                         w->path);
    const unsigned char *text = memcmp(start, "\xef\xbb\xbf", 3) == 0 ? start + 3 : start;
    if (is_ascii_grid(text, (size_t)(start + sizeof start - text)))
        return otok_raster_ascii(out, w->path);
    const int is_classic =
        memcmp(start, "CDF", 3) == 0 && (start[3] == 1 || start[3] == 2 || start[3] == 5);
    *bottom_first = is_hdf || is_classic;
    if (is_hdf) return otok_raster_hdf(out, w->path, w->variable, w->step);
    if (*w->variable && !is_classic)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: `variable` is for NetCDF and HDF5, and this is neither; leave it out",
                         w->path);
    return read_other(out, w, is_classic);
}

/* Cells without data become NaN; the others get the wanted unit. */
static otok_status finish(otok_raster *r, const otok_raster_wanted *w)
{
    r->declared |= !isnan(w->nodata);
    if (w->positive) r->positive = w->positive;
    for (int64_t n = 0; n < r->nx * r->ny; n++) {
        float *z = &r->map[n];
        if (!isfinite(*z) || otok_is_mark((double)*z, r->nodata) ||
            otok_is_mark((double)*z, w->nodata))
            *z = NAN;
        r->missing += isnan(*z);
    }
    if (isnan(w->nodata)) OTOK_TRY(otok_raster_check_marks(r, strcmp(w->unit, "m") == 0, w->path));
    return otok_raster_convert(r, w->unit, w->path);
}

otok_status otok_raster_get(otok_raster *out, const otok_raster_wanted *wanted)
{
    int bottom_first = 0;
    *out = (otok_raster){.nodata = NAN};
    otok_status status = read_kind(out, wanted, &bottom_first);
    if (status == OTOK_OK) status = finish(out, wanted);
    if (status != OTOK_OK) {
        otok_raster_destroy(out);
        return status;
    }
    if (!bottom_first) put_bottom_row_first(out);
    return OTOK_OK;
}

otok_status otok_raster_read(otok_raster *out, const char *path, double low, double high)
{
    return otok_raster_get(
        out,
        &(otok_raster_wanted){
            .path = path, .variable = "", .low = low, .high = high, .nodata = NAN, .unit = "m"});
}

#ifndef OTOK_WITH_GDAL
otok_status otok_georeference_move(double *x, double *y, const char *from, const char *to,
                                   const char *path, int *moved)
{
    (void)x, (void)y, (void)from, (void)to, (void)path;
    *moved = 0;
    return OTOK_OK;
}

otok_status otok_geotiff_write(const char *path, const float *map, otok_grid grid,
                               const otok_georeference *georeference, const otok_field_info *about)
{
    (void)map, (void)grid, (void)georeference, (void)about;
    return OTOK_FAIL(OTOK_USAGE,
                     "%s: this otok was built without GDAL; write .asc, or install libgdal-dev and "
                     "build otok again",
                     path);
}

otok_status otok_raster_warp(otok_raster *raster, otok_grid grid, const otok_georeference *place,
                             const double *middle, int maximum, const char *path)
{
    (void)raster, (void)grid, (void)place, (void)middle, (void)maximum;
    return OTOK_FAIL(OTOK_USAGE,
                     "%s: `reproject` needs GDAL, and this otok was built without it; warp the "
                     "file with gdalwarp elsewhere, or install libgdal-dev and build otok again",
                     path);
}
#endif
