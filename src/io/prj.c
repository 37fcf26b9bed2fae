/* prj.c: see prj.h. */
#include "prj.h"

#include "../core/status.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_WKT = 1 << 16 };

/* The value of a line "Key   value" in Esri's old form, in upper case; "": there is none. */
static void find_value(const char *text, const char *key, char *value, size_t size)
{
    *value = 0;
    for (const char *at = text; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        const char *word = at + strspn(at, " \t\r");
        const size_t length = strcspn(word, " \t\r\n");
        if (length != strlen(key) || strncasecmp(word, key, length) != 0) continue;
        word += length + strspn(word + length, " \t");
        size_t n = strcspn(word, "\r\n");
        while (n > 0 && isspace((unsigned char)word[n - 1]))
            n--;
        for (size_t i = 0; i < n && i + 1 < size; i++)
            value[i] = (char)toupper((unsigned char)word[i]), value[i + 1] = 0;
        return;
    }
}

static int begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* A geographic system of a datum, or a projected one with its unit: enough to tell degrees, feet
   and metres apart. */
static otok_status read_old(char **wkt, char *unit, size_t size, const char *text, const char *name)
{
    char projection[64], units[64], heights[64], datum[64], zone[64];
    find_value(text, "Projection", projection, sizeof projection);
    find_value(text, "Units", units, sizeof units);
    find_value(text, "Zunits", heights, sizeof heights);
    find_value(text, "Datum", datum, sizeof datum);
    find_value(text, "Zone", zone, sizeof zone);
    const int is_degrees = begins(projection, "GEO") || begins(units, "DD") ||
                           begins(units, "DEG") || begins(units, "DECIMAL");
    const double metres = begins(units, "MET")    ? 1
                          : begins(units, "FEET") ? 0.3048
                          : begins(units, "FOOT") ? 0.3048
                                                  : 0;
    if (begins(heights, "FEET") || begins(heights, "FOOT"))
        snprintf(unit, size, "ft");
    else if (*heights && !begins(heights, "MET") && !begins(heights, "NO"))
        snprintf(unit, size, "%s", heights);
    int length = -1;
    if (is_degrees &&
        (begins(units, "DD") || begins(units, "DEC") || begins(units, "DEG") || !*units))
        length = asprintf(wkt,
                          "GEOGCS[\"%s\",DATUM[\"%s\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
                          "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]",
                          *datum ? datum : "unknown", *datum ? datum : "unknown");
    else if (metres > 0 && *projection)
        length = asprintf(wkt, "LOCAL_CS[\"%s %s %s\",UNIT[\"%s\",%.17g]]", datum, projection, zone,
                          metres == 1 ? "metre" : "foot", metres);
    else
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: neither WKT nor Esri's old form with `Projection` and `Units` in DD, "
            "METERS or FEET; write it again, for example with `gdalsrsinfo -o wkt1_esri "
            "EPSG:32633`, or take it away if the raster is in metres",
            name);
    if (length >= 0) return OTOK_OK;
    *wkt = NULL;
    return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a coordinate system", name);
}

static otok_status read_named(char **wkt, char *unit, size_t size, const char *name)
{
    char *text;
    OTOK_TRY(otok_whole_text(&text, name, MOST_WKT));
    char *at = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
    at += strspn(at, " \t\r\n");
    for (size_t n = strlen(at); n > 0 && isspace((unsigned char)at[n - 1]); n--)
        at[n - 1] = 0;
    otok_status status = OTOK_OK;
    if (!*at || isalpha((unsigned char)*at) == 0)
        status =
            OTOK_FAIL(OTOK_DATA,
                      "%s: is empty or not text; write the coordinate system as WKT into it, or "
                      "take it away if the raster is in metres",
                      name);
    else if (!strchr(at, '['))
        status = read_old(wkt, unit, size, at, name);
    else if (!(*wkt = strdup(at)))
        status = OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a coordinate system", name);
    free(text);
    return status;
}

otok_status otok_prj_read(char **wkt, char *unit, size_t size, const char *path)
{
    static const char *const endings[] = {"prj", "PRJ", "Prj"};
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    const int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    *wkt = NULL;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char *name = NULL;
        if (asprintf(&name, "%.*s.%s", stem, path, endings[i]) < 0)
            return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a name", path);
        const int there = access(name, F_OK) == 0;
        const otok_status status = there ? read_named(wkt, unit, size, name) : OTOK_OK;
        free(name);
        if (there) return status;
    }
    return OTOK_OK;
}
