/* chunks.h: writes maps into chunked HDF5 datasets through the filters shuffle, deflate 1 and
   fletcher32. Several threads pack the chunks, not HDF5. The file holds what HDF5's own filters
   would write and can read. */
#ifndef OTOK_CHUNKS_H
#define OTOK_CHUNKS_H

#include "hdf.h"

#include "../otok.h"

typedef struct otok_chunked {
    hid_t dataset;    /* float32, [ny][nx], with exactly these three filters, still empty */
    const float *map; /* dense [ny][nx] */
} otok_chunked;

/* Fills n datasets whose chunks have `chunk` (y, x) cells. The caller is between otok_hdf_enter
   and leave, and no other thread calls HDF5. The bytes of a chunk do not depend on the number of
   threads, but its offset does. Each thread needs memory for two chunks. `packing` and
   `writing`, the seconds of all threads together, grow. OTOK_NOMEM; OTOK_INTERNAL: HDF5 refuses. */
otok_status otok_chunks_write(const otok_chunked *maps, int n, otok_grid grid,
                              const hsize_t chunk[2], int threads, double *packing,
                              double *writing);

/* Fletcher's checksum of big-endian 16-bit words, as the filter fletcher32 computes it. */
uint32_t otok_fletcher32(const unsigned char *bytes, size_t size);

#endif
