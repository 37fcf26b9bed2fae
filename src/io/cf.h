/* cf.h: maps in NetCDF and HDF5 as the CF conventions describe them: units, packing, marks for
   cells without data, the direction of heights. cf_hdf.c reads them from HDF5 and NetCDF-4, and
   cf_gdal.c from NetCDF-3. */
#ifndef OTOK_CF_H
#define OTOK_CF_H

#include "axes.h"
#include "raster.h"

/* The attributes of one variable. */
typedef struct otok_attributes {
    void *of;
    /* Up to `most` numbers of an attribute. Returns how many it has; 0: it is absent; -1: it is not
       numbers. *is_real: it is stored as floating point. */
    int (*numbers)(void *of, const char *name, double *numbers, int most, int *is_real);
    /* Text, cut to the size; "" if it is absent or is not text. */
    void (*text)(void *of, const char *name, char *text, size_t size);
} otok_attributes;

enum { OTOK_MOST_MARKS = 16 };

/* How a map is stored. value = scale * number + offset, unless the number means "no data". */
typedef struct otok_marks {
    int bytes, is_real, is_unsigned; /* of a number as stored */
    double scale, offset;
    double mark[OTOK_MOST_MARKS];
    int nmarks;
    int declared;           /* does the file itself say which numbers mean "no data"? */
    double low, high;       /* valid numbers ... */
    int range_is_of_values; /* ... or values */
    int positive;           /* 1: up, -1: down, 0: no attribute tells */
    int is_called_depth;    /* by a name */
    char units[OTOK_AXIS_WORD];
    char coordinates[OTOK_AXIS_WORD]; /* further coordinates, by name */
} otok_marks;

/* A map as read: numbers [n0][n1] in the order of the file. */
typedef struct otok_cf_map {
    const char *path;
    char name[OTOK_TEXT_SIZE];
    otok_dimension dimensions[2];
    otok_marks marks;             /* bytes, is_real and is_unsigned are set before otok_cf_marks */
    char *wkt;                    /* malloc'd, or NULL */
    char transform[256];          /* GeoTransform of the grid mapping, or "" */
    char mapping[OTOK_AXIS_WORD]; /* grid_mapping_name, or "" */
    double *numbers;              /* malloc'd */
    int64_t step;                 /* of a map over time, from 1 on; 0: it is none */
    otok_dimension time;          /* of all steps */
    double *bounds;               /* [n][2], where each step begins and ends, malloc'd; or NULL */
} otok_cf_map;

/* The maps of a file, by name. */
typedef struct otok_map_names {
    char list[OTOK_TEXT_SIZE]; /* "a, b, c", as many as there is room for */
    char first[OTOK_TEXT_SIZE];
    int n, listed, has_terrain;
} otok_map_names;

void otok_map_names_add(otok_map_names *names, const char *name);

/* The attributes by which a variable names its parts, which are no maps of their own (NULL ends the
   list), and whether such words name a variable. */
enum { OTOK_CF_WORDS = 512 };
extern const char *const otok_cf_parts[];
int otok_cf_names(const char *words, const char *name);

/* Chooses the only map, or `terrain`. OTOK_DATA: no map, or several, which the text names. */
otok_status otok_map_names_choose(char name[OTOK_TEXT_SIZE], const otok_map_names *names,
                                  const char *path);

/* OTOK_DATA: the file has no map `name`; the text names those that it has. */
otok_status otok_map_names_lack(const otok_map_names *names, const char *path, const char *name);

/* Reads the marks of a map, and the words of a dimension, from attributes; coordinates that are
   there are unpacked. */
otok_status otok_cf_marks(otok_cf_map *map, const otok_attributes *attributes);
void otok_cf_direction(otok_marks *marks, const char *name, const otok_attributes *attributes);
void otok_cf_dimension(otok_dimension *dimension, const otok_attributes *attributes);

/* The value of a stored number, NAN: no data. The marks of unsigned numbers, which may be stored as
   signed ones, are turned before. */
double otok_cf_value(const otok_marks *marks, double number);
otok_marks otok_cf_unsigned_marks(otok_marks marks);

/* cf_times.c: sets steps, begin and end of a raster from the times of a map. OTOK_DATA: they do not
   grow, or their unit is no time. */
otok_status otok_cf_times(otok_raster *out, const otok_cf_map *map);

/* Turns a map into a raster: decoded, rows and columns in order, in the file's units, which the
   raster then has. It never destroys the map. */
otok_status otok_cf_raster(otok_raster *out, otok_cf_map *map);
void otok_cf_destroy(otok_cf_map *map);

#endif
