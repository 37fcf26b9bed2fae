/* hdf_disk.h: an HDF5 file written straight to disk. HDF5 loses objects, and crashes at exit, when a disk fails under it; so a
   driver of our own keeps the failure to itself and tells the caller. */
#ifndef OTOK_HDF_DISK_H
#define OTOK_HDF_DISK_H

#include <hdf5.h>

/* Creates the file anew, between otok_hdf_enter and otok_hdf_leave. *error becomes the errno of the first failure of the disk; it
   is there until the caller has closed the file, and only if it is then still 0 is the file good. */
hid_t otok_disk_create(const char *path, hid_t creation, int *error);

#endif
