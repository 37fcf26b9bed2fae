/* axes.h: the two dimensions of a map in a file: which of them goes east, which north, in what
   order and unit. Everything comes from the file, and nothing from the grid: names, attributes and
   coordinates in the terms of CF. The readers of HDF5, NetCDF and GDAL share it. */
#ifndef OTOK_AXES_H
#define OTOK_AXES_H

#include "georeference.h"

enum { OTOK_AXIS_WORD = 64 };

/* A dimension as the file has it. Words that are absent are "". */
typedef struct otok_dimension {
    char name[OTOK_AXIS_WORD], standard_name[OTOK_AXIS_WORD], axis[OTOK_AXIS_WORD],
        units[OTOK_AXIS_WORD], bounds[OTOK_AXIS_WORD];
    int64_t n;
    double *centres; /* of its cells, malloc'd; NULL: none */
    int is_single;   /* they are float32, so that large ones are coarse */
} otok_dimension;

typedef struct otok_axes {
    int x;                    /* the dimension that goes east or west: 1, or 0 for maps (x, y) */
    int falls[2];             /* does the coordinate fall, along x and along y? */
    int64_t nx, ny;           /* cells along x and y */
    double slack;             /* relative uncertainty of the cell size: float32 coordinates */
    otok_georeference placed; /* known if both have coordinates */
} otok_axes;

/* Gives a map without coordinates those of a GeoTransform: the corner of its first cell and the
   steps from there, "x dx 0 y 0 dy", in the order of the file; "": it has none. OTOK_DATA: it is
   not that, or turned. */
otok_status otok_axes_transform(otok_dimension dimensions[2], const char *transform,
                                const char *path, const char *name);

/* Settles the axes of the map `name`. `wkt` is the coordinate system that the file names for it, or
   NULL; it is copied. Coordinates in degrees without a system count as WGS 84. OTOK_DATA: the file
   contradicts itself, coordinates are uneven, or their unit is no length. The caller destroys
   out->placed. */
otok_status otok_axes_settle(otok_axes *out, const otok_dimension dimensions[2], const char *wkt,
                             const char *path, const char *name);

/* Copies a map [n0][n1] of the file so that x goes east along the rows, and row 0 is the
   southern one. */
void otok_axes_arrange(float *to, const float *from, const otok_axes *axes);

/* Does a name mean x ('x'), y ('y') or neither (0)? And the n-th name to look for; NULL: no
   more. */
int otok_axes_kind(const char *name);
const char *otok_axes_name(int kind, int n);

void otok_dimension_destroy(otok_dimension *dimension);

#endif
