/* netcdf.h: a checkpoint with walls as a NetCDF-4 file for other programs. */
#ifndef OTOK_NETCDF_H
#define OTOK_NETCDF_H

#include "checkpoint.h"

/* Writes the bytes of a checkpoint, read as `s`, with NaN in the cells of its fields without data,
   and _FillValue. The file is then no checkpoint, but can be an initial.file. */
otok_status otok_netcdf_write(const char *path, const otok_snapshot *s, const char *bytes,
                              size_t size);

#endif
