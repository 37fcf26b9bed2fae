/* raster_ascii.c: reads Esri ASCII grids, with the coordinate system of a .prj file beside them
   (prj.c). A number is read as the nearest float. */
#include "../core/status.h"
#include "file.h"
#include "prj.h"
#include "raster.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DEFAULT_NODATA -9999.0 /* Esri's, for files that name none */

typedef struct head {
    double ncols, nrows, x, y, dx, dy, nodata; /* NAN: not given */
    int x_is_centre, y_is_centre;
} head;

static int read_word(head *h, const char *key, size_t length, double value)
{
    const struct {
        const char *name;
        double *at, *also;
        int *is_centre;
    } words[] = {{"ncols", &h->ncols, NULL, NULL},
                 {"nrows", &h->nrows, NULL, NULL},
                 {"xllcorner", &h->x, NULL, NULL},
                 {"yllcorner", &h->y, NULL, NULL},
                 {"xllcenter", &h->x, NULL, &h->x_is_centre},
                 {"yllcenter", &h->y, NULL, &h->y_is_centre},
                 {"cellsize", &h->dx, &h->dy, NULL},
                 {"dx", &h->dx, NULL, NULL},
                 {"dy", &h->dy, NULL, NULL},
                 {"nodata_value", &h->nodata, NULL, NULL}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i].name) != length || strncasecmp(words[i].name, key, length) != 0)
            continue;
        *words[i].at = value;
        if (words[i].also) *words[i].also = value;
        if (words[i].is_centre) *words[i].is_centre = 1;
        return 1;
    }
    return 0;
}

/* Reads lines "key number" until a line begins with a number. Returns a pointer to that line; NULL:
   a line has another form. */
static const char *read_head(head *h, const char *at, locale_t plain)
{
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (!*at || strchr("+-.0123456789", *at) || strncasecmp(at, "nan", 3) == 0) return at;
        const size_t length = strcspn(at, " \t\r\n");
        char *end;
        const double value = strtod_l(at + length, &end, plain);
        if (end == at + length || !read_word(h, at, length, value)) return NULL;
        at = end;
    }
}

static otok_status read_numbers(otok_raster *out, const char *path, const char *at, locale_t plain)
{
    for (int64_t n = 0; n < out->nx * out->ny; n++) {
        char *end;
        const float value = strtof_l(at, &end, plain);
        if (end == at)
            return OTOK_FAIL(OTOK_DATA,
                             "%s: damaged: row %lld, column %lld: %s; get the file again", path,
                             (long long)(n / out->nx + 1), (long long)(n % out->nx + 1),
                             at[strspn(at, " \t\r\n")] ? "not a number" : "the file ends");
        out->map[n] = value;
        at = end;
    }
    if (at[strspn(at, " \t\r\n")])
        return OTOK_FAIL(OTOK_DATA,
                         "%s: damaged: more values than ncols x nrows; get the file again", path);
    return OTOK_OK;
}

static otok_status parse(otok_raster *out, const char *path, const char *text, locale_t plain)
{
    char *wkt = NULL;
    head h = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0};
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3; /* the byte order mark of Windows */
    const char *numbers = read_head(&h, text, plain);
    if (!numbers || !(h.ncols == floor(h.ncols)) || !(h.nrows == floor(h.nrows)) ||
        !(fabs(h.ncols) < 1e9) || !(fabs(h.nrows) < 1e9))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: damaged: an Esri ASCII grid begins with lines `ncols N`, `nrows N`, "
                         "`xllcorner X`, `yllcorner Y`, "
                         "`cellsize L`, and may have `NODATA_value V`",
                         path);
    OTOK_TRY(otok_raster_allocate(out, path, (int64_t)h.ncols, (int64_t)h.nrows));
    OTOK_TRY(read_numbers(out, path, numbers, plain));
    out->declared = !isnan(h.nodata);
    out->nodata = isnan(h.nodata) ? DEFAULT_NODATA : h.nodata;
    if (isnan(h.dx) || isnan(h.dy)) return OTOK_OK;
    OTOK_TRY(otok_prj_read(&wkt, out->unit, sizeof out->unit, path));
    const double west = isnan(h.x) ? 0 : h.x - 0.5 * h.x_is_centre * h.dx,
                 south = isnan(h.y) ? 0 : h.y - 0.5 * h.y_is_centre * h.dy;
    out->georeference = (otok_georeference){1, west, south + h.dy * h.nrows, h.dx, h.dy, wkt};
    if (otok_georeference_is_good(&out->georeference)) return OTOK_OK;
    return OTOK_FAIL(
        OTOK_DATA,
        "%s: its corner or cell size is not valid, or its .prj file is not text; correct them",
        path);
}

otok_status otok_raster_ascii(otok_raster *out, const char *path)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *text;
    if (!plain) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory to read it", path);
    otok_status status = otok_whole_text(&text, path, SIZE_MAX / 4);
    if (status == OTOK_OK) status = parse(out, path, text, plain);
    free(text);
    freelocale(plain);
    return status;
}
