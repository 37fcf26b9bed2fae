/* raster.c: see raster.h. The cells of a file become the grid's one to one; they are stretched or
   reprojected on request. */
#include "raster.h"

#include "../core/status.h"
#include "../scenario/scenario_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fabs(b);
}

/* ---- degrees ---- */

/* Numbers without a system that can hardly be metres: small cells within the ranges of longitude
   and latitude, away from the origin, or a whole turn of the Earth. */
static int looks_like_degrees(const otok_raster *r)
{
    const otok_georeference *p = &r->georeference;
    const double east = p->west + p->width * (double)r->nx,
                 south = p->north - p->height * (double)r->ny;
    if (!p->known || p->wkt || p->west < -180.5 || east > 360.5 || south < -90.5 || p->north > 90.5)
        return 0;
    const int is_at_origin = fabs(p->west) < p->width && fabs(south) < p->height;
    return (p->width <= 0.5 && !is_at_origin) || fabs(p->width * (double)r->nx - 360) < p->width;
}

static otok_status check_latitudes(const otok_raster *r, const char *path)
{
    const otok_georeference *p = &r->georeference;
    const double south = p->north - p->height * (double)r->ny;
    if (p->north <= 90 + p->height && south >= -90 - p->height) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: is in degrees by its coordinate system, but its latitudes go from %.9g "
                     "to %.9g, beyond a pole: it is in another system; give it the right one with "
                     "`gdal_edit.py -a_srs`, or correct its .prj",
                     path, south, p->north);
}

/* A raster in degrees that is not to be reprojected. Its cells are as good as square only near the
   equator. */
static otok_status check_degrees(const otok_raster *r, otok_grid g, const char *path)
{
    double width, height;
    otok_georeference p = r->georeference;
    static char earth[] = "GEOGCS[";
    const int is_guess = looks_like_degrees(r);
    if (is_guess) p.wkt = earth;
    if (!otok_georeference_is_geographic(&p)) return OTOK_OK;
    OTOK_TRY(check_latitudes(r, path));
    otok_georeference_metres(&p, r->ny, &width, &height);
    if (!is_guess && fabs(width - g.spacing) <= 0.01 * g.spacing &&
        fabs(height - g.spacing) <= 0.01 * g.spacing)
        return OTOK_OK;
    const double fine = fmin(width, height);
    return OTOK_FAIL(
        OTOK_DATA,
        "%s: %s in degrees; its cells of %.6g x %.6g degrees are about %.4g m wide and %.4g m "
        "high, and the grid's are squares of %.9g m. Write `raster: {file: %s, reproject: auto}` "
        "with `grid: {nx: %.0f, ny: %.0f, spacing: %.4g}`%s",
        path, is_guess ? "has no coordinate system and seems to be" : "is", p.width, p.height,
        width, height, g.spacing, path, floor(width * (double)r->nx / fine),
        floor(height * (double)r->ny / fine), fine,
        is_guess ? " after giving it the system with `gdal_edit.py -a_srs EPSG:4326` or a .prj; if "
                   "it is in metres, put its lower left corner at 0 0 or give it a projected system"
                 : "");
}

/* ---- size and place ---- */

/* Checks the size of cells in metres. */
static otok_status check_spacing(const otok_raster *r, otok_grid g, const char *path)
{
    double width, height;
    if (!r->georeference.known || otok_georeference_is_geographic(&r->georeference)) return OTOK_OK;
    otok_georeference_metres(&r->georeference, r->ny, &width, &height);
    OTOK_TRY(otok_georeference_check_lengths(&r->georeference, r->nx, r->ny, path));
    const double near = fmax(1e-6, fmin(r->slack, 1e-3));
    if (fabs(width - g.spacing) <= near * g.spacing && fabs(height - g.spacing) <= near * g.spacing)
        return OTOK_OK;
    if (is_near(width, height))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: its cells are %.9g m, the grid's spacing is %.9g; write `grid: {nx: "
                         "%lld, ny: %lld, spacing: %.9g}`, or `fit: stretch`",
                         path, width, g.spacing, (long long)r->nx, (long long)r->ny, width);
    return OTOK_FAIL(
        OTOK_DATA,
        "%s: its cells are %.9g m wide and %.9g m high, a grid's are square; make them so with "
        "`reproject: auto`, or with `gdalwarp -tr %.9g %.9g -r bilinear %s OUT.tif`",
        path, width, height, r->georeference.height, r->georeference.height, path);
}

static otok_status check_size(const otok_raster *r, otok_grid g, const char *path)
{
    if (r->nx == g.nx && r->ny == g.ny) return OTOK_OK;
    double width = g.spacing, height = g.spacing;
    if (r->georeference.known) otok_georeference_metres(&r->georeference, r->ny, &width, &height);
    return OTOK_FAIL(OTOK_DATA,
                     "%s: has %lld x %lld cells, the grid %lld x %lld; write `grid: {nx: %lld, ny: "
                     "%lld, spacing: %.9g}`, or `fit: stretch`",
                     path, (long long)r->nx, (long long)r->ny, (long long)g.nx, (long long)g.ny,
                     (long long)r->nx, (long long)r->ny,
                     is_near(width, height) ? width : sqrt(width * height));
}

/* The same place as the rasters before it. */
static otok_status settle_place(const otok_raster *r, const char *path, otok_raster_place *place)
{
    const otok_georeference *p = &r->georeference;
    if (!otok_georeference_is_place(p, r->ny)) return OTOK_OK;
    if (place->at.known)
        return otok_georeference_same_place(&place->at, p, r->ny, place->file, path);
    snprintf(place->file, sizeof place->file, "%s", path);
    return otok_georeference_copy(&place->at, p);
}

static otok_status keep_holes(otok_raster *r, const char *path)
{
    r->holes = malloc((size_t)(r->nx * r->ny));
    if (!r->holes) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for cells without data", path);
    for (int64_t n = 0; n < r->nx * r->ny; n++)
        r->holes[n] = isnan(r->map[n]) != 0;
    return OTOK_OK;
}

/* Walls keep the height of the nearest cell, for pictures. */
static otok_status fill(otok_raster *r, const otok_raster_generator *given)
{
    if (!r->missing) return OTOK_OK;
    if (given->fill == OTOK_FILL_WALL) OTOK_TRY(keep_holes(r, given->file));
    if (given->fill == OTOK_FILL_WALL || given->fill == OTOK_FILL_NEAREST)
        return otok_raster_fill(r, given->file);
    if (given->fill == OTOK_FILL_REFUSE)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: %lld of its cells have no data; fill them (`gdal_fillnodata.py`), or "
                         "write `fill: wall`, `nearest` or `constant`",
                         given->file, (long long)r->missing);
    for (int64_t n = 0; n < r->nx * r->ny; n++)
        if (isnan(r->map[n])) r->map[n] = (float)given->fill_height;
    return OTOK_OK;
}

/* Fits one raster to the grid, as its keys say, and compares its place with that of the rasters
   before it. */
static otok_status fit_raster(otok_raster *r, const otok_raster_generator *given, otok_grid grid,
                              otok_raster_place *place)
{
    const int is_window = !isnan(given->at_x) && !isnan(given->at_y);
    double at[2];
    if (!is_window && (!isnan(given->at_x) || !isnan(given->at_y) || *given->at_system))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: at_x, at_y and at_system go together; write such as at: [13.41, "
                         "52.52], system: lonlat",
                         given->file);
    if (is_window) OTOK_TRY(otok_base_window_middle(at, r, given));
    if (given->reproject == OTOK_REPROJECT_AUTO) {
        if (otok_georeference_is_geographic(&r->georeference))
            OTOK_TRY(check_latitudes(r, given->file));
        if (is_window) OTOK_TRY(otok_base_window_check(r, at, given, grid, place));
        OTOK_TRY(otok_raster_warp(r, grid, &place->at, is_window ? at : NULL, given->maximum,
                                  given->file));
    }
    if (given->fit == OTOK_FIT_EXACT) {
        OTOK_TRY(check_degrees(r, grid, given->file));
        if (is_window && given->reproject != OTOK_REPROJECT_AUTO)
            OTOK_TRY(otok_base_window_cut(r, at, given, grid));
        OTOK_TRY(check_size(r, grid, given->file));
        OTOK_TRY(check_spacing(r, grid, given->file));
        OTOK_TRY(fill(r, given));
    } else {
        if (is_window && given->reproject != OTOK_REPROJECT_AUTO)
            return OTOK_FAIL(OTOK_DATA,
                             "%s: `at` cuts a part out, and `fit: stretch` uses the whole file; "
                             "keep one, or write `reproject: auto`",
                             given->file);
        OTOK_TRY(fill(r, given));
        OTOK_TRY(otok_base_stretch(r, grid, given->maximum, given->file));
    }
    return settle_place(r, given->file, place);
}

/* A generator's raster has the unit of the map that it goes into. A mask, and a raster that
   multiplies, are pure numbers. */
typedef struct reader {
    otok_base_rasters *out;
    otok_grid grid;
    otok_raster_place *place;
    int to_place; /* is the place of the first raster that has one all that is wanted? */
} reader;

otok_status otok_base_raster_read(otok_raster *out, const otok_raster_generator *given,
                                  const char *unit, int64_t step, otok_grid grid,
                                  otok_raster_place *place)
{
    const otok_raster_wanted wanted = {.path = given->file,
                                       .variable = given->variable,
                                       .low = given->low,
                                       .high = given->high,
                                       .nodata = given->nodata,
                                       .positive = (given->positive == OTOK_POSITIVE_UP) -
                                                   (given->positive == OTOK_POSITIVE_DOWN),
                                       .unit = unit,
                                       .step = step};
    OTOK_TRY(otok_raster_get(out, &wanted));
    otok_status status = OTOK_OK;
    if (strcmp(unit, "m") == 0 && !out->is_scaled)
        status = otok_raster_check_heights(out, given->highest, given->file);
    return status == OTOK_OK ? fit_raster(out, given, grid, place) : status;
}

/* Is a file read for the first time? Its name and variable as a number, by FNV-1a. */
static int is_first(otok_raster_place *place, const otok_raster_generator *g)
{
    uint64_t name = 0xcbf29ce484222325;
    for (const char *at = g->file; *at; at++)
        name = (name ^ (unsigned char)*at) * 0x100000001b3;
    for (const char *at = g->variable; *at; at++)
        name = (name ^ (unsigned char)*at) * 0x100000001b3;
    for (int i = 0; i < place->ncounted; i++)
        if (place->counted[i] == name) return 0;
    if (place->ncounted < OTOK_MAX_RASTERS) place->counted[place->ncounted++] = name;
    return 1;
}

static otok_status read_one(const reader *to, const otok_generator *g, const char *unit)
{
    otok_raster r;
    otok_base_rasters *out = to->out;
    const otok_raster_generator *given = &g->as.raster;
    otok_status status = otok_base_raster_read(&r, given, unit, 0, to->grid, to->place);
    if (status == OTOK_OK && r.georeference.known && !out->georeference.known)
        status = otok_georeference_copy(&out->georeference, &r.georeference);
    if (status == OTOK_OK && !out->holes) {
        out->holes = r.holes;
        r.holes = NULL;
    }
    for (int64_t n = 0; status == OTOK_OK && r.holes && n < r.nx * r.ny; n++)
        out->holes[n] |= r.holes[n];
    if (status == OTOK_OK) {
        out->maps[g->map] = r.map;
        if (given->fill != OTOK_FILL_WALL && is_first(to->place, given)) {
            out->cells += r.nx * r.ny;
            out->filled += r.missing;
        }
        r.map = NULL;
    }
    otok_raster_destroy(&r);
    return status;
}

static otok_status read_list(const reader *to, const otok_generator *list, int n, const char *unit)
{
    for (int i = 0; i < n && !(to->to_place && to->out->georeference.known); i++) {
        const char *here = list[i].combine == OTOK_MULTIPLY ? "1" : unit;
        if (list[i].kind == OTOK_GEN_RASTER) OTOK_TRY(read_one(to, &list[i], here));
        OTOK_TRY(read_list(to, list[i].with, list[i].nwith, here));
        OTOK_TRY(read_list(to, list[i].mask, list[i].nmask, "1"));
    }
    return OTOK_OK;
}

otok_status otok_base_rasters_read(otok_base_rasters *out, const otok_scenario *scenario,
                                   const char *unit, otok_raster_place *place)
{
    *out = (otok_base_rasters){0};
    const reader to = {out, scenario->grid, place, 0};
    const otok_status status = read_list(&to, scenario->base, scenario->nbase, unit);
    if (status != OTOK_OK) otok_base_rasters_destroy(out);
    return status;
}

static otok_status find_place(otok_georeference *out, const otok_scenario *scenario)
{
    otok_base_rasters r = {0};
    otok_raster_place place = {.file = ""};
    const reader to = {&r, scenario->grid, &place, 1};
    const otok_status status = read_list(&to, scenario->base, scenario->nbase, "m");
    if (status == OTOK_OK) *out = r.georeference, r.georeference = (otok_georeference){0};
    otok_base_rasters_destroy(&r);
    otok_georeference_destroy(&place.at);
    return status;
}

void otok_base_place(otok_georeference *out, const otok_scenario *scenario)
{
    find_place(out, scenario);
}

/* Scenarios with points in coordinates of a map are read below this room. */
__attribute__((constructor)) static void offer_place(void)
{
    otok_scenario_find_place = find_place;
}

void otok_base_rasters_destroy(otok_base_rasters *rasters)
{
    for (int m = 0; m < OTOK_MAX_RASTERS; m++)
        free(rasters->maps[m]);
    free(rasters->holes);
    otok_georeference_destroy(&rasters->georeference);
    *rasters = (otok_base_rasters){0};
}

int otok_base_raster_count(const otok_generator *list, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += (list[i].kind == OTOK_GEN_RASTER) +
                 otok_base_raster_count(list[i].with, list[i].nwith) +
                 otok_base_raster_count(list[i].mask, list[i].nmask);
    return count;
}
