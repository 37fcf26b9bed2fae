/* checkpoint_writing.h: what checkpoint_write.c and checkpoint_attributes.c share. Private to
   them. */
#ifndef OTOK_CHECKPOINT_WRITING_H
#define OTOK_CHECKPOINT_WRITING_H

#include "../core/status.h"
#include "checkpoint_table.h"
#include "hdf.h"
#include "hdf_table.h"

/* A checkpoint being made. Ids that are not open are negative. */
typedef struct otok_writing {
    const char *path;
    const otok_snapshot *state;
    hid_t file, plane, grid, points, x, y;
} otok_writing;

/* Fails if a call of HDF5 fails. hdf_disk.h hides failures of the disk from HDF5, so the cause
   is memory. */
#define PUT(w, what, call)                                                                         \
    do {                                                                                           \
        if ((call) < 0)                                                                            \
            return OTOK_FAIL(OTOK_NOMEM, "%s: cannot make %s: %s", (w)->path, what,                \
                             otok_hdf_why());                                                      \
    } while (0)

/* checkpoint_scalars.c. Variables that are numbers or words: what differs from state to state of a
   run, so that readers which stack files have it along time. */
otok_status otok_writing_scalars(const otok_writing *w);

/* Writes the root attributes (conventions, provenance, ledger), and those of the group /otok,
   for a restart. */
otok_status otok_writing_provenance(const otok_writing *w);
otok_status otok_writing_restart(const otok_writing *w, hid_t group);

/* The cells without data, in the group /otok: the dataset no_data, if there are such cells. */
otok_status otok_writing_holes(const otok_writing *w, hid_t group);

/* The series of gauges, in the group /otok: the dataset gauges, if there are some. */
otok_status otok_writing_gauges(const otok_writing *w, hid_t group);

#endif
