/* place.c: compares the places of two grids on Earth. */
#include "../core/status.h"
#include "georeference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number after "zone" in the name of a system, of OGC ("UTM zone 33N") or Esri
   ("UTM_Zone_33N"); negative in the south; 0: none. */
static int zone_of(const otok_georeference *p)
{
    char name[128], *end;
    otok_georeference_name(p, name, sizeof name);
    const char *zone = strcasestr(name, "zone");
    const long number = zone ? strtol(zone + 5, &end, 10) : 0;
    return zone ? (int)(*end == 'S' ? -number : number) : 0;
}

otok_status otok_georeference_check_lengths(const otok_georeference *p, int64_t nx, int64_t ny,
                                            const char *path)
{
    const double degree = 6371008.8 * M_PI / 180, unit = otok_georeference_unit(p);
    const double step[2] = {p->width, p->height};
    if (!p->known || !p->wkt || otok_georeference_is_geographic(p)) return OTOK_OK;
    for (int k = 0; k < 2; k++) {
        double at[2] = {p->west + 0.5 * p->width * (double)nx,
                        p->north - 0.5 * p->height * (double)ny};
        double next[2] = {at[0], at[1]};
        next[k] += step[k];
        int moved[2];
        OTOK_TRY(otok_georeference_move(&at[0], &at[1], p->wkt, OTOK_WGS84, path, &moved[0]));
        OTOK_TRY(otok_georeference_move(&next[0], &next[1], p->wkt, OTOK_WGS84, path, &moved[1]));
        if (!moved[0] || !moved[1]) return OTOK_OK;
        const double east = remainder(next[0] - at[0], 360) * cos(at[1] * M_PI / 180),
                     ground = degree * hypot(east, next[1] - at[1]), map = step[k] * unit;
        if (fabs(map - ground) > 0.05 * ground)
            return OTOK_FAIL(
                OTOK_DATA,
                "%s: its cells are %.9g m %s in its coordinate system, and %.4g m on the ground; "
                "warp it to UTM with `reproject: auto`, or with `gdalwarp -t_srs`",
                path, map, k ? "high" : "wide", ground);
    }
    return OTOK_OK;
}

otok_status otok_georeference_same_place(const otok_georeference *a, const otok_georeference *b,
                                         int64_t ny, const char *name_a, const char *name_b)
{
    double width, height;
    if (!a->known || !b->known) return OTOK_OK;
    if (otok_georeference_is_geographic(a) != otok_georeference_is_geographic(b))
        return OTOK_FAIL(OTOK_DATA,
                         "%s is in degrees and %s is not; give all rasters of a scenario one "
                         "coordinate system, for example with `reproject: auto`",
                         otok_georeference_is_geographic(a) ? name_a : name_b,
                         otok_georeference_is_geographic(a) ? name_b : name_a);
    double west = a->west, south = a->north - a->height * (double)ny;
    int moved = 1;
    if (a->wkt && b->wkt && strcmp(a->wkt, b->wkt) != 0)
        OTOK_TRY(otok_georeference_move(&west, &south, a->wkt, b->wkt, name_a, &moved));
    if (!moved && zone_of(a) != zone_of(b))
        return OTOK_FAIL(OTOK_DATA,
                         "%s is in zone %d, %s in zone %d of their coordinate systems; warp one to "
                         "the other's, for example with `gdalwarp -t_srs`",
                         name_a, zone_of(a), name_b, zone_of(b));
    otok_georeference_metres(a, ny, &width, &height);
    const double x = (b->west - west) * width / a->width,
                 y = (b->north - b->height * (double)ny - south) * height / a->height;
    if (fabs(x) <= 0.1 * width && fabs(y) <= 0.1 * height) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s is not where %s is: its lower left corner is %.9g m to the %s and %.9g m "
                     "to the %s of that one's, and a cell is %.9g m; cut both from the same area, "
                     "for example with `gdalwarp -te`, or correct the wrong corner",
                     name_b, name_a, fabs(x), x < 0 ? "west" : "east", fabs(y),
                     y < 0 ? "south" : "north", width);
}
