/* hdf_read.h: reads datasets of a file that is not trusted. A dataset is read only if it has an
   ordinary name, is stored in this file, has the expected type and shape, and no filters but
   ours. HDF5 alone would follow a link or a virtual dataset anywhere, wait for a pipe, and
   unpack a chunk of any size. Call these functions between enter and leave (hdf.h). They return
   NULL, or the end of a sentence that begins with the name of the dataset. */
#ifndef OTOK_HDF_READ_H
#define OTOK_HDF_READ_H

#include "hdf.h"

#include <stdint.h>

/* 1: an ordinary name in the file; 0: no such name; -1: a soft or external link, or damage. Ask
   for known names only: walking through a damaged group can crash HDF5. */
int otok_hdf_find(hid_t file, const char *name);

/* Is an open object a dataset in this file? HDF5 follows a virtual one as soon as it is asked for
   shape or size. has_numbers: and was it ever written? */
int otok_hdf_is_local(hid_t object);
int otok_hdf_has_numbers(hid_t object);

/* Is it a dimension of NetCDF-4 without coordinates, that is, a scale that holds no numbers? */
int otok_hdf_is_bare_dimension(hid_t file, const char *name);

enum { OTOK_HDF_FILTERS = 3 };

/* A dataset that passed the checks. The caller closes its id. */
typedef struct otok_hdf_set {
    hid_t id;                               /* negative: it did not pass */
    hsize_t shape[2], chunk[2];             /* chunk 0: stored in one piece */
    int rank;                               /* further dimensions, in front, have one index */
    hsize_t depth;                          /* cells of a chunk along these */
    hsize_t steps, step, deep;              /* of the first of these; the one to read, from 0 on;
                                               those in a chunk */
    size_t cell;                            /* bytes of a number */
    int is_real, is_signed, is_big;         /* its kind; big-endian */
    H5Z_filter_t filters[OTOK_HDF_FILTERS]; /* each at most once */
    int nfilters;
} otok_hdf_set;

/* What a dataset must be. Checkpoints: a map of float32, [ny][nx], in chunks; ny numbers of float64
   in one piece. Other programs, in chunks or in one piece: an array of real or whole numbers in two
   dimensions of any size, after others of length 1; the same in steps, the first dimension; ny
   numbers of any type. */
typedef enum {
    OTOK_HDF_MAP,
    OTOK_HDF_LINE,
    OTOK_HDF_NUMBERS,
    OTOK_HDF_ARRAY,
    OTOK_HDF_STEPS
} otok_hdf_kind;

/* Allocate memory for it only once it is open. Numbers have nx = 1; the shape of an array is the
   file's, with fewer than 2^31 cells. */
const char *otok_hdf_open_set(otok_hdf_set *out, hid_t file, const char *name, otok_hdf_kind kind,
                              int64_t ny, int64_t nx, int64_t file_size);

/* The same for an object that is open, which the set then owns. */
const char *otok_hdf_check_set(otok_hdf_set *out, hid_t object, otok_hdf_kind kind, int64_t ny,
                               int64_t nx, int64_t file_size);

/* A map is read as float32; an array and numbers as double. */
const char *otok_hdf_read_map(const otok_hdf_set *set, float *map);
const char *otok_hdf_read_array(const otok_hdf_set *set, double *numbers);
const char *otok_hdf_read_line(const otok_hdf_set *set, double *numbers);

#endif
