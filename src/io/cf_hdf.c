/* cf_hdf.c: see cf_hdf.h. */
#include "cf_hdf.h"

#include "../core/status.h"
#include "hdf_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const bare = "This is a netCDF dimension but not a netCDF variable";

/* ---- dimensions ---- */

typedef struct reading {
    otok_cf_map *out;
    hid_t file, group; /* group: of the map, in which its coordinates may be; or the file */
    int64_t size;
} reading;

/* Where a name is looked for: in the map's group, then at the root. */
static hid_t place_of(const reading *r, const char *name)
{
    return otok_hdf_find(r->group, name) > 0 ? r->group : r->file;
}

/* < 0: it is in neither. */
static hid_t open_named(const reading *r, const char *name)
{
    const hid_t place = place_of(r, name);
    return otok_hdf_find(place, name) > 0 ? H5Oopen(place, name, H5P_DEFAULT) : -1;
}

static otok_status fail_set(const reading *r, const char *name, const char *wrong)
{
    return OTOK_FAIL(OTOK_DATA, "%s: %s %s", r->out->path, name, wrong);
}

/* Coordinates of a dimension from an open object, which this closes. */
static otok_status read_centres(const reading *r, otok_dimension *d, hid_t object)
{
    otok_hdf_set set;
    const char *wrong = otok_hdf_check_set(&set, object, OTOK_HDF_NUMBERS, d->n, 1, r->size);
    if (wrong) return fail_set(r, d->name, wrong);
    d->is_single = set.is_real && set.cell == sizeof(float);
    d->centres = malloc((size_t)d->n * sizeof *d->centres);
    if (d->centres) wrong = otok_hdf_read_array(&set, d->centres);
    if (d->centres && !wrong) {
        const otok_attributes a = otok_cf_hdf_attributes(&set.id);
        otok_cf_dimension(d, &a);
    }
    H5Dclose(set.id);
    if (!d->centres)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for the coordinates %s", r->out->path, d->name);
    return wrong ? fail_set(r, d->name, wrong) : OTOK_OK;
}

hid_t otok_cf_hdf_scale(hid_t map, int rank, int dimension)
{
    const hid_t attribute = otok_cf_hdf_attribute(map, "DIMENSION_LIST");
    hid_t scale = -1;
    if (attribute < 0) return scale;
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute),
                base = type >= 0 && H5Tget_class(type) == H5T_VLEN ? H5Tget_super(type) : -1;
    hvl_t lists[8] = {{0, NULL}};
    const int good = base >= 0 && H5Tequal(base, H5T_STD_REF_OBJ) > 0 && rank <= 8 && space >= 0 &&
                     H5Sget_simple_extent_npoints(space) == rank &&
                     H5Aread(attribute, type, lists) >= 0;
    if (good && lists[dimension].len >= 1)
        scale = H5Rdereference2(map, H5P_DEFAULT, H5R_OBJECT, lists[dimension].p);
    if (scale >= 0 && H5Iget_type(scale) != H5I_DATASET) {
        H5Oclose(scale);
        scale = -1;
    }
    if (good) H5Dvlen_reclaim(type, space, H5P_DEFAULT, lists);
    if (base >= 0) H5Tclose(base);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
    return scale;
}

/* The scales of the last two dimensions, or that of a line as the second; 0: there are none. */
static int open_scales(hid_t map, int rank, hid_t scales[2])
{
    scales[0] = rank > 1 ? otok_cf_hdf_scale(map, rank, rank - 2) : -1;
    scales[1] = otok_cf_hdf_scale(map, rank, rank - 1);
    return scales[0] >= 0 || scales[1] >= 0;
}

/* The length of a line of numbers at the root; 0: there is none. */
static int64_t length_of(const reading *r, const char *name)
{
    hsize_t n = 0;
    const hid_t object = open_named(r, name);
    const hid_t space = object >= 0 && otok_hdf_is_local(object) ? H5Dget_space(object) : -1;
    if (space >= 0 && H5Sget_simple_extent_ndims(space) == 1)
        H5Sget_simple_extent_dims(space, &n, NULL);
    if (space >= 0) H5Sclose(space);
    if (object >= 0) H5Oclose(object);
    return (int64_t)n;
}

/* Is this object the one of that name in a file or group, or at "." itself? */
static int is_named(hid_t object, hid_t file, const char *name)
{
#if H5_VERSION_GE(1, 12, 0)
    H5O_info2_t one, other;
    int apart = 1;
    return H5Oget_info3(object, &one, H5O_INFO_BASIC) >= 0 &&
           H5Oget_info_by_name3(file, name, &other, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
           H5Otoken_cmp(file, &one.token, &other.token, &apart) >= 0 && apart == 0;
#else
    H5O_info_t one, other;
    return H5Oget_info(object, &one) >= 0 &&
           H5Oget_info_by_name(file, name, &other, H5P_DEFAULT) >= 0 && one.addr == other.addr;
#endif
}

/* The name under which an object is at the root, among the usual names of coordinates. */
static void find_name(const reading *r, otok_dimension *d, hid_t object)
{
    for (int k = 0; k < 2; k++)
        for (int n = 0; otok_axes_name(k ? 'x' : 'y', n); n++) {
            const char *name = otok_axes_name(k ? 'x' : 'y', n);
            const hid_t place = place_of(r, name);
            if (otok_hdf_find(place, name) <= 0 || !is_named(object, place, name)) continue;
            snprintf(d->name, sizeof d->name, "%s", name);
            return;
        }
}

static otok_status read_named(const reading *r, otok_dimension *d)
{
    const hid_t object = open_named(r, d->name);
    return object < 0 ? fail_set(r, d->name, "cannot be opened") : read_centres(r, d, object);
}

/* Are there coordinates of this name along a scale? If so, it is the name of the dimension. */
static int is_along(const reading *r, otok_dimension *d, hid_t scale, const char *name)
{
    hid_t scales[2] = {-1, -1};
    const hid_t line = length_of(r, name) == d->n ? open_named(r, name) : -1;
    const int is = line >= 0 && open_scales(line, 1, scales) && is_named(scales[1], scale, ".");
    if (scales[1] >= 0) H5Oclose(scales[1]);
    if (line >= 0) H5Oclose(line);
    if (is) snprintf(d->name, sizeof d->name, "%s", name);
    return is;
}

/* Coordinates along a dimension of NetCDF that has none of its own name, such as x along nx: those
   that the map names, or with a usual name. */
static otok_status read_along(const reading *r, otok_dimension *d, hid_t scale)
{
    char names[OTOK_AXIS_WORD], *rest = names;
    memcpy(names, r->out->marks.coordinates, sizeof names);
    for (const char *name; (name = strsep(&rest, " "));)
        if (*name && is_along(r, d, scale, name)) return read_named(r, d);
    for (int n = 0; otok_axes_name('x', n); n++)
        if (is_along(r, d, scale, otok_axes_name('x', n)) ||
            is_along(r, d, scale, otok_axes_name('y', n)))
            return read_named(r, d);
    return OTOK_OK;
}

/* A dimension scale. One of NetCDF may have a name and no coordinates. */
static otok_status read_scale(const reading *r, otok_dimension *d, hid_t object)
{
    char kind[sizeof "This is a netCDF dimension but not a netCDF variable"];
    otok_cf_hdf_get_text(&object, "NAME", kind, sizeof kind);
    otok_cf_hdf_get_text(&object, "NAME", d->name, sizeof d->name);
    const int is_bare = strcmp(kind, bare) == 0 || !otok_hdf_has_numbers(object);
    if (!*d->name || strncmp(d->name, bare, strlen(bare)) == 0) {
        d->name[0] = 0;
        find_name(r, d, object);
    }
    if (*d->name == '/') memmove(d->name, d->name + 1, strlen(d->name));
    if (!is_bare) return read_centres(r, d, object);
    const otok_attributes a = otok_cf_hdf_attributes(&object);
    otok_cf_dimension(d, &a);
    const otok_status status = read_along(r, d, object);
    H5Oclose(object);
    return status;
}

/* Labels of h5py: dims[0].label = "x". */
static void read_labels(hid_t map, int rank, otok_dimension d[2])
{
    const hid_t attribute = otok_cf_hdf_attribute(map, "DIMENSION_LABELS");
    if (attribute < 0) return;
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    char *labels[8] = {NULL};
    if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
        H5Tis_variable_str(type) > 0 && rank <= 8 && H5Sget_simple_extent_npoints(space) == rank &&
        H5Aread(attribute, type, labels) >= 0) {
        for (int i = 0; i < 2; i++)
            if (labels[rank - 2 + i])
                snprintf(d[i].name, sizeof d[i].name, "%s", labels[rank - 2 + i]);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, labels);
    }
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
}

/* Coordinates beside a map without scales: names tell x from y, and lengths the order if they
   differ. */
static otok_status read_beside(const reading *r, otok_dimension d[2])
{
    const char *names[2] = {NULL, NULL}; /* y, x */
    int64_t n[2] = {0, 0};
    for (int k = 0; k < 2; k++)
        for (int i = 0; !names[k] && otok_axes_name(k ? 'x' : 'y', i); i++) {
            const char *name = otok_axes_name(k ? 'x' : 'y', i);
            if (strcmp(name, r->out->name) == 0 ||
                otok_hdf_is_bare_dimension(place_of(r, name), name))
                continue;
            n[k] = length_of(r, name);
            if (n[k] > 0) names[k] = name;
        }
    const int turned = names[0] && names[1] && n[0] != n[1] && n[0] == d[1].n && n[1] == d[0].n;
    for (int k = 0; k < 2; k++) {
        otok_dimension *to = &d[turned ? 1 - k : k];
        if (!names[k]) continue;
        snprintf(to->name, sizeof to->name, "%s", names[k]);
        OTOK_TRY(read_named(r, to));
    }
    return OTOK_OK;
}

static otok_status read_dimensions(const reading *r, hid_t map, int rank)
{
    otok_dimension *d = r->out->dimensions;
    hid_t scales[2];
    if (open_scales(map, rank, scales)) {
        otok_status status = OTOK_OK;
        for (int i = 0; i < 2; i++) {
            if (scales[i] >= 0 && status == OTOK_OK)
                status = read_scale(r, &d[i], scales[i]);
            else if (scales[i] >= 0)
                H5Oclose(scales[i]);
        }
        return status;
    }
    read_labels(map, rank, d);
    if (!*d[0].name && !*d[1].name) return read_beside(r, d);
    for (int i = 0; i < 2; i++)
        if (*d[i].name && length_of(r, d[i].name) == d[i].n) OTOK_TRY(read_named(r, &d[i]));
    return OTOK_OK;
}

/* The times of the steps, and where each begins and ends if the file tells. */
static otok_status read_times(const reading *r, const otok_hdf_set *steps)
{
    otok_cf_map *m = r->out;
    otok_dimension *t = &m->time;
    otok_hdf_set set;
    const hid_t scale = otok_cf_hdf_scale(steps->id, steps->rank, 0);
    t->n = (int64_t)steps->steps;
    if (scale < 0) snprintf(t->name, sizeof t->name, "time");
    if (scale >= 0 || length_of(r, t->name) == t->n)
        OTOK_TRY(scale >= 0 ? read_scale(r, t, scale) : read_named(r, t));
    if (!*t->bounds) return OTOK_OK;
    const hid_t object = open_named(r, t->bounds);
    if (object < 0) return fail_set(r, t->bounds, "cannot be opened");
    const char *wrong = otok_hdf_check_set(&set, object, OTOK_HDF_ARRAY, 0, 0, r->size);
    if (wrong) return fail_set(r, t->bounds, wrong);
    const int fits = set.shape[0] == steps->steps && set.shape[1] == 2;
    m->bounds = malloc((size_t)t->n * 2 * sizeof *m->bounds);
    wrong = !fits ? "has not two times per step" : m->bounds ? NULL : "needs more memory";
    if (!wrong) wrong = otok_hdf_read_array(&set, m->bounds);
    H5Dclose(set.id);
    return wrong ? fail_set(r, t->bounds, wrong) : OTOK_OK;
}

/* The coordinate system: of the grid mapping that the map names, or of one by its usual name. */
static void read_system(const reading *r, hid_t map)
{
    char named[OTOK_AXIS_WORD];
    otok_cf_hdf_get_text(&map, "grid_mapping", named, sizeof named);
    named[strcspn(named, " :")] = 0;
    const char *const names[] = {named, "crs", "spatial_ref"};
    for (int i = 0; i < 3 && !r->out->wkt; i++) {
        hid_t object = *names[i] ? open_named(r, names[i]) : -1;
        if (object < 0) continue;
        if (!*r->out->transform)
            otok_cf_hdf_get_text(&object, "GeoTransform", r->out->transform,
                                 sizeof r->out->transform);
        r->out->wkt = otok_cf_hdf_text(object, "crs_wkt");
        if (!r->out->wkt) r->out->wkt = otok_cf_hdf_text(object, "spatial_ref");
        if (!*r->out->mapping)
            otok_cf_hdf_get_text(&object, "grid_mapping_name", r->out->mapping,
                                 sizeof r->out->mapping);
        H5Oclose(object);
    }
}

/* ---- maps ---- */

/* MATLAB stores columns: its matrix of ny rows is an array [nx][ny]. */
static int is_of_matlab(hid_t map, const otok_dimension d[2])
{
    return H5Aexists(map, "MATLAB_class") > 0 && !*d[0].name && !*d[1].name;
}

static otok_status read_set(const reading *r, otok_hdf_set *set)
{
    otok_cf_map *m = r->out;
    const otok_attributes a = otok_cf_hdf_attributes(&set->id);
    m->dimensions[0].n = (int64_t)set->shape[0];
    m->dimensions[1].n = (int64_t)set->shape[1];
    m->marks = (otok_marks){.bytes = (int)set->cell,
                            .is_real = set->is_real,
                            .is_unsigned = !set->is_real && !set->is_signed};
    OTOK_TRY(otok_cf_marks(m, &a));
    if (m->step) OTOK_TRY(read_times(r, set));
    OTOK_TRY(read_dimensions(r, set->id, set->rank));
    if (is_of_matlab(set->id, m->dimensions)) {
        snprintf(m->dimensions[0].name, sizeof m->dimensions[0].name, "x");
        snprintf(m->dimensions[1].name, sizeof m->dimensions[1].name, "y");
    }
    read_system(r, set->id);
    m->numbers = malloc((size_t)(set->shape[0] * set->shape[1]) * sizeof *m->numbers);
    if (!m->numbers)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for the field %s", m->path, m->name);
    const char *wrong = otok_hdf_read_array(set, m->numbers);
    return wrong ? fail_set(r, m->name, wrong) : OTOK_OK;
}

otok_status otok_cf_hdf(otok_cf_map *out, hid_t file, const char *path, const char *name,
                        int64_t step, int64_t file_size)
{
    otok_hdf_set set;
    *out = (otok_cf_map){.path = path, .step = step};
    snprintf(out->name, sizeof out->name, "%s", name);
    reading r = {out, file, file, file_size};
    const char *wrong = otok_hdf_open_set(&set, file, name, step ? OTOK_HDF_STEPS : OTOK_HDF_ARRAY,
                                          0, 0, file_size),
               *slash = strrchr(name, '/');
    if (wrong) return fail_set(&r, name, wrong);
    if (slash) {
        char group[OTOK_TEXT_SIZE];
        snprintf(group, sizeof group, "%.*s", (int)(slash - name), name);
        r.group = H5Oopen(file, group, H5P_DEFAULT);
    }
    if (step) set.step = (hsize_t)step - 1;
    const otok_status status = step <= (int64_t)set.steps
                                   ? read_set(&r, &set)
                                   : fail_set(&r, name, "has fewer steps than before");
    if (slash) H5Oclose(r.group);
    H5Dclose(set.id);
    return status;
}
