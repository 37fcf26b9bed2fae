/* hdf_matrix.c: writes matrices into chunked variables of hdf_table.c, through the same filters.
   All threads of OpenMP pack the chunks, not HDF5. The bytes of a chunk depend on its values
   only. */
#include "../core/rounding.h"
#include "deflate.h"
#include "hdf_table.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = sizeof(double), AT_ONCE = 512 /* chunks in memory */ };

typedef struct matrices {
    const hid_t *sets;
    int64_t rows, columns, across, each; /* chunks in a row, chunks of a matrix */
    hsize_t chunk[2];
    otok_hdf_row *row;
    const void *user;
} matrices;

typedef struct packed {
    unsigned char *bytes; /* NULL: no memory */
    size_t size;
} packed;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The position of chunk `n` of all matrices. */
static void chunk_begin(const matrices *m, int64_t n, hsize_t where[2])
{
    where[0] = (hsize_t)(n % m->each / m->across) * m->chunk[0];
    where[1] = (hsize_t)(n % m->each % m->across) * m->chunk[1];
}

/* Plane k holds byte k of every value; hosts are little-endian. Values beyond the matrix are 0. */
static void shuffle(unsigned char *planes, const matrices *m, int64_t n, double *row)
{
    const size_t wide = (size_t)m->chunk[1], cells = (size_t)m->chunk[0] * wide;
    hsize_t where[2];
    chunk_begin(m, n, where);
    const int64_t r0 = (int64_t)where[0], c0 = (int64_t)where[1];
    const int64_t high = smaller((int64_t)m->chunk[0], m->rows - r0),
                  columns = smaller((int64_t)wide, m->columns - c0);
    memset(planes, 0, SIZE * cells);
    for (int64_t r = 0; r < high; r++) {
        m->row(m->user, (int)(n / m->each), r0 + r, c0, columns, row);
        for (int64_t c = 0; c < columns; c++) {
            const unsigned char *from = (const unsigned char *)&row[c];
            for (size_t k = 0; k < SIZE; k++)
                planes[k * cells + (size_t)r * wide + (size_t)c] = from[k];
        }
    }
}

static packed pack(const matrices *m, int64_t n)
{
    const size_t cells = (size_t)(m->chunk[0] * m->chunk[1]);
    unsigned char *planes = malloc(SIZE * cells);
    double *row = malloc((size_t)m->chunk[1] * sizeof *row);
    OTOK_ROUNDING;
    packed p = {planes && row ? malloc(otok_deflate_bound(SIZE, cells)) : NULL, 0};
    if (p.bytes) {
        shuffle(planes, m, n, row);
        p.size = (size_t)(otok_deflate(p.bytes, planes, SIZE, cells) - p.bytes);
    }
    free(planes);
    free(row);
    return p;
}

static herr_t write_all(const matrices *m, int64_t chunks)
{
    packed some[AT_ONCE];
    herr_t result = 0;
    for (int64_t first = 0, n; first < chunks && result >= 0; first += n) {
        n = smaller(chunks - first, AT_ONCE);
#pragma omp parallel for schedule(dynamic, 1)
        for (int64_t i = 0; i < n; i++)
            some[i] = pack(m, first + i);
        for (int64_t i = 0; i < n; i++) {
            hsize_t where[2];
            chunk_begin(m, first + i, where);
            if (!some[i].bytes) result = -1;
            if (result >= 0)
                result = H5Dwrite_chunk(m->sets[(first + i) / m->each], H5P_DEFAULT, 0, where,
                                        some[i].size, some[i].bytes);
            free(some[i].bytes);
        }
    }
    return result;
}

herr_t otok_hdf_fill_matrices(const hid_t *sets, int n, int64_t rows, int64_t columns,
                              otok_hdf_row *row, const void *user)
{
    matrices m = {.sets = sets, .rows = rows, .columns = columns, .row = row, .user = user};
    herr_t result = 0;
    for (int v = 0; v < n; v++)
        if (sets[v] < 0) result = -1;
    if (result >= 0) {
        const hid_t creation = H5Dget_create_plist(sets[0]);
        if (H5Pget_chunk(creation, 2, m.chunk) != 2) result = -1;
        H5Pclose(creation);
    }
    if (result >= 0) {
        m.across = (columns + (int64_t)m.chunk[1] - 1) / (int64_t)m.chunk[1];
        m.each = (rows + (int64_t)m.chunk[0] - 1) / (int64_t)m.chunk[0] * m.across;
        result = write_all(&m, n * m.each);
    }
    for (int v = 0; v < n; v++)
        if (sets[v] >= 0 && H5Dclose(sets[v]) < 0) result = -1;
    return result;
}
