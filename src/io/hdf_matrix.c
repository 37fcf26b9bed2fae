/* hdf_matrix.c: a matrix into a chunked variable of hdf_table.c, through the same filters, packed by all threads of OpenMP and not
   by HDF5. A chunk's bytes depend on its values only. */
#include "hdf_table.h"
#include "squeeze.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = sizeof(double) };

typedef struct packed {
    unsigned char *bytes; /* NULL: no memory */
    size_t size;
} packed;

/* Byte k of every value, the lowest first on every host that this is for, lies in plane k; values beyond the matrix are 0. */
static void shuffle(unsigned char *planes, const double *values, int64_t rows, int64_t columns, int64_t pitch,
                    const hsize_t chunk[2])
{
    const size_t cells = (size_t)(chunk[0] * chunk[1]);
    memset(planes, 0, SIZE * cells);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++) {
            const unsigned char *from = (const unsigned char *)&values[r * pitch + c];
            for (size_t k = 0; k < SIZE; k++)
                planes[k * cells + (size_t)r * (size_t)chunk[1] + (size_t)c] = from[k];
        }
}

static packed pack(const double *values, int64_t rows, int64_t columns, int64_t pitch, const hsize_t chunk[2])
{
    const size_t bytes = SIZE * (size_t)(chunk[0] * chunk[1]);
    unsigned char *planes = malloc(bytes);
    packed p = {planes ? malloc(otok_squeeze_bound(SIZE, bytes / SIZE)) : NULL, 0};
    if (p.bytes) {
        shuffle(planes, values, rows, columns, pitch, chunk);
        p.size = (size_t)(otok_squeeze(p.bytes, planes, SIZE, bytes / SIZE) - p.bytes);
    }
    free(planes);
    return p;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static herr_t write_chunks(hid_t set, int64_t rows, int64_t columns, const double *values, const hsize_t chunk[2])
{
    const int64_t high = (int64_t)chunk[0], wide = (int64_t)chunk[1], across = (columns + wide - 1) / wide;
    const int64_t chunks = (rows + high - 1) / high * across;
    packed *all = calloc((size_t)chunks, sizeof *all);
    herr_t result = all ? 0 : -1;
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t n = 0; n < (all ? chunks : 0); n++) {
        const int64_t r = n / across * high, c = n % across * wide;
        all[n] = pack(values + r * columns + c, least(high, rows - r), least(wide, columns - c), columns, chunk);
    }
    for (int64_t n = 0; all && n < chunks; n++) {
        const hsize_t where[2] = {(hsize_t)(n / across * high), (hsize_t)(n % across * wide)};
        if (!all[n].size) result = -1;
        if (result >= 0) result = H5Dwrite_chunk(set, H5P_DEFAULT, 0, where, all[n].size, all[n].bytes);
        free(all[n].bytes);
    }
    free(all);
    return result;
}

herr_t otok_hdf_fill_matrix(hid_t set, int64_t rows, int64_t columns, const double *values)
{
    hsize_t chunk[2];
    if (set < 0) return -1;
    const hid_t creation = H5Dget_create_plist(set);
    const int known = H5Pget_chunk(creation, 2, chunk) == 2;
    H5Pclose(creation);
    const herr_t result = known ? write_chunks(set, rows, columns, values, chunk) : -1;
    return H5Dclose(set) < 0 ? -1 : result;
}
