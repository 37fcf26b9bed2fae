/* hdf.c: see hdf.h. */
#include "hdf.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT = 1 << 24 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static H5E_auto2_t old_report;
static void *old_data;
static unsigned old_plugins;
static char first[256];

static herr_t keep_description(unsigned n, const H5E_error2_t *error, void *unused)
{
    (void)unused;
    if (n != 0 || !error->desc) return 0;
    const char *system = strstr(error->desc, "error message = '");
    const char *text = system ? system + strlen("error message = '") : error->desc;
    const char *end = system ? strchr(text, '\'') : NULL;
    snprintf(first, sizeof first, "%.*s", end ? (int)(end - text) : (int)strlen(text), text);
    return 0;
}

static herr_t report(hid_t stack, void *unused)
{
    (void)unused;
    if (!first[0]) H5Ewalk2(stack, H5E_WALK_UPWARD, keep_description, NULL);
    return 0;
}

void otok_hdf_enter(void)
{
    pthread_mutex_lock(&turn);
    first[0] = 0;
    H5Eget_auto2(H5E_DEFAULT, &old_report, &old_data);
    H5Eset_auto2(H5E_DEFAULT, report, NULL);
    H5PLget_loading_state(&old_plugins);
    H5PLset_loading_state(0);
}

void otok_hdf_leave(void)
{
    H5PLset_loading_state(old_plugins);
    H5Eset_auto2(H5E_DEFAULT, old_report, old_data);
    pthread_mutex_unlock(&turn);
}

void otok_hdf_quiet(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

const char *otok_hdf_why(void)
{
    return first[0] ? first : "no reason given";
}

hid_t otok_hdf_open(const char *path)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, 0, 1);
#endif
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

static hid_t stored_type(hid_t native)
{
    if (native == H5T_NATIVE_INT) return H5T_STD_I32LE;
    if (native == H5T_NATIVE_INT64) return H5T_STD_I64LE;
    return H5T_IEEE_F64LE;
}

static herr_t put_values(hid_t object, const char *name, hid_t stored, hid_t native, int n,
                         const void *values)
{
    const hsize_t count = (hsize_t)n;
    const hid_t space = n > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    if (space < 0) return -1;
    const hid_t attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t result = attribute < 0 ? -1 : H5Awrite(attribute, native, values);
    if (attribute >= 0 && H5Aclose(attribute) < 0) result = -1;
    H5Sclose(space);
    return result;
}

herr_t otok_hdf_put(hid_t object, const char *name, hid_t native, int n, const void *values)
{
    return put_values(object, name, stored_type(native), native, n, values);
}

/* Text is marked ASCII if it is: VTK 9.3 refuses UTF-8 in its own attributes. */
static H5T_cset_t character_set(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text > 127) return H5T_CSET_UTF8;
    return H5T_CSET_ASCII;
}

herr_t otok_hdf_put_text(hid_t object, const char *name, const char *text)
{
    const size_t length = strlen(text);
    const hid_t type = H5Tcopy(H5T_C_S1);
    herr_t result = -1;
    if (type >= 0 && H5Tset_size(type, length ? length : 1) >= 0 &&
        H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 && H5Tset_cset(type, character_set(text)) >= 0)
        result = put_values(object, name, type, type, 0, text);
    if (type >= 0) H5Tclose(type);
    return result;
}

herr_t otok_hdf_put_texts(hid_t object, const char *const (*texts)[2], size_t n)
{
    herr_t result = 0;
    for (size_t i = 0; i < n && result >= 0; i++)
        result = otok_hdf_put_text(object, texts[i][0], texts[i][1]);
    return result;
}

herr_t otok_hdf_put_line(hid_t group, const char *name, hsize_t n, hid_t native, const void *values)
{
    const hid_t space = H5Screate_simple(1, &n, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t set =
        H5Pset_obj_track_times(creation, 0) < 0
            ? -1
            : H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    herr_t result = set < 0 ? -1 : H5Dwrite(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (set >= 0 && H5Dclose(set) < 0) result = -1;
    H5Pclose(creation);
    H5Sclose(space);
    return result;
}

static hid_t open_attribute(hid_t object, const char *name)
{
    return H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
}

static int has_shape(hid_t attribute, int n)
{
    const hid_t space = H5Aget_space(attribute);
    if (space < 0) return 0;
    hsize_t count = 0;
    const int rank = H5Sget_simple_extent_ndims(space);
    int right = n == 0 ? H5Sget_simple_extent_type(space) == H5S_SCALAR : rank == 1;
    if (right && n > 0)
        right = H5Sget_simple_extent_dims(space, &count, NULL) == 1 && count == (hsize_t)n;
    H5Sclose(space);
    return right;
}

herr_t otok_hdf_get(hid_t object, const char *name, hid_t native, int n, void *values)
{
    const hid_t attribute = open_attribute(object, name);
    if (attribute < 0) return -1;
    const hid_t type = H5Aget_type(attribute);
    herr_t result = -1;
    if (type >= 0 && H5Tequal(type, stored_type(native)) > 0 && has_shape(attribute, n))
        result = H5Aread(attribute, native, values);
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
    return result;
}

herr_t otok_hdf_get_text(hid_t object, const char *name, char **text)
{
    *text = NULL;
    const hid_t attribute = open_attribute(object, name);
    if (attribute < 0) return -1;
    const hid_t type = H5Aget_type(attribute);
    herr_t result = -1;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        has_shape(attribute, 0)) {
        const size_t size = H5Tget_size(type);
        char *fresh = size > 0 && size <= LONGEST_TEXT ? calloc(size + 1, 1) : NULL;
        if (fresh) result = H5Aread(attribute, type, fresh);
        if (result < 0)
            free(fresh);
        else
            *text = fresh;
    }
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
    return result;
}

const char *otok_hdf_unread_filter(H5Z_filter_t id)
{
    static _Thread_local char text[256];
    static const struct {
        H5Z_filter_t id;
        const char *name;
    } known[] = {{H5Z_FILTER_SZIP, "szip"},
                 {H5Z_FILTER_NBIT, "nbit"},
                 {H5Z_FILTER_SCALEOFFSET, "scaleoffset"},
                 {307, "bzip2"},
                 {32000, "lzf"},
                 {32001, "blosc"},
                 {32004, "lz4"},
                 {32008, "bitshuffle"},
                 {32013, "zfp"},
                 {32015, "zstd"},
                 {32026, "blosc2"}};
    const char *name = "unknown";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].id == id) name = known[i].name;
    snprintf(text, sizeof text,
             "is packed with the filter %s (number %d), which otok does not read; pack it with "
             "gzip: `h5repack -f GZIP=4 IN OUT` where that filter is installed, or compression="
             "\"gzip\" in h5py",
             name, (int)id);
    return text;
}
