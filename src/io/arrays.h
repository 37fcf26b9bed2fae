/* arrays.h: fields for the start of a run from any HDF5 or NetCDF-4 file, as h5py, xarray and
   netCDF4 write them: maps at its root under the names of fields. They need no header, ledger or
   fingerprint. A file of otok that nobody changed is read as a checkpoint. */
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

/* Reads `has` and `maps` of the fields in the file, [ny][nx] with row 0 at the bottom, and their
   georeference if it is known. A checkpoint is read whole. Order and direction of the axes, units
   and packing are as the file gives them (cf.h). A checkpoint of another grid gets no maps, and
   its own grid. OTOK_DATA: a damaged file, no field, a shape or coordinates that differ from the
   grid's, cells without data, negative depths, or a terrain that is not terrain_base +
   terrain_change. *unused (malloc'd): the end of a sentence on maps whose names are no fields', or
   NULL. */
otok_status otok_arrays_read(otok_snapshot *out, char **unused, const otok_arrays_wanted *wanted);

/* Bits of the fields in the file, without layers. */
otok_status otok_arrays_fields(uint64_t *fields, const char *path);

#endif
