/* window.c: the part of a raster that the grid takes: where its middle is in coordinates of a map,
   and the cells around it. */
#include "../core/status.h"
#include "raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "340 m west and 20 m south", from what reaches beyond west, east, south and north [m]. */
static const char *words_of(const double beyond[4], char out[160])
{
    static const char *const names[4] = {"west", "east", "south", "north"};
    out[0] = 0;
    for (int i = 0; i < 4; i++) {
        const size_t n = strlen(out);
        if (beyond[i] > 0)
            snprintf(out + n, 160 - n, "%s%.6g m %s", n ? ", " : "", beyond[i], names[i]);
    }
    return out;
}

otok_status otok_base_window_middle(double at[2], const otok_raster *r,
                                    const otok_raster_generator *given)
{
    const otok_georeference *p = &r->georeference;
    const char *system = strcmp(given->at_system, "lonlat") == 0 ? OTOK_WGS84 : given->at_system;
    int moved = 1;
    at[0] = given->at_x;
    at[1] = given->at_y;
    if (!*system)
        return OTOK_FAIL(OTOK_DATA, "%s: at_system is missing; write lonlat, map or EPSG:NUMBER",
                         given->file);
    if (!p->known || (strcmp(system, "map") != 0 && !p->wkt))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: does not say its %s, in which `at` could be; give it one, such as a "
                         ".prj, or cut the file before",
                         given->file, p->known ? "coordinate system" : "place");
    if (strcmp(system, "map") != 0)
        OTOK_TRY(otok_georeference_move(&at[0], &at[1], system, p->wkt, given->file, &moved));
    if (!moved)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: at %.12g, %.12g (%s) has no place in its system, or this build "
                         "cannot find it (it needs GDAL); longitude comes first",
                         given->file, given->at_x, given->at_y, given->at_system);
    double width, height;
    char words[160];
    const double east = p->west + p->width * (double)r->nx,
                 south = p->north - p->height * (double)r->ny;
    if (otok_georeference_is_geographic(p)) /* 350 is -10 */
        at[0] = 0.5 * (p->west + east) + remainder(at[0] - 0.5 * (p->west + east), 360);
    otok_georeference_metres(p, r->ny, &width, &height);
    const double beyond[4] = {
        (p->west - at[0]) * width / p->width, (at[0] - east) * width / p->width,
        (south - at[1]) * height / p->height, (at[1] - p->north) * height / p->height};
    if (!*words_of(beyond, words)) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: at %.12g, %.12g (%s), the middle of the grid, is %s of the raster, whose "
                     "lower left corner is %.10g, %.10g and whose upper right one is %.10g, %.10g",
                     given->file, given->at_x, given->at_y, given->at_system, words, p->west, south,
                     east, p->north);
}

otok_status otok_base_window_cut(otok_raster *r, const double at[2],
                                 const otok_raster_generator *given, otok_grid g)
{
    otok_georeference *p = &r->georeference;
    const double south = p->north - p->height * (double)r->ny;
    const int64_t i0 = (int64_t)llround((at[0] - p->west) / p->width - 0.5 * (double)g.nx),
                  j0 = (int64_t)llround((at[1] - south) / p->height - 0.5 * (double)g.ny);
    double width, height;
    char words[160];
    otok_georeference_metres(p, r->ny, &width, &height);
    const double beyond[4] = {width * (double)-i0, width * (double)(i0 + g.nx - r->nx),
                              height * (double)-j0, height * (double)(j0 + g.ny - r->ny)};
    if (*words_of(beyond, words))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: the grid of %lld x %lld cells around %.12g, %.12g (%s) reaches %s "
                         "beyond the raster; move `at`, or lower `grid.nx` and `grid.ny`",
                         given->file, (long long)g.nx, (long long)g.ny, given->at_x, given->at_y,
                         given->at_system, words);
    float *map = malloc((size_t)(g.nx * g.ny) * sizeof *map);
    if (!map) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a part of it", given->file);
    r->missing = 0;
    for (int64_t n = 0; n < g.nx * g.ny; n++) {
        map[n] = r->map[(j0 + n / g.nx) * r->nx + i0 + n % g.nx];
        r->missing += isnan(map[n]) != 0;
    }
    free(r->map);
    r->map = map;
    r->nx = g.nx;
    r->ny = g.ny;
    p->west += p->width * (double)i0;
    p->north = south + p->height * (double)(j0 + g.ny);
    return OTOK_OK;
}

otok_status otok_base_window_check(const otok_raster *r, const double at[2],
                                   const otok_raster_generator *given, otok_grid g,
                                   const otok_raster_place *place)
{
    const otok_georeference *p = &place->at;
    double x = at[0], y = at[1];
    int moved = 0;
    if (!p->known || !p->wkt || otok_georeference_is_geographic(p)) return OTOK_OK;
    OTOK_TRY(otok_georeference_move(&x, &y, r->georeference.wkt, p->wkt, given->file, &moved));
    const double away = hypot(x - p->west - 0.5 * p->width * (double)g.nx,
                              y - p->north + 0.5 * p->height * (double)g.ny);
    if (moved && away <= hypot(p->width, p->height)) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: at %.12g, %.12g (%s) is %.6g m from the middle of the grid, which %s has "
                     "placed; give all rasters the same `at`, or the first alone",
                     given->file, given->at_x, given->at_y, given->at_system,
                     away * otok_georeference_unit(p), place->file);
}
