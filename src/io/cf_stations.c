/* cf_stations.c: the stations of a variable over time, by their names or numbers; see cf_hdf.h. */
#include "cf_hdf.h"

#include "../core/status.h"
#include "hdf_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096 };

/* Texts of variable length, copied into the list. */
static void copy_strings(char **list, hid_t object, hid_t type, hid_t space, hsize_t n)
{
    char **found = calloc((size_t)n, sizeof *found);
    if (found && H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0) {
        for (hsize_t i = 0; i < n; i++)
            list[i] = strndup(found[i] ? found[i] : "", LONGEST);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, found);
    }
    free(found);
}

/* Rows of `width` characters, likewise. */
static void copy_rows(char **list, hid_t object, hid_t type, hsize_t n, size_t width)
{
    char *all = calloc((size_t)n, width);
    if (all && H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0)
        for (hsize_t i = 0; i < n; i++)
            list[i] = strndup(all + i * width, width);
    free(all);
}

/* The texts of a line of n strings, or of n rows of characters; their number, 0: it has none. */
static int64_t read_texts(char ***out, hid_t object, int64_t n)
{
    hsize_t shape[2] = {0, 1};
    *out = NULL;
    if (!otok_hdf_is_local(object)) return 0;
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0,
              varies = H5Tis_variable_str(type) > 0;
    if (H5Tget_class(type) == H5T_STRING && (rank == 1 || rank == 2))
        H5Sget_simple_extent_dims(space, shape, NULL);
    const size_t width = (size_t)shape[1] * H5Tget_size(type);
    if ((int64_t)shape[0] == n && (varies ? rank == 1 : width > 0 && width <= LONGEST))
        *out = calloc((size_t)n, sizeof **out);
    if (*out && varies)
        copy_strings(*out, object, type, space, shape[0]);
    else if (*out)
        copy_rows(*out, object, type, shape[0], width);
    for (int64_t i = 0; *out && i < n; i++)
        for (size_t end = (*out)[i] ? strlen((*out)[i]) : 0; end && (*out)[i][end - 1] == ' ';
             end--)
            (*out)[i][end - 1] = 0;
    if (space >= 0) H5Sclose(space);
    H5Tclose(type);
    return *out ? n : 0;
}

/* Numbers of stations, as texts. */
static int64_t read_labels(char ***out, hid_t object, const otok_cf_stations *s)
{
    const int64_t n = s->n;
    otok_hdf_set set;
    double *numbers = NULL;
    char text[32];
    *out = NULL;
    if (!otok_hdf_has_numbers(object) || n > 1 << 20) return 0;
    H5Iinc_ref(object);
    if (otok_hdf_check_set(&set, object, OTOK_HDF_NUMBERS, n, 1, s->size)) return 0;
    numbers = malloc((size_t)n * sizeof *numbers);
    if (numbers && !otok_hdf_read_array(&set, numbers)) *out = calloc((size_t)n, sizeof **out);
    H5Dclose(set.id);
    for (int64_t i = 0; *out && i < n; i++) {
        snprintf(text, sizeof text, "%.15g", numbers[i]);
        (*out)[i] = strdup(text);
    }
    free(numbers);
    return *out ? n : 0;
}

/* The names of stations: a variable with the role that CF gives it, the coordinate of the
   dimension, or one that is usually called so. */
static int64_t read_names(char ***out, const otok_cf_stations *s)
{
    const int64_t n = s->n;
    hid_t variable = s->variable;
    char words[OTOK_CF_WORDS], *rest = words;
    static const char usual[] = " station_name station_id station name id gauge site";
    const hid_t scale = otok_cf_hdf_scale(variable, s->rank, s->dimension);
    int64_t found = scale >= 0 ? read_texts(out, scale, n) : 0;
    otok_cf_hdf_get_text(&variable, "coordinates", words, sizeof words - sizeof usual);
    strcat(words, usual);
    for (const char *name; !found && (name = strsep(&rest, " "));) {
        const hid_t object =
            *name && otok_hdf_find(s->file, name) > 0 ? H5Oopen(s->file, name, H5P_DEFAULT) : -1;
        if (object < 0) continue;
        if (H5Iget_type(object) == H5I_DATASET) found = read_texts(out, object, n);
        H5Oclose(object);
    }
    if (!found && scale >= 0) found = read_labels(out, scale, s);
    if (scale >= 0) H5Oclose(scale);
    return found;
}

static otok_status find(int64_t *at, const otok_cf_stations *s, char *const *stations,
                        int64_t known, const char *wanted)
{
    const int64_t n = s->n;
    char list[300] = "", *end;
    int64_t found = 0;
    for (int64_t i = 0; i < known; i++) {
        const size_t used = strlen(list);
        if (used < 200 && stations[i])
            snprintf(list + used, sizeof list - used, "%s%.80s", used ? ", " : "", stations[i]);
        if (!wanted || !stations[i] || strcmp(stations[i], wanted) != 0) continue;
        *at = i;
        found++;
    }
    if (found == 1) return OTOK_OK;
    if (found > 1)
        return OTOK_FAIL(OTOK_DATA, "%s: %lld stations are called `%s`; give each its name",
                         s->path, (long long)found, wanted);
    const long long number = wanted && !known ? strtoll(wanted, &end, 10) : 0;
    if (number >= 1 && number <= n && !*end) return *at = number - 1, OTOK_OK;
    if (known)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: %s%s%s; `%s` has %lld: %s%s; write station: NAME beside `file`",
                         s->path, wanted ? "no station is called `" : "no station is chosen",
                         wanted ? wanted : "", wanted ? "`" : "", s->name, (long long)n, list,
                         strlen(list) < 200 ? "" : ", ...");
    return OTOK_FAIL(OTOK_DATA,
                     "%s: `%s` has %lld stations without names; write station: NUMBER beside "
                     "`file`, from 1 to %lld",
                     s->path, s->name, (long long)n, (long long)n);
}

otok_status otok_cf_station(int64_t *at, const otok_cf_stations *s, const char *wanted)
{
    char **stations = NULL;
    const int64_t known = read_names(&stations, s);
    const otok_status status = find(at, s, stations, known, wanted);
    for (int64_t i = 0; i < known; i++)
        free(stations[i]);
    free(stations);
    return status;
}
