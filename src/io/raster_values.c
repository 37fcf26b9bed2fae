/* raster_values.c: the values of a raster: units, marks for cells without data, heights that no
   planet has. */
#include "../core/status.h"
#include "../core/units.h"
#include "raster.h"

#include <string.h>

int otok_is_mark(double number, double mark)
{
    if (fabs(mark) > 1e30) return fabs(number) > 1e30 && (number > 0) == (mark > 0);
    return (float)number == (float)mark;
}

int otok_is_depth_name(const char *name)
{
    static const char *const words[] = {"depth",   "bathy",    "tiefe",
                                        "profond", "fundidad", "sounding"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasestr(name, words[i])) return 1;
    return 0;
}

/* Numbers up to 0 that are called depths are heights: nobody counts depths of the sea from below.
 */
static otok_status check_direction(const otok_raster *r, const char *where)
{
    int64_t above = 0;
    for (int64_t n = 0; n < r->nx * r->ny; n++)
        above += r->map[n] > 0;
    if (!above) return OTOK_OK;
    return OTOK_FAIL(
        OTOK_DATA,
        "%s: is called a depth, %lld of its cells are above 0, and no attribute tells whether they "
        "are depths or heights; write `raster: {positive: down}` for depths, `positive: up` for "
        "heights, or the attribute positive = \"down\" or \"up\" in the file",
        where, (long long)above);
}

otok_status otok_raster_convert(otok_raster *r, const char *unit, const char *where)
{
    char why[OTOK_UNIT_WHY], unused[OTOK_UNIT_WHY];
    double factor, vertical;
    if (r->steps && !*r->unit)
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: its values have no unit; write the attribute units = \"mm h-1\", or what they are",
            where);
    if (r->steps && !otok_unit_factor(&factor, r->unit, "kg m-2 s-1", unused))
        factor /= 1000; /* a mass of water */
    else if (otok_unit_factor(&factor, r->unit, unit, why))
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: its values are in `%s`, and %s needed: %s; convert them, for example with %s",
            where, r->unit,
            r->steps                 ? "a rate of rain is"
            : strcmp(unit, "1") == 0 ? "a pure number is"
                                     : unit,
            why,
            r->steps ? "xarray: amounts over the length of their step, and units = \"mm h-1\""
                     : "gdal_calc.py and gdal_edit.py -units");
    if (strcmp(unit, "m") == 0) {
        const int is_down = otok_georeference_vertical(&r->georeference, &vertical);
        if (!*r->unit) factor = vertical;
        if (!r->positive && !is_down && r->is_called_depth) OTOK_TRY(check_direction(r, where));
        if (r->positive ? r->positive < 0 : is_down) factor = -factor;
    }
    for (int64_t n = 0; n < r->nx * r->ny && factor != 1; n++)
        r->map[n] = (float)((double)r->map[n] * factor) + 0.0f;
    memset(r->unit, 0, sizeof r->unit);
    return otok_georeference_settle_heights(&r->georeference);
}

static int64_t first_of(const otok_raster *r, double mark, int64_t *count)
{
    int64_t first = -1;
    *count = 0;
    for (int64_t n = 0; n < r->nx * r->ny; n++)
        if ((double)r->map[n] == mark) ++*count, first = first < 0 ? n : first;
    return first;
}

/* Are the cells with this number further from all others than neighbouring ground ever is? */
static int is_alone(const otok_raster *r, double mark)
{
    for (int64_t n = 0; n < r->nx * r->ny; n++) {
        const double apart = fabs((double)r->map[n] - mark);
        if (apart > 0 && apart < 1000) return 0;
    }
    return 1;
}

otok_status otok_raster_check_marks(const otok_raster *r, int are_heights, const char *where)
{
    static const double marks[] = {-9999, -32768, -32767, -99999, 9999, 32767};
    int64_t count;
    for (int i = 0; i < (are_heights && !r->declared ? 6 : 4); i++) {
        const int64_t n = first_of(r, marks[i], &count);
        if (n < 0 || (r->declared && !is_alone(r, marks[i]))) continue;
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: %lld cells are %g, which programs write for \"no data\", and the file declares "
            "%s; the first is %lld from the left, %lld from the bottom or top (counted from 0). "
            "Write `raster: {nodata: %g}` (or set it with gdal_edit.py -a_nodata, or as "
            "_FillValue), or another number there if these are values",
            where, (long long)count, marks[i], r->declared ? "another number" : "no such number",
            (long long)(n % r->nx), (long long)(n / r->nx), marks[i]);
    }
    return OTOK_OK;
}

otok_status otok_raster_check_heights(const otok_raster *r, double highest, const char *where)
{
    int64_t count = 0, first = -1;
    for (int64_t n = 0; n < r->nx * r->ny; n++)
        if (fabsf(r->map[n]) > highest) count++, first = first < 0 ? n : first;
    if (!count) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: %lld cells are beyond %g m; the first is %.9g m, %lld from the left, "
                     "%lld from the bottom (counted from 0). If it means \"no data\", declare it "
                     "in the file (_FillValue, gdal_edit.py -a_nodata) or write `raster: {nodata: "
                     "%.9g}`; if it is a height, write `raster: {highest: %.3g}`",
                     where, (long long)count, highest, (double)r->map[first],
                     (long long)(first % r->nx), (long long)(first / r->nx), (double)r->map[first],
                     fabs((double)r->map[first]) * 1.1);
}
