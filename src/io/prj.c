/* prj.c: see prj.h. */
#include "prj.h"

#include "../core/status.h"
#include "file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
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

/* The unit of heights, in a word that units of files may have; "": metres or none. */
static const char *unit_of_heights(const char *word)
{
    if (begins(word, "FEET") || begins(word, "FOOT")) return "ft";
    return begins(word, "MET") || begins(word, "NO") ? "" : word;
}

static double metres_in(const char *units)
{
    return begins(units, "MET") ? 1 : begins(units, "FEET") || begins(units, "FOOT") ? 0.3048 : 0;
}

static int are_degrees(const char *units)
{
    return begins(units, "DD") || begins(units, "DEG") || begins(units, "DECIMAL");
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
    const int is_degrees = are_degrees(units) || (begins(projection, "GEO") && !*units);
    const double metres = metres_in(units);
    const char *known = *datum ? datum : "unknown";
    snprintf(unit, size, "%s", unit_of_heights(heights));
    if (!is_degrees && (metres == 0 || !*projection || begins(projection, "GEO")))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: neither WKT nor Esri's old form with `Projection` and `Units` in DD, "
                         "METERS or FEET; write it again, for example with `gdalsrsinfo -o "
                         "wkt1_esri EPSG:32633`, or take it away if the raster is in metres",
                         name);
    const int length = is_degrees
                           ? asprintf(wkt,
                                      "GEOGCS[\"%s\",DATUM[\"%s\",SPHEROID[\"WGS "
                                      "84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT["
                                      "\"degree\",0.0174532925199433]]",
                                      known, known)
                           : asprintf(wkt, "LOCAL_CS[\"%s %s %s\",UNIT[\"%s\",%.17g]]", datum,
                                      projection, zone, metres == 1 ? "metre" : "foot", metres);
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
        status = OTOK_FAIL(OTOK_DATA,
                           "%s: is empty or not text; write the coordinate system as WKT into it, "
                           "or take it away if the raster is in metres",
                           name);
    else if (!strchr(at, '['))
        status = read_old(wkt, unit, size, at, name);
    else if (!(*wkt = strdup(at)))
        status = OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a coordinate system", name);
    free(text);
    return status;
}

static const char *const endings[] = {"prj", "PRJ", "Prj"};

/* NAME.prj beside NAME.asc, malloc'd. */
static char *name_beside(const char *path, const char *ending)
{
    char *name = NULL;
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    const int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    return asprintf(&name, "%.*s.%s", stem, path, ending) < 0 ? NULL : name;
}

static otok_status fail_name(const char *path)
{
    return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a name", path);
}

otok_status otok_prj_write(const char *path, const char *wkt)
{
    char *name = name_beside(path, endings[0]);
    if (!name) return fail_name(path);
    const otok_status status = otok_file_put(name, wkt, strlen(wkt));
    free(name);
    return status;
}

otok_status otok_prj_remove(const char *path)
{
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char *name = name_beside(path, endings[i]);
        if (!name) return fail_name(path);
        const otok_status status = unlink(name) == 0 || errno == ENOENT
                                       ? OTOK_OK
                                       : otok_file_failed(name, "remove", errno);
        free(name);
        OTOK_TRY(status);
    }
    return OTOK_OK;
}

otok_status otok_prj_read(char **wkt, char *unit, size_t size, const char *path)
{
    *wkt = NULL;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char *name = name_beside(path, endings[i]);
        if (!name) return fail_name(path);
        struct stat about;
        const int there = stat(name, &about) == 0 && S_ISREG(about.st_mode);
        const otok_status status = there ? read_named(wkt, unit, size, name) : OTOK_OK;
        free(name);
        if (there) return status;
    }
    return OTOK_OK;
}
