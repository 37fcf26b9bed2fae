/* raster_hdf.c: reads a raster from HDF5 and NetCDF-4: the only map at the root, the terrain of a
   checkpoint, or the one that the scenario names. */
#include "../core/status.h"
#include "cf_hdf.h"
#include "file.h"
#include "hdf_read.h"

#include <stdio.h>
#include <string.h>

static void add_name(void *names, const char *name)
{
    otok_map_names_add(names, name);
}

/* Is NAME, or the GROUP of GROUP/NAME, in the file? */
static int has_path(hid_t file, const char *name)
{
    char group[OTOK_TEXT_SIZE];
    const size_t n = strcspn(name, "/");
    snprintf(group, sizeof group, "%.*s", (int)n, name);
    return otok_hdf_find(file, group) != 0 && (!name[n] || otok_hdf_find(file, name) != 0);
}

/* The map that is wanted; "": the file's only one. */
static otok_status choose(char name[OTOK_TEXT_SIZE], hid_t file, const char *path,
                          const char *variable)
{
    otok_map_names names = {.n = 0};
    snprintf(name, OTOK_TEXT_SIZE, "%s", variable);
    if (*variable && has_path(file, variable)) return OTOK_OK;
    if (otok_cf_hdf_names(file, add_name, &names) < 0)
        return OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", path, otok_hdf_why());
    return *variable ? otok_map_names_lack(&names, path, variable)
                     : otok_map_names_choose(name, &names, path);
}

static otok_status read_file(otok_raster *out, otok_cf_map *map, hid_t file, const char *path,
                             const char *variable, int64_t step, int64_t size)
{
    char name[OTOK_TEXT_SIZE];
    OTOK_TRY(choose(name, file, path, variable));
    OTOK_TRY(otok_cf_hdf(map, file, path, name, step, size));
    return otok_cf_raster(out, map);
}

otok_status otok_raster_hdf(otok_raster *out, const char *path, const char *variable, int64_t step)
{
    otok_cf_map map = {0};
    unsigned char start[8];
    int64_t size;
    OTOK_TRY(otok_file_probe(path, start, &size));
    otok_hdf_enter();
    const hid_t file = otok_hdf_open(path);
    const otok_status status =
        file < 0 ? OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", path, otok_hdf_why())
                 : read_file(out, &map, file, path, variable, step, size);
    if (file >= 0) H5Fclose(file);
    otok_hdf_leave();
    otok_cf_destroy(&map);
    return status;
}
