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

/* Attributes of an open object. attribute: opened, or -1: none of this name. text: the first text,
   of fixed or variable length, malloc'd, or NULL. get_text and attributes: as in otok_attributes;
   `of` and `object` point to its identifier. */
hid_t otok_cf_hdf_attribute(hid_t object, const char *name);
char *otok_cf_hdf_text(hid_t object, const char *name);
void otok_cf_hdf_get_text(void *of, const char *name, char *to, size_t size);
otok_attributes otok_cf_hdf_attributes(hid_t *object);

#endif
