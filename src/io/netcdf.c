/* netcdf.c: see netcdf.h. */
#include "netcdf.h"

#include "../core/status.h"
#include "file.h"
#include "hdf.h"
#include "hdf_disk.h"

#include <math.h>
#include <stdlib.h>

/* Rewrites a field. */
static herr_t put_field(hid_t file, const char *name, const float *map)
{
    const float none = NAN;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    herr_t result =
        set < 0 ? -1 : H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, map);
    if (result >= 0) result = otok_hdf_put(set, "_FillValue", H5T_NATIVE_FLOAT, 0, &none);
    if (set >= 0 && H5Dclose(set) < 0) result = -1;
    return result;
}

static otok_status fail(const char *path, const char *what, int error)
{
    return error ? otok_file_failed(path, "write", error)
                 : OTOK_FAIL(OTOK_IO, "%s: cannot write %s: %s", path, what, otok_hdf_why());
}

/* Wetness is of bytes, and 0 in walls. Without its format the file is no checkpoint: its
   fingerprint would not fit. */
static otok_status put_fields(hid_t file, const char *path, const otok_snapshot *s, int *error)
{
    char name[OTOK_NAME_SIZE];
    for (int f = 0; f < OTOK_FIELDS; f++) {
        float *holed = NULL;
        if (!s->maps[f] || f == OTOK_WETNESS) continue;
        OTOK_TRY(otok_holes_put(&holed, s->maps[f], s->grid.nx * s->grid.ny, &s->holes));
        const herr_t result = put_field(file, otok_snapshot_name(s, f, name), holed);
        free(holed);
        if (result < 0 || *error) return fail(path, name, *error);
    }
    return H5Adelete_by_name(file, "otok", "format", H5P_DEFAULT) < 0 ? fail(path, "otok", *error)
                                                                      : OTOK_OK;
}

static otok_status change(const otok_draft *draft, const char *path, const otok_snapshot *s,
                          size_t size)
{
    int error;
    otok_hdf_enter();
    const hid_t file = otok_disk_open(draft, (int64_t)size, &error);
    otok_status status = file < 0 ? fail(path, "it", error) : put_fields(file, path, s, &error);
    if (file >= 0 && H5Fclose(file) < 0 && status == OTOK_OK) status = fail(path, "it", error);
    if (status == OTOK_OK && error) status = fail(path, "it", error);
    otok_hdf_leave();
    return status;
}

otok_status otok_netcdf_write(const char *path, const otok_snapshot *s, const char *bytes,
                              size_t size)
{
    otok_draft *draft;
    OTOK_TRY(otok_file_begin(&draft, path));
    otok_status status = otok_file_fill(draft, path, bytes, size);
    if (status == OTOK_OK) status = change(draft, path, s, size);
    if (status == OTOK_OK) return otok_file_commit(draft, path);
    otok_file_abandon(draft);
    return status;
}
