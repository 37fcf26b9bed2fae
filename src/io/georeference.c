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

int otok_georeference_is_place(const otok_georeference *p, int64_t ny)
{
    const double south = p->north - p->height * (double)ny;
    return p->known &&
           (p->wkt || fabs(p->west) >= 0.1 * p->width || fabs(south) >= 0.1 * p->height);
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

void otok_georeference_name(const otok_georeference *p, char *name, size_t size)
{
    const char *quote = p->wkt ? strchr(p->wkt, '"') : NULL,
               *end = quote ? strchr(quote + 1, '"') : NULL;
    snprintf(name, size, "%.*s", end ? (int)(end - quote - 1) : 0, end ? quote + 1 : "");
}
