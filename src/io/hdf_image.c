/* hdf_image.c: see hdf_image.h. HDF5's core driver, whose buffer is kept when the file closes. */
#include "hdf_image.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE "/dev/null/otok" /* HDF5 would first read a file of that name, if there could be one */

enum { STEP = 1 << 20 }; /* by which the buffer grows */

static void *get(size_t size, H5FD_file_image_op_t act, void *image)
{
    (void)act, (void)image;
    return malloc(size);
}

static void *copy(void *to, const void *from, size_t size, H5FD_file_image_op_t act, void *image)
{
    (void)act, (void)image;
    return memcpy(to, from, size);
}

static void *grow(void *bytes, size_t size, H5FD_file_image_op_t act, void *data)
{
    otok_image *image = data;
    (void)act;
    void *more = realloc(bytes, size);
    if (more) *image = (otok_image){more, size};
    return more;
}

static herr_t keep(void *bytes, H5FD_file_image_op_t act, void *data)
{
    otok_image *image = data;
    if (act != H5FD_FILE_IMAGE_OP_FILE_CLOSE)
        free(bytes);
    else
        image->bytes = bytes;
    return 0;
}

static void *same(void *image)
{
    return image;
}

static herr_t nothing(void *image)
{
    (void)image;
    return 0;
}

hid_t otok_image_create(otok_image *image, hid_t creation)
{
    H5FD_file_image_callbacks_t calls = {get, copy, grow, keep, same, nothing, image};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110) >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_fapl_core(access, STEP, 0) >= 0 && H5Pset_file_image_callbacks(access, &calls) >= 0)
        file = H5Fcreate(NOWHERE, H5F_ACC_TRUNC, creation, access);
    H5Pclose(access);
    return file;
}

/* The end of the file as its superblock (version 2 or 3, 8-byte addresses) has it; the buffer is a little longer. */
static size_t end_of(const otok_image *image)
{
    const unsigned char *b = image->bytes;
    if (!b || image->size < 48 || b[8] < 2 || b[9] != 8) return 0;
    uint64_t end = 0;
    for (int i = 7; i >= 0; i--)
        end = end << 8 | b[28 + i];
    return end >= 48 && end <= image->size ? (size_t)end : 0;
}

herr_t otok_image_close(otok_image *image, hid_t file)
{
    const herr_t closed = H5Fclose(file);
    image->size = end_of(image);
    return closed < 0 || image->size == 0 ? -1 : 0;
}
