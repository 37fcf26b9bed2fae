/* georeference.c: see georeference.h. Only the first word, the first name and the unit of length of
 * a WKT are read. */
#include "georeference.h"

#include "../core/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

otok_status otok_georeference_copy(otok_georeference *to, const otok_georeference *from)
{
    char *wkt = from->wkt ? strdup(from->wkt) : NULL;
    otok_georeference_destroy(to);
    if (from->wkt && !wkt) return OTOK_FAIL(OTOK_NOMEM, "no memory for a coordinate system");
    *to = *from;
    to->wkt = wkt;
    return OTOK_OK;
}

void otok_georeference_destroy(otok_georeference *georeference)
{
    free(georeference->wkt);
    *georeference = (otok_georeference){0};
}

int otok_georeference_is_good(const otok_georeference *p)
{
    if (!isfinite(p->west) || !isfinite(p->north) || !(p->width > 0) || !(p->height > 0) ||
        isinf(p->width) || isinf(p->height))
        return 0;
    for (const char *c = p->wkt; c && *c; c++)
        if ((unsigned char)*c < 0x20 && *c != '\n' && *c != '\r' && *c != '\t') return 0;
    return 1;
}

int otok_georeference_is_geographic(const otok_georeference *p)
{
    static const char *const words[] = {"GEOGCS[", "GEOGCRS[", "GEOGRAPHICCRS[", "GEODCRS[",
                                        "GEODETICCRS["};
    const char *wkt = p->wkt ? p->wkt : "";
    if (strncmp(wkt, "COMPD_CS[", 9) == 0 ||
        strncmp(wkt, "COMPOUNDCRS[", 12) == 0) /* its horizontal part comes first */
        return !strstr(wkt, "PROJCS[") && !strstr(wkt, "PROJCRS[");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(wkt, words[i], strlen(words[i])) == 0) return 1;
    return 0;
}

/* The unit of a projected system: the last one in its text, before the heights of a compound
   system. */
double otok_georeference_unit(const otok_georeference *p)
{
    double metres = 1, found;
    if (!p->wkt || otok_georeference_is_geographic(p)) return 1;
    const char *heights = strstr(p->wkt, "VERT");
    for (const char *at = strstr(p->wkt, "UNIT["); at && (!heights || at < heights);
         at = strstr(at + 1, "UNIT[")) {
        const char *quote = strchr(at, '"'), *end = quote ? strchr(quote + 1, '"') : NULL;
        const int is_angle = at - p->wkt >= 5 && strncmp(at - 5, "ANGLE", 5) == 0;
        if (end && !is_angle && sscanf(end + 1, " , %lf", &found) == 1 && found > 0) metres = found;
    }
    return metres;
}

int otok_georeference_vertical(const otok_georeference *p, double *metres)
{
    double found;
    *metres = 1;
    const char *heights = p->wkt ? strstr(p->wkt, "VERT_CS[") : NULL;
    if (!heights && p->wkt) heights = strstr(p->wkt, "VERTCRS[");
    if (!heights && p->wkt) heights = strstr(p->wkt, "VERTCS[");
    if (!heights) return 0;
    for (const char *at = strstr(heights, "UNIT["); at; at = strstr(at + 1, "UNIT[")) {
        const char *quote = strchr(at, '"'), *end = quote ? strchr(quote + 1, '"') : NULL;
        if (end && sscanf(end + 1, " , %lf", &found) == 1 && found > 0) *metres = found;
    }
    return strstr(heights, ",DOWN]") || strstr(heights, ",down]") || strstr(heights, ",down,") ||
           strstr(heights, "PARAMETER[\"Direction\",-1");
}

void otok_georeference_metres(const otok_georeference *p, int64_t ny, double *width, double *height)
{
    const double degree = 6371008.8 * M_PI / 180, unit = otok_georeference_unit(p);
    *width = p->width * unit;
    *height = p->height * unit;
    if (!otok_georeference_is_geographic(p)) return;
    const double latitude = p->north - 0.5 * p->height * (double)ny;
    *width = p->width * degree * cos(latitude * M_PI / 180);
    *height = p->height * degree;
}

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
    if (a->wkt && b->wkt && strcmp(a->wkt, b->wkt) != 0 &&
        !otok_georeference_move(&west, &south, a->wkt, b->wkt) && zone_of(a) != zone_of(b))
        return OTOK_FAIL(OTOK_DATA,
                         "%s is in zone %d, %s in zone %d of their coordinate systems; warp one to "
                         "the other's, for example with `gdalwarp -t_srs`",
                         name_a, zone_of(a), name_b, zone_of(b));
    otok_georeference_metres(a, ny, &width, &height);
    const double x = (b->west - west) * width / a->width,
                 y = (b->north - b->height * (double)ny - south) * height / a->height;
    if (fabs(x) <= 0.1 * width && fabs(y) <= 0.1 * height) return OTOK_OK;
    return OTOK_FAIL(
        OTOK_DATA,
        "%s is not where %s is: its lower left corner is %.9g m to the %s and %.9g m to "
        "the %s of that one's, and a cell is %.9g m; cut both from the same area, for "
        "example with `gdalwarp -te`, or correct the wrong corner",
        name_b, name_a, fabs(x), x < 0 ? "west" : "east", fabs(y), y < 0 ? "south" : "north",
        width);
}

void otok_georeference_name(const otok_georeference *p, char *name, size_t size)
{
    const char *quote = p->wkt ? strchr(p->wkt, '"') : NULL,
               *end = quote ? strchr(quote + 1, '"') : NULL;
    snprintf(name, size, "%.*s", end ? (int)(end - quote - 1) : 0, end ? quote + 1 : "");
}
