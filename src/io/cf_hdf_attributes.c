/* cf_hdf_attributes.c: see cf_hdf.h. */
#include "cf_hdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 16 };

hid_t otok_cf_hdf_attribute(hid_t object, const char *name)
{
    return H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
}

/* How many values an attribute has. */
static hssize_t count_of(hid_t attribute)
{
    const hid_t space = H5Aget_space(attribute);
    const hssize_t n = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (space >= 0) H5Sclose(space);
    return n;
}

/* The first text of an attribute, of fixed or variable length, malloc'd; NULL: none. */
char *otok_cf_hdf_text(hid_t object, const char *name)
{
    const hid_t attribute = otok_cf_hdf_attribute(object, name);
    if (attribute < 0) return NULL;
    const hid_t type = H5Aget_type(attribute);
    const hssize_t n = count_of(attribute);
    char *text = NULL;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && n == 1) {
        const size_t size = H5Tget_size(type);
        if (H5Tis_variable_str(type) > 0) {
            char *found = NULL;
            const hid_t memory = H5Tcopy(type);
            if (H5Aread(attribute, memory, &found) >= 0 && found) text = strndup(found, MOST_TEXT);
            H5free_memory(found);
            H5Tclose(memory);
        } else if (size > 0 && size <= MOST_TEXT) {
            text = calloc(size + 1, 1);
            if (text && H5Aread(attribute, type, text) < 0) text[0] = 0;
        }
    }
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
    for (size_t end = text ? strlen(text) : 0; end > 0 && text[end - 1] == ' '; end--)
        text[end - 1] = 0;
    return text;
}

void otok_cf_hdf_get_text(void *of, const char *name, char *to, size_t size)
{
    char *text = otok_cf_hdf_text(*(const hid_t *)of, name);
    snprintf(to, size, "%s", text ? text : "");
    free(text);
}

/* Numbers, or texts of one number. */
static int get_numbers(void *of, const char *name, double *numbers, int most, int *is_real)
{
    const hid_t object = *(const hid_t *)of, attribute = otok_cf_hdf_attribute(object, name);
    *is_real = 1;
    if (attribute < 0) return 0;
    const hid_t type = H5Aget_type(attribute);
    const hssize_t n = count_of(attribute);
    const H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    int found = -1;
    if ((class == H5T_FLOAT || class == H5T_INTEGER) && n >= 1 && n <= OTOK_MOST_MARKS) {
        double all[OTOK_MOST_MARKS];
        *is_real = class == H5T_FLOAT;
        if (H5Aread(attribute, H5T_NATIVE_DOUBLE, all) >= 0) found = (int)n;
        for (int i = 0; i < found && i < most; i++)
            numbers[i] = all[i];
        if (found > most) found = most + 1;
    } else if (class == H5T_STRING) {
        char *text = otok_cf_hdf_text(object, name), *end = text;
        if (text) numbers[0] = strtod(text, &end);
        if (text && end > text && !*end) found = 1;
        free(text);
    }
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
    return found;
}

otok_attributes otok_cf_hdf_attributes(hid_t *object)
{
    return (otok_attributes){object, get_numbers, otok_cf_hdf_get_text};
}
