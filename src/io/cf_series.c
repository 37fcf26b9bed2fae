/* cf_series.c: see cf_series.h. The dimensions come from the scales of the variable. */
#include "cf_series.h"

#include "../core/status.h"
#include "cf_hdf.h"
#include "file.h"
#include "hdf_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_RANK = 6 };

/* What is open while a file is read. */
typedef struct reading {
    otok_cf_series *out;
    const char *path;
    hid_t file;
    int64_t size;
} reading;

static otok_status fail(const reading *r, const char *name, const char *wrong)
{
    return OTOK_FAIL(OTOK_DATA, "%s: `%s` %s", r->path, name, wrong);
}

static int begins(const char *path, const char *with, size_t n)
{
    unsigned char start[8];
    int64_t size;
    return otok_file_probe(path, start, &size) == OTOK_OK && memcmp(start, with, n) == 0;
}

int otok_cf_is_hdf(const char *path)
{
    return begins(path, "\x89HDF\r\n\x1a\n", 8);
}

int otok_cf_is_classic(const char *path)
{
    return begins(path, "CDF\x01", 4) || begins(path, "CDF\x02", 4) || begins(path, "CDF\x05", 4);
}

/* ---- shapes ---- */

typedef struct shape {
    int rank, time; /* which dimension is that of the times; -1: none */
    hsize_t n[MOST_RANK];
} shape;

/* Are these the times? CF knows them by their unit. */
static int is_time(hid_t scale)
{
    char units[OTOK_AXIS_WORD], standard[OTOK_AXIS_WORD], axis[OTOK_AXIS_WORD], name[256] = "";
    if (scale < 0) return 0;
    otok_cf_hdf_get_text(&scale, "units", units, sizeof units);
    otok_cf_hdf_get_text(&scale, "standard_name", standard, sizeof standard);
    otok_cf_hdf_get_text(&scale, "axis", axis, sizeof axis);
    H5Iget_name(scale, name, sizeof name);
    return strstr(units, " since ") || strcmp(standard, "time") == 0 || strcmp(axis, "T") == 0 ||
           strcasecmp(name, "/time") == 0 || strcasecmp(name, "/age") == 0;
}

static int find_shape(shape *out, hid_t object)
{
    *out = (shape){.time = -1};
    const hid_t space = otok_hdf_is_local(object) ? H5Dget_space(object) : -1;
    if (space < 0) return 0;
    out->rank = H5Sget_simple_extent_ndims(space);
    const int good = out->rank >= 1 && out->rank <= MOST_RANK &&
                     H5Sget_simple_extent_dims(space, out->n, NULL) == out->rank;
    H5Sclose(space);
    for (int i = 0; good && i < out->rank && out->time < 0; i++) {
        const hid_t scale = otok_cf_hdf_scale(object, out->rank, i);
        if (is_time(scale)) out->time = i;
        if (scale >= 0) H5Oclose(scale);
    }
    return good && out->time >= 0;
}

/* The variables over time, for a choice. */
typedef struct names {
    char list[400], first[OTOK_TEXT_SIZE];
    int n;
} names;

static herr_t list_series(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    names *to = user;
    shape s;
    const hid_t object = info->type == H5L_TYPE_HARD ? H5Oopen(group, name, H5P_DEFAULT) : -1;
    if (object < 0) return 0;
    const hid_t type = otok_hdf_is_local(object) ? H5Dget_type(object) : -1;
    const H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    const int is = (class == H5T_FLOAT || class == H5T_INTEGER) &&
                   H5Aexists(object, "REFERENCE_LIST") <= 0 && find_shape(&s, object);
    if (type >= 0) H5Tclose(type);
    H5Oclose(object);
    if (!is || otok_cf_hdf_is_part(group, name)) return 0;
    const size_t used = strlen(to->list);
    snprintf(to->list + used, sizeof to->list - used, "%s%s", used ? ", " : "", name);
    if (to->n++ == 0) snprintf(to->first, sizeof to->first, "%s", name);
    return 0;
}

static otok_status choose(const reading *r, const char *variable)
{
    names found = {.n = 0};
    if (variable && !strchr(variable, '/') && otok_hdf_find(r->file, variable) > 0) {
        snprintf(r->out->name, sizeof r->out->name, "%s", variable);
        return OTOK_OK;
    }
    if (H5Literate(r->file, H5_INDEX_NAME, H5_ITER_INC, NULL, list_series, &found) < 0)
        return OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", r->path, otok_hdf_why());
    if (variable)
        return OTOK_FAIL(OTOK_DATA, "%s: has no variable `%s` at its root; over time it has %s",
                         r->path, variable, found.n ? found.list : "none");
    if (found.n == 0)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: has no variable at its root with a dimension of times, such as "
                         "units = \"hours since 2023-08-04\"",
                         r->path);
    if (found.n > 1)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: has %d variables over time: %s; choose one, such as {file: %s, "
                         "column: %s}",
                         r->path, found.n, found.list, r->path, found.first);
    snprintf(r->out->name, sizeof r->out->name, "%s", found.first);
    return OTOK_OK;
}

/* ---- numbers ---- */

/* All numbers of an object, which this closes, of n rows with `columns` each. */
static const char *read_numbers(double **out, otok_hdf_set *set, hid_t object, int64_t n,
                                int64_t columns, const reading *r)
{
    const char *wrong = columns ? otok_hdf_check_set(set, object, OTOK_HDF_ARRAY, 0, 0, r->size)
                                : otok_hdf_check_set(set, object, OTOK_HDF_NUMBERS, n, 1, r->size);
    if (wrong) return wrong;
    if (columns && ((int64_t)set->shape[0] != n || (int64_t)set->shape[1] != columns))
        wrong = "has another shape than its times";
    if (!wrong) *out = malloc((size_t)(n * (columns ? columns : 1)) * sizeof **out);
    if (!wrong) wrong = *out ? otok_hdf_read_array(set, *out) : "needs more memory than there is";
    return wrong;
}

static otok_status read_times(const reading *r, hid_t object, const shape *s)
{
    otok_dimension *t = &r->out->time;
    otok_hdf_set set;
    char name[256] = "";
    const hid_t scale = otok_cf_hdf_scale(object, s->rank, s->time);
    t->n = (int64_t)s->n[s->time];
    H5Iget_name(scale, name, sizeof name);
    snprintf(t->name, sizeof t->name, "%.63s", *name == '/' ? name + 1 : name);
    otok_cf_hdf_get_text((void *)&scale, "calendar", r->out->calendar, sizeof r->out->calendar);
    const char *wrong = read_numbers(&t->centres, &set, scale, t->n, 0, r);
    if (wrong) return fail(r, t->name, wrong);
    t->is_single = set.is_real && set.cell == sizeof(float);
    const otok_attributes a = otok_cf_hdf_attributes(&set.id);
    otok_cf_dimension(t, &a);
    H5Dclose(set.id);
    if (!*t->bounds) return OTOK_OK;
    const hid_t bounds =
        otok_hdf_find(r->file, t->bounds) > 0 ? H5Oopen(r->file, t->bounds, H5P_DEFAULT) : -1;
    if (bounds < 0) return fail(r, t->bounds, "cannot be opened");
    wrong = read_numbers(&r->out->bounds, &set, bounds, t->n, 2, r);
    if (set.id >= 0) H5Dclose(set.id);
    return wrong ? fail(r, t->bounds, wrong) : OTOK_OK;
}

/* ---- values ---- */

static otok_status choose_station(int64_t *at, const reading *r, hid_t object, const shape *s,
                                  const char *wanted)
{
    const int other = s->rank < 2 ? -1 : s->time == s->rank - 1 ? s->rank - 2 : s->rank - 1;
    const int64_t n = other < 0 ? 1 : (int64_t)s->n[other];
    *at = 0;
    if (!wanted && n == 1) return OTOK_OK;
    if (other < 0) return fail(r, r->out->name, "has no stations; leave `station` out");
    const otok_cf_stations stations = {r->path, r->out->name, r->file, object,
                                       r->size, s->rank,      other,   n};
    return otok_cf_station(at, &stations, wanted);
}

/* Takes the numbers of a station out of an array, and decodes them. */
static otok_status take_values(const reading *r, const otok_hdf_set *set, const shape *s,
                               int64_t station, const double *all)
{
    otok_cf_map map = {.path = r->path,
                       .marks = {.bytes = (int)set->cell,
                                 .is_real = set->is_real,
                                 .is_unsigned = !set->is_real && !set->is_signed}};
    const otok_attributes a = otok_cf_hdf_attributes((hid_t *)&set->id);
    const int64_t n = r->out->time.n, width = s->rank < 2 ? 1 : (int64_t)s->n[s->rank - 1];
    snprintf(map.name, sizeof map.name, "%s", r->out->name);
    OTOK_TRY(otok_cf_marks(&map, &a));
    const otok_marks k = otok_cf_unsigned_marks(map.marks);
    snprintf(r->out->units, sizeof r->out->units, "%s", k.units);
    a.text(a.of, "cell_methods", r->out->methods, sizeof r->out->methods);
    a.text(a.of, "positive", r->out->positive, sizeof r->out->positive);
    r->out->is_single = set->is_real && set->cell == sizeof(float);
    r->out->values = malloc((size_t)n * sizeof *r->out->values);
    if (!r->out->values) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a series", r->path);
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = s->rank < 2              ? i
                           : s->time == s->rank - 1 ? station * width + i
                                                    : i * width + station;
        r->out->values[i] = otok_cf_value(&k, all[at]);
    }
    return OTOK_OK;
}

static otok_status read_series(const reading *r, const char *station)
{
    otok_hdf_set set;
    shape s;
    int64_t at;
    double *all = NULL;
    const char *name = r->out->name;
    const hid_t object = H5Oopen(r->file, name, H5P_DEFAULT);
    if (object < 0) return fail(r, name, "cannot be opened");
    otok_status status = OTOK_OK;
    if (H5Iget_type(object) != H5I_DATASET || !find_shape(&s, object))
        status = fail(r, name,
                      "has no dimension of times; write it as xarray does, with a coordinate such "
                      "as time, whose units are \"hours since 2023-08-04\"");
    if (status == OTOK_OK && s.time < s.rank - 2)
        status = fail(r, name,
                      "has its times before two other dimensions; choose one place, as "
                      "xarray's isel or sel do, or write (time, station)");
    if (status == OTOK_OK) status = read_times(r, object, &s);
    if (status == OTOK_OK) status = choose_station(&at, r, object, &s, station);
    if (status != OTOK_OK) {
        H5Oclose(object);
        return status;
    }
    const char *wrong = read_numbers(&all, &set, object, (int64_t)s.n[s.rank < 2 ? 0 : s.rank - 2],
                                     s.rank < 2 ? 0 : (int64_t)s.n[s.rank - 1],
                                     r); /* closes the object if it is refused */
    status = wrong ? fail(r, name, wrong) : take_values(r, &set, &s, at, all);
    if (set.id >= 0) H5Dclose(set.id);
    free(all);
    return status;
}

otok_status otok_cf_series_read(otok_cf_series *out, const char *path, const char *variable,
                                const char *station)
{
    unsigned char start[8];
    int64_t size;
    *out = (otok_cf_series){.values = NULL};
    OTOK_TRY(otok_file_probe(path, start, &size));
    otok_hdf_enter();
    reading r = {out, path, otok_hdf_open(path), size};
    otok_status status = r.file < 0 ? OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again",
                                                path, otok_hdf_why())
                                    : choose(&r, variable);
    if (status == OTOK_OK) status = read_series(&r, station);
    if (r.file >= 0) H5Fclose(r.file);
    otok_hdf_leave();
    return status;
}

void otok_cf_series_destroy(otok_cf_series *s)
{
    otok_dimension_destroy(&s->time);
    free(s->bounds);
    free(s->values);
    *s = (otok_cf_series){.values = NULL};
}
