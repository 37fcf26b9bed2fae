/* hdf_table.h: HDF5 files of columns that xarray opens: variables over dimensions with scales. They
   hold no date, host or thread, so equal values are equal bytes. The functions are called between
   enter and leave, see hdf.h; < 0 on failure. */
#ifndef OTOK_HDF_TABLE_H
#define OTOK_HDF_TABLE_H

#include "../otok.h"
#include "georeference.h"
#include "hdf.h"

/* Makes a file whole or not at all. `parts` fills it; datasets that it leaves open are closed. */
otok_status otok_hdf_table(const char *path, otok_status (*parts)(void *user, hid_t file),
                           void *user);

typedef struct otok_dimension {
    hid_t scale;
    int64_t size;
} otok_dimension;

/* 0, 1, ... n - 1 as a dimension's scale; left open. */
hid_t otok_hdf_dimension(hid_t file, const char *name, int64_t n, const char *long_name);

/* The same with (i + 0.5) step: centres of cells. */
hid_t otok_hdf_places(hid_t file, const char *name, int64_t n, double start, double step,
                      const char *unit, const char *long_name);

/* Makes a variable over `rank` <= 3 dimensions with its attributes ("": none). With three it has a
   chunk per value of the first, and NaN where none is written. The caller closes it, or
   otok_hdf_fill does. */
hid_t otok_hdf_variable(hid_t file, const char *name, hid_t type, int rank,
                        const otok_dimension *over, const char *unit, const char *long_name);

/* Gives the numbers first, first + 1, ... meanings, as flags of CF: n words. */
herr_t otok_hdf_flags(hid_t set, int first, int n, const char *meanings);

/* Writes the values of a variable and closes it. Accepts a variable that could not be made. */
herr_t otok_hdf_fill(hid_t set, hid_t native, const void *values);

/* Writes n >= 1 variables of doubles over the same two dimensions, with all threads
   (hdf_matrix.c). Any thread calls `row` for `count` values from `first` on of a row of variable
   v. */
typedef void otok_hdf_row(const void *user, int v, int64_t row, int64_t first, int64_t count,
                          double *out);
herr_t otok_hdf_fill_matrices(const hid_t *sets, int n, int64_t rows, int64_t columns,
                              otok_hdf_row *row, const void *user);

/* checkpoint_georeference.c. Writes the variable `crs` if the grid has a place. */
otok_status otok_writing_georeference(hid_t file, const char *path,
                                      const otok_georeference *georeference, int64_t ny);

#endif
