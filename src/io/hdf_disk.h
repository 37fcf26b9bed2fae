/* hdf_disk.h: an HDF5 file written straight to disk, for files too large for hdf_image.h. A driver of our own keeps the first
   failure of the disk to itself: HDF5 loses objects, and crashes at exit, when it learns of one. */
#ifndef OTOK_HDF_DISK_H
#define OTOK_HDF_DISK_H

#include <hdf5.h>

/* errno of the first failed write; 0: none. One file at a time, between otok_hdf_enter and otok_hdf_leave. */
int otok_disk_error(void);

/* Creates the file anew; the caller closes it, and believes in it only if otok_disk_error is 0 after that. */
hid_t otok_disk_create(const char *path, hid_t creation);

#endif
