/* image.h: writes maps as PNG pictures, text grids and raw numbers, whole or not at all.
   Row 0 of a map is the bottom row, row 0 of a picture the top one. */
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

/* Draws a map in gray: low is black, high is white, even between in value or logarithm, rounded
   half up, clamped. The PNG records low, high (as otok_log_low, _high), their unit and the metres
   per pixel. A map with NaN has an alpha channel, and NaN is transparent. */
otok_status otok_image_gray(const char *path, const float *map, otok_grid grid, const char *name,
                            const char *unit, const otok_scale *scale, int bits);

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
   It is for viewing, not for measuring. The PNG records the metres per pixel, the lowest and
   highest ground and the sea. */
otok_status otok_image_relief(const char *path, const otok_relief *relief);

/* Esri ASCII grid, north row first. Nine digits restore the float. NaN and infinite values are
   NODATA. Corner and cell size come from the georeference; without one they are metres from the
   lower left corner. The coordinate system goes into a .prj file beside it. */
otok_status otok_ascii_write(const char *path, const float *map, otok_grid grid,
                             const otok_georeference *georeference);

/* Little-endian, north row first, without a header: float32, or, with a scale, the levels of
   otok_image_gray in 16 bits. */
otok_status otok_raw_write(const char *path, const float *map, otok_grid grid,
                           const otok_scale *scale);

/* OpenEXR: one channel Y of float32, north row first. The comments have name, unit and spacing. */
otok_status otok_exr_write(const char *path, const float *map, otok_grid grid, const char *name,
                           const char *unit);

/* The level of a value, from 0 to white. NaN has 0. */
unsigned otok_image_level(float value, const otok_scale *scale, double white);

/* Samples a map at nx x ny points, of which those at its corners are the centres of its corner
   cells: linear between cells, and means (of a tent) where points are farther apart than cells.
   *out is malloc'd. OTOK_NOMEM. */
otok_status otok_image_sample(float **out, const float *map, otok_grid grid, int64_t nx,
                              int64_t ny);

#endif
