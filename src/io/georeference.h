/* georeference.h: the position of a grid on Earth: a coordinate system as WKT, and the corner and
   size of the cells. It is kept with a state and written to files. Nothing is reprojected. */
#ifndef OTOK_GEOREFERENCE_H
#define OTOK_GEOREFERENCE_H

#include "../otok.h"

/* North is up. The corner of column i, row j from the top, is (west + i*width, north - j*height),
   in the units of the system. */
typedef struct otok_georeference {
    int known;            /* 0: unknown; all else is then 0 or NULL */
    double west, north;   /* outer corner */
    double width, height; /* of a cell, > 0 */
    char *wkt;            /* malloc'd; NULL: corner and size without a system */
} otok_georeference;

/* Degrees of longitude and latitude. */
#define OTOK_WGS84                                                                                 \
    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"            \
    "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4326\"]]"

/* Destroys `to` first. OTOK_NOMEM: `to` is then unknown. */
otok_status otok_georeference_copy(otok_georeference *to, const otok_georeference *from);
void otok_georeference_destroy(otok_georeference *georeference);

/* Is the georeference finite, with cells of some size and a system of printable words? For
   georeferences from files. */
int otok_georeference_is_good(const otok_georeference *georeference);

/* Is it a place on Earth? A lower left corner at the origin, without a system, is none. */
int otok_georeference_is_place(const otok_georeference *georeference, int64_t ny);

/* Is the system in degrees of longitude and latitude? */
int otok_georeference_is_geographic(const otok_georeference *georeference);

/* The metres in a unit of a projected system; 1 if the system does not give it. */
double otok_georeference_unit(const otok_georeference *georeference);

/* vertical.c. The metres in a unit of heights, if the system has heights; 1 otherwise. Returns 1 if
   they are depths: positive down. */
int otok_georeference_vertical(const otok_georeference *georeference, double *metres);

/* The same system with heights in metres, up, above the same datum, which is what otok has made of
   the values. OTOK_NOMEM. */
otok_status otok_georeference_settle_heights(otok_georeference *georeference);

/* The horizontal system of `across` with the heights of `from`, malloc'd; that alone if `from` has
   none. NULL: no memory. */
char *otok_wkt_with_heights(const char *across, const char *from);

/* The size of a cell in metres in the middle of a grid of ny rows: width from west to east,
   height from south to north. Degrees are on a sphere of 6371008.8 m. */
void otok_georeference_metres(const otok_georeference *georeference, int64_t ny, double *width,
                              double *height);

/* Moves a point of a file's map from one system to the other: WKT or EPSG:NUMBER. Sets *moved to 0
   if it cannot, as in a build without GDAL. OTOK_USAGE: GDAL's library cannot be loaded. */
otok_status otok_georeference_move(double *x, double *y, const char *from, const char *to,
                                   const char *path, int *moved);

/* Is a cell in the middle of nx by ny cells about as large on the ground as in its system? Systems
   made for measuring keep lengths to 5 %; Mercator doubles them at 60 degrees. OTOK_DATA: no. A
   build without GDAL cannot tell. */
otok_status otok_georeference_check_lengths(const otok_georeference *georeference, int64_t nx,
                                            int64_t ny, const char *path);

/* Do two grids of the same cells lie at one place, to a tenth of a cell? OTOK_DATA: no; the text
   has the distance. */
otok_status otok_georeference_same_place(const otok_georeference *a, const otok_georeference *b,
                                         int64_t ny, const char *name_a, const char *name_b);

/* The attributes of a coordinate variable, 'x' or 'y'. */
void otok_axis_words(otok_axis_about *out, char axis, const otok_georeference *georeference,
                     otok_grid grid);

/* The name of the system, such as "WGS 84 / UTM zone 33N"; "" if there is none. */
void otok_georeference_name(const otok_georeference *georeference, char *name, size_t size);

#endif
