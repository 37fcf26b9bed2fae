/* hdf_disk.c: see hdf_disk.h. It does only what HDF5 asks of a driver: positions, sizes, reading
   and writing. */
#include "hdf_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EARLY = 1 << 16 };

typedef struct disk {
    H5FD_t head; /* HDF5's own part; it must come first */
    int file, *error;
    haddr_t eoa, eof;
} disk;

static hid_t registered = -1;  /* HDF5's number of the driver; -1: not registered */
static int *next_error;        /* for the file that is being created or opened */
static int next_file;          /* its draft */
static int64_t next_size;      /* of what is opened; -1: it is created */
static const void *allocating; /* bytes that HDF5 only allocates, by otok_disk_allocate */
static otok_disk_piece piece;  /* their position in the file */

static void keep_first_error(int *first, int error)
{
    if (!*first) *first = error ? error : EIO;
}

static H5FD_t *open_disk(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)name, (void)access, (void)most;
    if (!(flags & H5F_ACC_CREAT) && next_size < 0) return NULL;
    disk *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->file = fcntl(next_file, F_DUPFD_CLOEXEC, 0);
    d->error = next_error;
    d->eof = next_size > 0 ? (haddr_t)next_size : 0;
    if (d->file >= 0) return &d->head;
    keep_first_error(next_error, errno);
    free(d);
    return NULL;
}

static herr_t close_disk(H5FD_t *head)
{
    disk *d = (disk *)(void *)head;
    if (close(d->file) != 0) keep_first_error(d->error, errno);
    free(d);
    return 0;
}

static herr_t query(const H5FD_t *head, unsigned long *flags)
{
    (void)head;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t get_eoa(const H5FD_t *head, H5FD_mem_t type)
{
    (void)type;
    return ((const disk *)(const void *)head)->eoa;
}

static herr_t set_eoa(H5FD_t *head, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((disk *)(void *)head)->eoa = address;
    return 0;
}

static haddr_t get_eof(const H5FD_t *head, H5FD_mem_t type)
{
    (void)type;
    return ((const disk *)(const void *)head)->eof;
}

/* Bytes that were never written read as zeros. */
static herr_t read_disk(H5FD_t *head, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                        void *to)
{
    disk *d = (disk *)(void *)head;
    (void)type, (void)transfer;
    size_t done = 0;
    while (done < size) {
        const ssize_t n = pread(d->file, (char *)to + done, size - done, (off_t)(at + done));
        if (n > 0) done += (size_t)n;
        if (n < 0 && errno != EINTR) keep_first_error(d->error, errno);
        if (n == 0 || (n < 0 && errno != EINTR)) break;
    }
    memset((char *)to + done, 0, size - done);
    return 0;
}

int otok_disk_write(otok_disk_piece to, size_t size, const void *bytes)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n =
            pwrite(to.file, (const char *)bytes + done, size - done, (off_t)to.at + (off_t)done);
        if (n > 0) done += (size_t)n;
        if (n == 0) return ENOSPC;
        if (n < 0 && errno != EINTR) return errno;
    }
    /* Starts writing large pieces to the disk now, so that little is left for the sync at the
       end. */
    if (size >= EARLY) sync_file_range(to.file, (off_t)to.at, (off_t)size, SYNC_FILE_RANGE_WRITE);
    return 0;
}

static herr_t write_disk(H5FD_t *head, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                         const void *from)
{
    disk *d = (disk *)(void *)head;
    (void)type, (void)transfer;
    const otok_disk_piece here = {*d->error ? -1 : d->file, (int64_t)at, d->error};
    if (allocating && from == allocating) {
        piece = here;
    } else if (here.file >= 0) {
        const int error = otok_disk_write(here, size, from);
        if (error) keep_first_error(d->error, error);
    }
    if (at + size > d->eof) d->eof = at + size;
    return 0;
}

herr_t otok_disk_allocate(otok_disk_piece *out, hid_t dataset, const hsize_t where[2], size_t size,
                          const void *bytes)
{
    piece = (otok_disk_piece){.file = -1};
    allocating = bytes;
    const herr_t result = H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, where, size, bytes);
    allocating = NULL;
    *out = piece;
    return result;
}

static herr_t truncate_file(H5FD_t *head, hid_t transfer, hbool_t closing)
{
    disk *d = (disk *)(void *)head;
    (void)transfer, (void)closing;
    if (d->eof == d->eoa) return 0;
    if (!*d->error && ftruncate(d->file, (off_t)d->eoa) != 0) keep_first_error(d->error, errno);
    d->eof = d->eoa;
    return 0;
}

/* HDF5 forgets its drivers when a program calls H5close. */
static herr_t forget_driver(void)
{
    registered = -1;
    return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 14, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 600, /* in the range that HDF5 leaves to other drivers */
#endif
    .name = "otok_disk",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .terminate = forget_driver,
    .open = open_disk,
    .close = close_disk,
    .query = query,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .read = read_disk,
    .write = write_disk,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* The access to a draft, of `size` bytes or -1. Registers the driver once and never removes it,
   because HDF5 reads its table after it has released a file. < 0: it failed. */
static hid_t access_to(const otok_draft *draft, int64_t size, int *error)
{
    *error = 0;
    next_error = error;
    next_file = draft->file;
    next_size = size;
    if (registered < 0) registered = H5FDregister(&driver);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (registered >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110) >= 0 &&
        H5Pset_driver(access, registered, NULL) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        return access;
    H5Pclose(access);
    return -1;
}

hid_t otok_disk_create(const otok_draft *draft, hid_t creation, int *error)
{
    const hid_t access = access_to(draft, -1, error);
    const hid_t file = access < 0 ? -1 : H5Fcreate(draft->name, H5F_ACC_TRUNC, creation, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

hid_t otok_disk_open(const otok_draft *draft, int64_t size, int *error)
{
    const hid_t access = access_to(draft, size, error);
    const hid_t file = access < 0 ? -1 : H5Fopen(draft->name, H5F_ACC_RDWR, access);
    if (access >= 0) H5Pclose(access);
    return file;
}
