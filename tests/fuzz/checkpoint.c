/* checkpoint.c - input: changes to a good checkpoint, made by HDF5 itself: attributes, cells,
   shapes, types, filters and links. The checksums that otok makes are always right here (the linker
   puts what follows in their place), or nothing behind them would be reached. Bytes of the file are
   not changed: libhdf5 has faults of its own, which are not for this test to find;
   checkpoint.damage flips them. */
#include "checkpoint_sample.h"
#include "fuzz.h"
#include "io/arrays.h"
#include "io/checkpoint_table.h"
#include "io/raster.h"

#include <hdf5.h>

enum { NX = 6, NY = 5, MOST = 128 };

static otok_grid grid;
static void *image; /* of the good file */
static size_t image_size;
static char hash[OTOK_SHA256_SIZE], header_hash[OTOK_SHA256_SIZE];
static char names[MOST][64]; /* of attributes, those of the group behind those of the root */
static int nnames, nroot;

/* ---- checksums ---- */

uint64_t __wrap_otok_snapshot_fingerprint(const otok_snapshot *s);
otok_status __wrap_otok_header_sum(const otok_snapshot *s, char out[OTOK_SHA256_SIZE]);
otok_status __real_otok_header_sum(const otok_snapshot *s, char out[OTOK_SHA256_SIZE]);

uint64_t __wrap_otok_snapshot_fingerprint(const otok_snapshot *s)
{
    return s->fingerprint;
}

otok_status __wrap_otok_header_sum(const otok_snapshot *s, char out[OTOK_SHA256_SIZE])
{
    if (!header_hash[0] && __real_otok_header_sum(s, header_hash) != OTOK_OK) abort();
    memcpy(out, header_hash, sizeof header_hash);
    return OTOK_OK;
}

/* ---- the good file ---- */

static herr_t note(hid_t object, const char *name, const H5A_info_t *info, void *unused)
{
    (void)object, (void)info, (void)unused;
    if (nnames < MOST) snprintf(names[nnames++], sizeof names[0], "%s", name);
    return 0;
}

static hid_t open_good(const char *path)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    fuzz_write(path, image, image_size);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
    H5Pclose(access);
    if (file < 0) abort();
    return file;
}

static void begin(const char *path)
{
    otok_snapshot s;
    sample_make(&s, NX, NY, ALL_FIELDS, 7);
    grid = s.grid;
    s.fingerprint = otok_snapshot_fingerprint_with(&s, 1);
    otok_sha256(s.scenario, strlen(s.scenario), hash);
    MUST(otok_checkpoint_write(path, &s));
    otok_snapshot_destroy(&s);
    FILE *file = fopen(path, "rb");
    image = malloc(1 << 20);
    if (!file || !image || !(image_size = fread(image, 1, 1 << 20, file))) abort();
    fclose(file);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t good = open_good(path), group = H5Gopen2(good, OTOK_GROUP, H5P_DEFAULT);
    H5Aiterate2(good, H5_INDEX_NAME, H5_ITER_INC, NULL, note, NULL);
    nroot = nnames;
    H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, note, NULL);
    H5Gclose(group);
    H5Fclose(good);
    if (nroot < 10 || nnames < nroot + 10) abort();
}

/* ---- changes ---- */

/* Other bytes in an attribute of the same kind. */
static void change_attribute(fuzz_input *in, hid_t object, const char *name)
{
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return;
    const hid_t type = H5Aget_type(attribute);
    const size_t size = (size_t)H5Aget_storage_size(attribute), at = fuzz_byte(in),
                 most = 1 + fuzz_byte(in) % 64;
    char *bytes = calloc(1, size + 1);
    if (bytes && H5Tis_variable_str(type) == 0 && H5Aread(attribute, type, bytes) >= 0 &&
        at < size) {
        fuzz_take(in, bytes + at, most < size - at ? most : size - at);
        H5Awrite(attribute, type, bytes);
    }
    free(bytes);
    H5Tclose(type);
    H5Aclose(attribute);
}

/* None of that name, or one of another kind, shape and value. */
static void replace_attribute(fuzz_input *in, hid_t object, const char *name)
{
    double values[32] = {0};
    const unsigned kind = fuzz_byte(in) % 5;
    const hsize_t n = fuzz_byte(in) % 32;
    H5Adelete(object, name);
    if (kind == 0) return;
    const hid_t space = kind == 4 || n == 0 ? H5Screate(kind == 3 ? H5S_NULL : H5S_SCALAR)
                                            : H5Screate_simple(1, &n, NULL);
    const hid_t type = H5Tcopy(kind == 1 ? H5T_STD_I64LE : kind == 2 ? H5T_IEEE_F64LE : H5T_C_S1);
    if (kind == 3) H5Tset_size(type, H5T_VARIABLE);
    if (kind == 4) H5Tset_size(type, n ? 8 * n : 1);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    fuzz_take(in, values, n ? 8 * n : 8);
    if (attribute >= 0 && kind != 3) H5Awrite(attribute, type, values);
    if (attribute >= 0) H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
}

static void change_cells(fuzz_input *in, hid_t file, const char *name)
{
    double cells[NX * NY];
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const size_t at = fuzz_byte(in) * 4, most = 1 + fuzz_byte(in) % 32;
    if (H5Sget_simple_extent_npoints(space) <= NX * NY && H5Tget_size(type) <= 8 &&
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells) >= 0 &&
        at + most <= sizeof cells) {
        fuzz_take(in, (char *)cells + at, most);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

static void replace_set(fuzz_input *in, hid_t file, const char *name)
{
    const unsigned how = fuzz_byte(in), filters = fuzz_byte(in);
    const hsize_t shape[3] = {1 + fuzz_byte(in) % 8, 1 + fuzz_byte(in) % 8, 2};
    const hsize_t chunk[3] = {1 + fuzz_byte(in) % shape[0], 1 + fuzz_byte(in) % shape[1], 1};
    const int rank = 1 + (int)(how >> 4) % 3;
    double values[128] = {0};
    H5Ldelete(file, name, H5P_DEFAULT);
    if (how % 8 == 0) return;
    if (how % 8 == 1) {
        H5Lcreate_soft(how & 8 ? "/x" : name, file, name, H5P_DEFAULT, H5P_DEFAULT);
        return;
    }
    if (how % 8 == 2) {
        H5Lcreate_hard(file, how & 8 ? "/otok" : "/terrain", file, name, H5P_DEFAULT, H5P_DEFAULT);
        return;
    }
    const hid_t made = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(rank, shape, NULL);
    const hid_t type = how & 8 ? H5T_IEEE_F64LE : how % 8 == 3 ? H5T_STD_I32LE : H5T_IEEE_F32LE;
    if (how % 8 == 4) H5Pset_layout(made, H5D_COMPACT);
    if (how % 8 > 4) H5Pset_chunk(made, rank, chunk);
    if (how % 8 > 4 && filters & 1) H5Pset_shuffle(made);
    if (how % 8 > 4 && filters & 2) H5Pset_deflate(made, filters >> 4 & 7);
    if (how % 8 > 4 && filters & 4) H5Pset_fletcher32(made);
    if (how % 8 > 4 && filters & 8) H5Pset_nbit(made);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, made, H5P_DEFAULT);
    fuzz_take(in, values, fuzz_byte(in));
    if (set >= 0 && !(filters & 128)) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (set >= 0 && how % 8 > 4 && filters == 15) { /* a chunk as it is, through no filter */
        const hsize_t first[3] = {0};
        H5Dwrite_chunk(set, H5P_DEFAULT, fuzz_byte(in) % 16, first, 1 + fuzz_byte(in), values);
    }
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Pclose(made);
}

static void change(fuzz_input *in, hid_t file)
{
    const hid_t group = H5Gopen2(file, OTOK_GROUP, H5P_DEFAULT);
    for (int n = 0; n < 8 && in->left > 1; n++) {
        const unsigned how = fuzz_byte(in), which = fuzz_byte(in);
        const int a = (int)which % nnames, f = (int)which % (OTOK_FIELDS + 2);
        const hid_t object = a < nroot ? file : group;
        const char *field = otok_field_at(f)   ? otok_field_at(f)->name
                            : f == OTOK_FIELDS ? "x"
                                               : "y";
        switch (how % 4) {
        case 0: change_attribute(in, object, names[a]); break;
        case 1: replace_attribute(in, object, names[a]); break;
        case 2: change_cells(in, file, field); break;
        default: replace_set(in, file, field); break;
        }
    }
    if (group >= 0) H5Gclose(group);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[512];
    fuzz_input in = {data, size};
    otok_checkpoint *checkpoint;
    if (!path[0]) begin(fuzz_path(path, "input.vtkhdf"));
    const hid_t file = open_good(path);
    change(&in, file);
    H5Fclose(file);
    if (otok_checkpoint_load(&checkpoint, path) == OTOK_OK) otok_checkpoint_destroy(checkpoint);
    otok_snapshot arrays; /* and as a file of fields, which may be of any kind */
    char *unused = NULL;
    if (otok_arrays_read(
            &arrays, &unused,
            &(otok_arrays_wanted){
                .path = path, .grid = grid, .nlayers = 2, .layers = {"soil", "rock"}}) == OTOK_OK)
        otok_snapshot_destroy(&arrays);
    free(unused);
    otok_raster raster; /* and as a raster */
    if (otok_raster_read(&raster, path, NAN, NAN) == OTOK_OK) otok_raster_destroy(&raster);
    if (H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) != 0) abort();
    return 0;
}
