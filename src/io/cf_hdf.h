/* cf_hdf.h: maps of HDF5 and NetCDF-4 files of other programs. Call these functions between enter
   and leave (hdf.h). */
#ifndef OTOK_CF_HDF_H
#define OTOK_CF_HDF_H

#include "cf.h"
#include "hdf.h"

/* Reads the dataset `name` at the root with its dimensions and marks. Dimensions come from
   dimension scales, labels, or coordinates at the root under the usual names. Destroy *out in any
   case. step: 0, or which of its steps in time, from 1 on. OTOK_DATA: it is no map that can be
   read; the text tells why. */
otok_status otok_cf_hdf(otok_cf_map *out, hid_t file, const char *path, const char *name,
                        int64_t step, int64_t file_size);

/* Calls `see` with the name of every array of numbers at the root that has two dimensions or more
   and is no coordinate. < 0: the file is damaged. */
typedef void otok_cf_see(void *of, const char *name);
herr_t otok_cf_hdf_names(hid_t file, otok_cf_see *see, void *of);

/* Does an object of the group name this one as a part of it, such as bounds? */
int otok_cf_hdf_is_part(hid_t group, const char *name);

/* The scale that the list of a variable names for one of its dimensions, opened; < 0: none. */
hid_t otok_cf_hdf_scale(hid_t variable, int rank, int dimension);

/* cf_stations.c: the number, from 0 on, of the station that is wanted (NULL: any, if there is one)
   along a dimension of an open variable. OTOK_DATA: there is none of this name. */
typedef struct otok_cf_stations {
    const char *path, *name; /* of the variable */
    hid_t file, variable;
    int64_t size; /* of the file */
    int rank, dimension;
    int64_t n;
} otok_cf_stations;
otok_status otok_cf_station(int64_t *at, const otok_cf_stations *stations, const char *wanted);

/* Attributes of an open object. attribute: opened, or -1: none of this name. text: the first text,
   of fixed or variable length, malloc'd, or NULL. get_text and attributes: as in otok_attributes;
   `of` and `object` point to its identifier. */
hid_t otok_cf_hdf_attribute(hid_t object, const char *name);
char *otok_cf_hdf_text(hid_t object, const char *name);
void otok_cf_hdf_get_text(void *of, const char *name, char *to, size_t size);
otok_attributes otok_cf_hdf_attributes(hid_t *object);

#endif
