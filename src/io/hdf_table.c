/* hdf_table.c: see hdf_table.h. */
#include "hdf_table.h"

#include "../core/status.h"
#include "file.h"
#include "hdf_disk.h"

#include <hdf5_hl.h>
#include <math.h>
#include <stdlib.h>

/* A dimension's scale with n values of 8 bytes; left open. */
static hid_t make_scale(hid_t file, const char *name, hid_t type, int64_t n, const void *values,
                        const char *long_name)
{
    const hsize_t size = (hsize_t)n;
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, NULL);
    H5Pset_obj_track_times(creation, 0);
    H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Sclose(space); /* hosts are little-endian, so that values have the type of the file */
    const int good =
        set >= 0 && values && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
        H5DSset_scale(set, name) >= 0 && otok_hdf_put_text(set, "long_name", long_name) >= 0;
    return good ? set : -1;
}

hid_t otok_hdf_dimension(hid_t file, const char *name, int64_t n, const char *long_name)
{
    int64_t *values = malloc((size_t)(n + 1) * sizeof *values);
    for (int64_t i = 0; values && i < n; i++)
        values[i] = i;
    const hid_t set = make_scale(file, name, H5T_STD_I64LE, n, values, long_name);
    free(values);
    return set;
}

hid_t otok_hdf_places(hid_t file, const char *name, int64_t n, double start, double step,
                      const char *unit, const char *long_name)
{
    double *values = malloc((size_t)(n + 1) * sizeof *values);
    for (int64_t i = 0; values && i < n; i++)
        values[i] = start + ((double)i + 0.5) * step;
    const hid_t set = make_scale(file, name, H5T_IEEE_F64LE, n, values, long_name);
    free(values);
    return set < 0 || otok_hdf_put_text(set, "units", unit) < 0 ? -1 : set;
}

/* How a variable is stored; < 0: a failure. */
static hid_t new_storage(int rank, const otok_dimension *over)
{
    hsize_t chunk[3];
    const float none = NAN;
    for (int d = 0; d < rank; d++) {
        const hsize_t size = over[d].size > 1 ? (hsize_t)over[d].size : 1;
        chunk[d] = size < 256 || rank == 3 ? size : 256;
    }
    if (rank == 3) chunk[0] = 1;
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    int good =
        H5Pset_obj_track_times(creation, 0) >= 0 &&
        H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0;
    good = good && H5Pset_chunk(creation, rank, chunk) >= 0 && H5Pset_shuffle(creation) >= 0 &&
           H5Pset_deflate(creation, 1) >= 0;
    if (rank == 3) good = good && H5Pset_fill_value(creation, H5T_NATIVE_FLOAT, &none) >= 0;
    if (good) return creation;
    H5Pclose(creation);
    return -1;
}

hid_t otok_hdf_variable(hid_t file, const char *name, hid_t type, int rank,
                        const otok_dimension *over, const char *unit, const char *long_name)
{
    hsize_t shape[3];
    for (int d = 0; d < rank; d++)
        shape[d] = (hsize_t)over[d].size;
    const hid_t creation = new_storage(rank, over), space = H5Screate_simple(rank, shape, NULL);
    const hid_t set =
        creation < 0 ? -1 : H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (creation >= 0) H5Pclose(creation);
    H5Sclose(space);
    if (set < 0) return -1;
    int good = 1;
    if (unit && *unit && otok_hdf_put_text(set, "units", unit) < 0) good = 0;
    if (long_name && *long_name && otok_hdf_put_text(set, "long_name", long_name) < 0) good = 0;
    for (int d = 0; d < rank && good; d++)
        if (over[d].scale >= 0) good = H5DSattach_scale(set, over[d].scale, (unsigned)d) >= 0;
    if (good) return set;
    H5Dclose(set);
    return -1;
}

herr_t otok_hdf_flags(hid_t set, int first, int n, const char *meanings)
{
    int8_t known[64];
    const hsize_t count = (hsize_t)n;
    for (int i = 0; i < n && i < 64; i++)
        known[i] = (int8_t)(first + i);
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t attribute =
        set < 0 ? -1
                : H5Acreate2(set, "flag_values", H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT);
    const herr_t result = attribute < 0 ? -1 : H5Awrite(attribute, H5T_NATIVE_INT8, known);
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    return result < 0 ? result : otok_hdf_put_text(set, "flag_meanings", meanings);
}

herr_t otok_hdf_fill(hid_t set, hid_t native, const void *values)
{
    const herr_t result =
        set < 0 ? -1 : H5Dwrite(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    return set >= 0 && H5Dclose(set) < 0 ? -1 : result;
}

static otok_status fill_file(const char *path, const otok_draft *draft,
                             otok_status (*parts)(void *user, hid_t file), void *user)
{
    int error = 0;
    otok_hdf_enter();
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(creation, 0);
    const hid_t file = otok_disk_create(draft, creation, &error);
    H5Pclose(creation);
    otok_status status =
        file < 0 ? OTOK_FAIL(OTOK_IO, "%s: cannot write the file: %s", path, otok_hdf_why())
                 : parts(user, file);
    hid_t left[64];
    const ssize_t n = file < 0 ? 0 : H5Fget_obj_ids(file, H5F_OBJ_DATASET, 64, left);
    for (ssize_t i = 0; i < n; i++)
        H5Dclose(left[i]);
    if (file >= 0 && H5Fclose(file) < 0 && status == OTOK_OK)
        status = OTOK_FAIL(OTOK_IO, "%s: cannot write the file: %s", path, otok_hdf_why());
    otok_hdf_leave();
    return error ? otok_file_failed(path, "write", error) : status;
}

otok_status otok_hdf_table(const char *path, otok_status (*parts)(void *user, hid_t file),
                           void *user)
{
    otok_draft *draft;
    OTOK_TRY(otok_file_begin(&draft, path));
    const otok_status status = fill_file(path, draft, parts, user);
    if (status == OTOK_OK) return otok_file_commit(draft, path);
    otok_file_abandon(draft);
    return status;
}
