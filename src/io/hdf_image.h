/* hdf_image.h: an HDF5 file made in memory. HDF5 loses objects, and crashes at exit, when a disk fails under it; writing the
   finished bytes ourselves leaves no such state and gives the system's own words. Costs the memory of one compressed file. */
#ifndef OTOK_HDF_IMAGE_H
#define OTOK_HDF_IMAGE_H

#include <hdf5.h>

typedef struct otok_image {
    unsigned char *bytes; /* malloc'd, the caller's */
    size_t size;
} otok_image;

/* Between otok_hdf_enter and otok_hdf_leave, one at a time. */
hid_t otok_image_create(otok_image *image, hid_t creation);

/* Closes the file and all that is open in it; the bytes are in the image also on failure. */
herr_t otok_image_close(otok_image *image, hid_t file);

#endif
