/* hdf_read.c: see hdf_read.h. Chunks are unpacked here, not by HDF5, into memory of a known
   size. */
#include "hdf_read.h"

#include "chunks.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

static const char *const incomplete = "is incomplete or its index is damaged",
                         *const no_memory = "needs more memory than there is";

enum { MOST_RANK = 6 };
#define MOST_CELLS ((hsize_t)1 << 31)
#define MOST_STEPS ((hsize_t)1 << 20)
#define LARGEST_CHUNK ((hsize_t)1 << 28) /* bytes; for files of other programs */

int otok_hdf_find(hid_t file, const char *name)
{
    const htri_t there = H5Lexists(file, name, H5P_DEFAULT);
    H5L_info_t info;
    if (there <= 0) return there < 0 ? -1 : 0;
    return H5Lget_info(file, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD ? 1 : -1;
}

int otok_hdf_is_local(hid_t object)
{
    const hid_t made = H5Iget_type(object) == H5I_DATASET ? H5Dget_create_plist(object) : -1;
    const H5D_layout_t layout = made < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(made);
    const int is_local = layout == H5D_COMPACT || layout == H5D_CHUNKED ||
                         (layout == H5D_CONTIGUOUS && H5Pget_external_count(made) == 0);
    if (made >= 0) H5Pclose(made);
    return is_local;
}

int otok_hdf_has_numbers(hid_t object)
{
    return otok_hdf_is_local(object) && H5Dget_storage_size(object) > 0;
}

int otok_hdf_is_bare_dimension(hid_t file, const char *name)
{
    const hid_t object = otok_hdf_find(file, name) > 0 ? H5Oopen(file, name, H5P_DEFAULT) : -1;
    const int is_bare = object >= 0 && otok_hdf_is_local(object) && !otok_hdf_has_numbers(object) &&
                        H5Aexists(object, "REFERENCE_LIST") > 0;
    if (object >= 0) H5Oclose(object);
    return is_bare;
}

/* ---- checks before reading ---- */

/* The last two dimensions of an array; those before them must have one index, except the steps. */
static int find_shape(otok_hdf_set *set, hid_t space, otok_hdf_kind kind)
{
    hsize_t found[MOST_RANK];
    const int rank = H5Sget_simple_extent_ndims(space), steps = kind == OTOK_HDF_STEPS;
    if (rank < 2 + steps || rank > MOST_RANK ||
        H5Sget_simple_extent_dims(space, found, NULL) != rank)
        return 0;
    for (int i = steps; i < rank - 2; i++)
        if (found[i] != 1) return 0;
    set->rank = rank;
    set->steps = steps ? found[0] : 1;
    set->shape[0] = found[rank - 2];
    set->shape[1] = found[rank - 1];
    return set->steps > 0 && set->steps <= MOST_STEPS && set->shape[0] > 0 && set->shape[1] > 0 &&
           set->shape[0] < MOST_CELLS && set->shape[1] < MOST_CELLS &&
           set->shape[0] * set->shape[1] < MOST_CELLS;
}

static int has_shape(hid_t space, int rank, const hsize_t shape[2])
{
    hsize_t found[2] = {0, 0};
    return H5Sget_simple_extent_ndims(space) == rank &&
           H5Sget_simple_extent_dims(space, found, NULL) == rank && found[0] == shape[0] &&
           (rank == 1 || found[1] == shape[1]);
}

static const char *read_filters(otok_hdf_set *set, hid_t made)
{
    const int n = H5Pget_nfilters(made);
    if (n < 0) return "has filters that cannot be read";
    for (int i = 0; i < n; i++) {
        unsigned flags, config, values[8];
        size_t nvalues = 8;
        const H5Z_filter_t id =
            H5Pget_filter2(made, (unsigned)i, &flags, &nvalues, values, 0, NULL, &config);
        if (id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_DEFLATE && id != H5Z_FILTER_FLETCHER32)
            return otok_hdf_unread_filter(id);
        for (int k = 0; k < i; k++)
            if (set->filters[k] == id) return "has a filter twice";
        set->filters[i] = id;
    }
    set->nfilters = n;
    return NULL;
}

/* A filter multiplies sizes by at most 1032, so that the size of the file limits the map. */
static const char *is_whole(const otok_hdf_set *set, hid_t space, int64_t file_size)
{
    const hsize_t ny = set->shape[0], nx = set->shape[1], cy = set->chunk[0], cx = set->chunk[1];
    const hsize_t stored = H5Dget_storage_size(set->id);
    const hsize_t columns = ((ny + cy - 1) / cy) * ((nx + cx - 1) / cx);
    hsize_t count = 0;
    if (stored > (hsize_t)file_size ||
        (double)stored * 1100.0 <
            (double)set->steps * (double)ny * (double)nx * (double)set->cell ||
        (double)stored * 1100.0 < (double)(set->depth * cy * cx) * (double)set->cell)
        return "is incomplete";
    if (H5Dget_num_chunks(set->id, space, &count) < 0) return incomplete;
    return count == (set->steps + set->deep - 1) / set->deep * columns ? NULL : incomplete;
}

/* A compact dataset lies in its header and has no place in the file. */
static const char *is_one_piece(const otok_hdf_set *set, H5D_layout_t layout, int64_t file_size)
{
    const hsize_t bytes = set->steps * set->shape[0] * set->shape[1] * set->cell,
                  left = (hsize_t)file_size;
    const haddr_t at = layout == H5D_COMPACT ? 0 : H5Dget_offset(set->id);
    return H5Dget_storage_size(set->id) == bytes && bytes <= left && at <= left - bytes
               ? NULL
               : "is incomplete";
}

static const char *check_layout(H5D_layout_t layout, hid_t made, otok_hdf_kind kind)
{
    const int one_piece =
        (layout == H5D_CONTIGUOUS || (layout == H5D_COMPACT && kind != OTOK_HDF_LINE)) &&
        H5Pget_external_count(made) == 0;
    if (kind == OTOK_HDF_MAP)
        return layout == H5D_CHUNKED ? NULL : "is not stored in chunks of this file";
    if (one_piece || (layout == H5D_CHUNKED && kind != OTOK_HDF_LINE)) return NULL;
    return kind == OTOK_HDF_LINE ? "is not stored in one piece in this file"
                                 : "is not stored in this file";
}

/* Numbers as computers have them: all bits are used. */
static const char *check_numbers(otok_hdf_set *set, hid_t type)
{
    const hid_t reals[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE};
    set->is_big = H5Tget_order(type) == H5T_ORDER_BE;
    if (H5Tget_class(type) == H5T_INTEGER) {
        set->is_signed = H5Tget_sign(type) == H5T_SGN_2;
        if ((set->cell == 1 || set->cell == 2 || set->cell == 4 || set->cell == 8) &&
            H5Tget_precision(type) == 8 * set->cell)
            return NULL;
    }
    set->is_real = 1;
    for (int i = 0; i < 4; i++)
        if (H5Tequal(type, reals[i]) > 0) return NULL;
    return "is not of float32, float64 or whole numbers of 8 to 64 bits";
}

static const char *check_type(otok_hdf_set *set, hid_t type, otok_hdf_kind kind)
{
    set->cell = H5Tget_size(type);
    set->is_real = H5Tget_class(type) == H5T_FLOAT;
    switch (kind) {
    case OTOK_HDF_MAP: return H5Tequal(type, H5T_IEEE_F32LE) > 0 ? NULL : "is not of type float32";
    case OTOK_HDF_LINE: return H5Tequal(type, H5T_IEEE_F64LE) > 0 ? NULL : "is not of type float64";
    default: return check_numbers(set, type);
    }
}

/* A chunk of a checkpoint is no larger than its map. Others make chunks of any size along
   dimensions that can grow. */
static const char *check_chunk(otok_hdf_set *set, hid_t made, otok_hdf_kind kind)
{
    hsize_t c[MOST_RANK], cells = 1;
    if (H5Pget_chunk(made, MOST_RANK, c) != set->rank) return incomplete;
    for (int i = 0; i < set->rank; i++) {
        if (c[i] < 1 || c[i] > LARGEST_CHUNK || cells * c[i] * set->cell > LARGEST_CHUNK)
            return incomplete;
        cells *= c[i];
    }
    set->chunk[0] = c[set->rank > 1 ? set->rank - 2 : 0];
    set->chunk[1] = set->rank > 1 ? c[set->rank - 1] : 1;
    set->depth = cells / (set->chunk[0] * set->chunk[1]);
    set->deep = set->rank > 2 ? c[0] : 1;
    return kind == OTOK_HDF_MAP && (set->chunk[0] > set->shape[0] || set->chunk[1] > set->shape[1])
               ? incomplete
               : NULL;
}

/* Checks the kind of storage first: HDF5 follows a virtual dataset as soon as it is asked for shape
   or size. */
static const char *check_storage(otok_hdf_set *set, otok_hdf_kind kind, hid_t made,
                                 int64_t file_size)
{
    const H5D_layout_t layout = H5Pget_layout(made);
    const char *wrong = check_layout(layout, made, kind);
    if (wrong) return wrong;
    const hid_t space = H5Dget_space(set->id), type = H5Dget_type(set->id);
    set->rank = kind == OTOK_HDF_MAP ? 2 : 1;
    if (space < 0 || type < 0)
        wrong = "cannot be opened";
    else if (kind >= OTOK_HDF_ARRAY && !find_shape(set, space, kind))
        wrong = kind == OTOK_HDF_STEPS
                    ? "has not the dimensions (time, y, x) that `over_time` needs; take that out"
                    : "is not a map of two dimensions; choose one step, for example with `ncks -d "
                      "time,0`, or for rain write map: {raster: {file: NAME, over_time: true}}";
    else if (kind < OTOK_HDF_ARRAY && !has_shape(space, set->rank, set->shape))
        wrong = "has another shape than the grid";
    else if ((wrong = check_type(set, type, kind)) != NULL)
        ;
    else if (layout != H5D_CHUNKED)
        wrong = is_one_piece(set, layout, file_size);
    else if (!(wrong = check_chunk(set, made, kind)) && !(wrong = read_filters(set, made)))
        wrong = is_whole(set, space, file_size);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return wrong;
}

const char *otok_hdf_open_set(otok_hdf_set *out, hid_t file, const char *name, otok_hdf_kind kind,
                              int64_t ny, int64_t nx, int64_t file_size)
{
    *out = (otok_hdf_set){.id = -1};
    const int found = otok_hdf_find(file, name);
    if (found == 0) return "is missing";
    const hid_t object = found > 0 ? H5Oopen(file, name, H5P_DEFAULT) : -1;
    if (object < 0)
        return found < 0 ? "is damaged, or a soft or external link, which otok never writes"
                         : "cannot be opened";
    return otok_hdf_check_set(out, object, kind, ny, nx, file_size);
}

const char *otok_hdf_check_set(otok_hdf_set *out, hid_t object, otok_hdf_kind kind, int64_t ny,
                               int64_t nx, int64_t file_size)
{
    *out = (otok_hdf_set){
        .id = object, .shape = {(hsize_t)ny, (hsize_t)nx}, .steps = 1, .depth = 1, .deep = 1};
    const int is_set = H5Iget_type(object) == H5I_DATASET;
    const hid_t made = is_set ? H5Dget_create_plist(object) : -1;
    const char *wrong = !is_set    ? "is not a dataset"
                        : made < 0 ? "cannot be opened"
                                   : check_storage(out, kind, made, file_size);
    if (made >= 0) H5Pclose(made);
    if (!wrong) return NULL;
    H5Oclose(object);
    out->id = -1;
    return wrong;
}

/* ---- reading ---- */

/* In one piece: all numbers, or those of the step. */
const char *otok_hdf_read_line(const otok_hdf_set *set, double *numbers)
{
    hsize_t from[MOST_RANK] = {set->step}, count[MOST_RANK] = {1, 1, 1, 1, 1, 1};
    for (int i = set->rank > 1 ? 0 : 1; i < 2; i++)
        count[set->rank - 2 + i] = set->shape[set->rank > 1 ? i : 0];
    const hid_t space = H5Dget_space(set->id), memory = H5Screate_simple(set->rank, count, NULL);
    const int good = H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                     H5Dread(set->id, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers) >= 0;
    if (space >= 0) H5Sclose(space);
    if (memory >= 0) H5Sclose(memory);
    return good ? NULL : otok_hdf_why();
}

/* Memory for a chunk on its way through the filters. A filter writes to `other`, then both are
   swapped. */
typedef struct chunk {
    struct libdeflate_decompressor *inflater;
    unsigned char *at, *other;
    size_t size, room, cell;
} chunk;

static void swap_buffers(chunk *c, size_t size)
{
    unsigned char *was = c->at;
    c->at = c->other;
    c->other = was;
    c->size = size;
}

static const char *check_sum(chunk *c)
{
    uint32_t sum = 0;
    if (c->size < sizeof sum) return incomplete;
    c->size -= sizeof sum;
    for (unsigned k = 0; k < sizeof sum; k++)
        sum |= (uint32_t)c->at[c->size + k] << 8 * k;
    return sum == otok_fletcher32(c->at, c->size)
               ? NULL
               : "is damaged: a checksum does not match its data";
}

static const char *inflate(chunk *c)
{
    size_t size = 0;
    switch (libdeflate_zlib_decompress(c->inflater, c->at, c->size, c->other, c->room, &size)) {
    case LIBDEFLATE_SUCCESS: swap_buffers(c, size); return NULL;
    case LIBDEFLATE_INSUFFICIENT_SPACE: return "is damaged: a chunk unpacks to more than its cells";
    default: return "is damaged: a chunk cannot be unpacked";
    }
}

/* Plane k holds byte k of every cell. */
static const char *unshuffle(chunk *c)
{
    const size_t cells = c->size / c->cell;
    if (c->size % c->cell) return incomplete;
    for (size_t i = 0; i < cells; i++)
        for (size_t k = 0; k < c->cell; k++)
            c->other[c->cell * i + k] = c->at[k * cells + i];
    swap_buffers(c, c->size);
    return NULL;
}

/* Gets size and bytes of a chunk by the same key, because an unordered index may have two chunks at
   one position. */
static const char *read_chunk(const otok_hdf_set *set, const hsize_t where[2], chunk *c)
{
    hsize_t stored = 0;
    uint32_t skipped = 0;
    const char *wrong = NULL;
    hsize_t whole[MOST_RANK] = {set->step - set->step % set->deep};
    whole[set->rank > 1 ? set->rank - 2 : 0] = where[0];
    if (set->rank > 1) whole[set->rank - 1] = where[1];
    if (H5Dget_chunk_storage_size(set->id, whole, &stored) < 0 || stored < 1 || stored > c->room)
        return incomplete;
    if (H5Dread_chunk(set->id, H5P_DEFAULT, whole, &skipped, c->at) < 0) return otok_hdf_why();
    if (skipped) return incomplete;
    c->size = (size_t)stored;
    for (int i = set->nfilters; i-- > 0 && !wrong;)
        wrong = set->filters[i] == H5Z_FILTER_FLETCHER32 ? check_sum(c)
                : set->filters[i] == H5Z_FILTER_DEFLATE  ? inflate(c)
                                                         : unshuffle(c);
    const size_t cells = (size_t)(set->depth * set->chunk[0] * set->chunk[1]);
    return wrong || c->size == c->cell * cells ? wrong : incomplete;
}

/* A number as stored, of 1 to 8 bytes, as a double. */
static double number_at(const unsigned char *from, const otok_hdf_set *set)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < set->cell; k++)
        bits |= (uint64_t)from[set->is_big ? set->cell - 1 - k : k] << 8 * k;
    if (!set->is_real) {
        const uint64_t sign = (uint64_t)1 << (8 * set->cell - 1);
        return set->is_signed && bits & sign ? -(double)(~bits & (sign - 1)) - 1 : (double)bits;
    }
    const uint32_t half = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &half, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return set->cell == sizeof narrow ? (double)narrow : wide;
}

/* Numbers of float32 come as they are; an array's as double. */
static void put_row(const otok_hdf_set *set, float *map, double *wide, size_t to,
                    const unsigned char *from, size_t n)
{
    if (map) memcpy(map + to, from, n * sizeof *map);
    for (size_t i = 0; wide && i < n; i++)
        wide[to + i] = number_at(from + i * set->cell, set);
}

static const char *read_all(const otok_hdf_set *set, float *map, double *wide, chunk *c)
{
    const hsize_t ny = set->shape[0], nx = set->shape[1], cy = set->chunk[0], cx = set->chunk[1],
                  before = set->step % set->deep * (set->depth / set->deep) * cy * cx;
    hsize_t at[2];
    for (at[0] = 0; at[0] < ny; at[0] += cy)
        for (at[1] = 0; at[1] < nx; at[1] += cx) {
            const char *wrong = read_chunk(set, at, c);
            if (wrong) return wrong;
            const size_t columns = (size_t)(cx < nx - at[1] ? cx : nx - at[1]);
            for (hsize_t j = 0; j < cy && at[0] + j < ny; j++)
                put_row(set, map, wide, (size_t)((at[0] + j) * nx + at[1]),
                        c->at + c->cell * (before + j * cx), columns);
        }
    return NULL;
}

/* Our filters never double the size of a chunk. */
static const char *read_chunks(const otok_hdf_set *set, float *map, double *wide)
{
    const size_t room = 2 * set->cell * (size_t)(set->depth * set->chunk[0] * set->chunk[1]) + 64;
    chunk c = {libdeflate_alloc_decompressor(), malloc(room), malloc(room), 0, room, set->cell};
    const char *wrong = c.inflater && c.at && c.other ? read_all(set, map, wide, &c) : no_memory;
    libdeflate_free_decompressor(c.inflater);
    free(c.at);
    free(c.other);
    return wrong;
}

const char *otok_hdf_read_map(const otok_hdf_set *set, float *map)
{
    return read_chunks(set, map, NULL);
}

const char *otok_hdf_read_array(const otok_hdf_set *set, double *numbers)
{
    return set->chunk[0] ? read_chunks(set, NULL, numbers) : otok_hdf_read_line(set, numbers);
}
