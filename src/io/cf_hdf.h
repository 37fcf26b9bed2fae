/* cf_hdf.h: maps of HDF5 and NetCDF-4 files of other programs. Call these functions between enter
   and leave (hdf.h). */
#ifndef OTOK_CF_HDF_H
#define OTOK_CF_HDF_H

#include "cf.h"
#include "hdf.h"

/* Reads the dataset `name` at the root with its dimensions and marks. Dimensions come from
   dimension scales, labels, or coordinates at the root under the usual names. Destroy *out in any
   case. OTOK_DATA: it is no map that can be read; the text tells why. */
otok_status otok_cf_hdf(otok_cf_map *out, hid_t file, const char *path, const char *name,
                        int64_t file_size);

#endif
