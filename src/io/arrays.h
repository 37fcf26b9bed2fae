/* arrays.h: fields for the start of a run from any HDF5 or NetCDF-4 file, such as h5py, xarray and
   netCDF4 write: maps at its root under the names of fields. They need no header, no ledger and no
   fingerprint. A file of otok that nobody changed is read as the checkpoint that it is. */
#ifndef OTOK_ARRAYS_H
#define OTOK_ARRAYS_H

#include "checkpoint.h"

/* What to read: a file for a grid, and the names of the ground's layers, top down. */
typedef struct otok_arrays_wanted {
    const char *path;
    otok_grid grid;
    int nlayers;
    const char *layers[OTOK_MAX_LAYERS];
} otok_arrays_wanted;

/* `has` and `maps` of the fields that are there, [ny][nx] with row 0 at the bottom, and where they
   lie if that is known; a checkpoint is whole. Where the file has coordinates y that fall from row
   to row, its rows are turned round. A checkpoint of another grid has no maps, and its own grid.
   OTOK_DATA: a damaged file, no field, another shape or other coordinates than the grid's, cells
   without data, negative depths; or the terrain is not terrain_base + terrain_change. */
otok_status otok_arrays_read(otok_snapshot *out, const otok_arrays_wanted *wanted);

/* Bits of the fields in the file, layers aside. */
otok_status otok_arrays_fields(uint64_t *fields, const char *path);

#endif
