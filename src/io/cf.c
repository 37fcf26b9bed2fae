/* cf.c: see cf.h. */
#include "cf.h"

#include "../core/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- parts ---- */

const char *const otok_cf_parts[] = {
    "bounds",        "climatology", "ancillary_variables", "cell_measures", "coordinates",
    "formula_terms", NULL};

int otok_cf_names(const char *words, const char *name)
{
    const size_t length = strlen(name);
    for (size_t n; *words; words += n + strspn(words + n, " ")) {
        n = strcspn(words, " ");
        if (n == length && memcmp(words, name, n) == 0) return 1;
    }
    return 0;
}

/* ---- marks ---- */

static otok_status fail_marks(const otok_cf_map *m, const char *name, const char *wrong)
{
    return OTOK_FAIL(OTOK_DATA, "%s: %s: its attribute %s %s; correct it or take it out", m->path,
                     m->name, name, wrong);
}

static void add_empty(otok_marks *k, double number)
{
    if (k->nmarks < OTOK_MOST_MARKS) k->mark[k->nmarks++] = number;
}

/* What NetCDF's libraries leave in cells that were never written. Bytes have no such number. */
static void add_defaults(otok_marks *k)
{
    if (k->is_real)
        add_empty(k, 9.9692099683868690e+36);
    else if (k->bytes > 1)
        add_empty(k, k->is_unsigned  ? (k->bytes == 2   ? 65535.0
                                        : k->bytes == 4 ? 4294967295.0
                                                        : 18446744073709551614.0)
                     : k->bytes == 2 ? -32767.0
                     : k->bytes == 4 ? -2147483647.0
                                     : -9223372036854775806.0);
}

static otok_status read_empty(otok_cf_map *m, const otok_attributes *a)
{
    static const char *const names[] = {"_FillValue",   "missing_value", "FillValue",
                                        "_fillvalue",   "nodata",        "no_data",
                                        "nodata_value", "NODATA_value"};
    otok_marks *k = &m->marks;
    int fill = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        double found[OTOK_MOST_MARKS];
        int is_real;
        const int n = a->numbers(a->of, names[i], found, OTOK_MOST_MARKS, &is_real);
        if (n < 0) return fail_marks(m, names[i], "is not a number");
        if (n > OTOK_MOST_MARKS || k->nmarks + n > OTOK_MOST_MARKS - 1)
            return fail_marks(m, names[i], "has too many numbers");
        for (int j = 0; j < n; j++)
            add_empty(k, found[j]);
        k->declared |= n > 0;
        fill |= n > 0 && i == 0;
    }
    if (!fill) add_defaults(k);
    return OTOK_OK;
}

static otok_status read_range(otok_cf_map *m, const otok_attributes *a)
{
    static const char *const names[] = {"valid_range", "valid_min", "valid_max"};
    otok_marks *k = &m->marks;
    k->low = -INFINITY;
    k->high = INFINITY;
    for (int i = 0; i < 3; i++) {
        double found[2];
        int is_real = 0;
        const int n = a->numbers(a->of, names[i], found, 2, &is_real);
        if (n == 0) continue;
        if (n != (i == 0 ? 2 : 1)) return fail_marks(m, names[i], "has not the numbers it needs");
        for (int j = 0; j < n && k->is_unsigned; j++) /* stored as signed numbers */
            if (found[j] < 0) found[j] += ldexp(1, 8 * k->bytes);
        if (i != 2) k->low = found[0];
        if (i != 1) k->high = found[n - 1];
        k->range_is_of_values |= is_real && !k->is_real;
    }
    if (k->low <= k->high) return OTOK_OK;
    return fail_marks(m, "valid_min or valid_range", "leaves no valid value");
}

static otok_status read_factor(otok_cf_map *m, const otok_attributes *a, const char *name,
                               double *out, double otherwise)
{
    int is_real;
    const int n = a->numbers(a->of, name, out, 1, &is_real);
    if (n == 0) *out = otherwise;
    if (n == 0 || (n == 1 && isfinite(*out))) return OTOK_OK;
    return fail_marks(m, name, "is not one number");
}

/* CF's name, or those that others write. */
static void read_units(const otok_attributes *a, char *units, size_t size)
{
    static const char *const names[] = {"units", "Units", "UNITS", "unit", "Unit"};
    *units = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !*units; i++)
        a->text(a->of, names[i], units, size);
}

/* Do heights grow up or down? An attribute `positive` that contradicts the standard name tells
   nothing. */
void otok_cf_direction(otok_marks *k, const char *name, const otok_attributes *a)
{
    char word[OTOK_AXIS_WORD], standard[OTOK_AXIS_WORD], long_name[OTOK_TEXT_SIZE];
    a->text(a->of, "positive", word, sizeof word);
    a->text(a->of, "standard_name", standard, sizeof standard);
    a->text(a->of, "long_name", long_name, sizeof long_name);
    const int is_depth = strcmp(standard, "depth") == 0 || strstr(standard, "depth_below"),
              is_up = strcasecmp(word, "up") == 0;
    k->positive = strcasecmp(word, "down") == 0 || (is_depth && !is_up) ? -1 : is_up && !is_depth;
    k->is_called_depth =
        otok_is_depth_name(name) || otok_is_depth_name(standard) || otok_is_depth_name(long_name);
}

otok_status otok_cf_marks(otok_cf_map *m, const otok_attributes *a)
{
    otok_marks *k = &m->marks;
    char word[OTOK_AXIS_WORD];
    OTOK_TRY(read_factor(m, a, "scale_factor", &k->scale, 1));
    OTOK_TRY(read_factor(m, a, "add_offset", &k->offset, 0));
    if (k->scale == 0) return fail_marks(m, "scale_factor", "is 0");
    a->text(a->of, "_Unsigned", word, sizeof word);
    k->is_unsigned |= strcasecmp(word, "true") == 0 && !k->is_real;
    OTOK_TRY(read_empty(m, a));
    OTOK_TRY(read_range(m, a));
    read_units(a, k->units, sizeof k->units);
    a->text(a->of, "coordinates", k->coordinates, sizeof k->coordinates);
    otok_cf_direction(k, m->name, a);
    return OTOK_OK;
}

void otok_cf_dimension(otok_dimension *d, const otok_attributes *a)
{
    read_units(a, d->units, sizeof d->units);
    a->text(a->of, "standard_name", d->standard_name, sizeof d->standard_name);
    a->text(a->of, "axis", d->axis, sizeof d->axis);
    a->text(a->of, "bounds", d->bounds, sizeof d->bounds);
    double factor = 1, offset = 0;
    int is_real;
    if (a->numbers(a->of, "scale_factor", &factor, 1, &is_real) != 1) factor = 1;
    if (a->numbers(a->of, "add_offset", &offset, 1, &is_real) != 1) offset = 0;
    for (int64_t i = 0; d->centres && (factor != 1 || offset != 0) && i < d->n; i++)
        d->centres[i] = d->centres[i] * factor + offset;
}

/* ---- values ---- */

/* Numbers of float32 are compared as such, whatever digits the mark has. */
static int is_empty(const otok_marks *k, double number)
{
    if (!isfinite(number)) return 1;
    for (int i = 0; i < k->nmarks; i++)
        if (otok_is_mark(number, k->mark[i])) return 1;
    return !k->range_is_of_values && (number < k->low || number > k->high);
}

double otok_cf_value(const otok_marks *k, double number)
{
    if (k->is_unsigned && number < 0) number += ldexp(1, 8 * k->bytes);
    if (is_empty(k, number)) return NAN;
    const int plain = k->scale == 1 && k->offset == 0;
    const double value = plain ? number : number * k->scale + k->offset;
    return k->range_is_of_values && (value < k->low || value > k->high) ? NAN : value;
}

otok_marks otok_cf_unsigned_marks(otok_marks k)
{
    for (int i = 0; i < k.nmarks && k.is_unsigned; i++)
        if (k.mark[i] < 0) k.mark[i] += ldexp(1, 8 * k.bytes);
    return k;
}

/* A map whose only coordinates are longitudes and latitudes of every cell has no even cells. */
static otok_status check_curved(const otok_cf_map *m)
{
    const char *c = m->marks.coordinates;
    if (m->dimensions[0].centres || m->dimensions[1].centres || !strcasestr(c, "lat") ||
        !strcasestr(c, "lon"))
        return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: %s has a longitude and a latitude per cell (%s), in degrees, and no even "
                     "coordinates; regrid it to a projection in metres, for example with cdo "
                     "remapbil, or take its attribute coordinates out if its cells are squares",
                     m->path, m->name, c);
}

/* Grid mappings without WKT whose lengths are not those on the ground, or that are turned. */
static otok_status check_mapping(const otok_cf_map *m)
{
    if (m->wkt || (strcmp(m->mapping, "mercator") != 0 &&
                   strcmp(m->mapping, "rotated_latitude_longitude") != 0))
        return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: %s has the grid mapping %s, whose lengths are not those on the ground, "
                     "and no crs_wkt to reproject it from; add one, or regrid it to a projection "
                     "in metres, for example with cdo remapbil",
                     m->path, m->name, m->mapping);
}

otok_status otok_cf_raster(otok_raster *out, otok_cf_map *m)
{
    OTOK_TRY(check_curved(m));
    OTOK_TRY(check_mapping(m));
    OTOK_TRY(otok_axes_transform(m->dimensions, m->transform, m->path, m->name));
    if (m->step) OTOK_TRY(otok_cf_times(out, m));
    otok_axes axes;
    otok_status status = otok_axes_settle(&axes, m->dimensions, m->wkt, m->path, m->name);
    const int64_t cells = m->dimensions[0].n * m->dimensions[1].n;
    const otok_marks k = otok_cf_unsigned_marks(m->marks);
    float *values = malloc((size_t)cells * sizeof *values);
    if (status == OTOK_OK && !values)
        status = OTOK_FAIL(OTOK_NOMEM, "%s: no memory for %s", m->path, m->name);
    if (status == OTOK_OK) status = otok_raster_allocate(out, m->path, axes.nx, axes.ny);
    if (status == OTOK_OK) {
        for (int64_t i = 0; i < cells; i++)
            values[i] = (float)otok_cf_value(&k, m->numbers[i]);
        otok_axes_arrange(out->map, values, &axes);
        memcpy(out->unit, k.units, sizeof out->unit);
        out->positive = k.positive;
        out->is_called_depth = k.is_called_depth;
        out->slack = axes.slack;
        out->declared = k.declared;
        out->georeference = axes.placed;
        axes.placed = (otok_georeference){0};
    }
    otok_georeference_destroy(&axes.placed);
    free(values);
    return status;
}

void otok_cf_destroy(otok_cf_map *m)
{
    otok_dimension_destroy(&m->dimensions[0]);
    otok_dimension_destroy(&m->dimensions[1]);
    otok_dimension_destroy(&m->time);
    free(m->bounds);
    free(m->wkt);
    free(m->numbers);
    *m = (otok_cf_map){0};
}

/* ---- names ---- */

void otok_map_names_add(otok_map_names *names, const char *name)
{
    const size_t used = strlen(names->list), size = sizeof names->list - used;
    const char *comma = used ? ", " : "";
    if (names->n++ == 0) snprintf(names->first, sizeof names->first, "%s", name);
    names->has_terrain |= strcmp(name, "terrain") == 0;
    if (names->listed < names->n - 1 || strlen(comma) + strlen(name) >= size) return;
    snprintf(names->list + used, size, "%s%s", comma, name);
    names->listed++;
}

/* " and 3 more" */
static const char *more_of(const otok_map_names *names, char more[32])
{
    const int left = names->n - names->listed;
    more[0] = 0;
    if (left) snprintf(more, 32, " and %d more", left);
    return more;
}

otok_status otok_map_names_choose(char name[OTOK_TEXT_SIZE], const otok_map_names *names,
                                  const char *path)
{
    char more[32];
    if (names->n == 0)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: has no map of two dimensions at its root; name one in a group with "
                         "`raster: {file: %s, variable: GROUP/NAME}`, or write one at the root, as "
                         "h5py and xarray do",
                         path, path);
    if (names->n > 1 && !names->has_terrain)
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: has %d maps: %s%s; choose one with `raster: {file: %s, variable: NAME}`", path,
            names->n, names->list, more_of(names, more), path);
    snprintf(name, OTOK_TEXT_SIZE, "%s", names->n > 1 ? "terrain" : names->first);
    return OTOK_OK;
}

otok_status otok_map_names_lack(const otok_map_names *names, const char *path, const char *name)
{
    char more[32];
    return OTOK_FAIL(OTOK_DATA, "%s: has no map %s (raster.variable); its maps are %s%s", path,
                     name, names->n ? names->list : "not at its root: write GROUP/NAME",
                     more_of(names, more));
}
