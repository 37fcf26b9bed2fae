/* cf_gdal.c: reads maps of NetCDF-3 through GDAL's arrays, whose dimensions, coordinates and
   attributes go the same way as those of HDF5. Compiled only with GDAL. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "cf.h"
#include "gdal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes ---- */

static void get_text(void *of, const char *name, char *to, size_t size)
{
    GDALAttributeH attribute = gdal.GDALMDArrayGetAttribute(of, name);
    const char *text = attribute ? gdal.GDALAttributeReadAsString(attribute) : NULL;
    snprintf(to, size, "%s", text ? text : "");
    if (attribute) gdal.GDALAttributeRelease(attribute);
    for (size_t end = strlen(to); end > 0 && to[end - 1] == ' '; end--)
        to[end - 1] = 0;
}

static int get_numbers(void *of, const char *name, double *numbers, int most, int *is_real)
{
    GDALAttributeH attribute = gdal.GDALMDArrayGetAttribute(of, name);
    *is_real = 1;
    if (!attribute) return 0;
    GDALExtendedDataTypeH type = gdal.GDALAttributeGetDataType(attribute);
    const int is_text = gdal.GDALExtendedDataTypeGetClass(type) == GEDTC_STRING;
    const GDALDataType number = gdal.GDALExtendedDataTypeGetNumericDataType(type);
    *is_real = number == GDT_Float32 || number == GDT_Float64;
    int found = -1;
    if (is_text) {
        const char *text = gdal.GDALAttributeReadAsString(attribute);
        char *end = (char *)text;
        if (text) numbers[0] = strtod(text, &end);
        if (text && end > text && !*end) found = 1;
    } else {
        size_t n = 0;
        double *all = gdal.GDALAttributeReadAsDoubleArray(attribute, &n);
        if (all) found = n > (size_t)most ? most + 1 : (int)n;
        for (int i = 0; i < found && i < most; i++)
            numbers[i] = all[i];
        gdal.VSIFree(all);
    }
    gdal.GDALExtendedDataTypeRelease(type);
    gdal.GDALAttributeRelease(attribute);
    return found;
}

/* ---- numbers ---- */

static int read_numbers(GDALMDArrayH array, size_t rank, const size_t *count, double *to)
{
    GUInt64 start[8] = {0};
    GDALExtendedDataTypeH type = gdal.GDALExtendedDataTypeCreate(GDT_Float64);
    const int good =
        rank <= 8 && gdal.GDALMDArrayRead(array, start, count, NULL, NULL, type, to, NULL, 0);
    gdal.GDALExtendedDataTypeRelease(type);
    return good;
}

static int real_kind(GDALMDArrayH array, int *bytes, int *is_unsigned)
{
    GDALExtendedDataTypeH type = gdal.GDALMDArrayGetDataType(array);
    const GDALDataType number = gdal.GDALExtendedDataTypeGetNumericDataType(type);
    *bytes = gdal.GDALGetDataTypeSizeBytes(number);
    *is_unsigned = number == GDT_Byte || number == GDT_UInt16 || number == GDT_UInt32;
    gdal.GDALExtendedDataTypeRelease(type);
    return number == GDT_Float32 || number == GDT_Float64;
}

/* The line of numbers of this name along a dimension; NULL: there is none. */
static GDALMDArrayH open_along(GDALGroupH root, GDALDimensionH dimension, const char *name)
{
    size_t rank = 0;
    GDALMDArrayH line = *name ? gdal.GDALGroupOpenMDArray(root, name, NULL) : NULL;
    GDALDimensionH *of = line ? gdal.GDALMDArrayGetDimensions(line, &rank) : NULL;
    const int is = rank == 1 && strcmp(gdal.GDALDimensionGetName(of[0]),
                                       gdal.GDALDimensionGetName(dimension)) == 0;
    if (of) gdal.GDALReleaseDimensions(of, rank);
    if (is || !line) return line;
    gdal.GDALMDArrayRelease(line);
    return NULL;
}

/* Coordinates along a dimension: those of its name, those that the map names, or with a usual
   name. GDAL's own guess may run along another dimension. */
static GDALMDArrayH find_line(const otok_cf_map *m, GDALGroupH root, GDALDimensionH dimension)
{
    char names[OTOK_AXIS_WORD], *rest = names;
    GDALMDArrayH line = open_along(root, dimension, gdal.GDALDimensionGetName(dimension));
    memcpy(names, m->marks.coordinates, sizeof names);
    for (const char *name; !line && (name = strsep(&rest, " "));)
        line = open_along(root, dimension, name);
    for (int n = 0; !line && otok_axes_name('x', n); n++) {
        line = open_along(root, dimension, otok_axes_name('x', n));
        if (!line) line = open_along(root, dimension, otok_axes_name('y', n));
    }
    return line;
}

static otok_status read_dimension(otok_cf_map *m, otok_dimension *d, GDALGroupH root,
                                  GDALDimensionH from)
{
    int bytes, is_unsigned;
    const char *path = m->path;
    snprintf(d->name, sizeof d->name, "%s", gdal.GDALDimensionGetName(from));
    GDALMDArrayH line = find_line(m, root, from);
    if (!line) return OTOK_OK;
    snprintf(d->name, sizeof d->name, "%s", gdal.GDALMDArrayGetName(line));
    const otok_attributes a = {line, get_numbers, get_text};
    const size_t n = (size_t)d->n;
    d->centres = malloc(n * sizeof *d->centres);
    const int lost = !d->centres, good = lost || read_numbers(line, 1, &n, d->centres);
    otok_cf_dimension(d, &a);
    d->is_single = real_kind(line, &bytes, &is_unsigned) && bytes == 4;
    gdal.GDALMDArrayRelease(line);
    if (lost) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for the coordinates %s", path, d->name);
    return good ? OTOK_OK
                : OTOK_FAIL(OTOK_DATA, "%s: damaged: %s: %s; get the file again", path, d->name,
                            otok_gdal_why());
}

static void read_system(otok_cf_map *m, GDALGroupH root, GDALMDArrayH array)
{
    char named[OTOK_AXIS_WORD];
    get_text(array, "grid_mapping", named, sizeof named);
    named[strcspn(named, " :")] = 0;
    const char *const names[] = {named, "crs", "spatial_ref"}, *const keys[] = {"crs_wkt",
                                                                                "spatial_ref"};
    for (int i = 0; i < 3 && !m->wkt; i++) {
        GDALMDArrayH mapping = *names[i] ? gdal.GDALGroupOpenMDArray(root, names[i], NULL) : NULL;
        if (mapping && !*m->transform)
            get_text(mapping, "GeoTransform", m->transform, sizeof m->transform);
        if (mapping && !*m->mapping)
            get_text(mapping, "grid_mapping_name", m->mapping, sizeof m->mapping);
        for (int k = 0; k < 2 && mapping && !m->wkt; k++) {
            GDALAttributeH attribute = gdal.GDALMDArrayGetAttribute(mapping, keys[k]);
            const char *text = attribute ? gdal.GDALAttributeReadAsString(attribute) : NULL;
            if (text && *text) m->wkt = strdup(text);
            if (attribute) gdal.GDALAttributeRelease(attribute);
        }
        if (mapping) gdal.GDALMDArrayRelease(mapping);
    }
}

static otok_status read_shape(otok_cf_map *m, GDALGroupH root, GDALMDArrayH array, size_t *rank,
                              size_t count[8])
{
    GDALDimensionH *dimensions = gdal.GDALMDArrayGetDimensions(array, rank);
    otok_status status = OTOK_OK;
    int good = *rank >= 2 && *rank <= 8;
    for (size_t i = 0; i < *rank && good; i++) {
        count[i] = (size_t)gdal.GDALDimensionGetSize(dimensions[i]);
        good = count[i] >= 1 && count[i] < (size_t)1 << 31 && (i + 2 >= *rank || count[i] == 1);
    }
    if (!good || count[*rank - 2] * count[*rank - 1] >= (size_t)1 << 31)
        status = OTOK_FAIL(OTOK_DATA,
                           "%s: %s is not a map of two dimensions; choose one step, for example "
                           "with `ncks -d time,0`",
                           m->path, m->name);
    for (int i = 0; i < 2 && status == OTOK_OK; i++) {
        m->dimensions[i].n = (int64_t)count[*rank - 2 + (size_t)i];
        status = read_dimension(m, &m->dimensions[i], root, dimensions[*rank - 2 + (size_t)i]);
    }
    gdal.GDALReleaseDimensions(dimensions, *rank);
    return status;
}

static otok_status read_array(otok_cf_map *m, GDALGroupH root, GDALMDArrayH array)
{
    size_t rank, count[8];
    const otok_attributes a = {array, get_numbers, get_text};
    m->marks.is_real = real_kind(array, &m->marks.bytes, &m->marks.is_unsigned);
    OTOK_TRY(otok_cf_marks(m, &a));
    OTOK_TRY(read_shape(m, root, array, &rank, count));
    read_system(m, root, array);
    m->numbers = malloc(count[rank - 2] * count[rank - 1] * sizeof *m->numbers);
    if (!m->numbers) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for %s", m->path, m->name);
    if (read_numbers(array, rank, count, m->numbers)) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA, "%s: damaged: %s: %s; get the file again", m->path, m->name,
                     otok_gdal_why());
}

/* ---- the map of a file ---- */

static int is_map(GDALGroupH root, const char *name)
{
    GDALMDArrayH array = gdal.GDALGroupOpenMDArray(root, name, NULL);
    if (!array) return 0;
    GDALExtendedDataTypeH type = gdal.GDALMDArrayGetDataType(array);
    const int is = gdal.GDALMDArrayGetDimensionCount(array) >= 2 && !otok_axes_kind(name) &&
                   gdal.GDALExtendedDataTypeGetClass(type) == GEDTC_NUMERIC;
    gdal.GDALExtendedDataTypeRelease(type);
    gdal.GDALMDArrayRelease(array);
    return is;
}

/* Does a variable name this one as a part of it? */
static int is_part(GDALGroupH root, char **list, const char *name)
{
    int is = 0;
    for (char **other = list; *other && !is; other++) {
        GDALMDArrayH array = gdal.GDALGroupOpenMDArray(root, *other, NULL);
        char words[OTOK_CF_WORDS];
        for (int i = 0; otok_cf_parts[i] && array && !is; i++) {
            get_text(array, otok_cf_parts[i], words, sizeof words);
            is = otok_cf_names(words, name);
        }
        if (array) gdal.GDALMDArrayRelease(array);
    }
    return is;
}

static otok_map_names names_of(GDALGroupH root)
{
    char **list = gdal.GDALGroupGetMDArrayNames(root, NULL);
    otok_map_names names = {.n = 0};
    for (char **name = list; name && *name; name++)
        if (is_map(root, *name) && !is_part(root, list, *name)) otok_map_names_add(&names, *name);
    gdal.CSLDestroy(list);
    return names;
}

static otok_status read_open(otok_cf_map *m, GDALGroupH root, const char *variable)
{
    snprintf(m->name, sizeof m->name, "%s", variable);
    const otok_map_names names = names_of(root);
    if (!*variable) OTOK_TRY(otok_map_names_choose(m->name, &names, m->path));
    GDALMDArrayH array = gdal.GDALGroupOpenMDArray(root, m->name, NULL);
    if (!array) return otok_map_names_lack(&names, m->path, m->name);
    const otok_status status = read_array(m, root, array);
    gdal.GDALMDArrayRelease(array);
    return status;
}

otok_status otok_raster_netcdf3(otok_raster *out, const char *path, const char *variable)
{
    OTOK_ROUNDING;
    otok_cf_map m = {.path = path};
    const char *const drivers[] = {"netCDF", NULL};
    OTOK_TRY(otok_gdal_enter(path));
    GDALDatasetH data =
        gdal.GDALOpenEx(path, GDAL_OF_MULTIDIM_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                        drivers, NULL, NULL);
    GDALGroupH root = data ? gdal.GDALDatasetGetRootGroup(data) : NULL;
    otok_status status =
        root ? read_open(&m, root, variable)
             : OTOK_FAIL(OTOK_DATA, "%s: not a NetCDF-3 file that GDAL can read: %s", path,
                         otok_gdal_why());
    if (root) gdal.GDALGroupRelease(root);
    if (data) gdal.GDALClose(data);
    otok_gdal_leave();
    if (status == OTOK_OK) status = otok_cf_raster(out, &m);
    otok_cf_destroy(&m);
    return status;
}
