/* raster_hdf.c: reads a raster from HDF5 and NetCDF-4: the only map at the root, the terrain of a
   checkpoint, or the one that the scenario names. */
#include "../core/status.h"
#include "cf_hdf.h"
#include "file.h"
#include "hdf_read.h"

#include <stdio.h>
#include <string.h>

typedef struct listing {
    char names[512], only[OTOK_AXIS_WORD];
    int n, has_terrain;
} listing;

/* Counts arrays of two dimensions or more that are not coordinates or scalars. */
static herr_t list_map(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    listing *l = user;
    if (info->type != H5L_TYPE_HARD) return 0;
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0) return 0;
    const int is_set = otok_hdf_is_local(object);
    const hid_t space = is_set ? H5Dget_space(object) : -1,
                type = is_set ? H5Dget_type(object) : -1;
    const H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    const int is_map = space >= 0 && H5Sget_simple_extent_ndims(space) >= 2 &&
                       (class == H5T_FLOAT || class == H5T_INTEGER) && !otok_axes_kind(name);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    H5Oclose(object);
    if (!is_map) return 0;
    const size_t used = strlen(l->names);
    snprintf(l->names + used, sizeof l->names - used, "%s%s", used ? ", " : "", name);
    if (l->n++ == 0) snprintf(l->only, sizeof l->only, "%s", name);
    l->has_terrain |= strcmp(name, "terrain") == 0;
    return 0;
}

static otok_status choose(char name[OTOK_AXIS_WORD], hid_t file, const char *path)
{
    listing l = {.n = 0};
    if (H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, list_map, &l) < 0)
        return OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", path, otok_hdf_why());
    if (l.n == 0)
        return OTOK_FAIL(
            OTOK_DATA, "%s: has no map at its root; write one there, as h5py and xarray do", path);
    if (l.n > 1 && !l.has_terrain)
        return OTOK_FAIL(
            OTOK_DATA, "%s: has %d maps: %s; choose one with `raster: {file: %s, variable: NAME}`",
            path, l.n, l.names, path);
    snprintf(name, OTOK_AXIS_WORD, "%s", l.n > 1 ? "terrain" : l.only);
    return OTOK_OK;
}

static otok_status read_file(otok_raster *out, otok_cf_map *map, hid_t file, const char *path,
                             const char *variable, int64_t size)
{
    char name[OTOK_AXIS_WORD];
    snprintf(name, sizeof name, "%s", variable);
    if (!*variable) OTOK_TRY(choose(name, file, path));
    OTOK_TRY(otok_cf_hdf(map, file, path, name, size));
    return otok_cf_raster(out, map);
}

otok_status otok_raster_hdf(otok_raster *out, const char *path, const char *variable)
{
    otok_cf_map map = {0};
    unsigned char start[8];
    int64_t size;
    OTOK_TRY(otok_file_probe(path, start, &size));
    otok_hdf_enter();
    const hid_t file = otok_hdf_open(path);
    const otok_status status =
        file < 0 ? OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", path, otok_hdf_why())
                 : read_file(out, &map, file, path, variable, size);
    if (file >= 0) H5Fclose(file);
    otok_hdf_leave();
    otok_cf_destroy(&map);
    return status;
}
