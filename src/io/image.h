/* image.h: writes maps as PNG pictures, text grids and raw numbers, whole or not at all, and reads
   pictures. Row 0 of a map is the bottom row, row 0 of a picture the top one. */
#ifndef OTOK_IMAGE_H
#define OTOK_IMAGE_H

#include "georeference.h"

typedef struct otok_picture {
    int64_t width, height;
    int channels, bits;    /* 1 (gray) or 3 (sRGB), one more with alpha; 8 or 16 */
    unsigned char *pixels; /* rows from the top, dense; 16 bits: the high byte first */
} otok_picture;

/* Writes a picture. `words` are pairs of keyword and text for tEXt chunks, ended by NULL; or
   NULL. */
otok_status otok_png_write(const char *path, const otok_picture *picture, const char *const *words);

/* Reads a picture as 3 channels of 8 bits, which the caller frees; transparency is left out. PNG of
   all kinds; JPEG and others of 8 bits with GDAL. OTOK_IO: the file cannot be read. OTOK_DATA: it
   is no picture, or damaged, or larger than OTOK_PICTURE_SIDE. */
enum { OTOK_PICTURE_SIDE = 8192 };
otok_status otok_picture_read(otok_picture *out, const char *path);
otok_status otok_picture_png(otok_picture *out, const char *path);
otok_status otok_picture_gdal(otok_picture *out, const char *path); /* with GDAL only */

/* Room for such a picture, if it is not too large. */
otok_status otok_picture_allocate(otok_picture *out, const char *path, int64_t width,
                                  int64_t height);

/* Draws a map in gray: low is black, high is white, linear between, rounded half up, clamped.
   The PNG records low and high. A map with NaN has an alpha channel, and NaN is transparent. */
otok_status otok_image_gray(const char *path, const float *map, otok_grid grid, const char *name,
                            double low, double high, int bits);

/* What a relief picture shows. */
typedef struct otok_relief {
    otok_grid grid;
    const float *terrain;       /* [m] */
    const float *water;         /* depth of rivers and lakes, or NULL [m] */
    double sea;                 /* sea level [m]; -INFINITY: no sea */
    int scale;                  /* pixels along a cell, 1..16 */
    const float *road;          /* values of OTOK_ROAD, or NULL */
    const unsigned char *clear; /* 1 per cell without data, which is transparent; or NULL */
} otok_relief;

/* Draws a shaded relief with tints by height, and a sea that shows its bed where it is shallow.
   It is for viewing, not for measuring. */
otok_status otok_image_relief(const char *path, const otok_relief *relief);

/* Esri ASCII grid, north row first. Nine digits restore the float. NaN and infinite values are
   NODATA. Corner and cell size come from the georeference; without one they are metres from the
   lower left corner. The coordinate system goes into a .prj file beside it. */
otok_status otok_ascii_write(const char *path, const float *map, otok_grid grid,
                             const otok_georeference *georeference);

/* float32, little-endian, north row first, without a header. */
otok_status otok_raw_write(const char *path, const float *map, otok_grid grid);

/* OpenEXR: float32 in the channel Y, losslessly compressed, north row first; the attributes
   cellSize [m], field, units and comments say what it is. OTOK_USAGE: this build is without
   OpenEXR. */
otok_status otok_exr_write(const char *path, const float *map, otok_grid grid, const char *name,
                           const otok_field_info *about);

#endif
