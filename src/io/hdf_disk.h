/* hdf_disk.h: an HDF5 file written straight to disk. HDF5 loses objects and crashes at exit if the
   disk fails. Our own driver hides the failure from HDF5 and reports it to the caller. */
#ifndef OTOK_HDF_DISK_H
#define OTOK_HDF_DISK_H

#include "file.h"

#include <hdf5.h>

#include <stdint.h>

/* Makes an HDF5 file of an empty draft, between otok_hdf_enter and leave. *error is the errno of
   the first failure of the disk. It must live until the file is closed. The file is good only if it
   is still 0 then. */
hid_t otok_disk_create(const otok_draft *draft, hid_t creation, int *error);

/* Opens the file in a draft of `size` bytes, to change it. */
hid_t otok_disk_open(const otok_draft *draft, int64_t size, int *error);

/* A part of a file that HDF5 has allocated and believes written. */
typedef struct otok_disk_piece {
    int file; /* -1: nothing needs to be written */
    int64_t at;
    int *error; /* receives the file's first failure */
} otok_disk_piece;

/* H5Dwrite_chunk as HDF5 sees it; the caller writes the bytes by otok_disk_write before the file
   is closed. For files of otok_disk_create. One call at a time, as HDF5 demands. */
herr_t otok_disk_allocate(otok_disk_piece *out, hid_t dataset, const hsize_t where[2], size_t size,
                          const void *bytes);

/* Writes such a part and starts its way to the disk. Any thread may call it, beside all other
   calls. Returns 0 or errno. The caller stores errno at piece.error when no other call runs. */
int otok_disk_write(otok_disk_piece piece, size_t size, const void *bytes);

#endif
