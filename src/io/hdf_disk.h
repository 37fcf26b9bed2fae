/* hdf_disk.h: an HDF5 file written straight to disk. HDF5 loses objects and crashes at exit if the
   disk fails. Our own driver hides the failure from HDF5 and reports it to the caller. */
#ifndef OTOK_HDF_DISK_H
#define OTOK_HDF_DISK_H

#include <hdf5.h>

#include <stdint.h>

/* Creates the file anew, between otok_hdf_enter and otok_hdf_leave. *error becomes the errno of the
   first failure of the disk; it is there until the caller has closed the file, and only if it is
   then still 0 is the file good. */
hid_t otok_disk_create(const char *path, hid_t creation, int *error);

/* Bytes of a file that HDF5 has allocated and believes written. */
typedef struct otok_disk_piece {
    int file; /* -1: nothing is left to write */
    int64_t at;
    int *error; /* where the file's first failure is kept */
} otok_disk_piece;

/* H5Dwrite_chunk, but only so far as HDF5 is concerned: the caller writes the bytes by
   otok_disk_write before the file is closed. For files of otok_disk_create; one call at a time, as
   HDF5 demands. */
herr_t otok_disk_allocate(otok_disk_piece *out, hid_t dataset, const hsize_t where[2], size_t size,
                          const void *bytes);

/* Writes what was allocated, and begins its way to the disk; from any thread, beside all other
   calls. 0 or errno, which the caller stores at piece.error when no other call runs. */
int otok_disk_write(otok_disk_piece piece, size_t size, const void *bytes);

#endif
