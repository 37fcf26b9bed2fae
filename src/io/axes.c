/* axes.c: see axes.h. */
#include "axes.h"

#include "../core/status.h"
#include "../core/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Names in the order in which a file is searched for them. */
static const char *const x_names[] = {
    "x",         "lon",       "longitude", "X",      "Lon",          "Longitude", "LON",
    "LONGITUDE", "easting",   "Easting",   "E",      "east",         "long",      "nav_lon",
    "rlon",      "west_east", "xc",        "xcoord", "x_coordinate", "lons",      "cols",
    "columns",   "col",       "column",    "nx",     "nlon",         "ncols",     "i"};
static const char *const y_names[] = {
    "y",        "lat",         "latitude", "Y",      "Lat",          "Latitude", "LAT",
    "LATITUDE", "northing",    "Northing", "N",      "north",        "lati",     "nav_lat",
    "rlat",     "south_north", "yc",       "ycoord", "y_coordinate", "lats",     "rows",
    "lines",    "row",         "line",     "ny",     "nlat",         "nrows",    "j"};

enum { NAMES = sizeof x_names / sizeof x_names[0] };

const char *otok_axes_name(int kind, int n)
{
    return n < NAMES ? (kind == 'x' ? x_names : y_names)[n] : NULL;
}

int otok_axes_kind(const char *name)
{
    for (int n = 0; n < NAMES; n++) {
        if (strcasecmp(name, x_names[n]) == 0) return 'x';
        if (strcasecmp(name, y_names[n]) == 0) return 'y';
    }
    return 0;
}

void otok_dimension_destroy(otok_dimension *d)
{
    free(d->centres);
    *d = (otok_dimension){.n = 0};
}

/* ---- which is which ---- */

static int is_one(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(word, *words) == 0) return 1;
    return 0;
}

/* What units of degrees tell: 'x', 'y', 'd' (degrees of either), or 0. */
static int kind_of_degrees(const char *units)
{
    static const char *const east[] = {"degrees_east", "degree_east", "degrees_e",
                                       "degree_e",     "degreese",    NULL},
                             *const north[] = {"degrees_north", "degree_north", "degrees_n",
                                               "degree_n",      "degreesn",     NULL},
                             *const either[] = {
                                 "degrees",         "degree",          "deg", "arc_degree",
                                 "decimal_degrees", "decimal degrees", "°",   NULL};
    return is_one(units, east) ? 'x' : is_one(units, north) ? 'y' : is_one(units, either) ? 'd' : 0;
}

/* Of a name of several words, such as x_utm or Northing (m): what the words that are no single
   letters but x and y tell, if they agree. ROMS has xi_rho and eta_rho. */
static int kind_of_words(const char *name)
{
    char word[OTOK_AXIS_WORD];
    int kind = otok_axes_kind(name), other = 0;
    for (const char *at = name; !kind && *(at += strcspn(at, LETTERS)); at += strlen(word)) {
        snprintf(word, sizeof word, "%.*s", (int)strspn(at, LETTERS), at);
        const int one = word[1] || strcasecmp(word, "x") == 0 || strcasecmp(word, "y") == 0,
                  next = strcmp(word, "xi") == 0    ? 'x'
                         : strcmp(word, "eta") == 0 ? 'y'
                         : one                      ? otok_axes_kind(word)
                                                    : 0;
        if (next && other && next != other) return 0;
        if (next) other = next;
    }
    return kind ? kind : other;
}

static int kind_of_standard(const char *name)
{
    static const char *const x[] = {"projection_x_coordinate", "longitude", "grid_longitude",
                                    "projection_x_angular_coordinate", NULL},
                             *const y[] = {"projection_y_coordinate", "latitude", "grid_latitude",
                                           "projection_y_angular_coordinate", NULL};
    return is_one(name, x) ? 'x' : is_one(name, y) ? 'y' : 0;
}

static int is_angle_name(const char *name)
{
    static const char *const names[] = {
        "lat",     "latitude", "lats",          "lati",           "nlat", "nav_lat",
        "rlat",    "lon",      "longitude",     "lons",           "long", "nlon",
        "nav_lon", "rlon",     "grid_latitude", "grid_longitude", NULL};
    return is_one(name, names);
}

static int is_angular(const otok_dimension *d)
{
    return kind_of_degrees(d->units) ||
           (!*d->units && (is_angle_name(d->name) || is_angle_name(d->standard_name)));
}

/* Degrees around another pole than the Earth's. */
static int is_rotated(const otok_dimension *d)
{
    static const char *const names[] = {"rlat", "rlon", "grid_latitude", "grid_longitude", NULL};
    return d->centres && (is_one(d->name, names) || is_one(d->standard_name, names));
}

/* 'x', 'y', or 0: the file does not tell. -1: it tells both. */
static int kind_of(const otok_dimension *d)
{
    const int degrees = kind_of_degrees(d->units),
              told[] = {strcasecmp(d->axis, "X") == 0   ? 'x'
                        : strcasecmp(d->axis, "Y") == 0 ? 'y'
                                                        : 0,
                        kind_of_standard(d->standard_name), degrees == 'd' ? 0 : degrees,
                        kind_of_words(d->name)};
    int kind = 0;
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        if (told[i] && kind && told[i] != kind) return -1;
        if (told[i]) kind = told[i];
    }
    return kind;
}

static otok_status settle_order(otok_axes *out, const otok_dimension d[2], const char *path,
                                const char *name)
{
    const int kinds[2] = {kind_of(&d[0]), kind_of(&d[1])};
    for (int i = 0; i < 2; i++)
        if (kinds[i] < 0)
            return OTOK_FAIL(OTOK_DATA,
                             "%s: the coordinate %s of %s is x by one of its marks (name, axis, "
                             "standard_name, units) and y by another; correct the wrong one",
                             path, d[i].name, name);
    if (kinds[0] && kinds[0] == kinds[1])
        return OTOK_FAIL(
            OTOK_DATA, "%s: both dimensions of %s, %s and %s, are %c; a map needs one x and one y",
            path, name, d[0].name, d[1].name, kinds[0]);
    out->x = kinds[0] == 'x' || kinds[1] == 'y' ? 0 : 1;
    out->nx = d[out->x].n;
    out->ny = d[!out->x].n;
    return OTOK_OK;
}

/* ---- coordinates ---- */

static otok_status steps_from(otok_dimension *d, double corner, double step, const char *path)
{
    d->centres = malloc((size_t)d->n * sizeof *d->centres);
    if (!d->centres) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for coordinates", path);
    for (int64_t i = 0; i < d->n; i++)
        d->centres[i] = corner + ((double)i + 0.5) * step;
    return OTOK_OK;
}

otok_status otok_axes_transform(otok_dimension d[2], const char *transform, const char *path,
                                const char *name)
{
    otok_axes order;
    double t[6];
    const char *at = transform;
    if (!*transform || d[0].centres || d[1].centres) return OTOK_OK;
    OTOK_TRY(settle_order(&order, d, path, name));
    for (int i = 0; i < 6; i++) {
        char *end;
        t[i] = strtod(at, &end);
        if (end == at || !isfinite(t[i]) || ((i == 2 || i == 4) && t[i] != 0) ||
            ((i == 1 || i == 5) && t[i] == 0))
            return OTOK_FAIL(
                OTOK_DATA,
                "%s: %s has no coordinates, and GeoTransform of its grid mapping, `%s`, is not the "
                "six numbers of a grid that is not turned; write coordinates",
                path, name, transform);
        at = end;
    }
    OTOK_TRY(steps_from(&d[order.x], t[0], t[1], path));
    return steps_from(&d[!order.x], t[3], t[5], path);
}

typedef struct line {
    double first, step; /* of a rising coordinate; step 0: no coordinates */
    double slack;
} line;

/* Evenly spaced to a tenth of a cell, counted from the first. */
static otok_status measure(line *out, int *falls, const otok_dimension *d, const char *path)
{
    const double *c = d->centres;
    const int64_t n = d->n;
    *out = (line){0, 0, 0};
    *falls = 0;
    if (!c) return OTOK_OK;
    const double step = n > 1 ? (c[n - 1] - c[0]) / (double)(n - 1) : 0;
    int even = isfinite(c[0]) && isfinite(step) && (n == 1 || step != 0);
    double largest = 0;
    for (int64_t i = 0; i < n && even; i++) {
        even = fabs(c[i] - (c[0] + (double)i * step)) <= 0.1 * fabs(step);
        largest = fmax(largest, fabs(c[i]));
    }
    if (!even)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: the coordinates %s go by %.9g a cell, or not evenly; interpolate the "
                         "map to even ones, for example with xarray's interp",
                         path, d->name, step);
    *falls = step < 0;
    out->first = *falls ? c[n - 1] : c[0];
    out->step = fabs(step);
    if (d->is_single && n > 1) out->slack = 2 * largest * 0x1p-24 / ((double)(n - 1) * out->step);
    return OTOK_OK;
}

/* The unit of a coordinate in those of the system, or in metres if there is none. */
static otok_status scale(line *l, const otok_dimension *d, double unit, const char *path)
{
    char why[OTOK_UNIT_WHY];
    double metres = unit;
    if (!*d->units || strcmp(d->units, "1") == 0) return OTOK_OK;
    if (otok_unit_factor(&metres, d->units, "m", why))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: the coordinates %s are in `%s`, and neither metres nor degrees: %s; "
                         "convert them to metres and write units = \"m\"",
                         path, d->name, d->units, why);
    if (metres == unit) return OTOK_OK;
    l->first *= metres / unit;
    l->step *= metres / unit;
    return OTOK_OK;
}

static otok_status place(otok_axes *out, const line lines[2], const char *wkt, const char *path)
{
    const line *x = &lines[0], *y = &lines[1];
    if (!(x->step > 0) && !(y->step > 0)) return OTOK_OK;
    if (x->step == 0 && out->nx > 1) return OTOK_OK;
    if (y->step == 0 && out->ny > 1) return OTOK_OK;
    const double width = x->step > 0 ? x->step : y->step, height = y->step > 0 ? y->step : width;
    out->slack = fmax(x->slack, y->slack);
    out->placed = (otok_georeference){
        1,      x->first - 0.5 * width,  y->first - 0.5 * height + height * (double)out->ny, width,
        height, wkt ? strdup(wkt) : NULL};
    if (wkt && !out->placed.wkt)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for its coordinate system", path);
    return OTOK_OK;
}

otok_status otok_axes_settle(otok_axes *out, const otok_dimension d[2], const char *wkt,
                             const char *path, const char *name)
{
    *out = (otok_axes){.x = 1};
    OTOK_TRY(settle_order(out, d, path, name));
    const otok_dimension *x = &d[out->x], *y = &d[!out->x];
    line lines[2];
    if (is_rotated(x) || is_rotated(y))
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: %s is on a rotated grid (%s, %s): its degrees are no longitudes and latitudes; "
            "regrid it to a projection in metres, for example with cdo remapbil",
            path, name, x->name, y->name);
    OTOK_TRY(measure(&lines[0], &out->falls[0], x, path));
    OTOK_TRY(measure(&lines[1], &out->falls[1], y, path));
    const int angular = is_angular(x) + is_angular(y);
    if (angular == 1 && *x->units && *y->units)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: of the coordinates of %s one is in degrees and one is not: %s in "
                         "`%s`, %s in `%s`; correct their units",
                         path, name, x->name, x->units, y->name, y->units);
    const otok_georeference named = {1, 0, 0, 1, 1, (char *)wkt};
    if (angular && wkt && !otok_georeference_is_geographic(&named)) wkt = NULL;
    if (angular && !wkt) wkt = OTOK_WGS84;
    if (!angular) {
        const double unit = otok_georeference_unit(&named);
        OTOK_TRY(scale(&lines[0], x, unit, path));
        OTOK_TRY(scale(&lines[1], y, unit, path));
    }
    OTOK_TRY(place(out, lines, wkt, path));
    return !out->placed.known || otok_georeference_is_good(&out->placed)
               ? OTOK_OK
               : OTOK_FAIL(OTOK_DATA, "%s: crs is not a coordinate system; correct its crs_wkt",
                           path);
}

void otok_axes_arrange(float *to, const float *from, const otok_axes *a)
{
    for (int64_t j = 0; j < a->ny; j++)
        for (int64_t i = 0; i < a->nx; i++) {
            const int64_t x = a->falls[0] ? a->nx - 1 - i : i, y = a->falls[1] ? a->ny - 1 - j : j;
            to[j * a->nx + i] = from[a->x ? y * a->nx + x : x * a->ny + y];
        }
}
