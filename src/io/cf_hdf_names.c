/* cf_hdf_names.c: the maps that a file of HDF5 or NetCDF-4 has, by name; see cf_hdf.h. */
#include "cf_hdf.h"
#include "hdf_read.h"

#include <string.h>

typedef struct seer {
    otok_cf_see *see;
    void *of;
} seer;

/* Does an object name this one as a part of it? */
static herr_t names_part(hid_t group, const char *name, const H5L_info_t *info, void *part)
{
    char words[OTOK_CF_WORDS];
    herr_t is = 0;
    hid_t object = info->type == H5L_TYPE_HARD ? H5Oopen(group, name, H5P_DEFAULT) : -1;
    for (int i = 0; otok_cf_parts[i] && object >= 0 && H5Iget_type(object) == H5I_DATASET && !is;
         i++) {
        otok_cf_hdf_get_text(&object, otok_cf_parts[i], words, sizeof words);
        is = otok_cf_names(words, part);
    }
    if (object >= 0) H5Oclose(object);
    return is;
}

int otok_cf_hdf_is_part(hid_t group, const char *name)
{
    return H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, names_part, (void *)name) > 0;
}

/* Coordinates, parts of other variables and scalars are no maps. */
static herr_t list_map(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
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
    if (!is_map || otok_cf_hdf_is_part(group, name)) return 0;
    const seer *s = user;
    s->see(s->of, name);
    return 0;
}

herr_t otok_cf_hdf_names(hid_t file, otok_cf_see *see, void *of)
{
    seer s = {see, of};
    return H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, list_map, &s);
}
