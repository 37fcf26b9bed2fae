/* series_netcdf.c: a series of a NetCDF file as the table that a CSV of it would be: times in a
   unit or dates, and values in their unit. So all rules of tables hold: units, missing values,
   dates from `start` on. */
#include "../core/units.h"
#include "../io/cf_series.h"
#include "series_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The times count from a date; NULL in `since`: they have a unit alone. */
typedef struct clock {
    double unit; /* [s] */
    otok_date since;
    int has_date;
} clock;

static const char *text_of(const otok_node *map, const char *key)
{
    const otok_node *node = map ? otok_node_find(map, key) : NULL;
    return node && node->kind == OTOK_NODE_SCALAR ? node->text : NULL;
}

static otok_status fail(const otok_cf_series *s, const otok_node *at, const char *path,
                        const char *wrong)
{
    return otok_node_fail(at, "%s: the times `%s` of `%s` %s", path, s->time.name, s->name, wrong);
}

/* Only the calendar of the dates of scenarios has the same days. */
static otok_status check_calendar(const otok_cf_series *s, const clock *c, const otok_node *at,
                                  const char *path)
{
    static const double gregorian = -12219292800.0; /* 15 October 1582 */
    char wrong[300];
    const int is_proleptic = strcasecmp(s->calendar, "proleptic_gregorian") == 0;
    if (*s->calendar && !is_proleptic && strcasecmp(s->calendar, "standard") != 0 &&
        strcasecmp(s->calendar, "gregorian") != 0) {
        snprintf(wrong, sizeof wrong,
                 "have the calendar `%s`; convert them to `standard`, for example with "
                 "convert_calendar of xarray",
                 s->calendar);
        return fail(s, at, path, wrong);
    }
    if (is_proleptic || c->since.seconds >= gregorian) return OTOK_OK;
    return fail(s, at, path,
                "count from a date before 15 October 1582, when the calendar `standard` has other "
                "days; write them since a later date");
}

static otok_status read_clock(clock *out, const otok_cf_series *s, const otok_node *at,
                              const char *path)
{
    static const char *const units[] = {
        "s",    "sec",   "second", "seconds", "min",  "minute", "minutes", "h",  "hr",
        "hour", "hours", "d",      "day",     "days", "week",   "weeks",   "ms", "milliseconds"};
    char unit[OTOK_AXIS_WORD], date[OTOK_AXIS_WORD], why[OTOK_UNIT_WHY], wrong[400];
    const char *since = strstr(s->time.units, " since ");
    int known = 0;
    *out = (clock){.unit = 1};
    if (!since) return OTOK_OK;
    out->has_date = 1;
    snprintf(unit, sizeof unit, "%.*s", (int)(since - s->time.units), s->time.units);
    snprintf(date, sizeof date, "%s", since + strlen(" since "));
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        known |= strcasecmp(unit, units[i]) == 0;
    const char *bad = otok_date_read(&out->since, date);
    if (known && !bad && !otok_unit_factor(&out->unit, unit, "s", why))
        return check_calendar(s, out, at, path);
    snprintf(wrong, sizeof wrong,
             "are in `%s`%s%s; write such as units = \"hours since 2023-08-04 06:00:00\"",
             s->time.units, known && bad ? ": " : ", which have no fixed length",
             known && bad ? bad : "");
    return fail(s, at, path, wrong);
}

/* What values of intervals mean must be said, as for tables. Then their times are the beginnings of
   the intervals, or their ends. */
static otok_status take_bounds(otok_cf_series *s, const otok_node *map, const otok_node *at,
                               const char *path)
{
    const char *means = text_of(map, "means");
    const int is_before = means && strcmp(means, "before") == 0,
              is_after = means && strcmp(means, "after") == 0,
              is_mean = strstr(s->methods, "time: mean") || strstr(s->methods, "time: sum") ||
                        (s->bounds && !strstr(s->methods, "time: point"));
    if (is_mean && !means)
        return fail(s, at, path,
                    s->bounds ? "have bounds, so that values are of intervals; write means: after "
                                "beside `file`, the mean of the interval, or means: instant"
                              : "are of intervals (cell_methods); write means: after or means: "
                                "before beside `file`");
    for (int64_t i = 0; s->bounds && (is_before || is_after) && i < s->time.n; i++) {
        const double *b = s->bounds + 2 * i;
        if (!(b[1] > b[0]) || (i && fabs(b[0] - b[-1]) > 1e-6 * (b[1] - b[0])))
            return fail(s, at, path,
                        "have bounds with gaps, or that overlap; make each interval begin where "
                        "the one before ends");
        s->time.centres[i] = b[is_before];
    }
    return OTOK_OK;
}

/* What values and times say of themselves that a table of them would lose. */
static otok_status check_lost(const otok_cf_series *s, const otok_node *at, const char *path)
{
    const double *t = s->time.centres;
    if (strcasecmp(s->positive, "down") == 0)
        return otok_node_fail(at,
                              "%s: `%s` is positive = \"down\", and series grow upwards; write "
                              "the values with the other sign and without this attribute",
                              path, s->name);
    for (int64_t i = 1; i < s->time.n && s->time.is_single; i++)
        if (fabs(t[i]) * 0x1p-24 > 1e-3 * fabs(t[i] - t[i - 1]))
            return fail(s, at, path,
                        "are float32 and too coarse for their steps; write them as float64");
    return OTOK_OK;
}

static void put_title(FILE *out, const char *name, const char *unit)
{
    putc('"', out);
    for (const char *c = name; *c; c++)
        fprintf(out, *c == '"' ? "\"\"" : "%c", *c);
    if (*unit) fprintf(out, " [%s]", unit);
    putc('"', out);
}

static void put_table(FILE *out, const otok_cf_series *s, const clock *c, int is_utc,
                      const otok_parameter *p)
{
    const int is_age = otok_title_is_age(s->time.name), is_rain = strcmp(p->unit, "m s-1") == 0;
    const char *mass = is_rain && strncmp(s->units, "kg m-2 ", 7) == 0 ? s->units + 7 : NULL;
    char text[OTOK_AXIS_WORD + 8];
    snprintf(text, sizeof text, "%s%s", mass ? "mm " : "", mass ? mass : s->units);
    if (c->has_date)
        fputs(is_utc ? "time (UTC)" : "time", out);
    else
        put_title(out, is_age ? s->time.name : "time", s->time.units);
    putc(',', out);
    put_title(out, s->name, text);
    putc('\n', out);
    for (int64_t i = 0; i < s->time.n; i++) {
        const double t = s->time.centres[i];
        if (c->has_date && isfinite(t))
            otok_date_write(text, &c->since, t * c->unit);
        else
            snprintf(text, sizeof text, "%.*g", s->time.is_single ? 9 : 17, t);
        fprintf(out, "%s,%.*g\n", text, s->is_single ? 9 : 17, s->values[i]);
    }
}

otok_status otok_series_netcdf(char **bytes, size_t *size, const char *path, const otok_node *map,
                               const otok_parameter *p, const otok_node *at)
{
    otok_cf_series s;
    otok_date start;
    const otok_node *key;
    clock c;
    *bytes = NULL;
    if (otok_cf_is_classic(path))
        return otok_node_fail(at,
                              "%s is NetCDF-3; write NetCDF-4, for example with `nccopy -k nc4 "
                              "IN OUT`, or xarray",
                              path);
    otok_status status =
        otok_cf_series_read(&s, path, text_of(map, "column"), text_of(map, "station"));
    if (status != OTOK_OK) {
        otok_cf_series_destroy(&s);
        return otok_node_fail(at, "%s", otok_why());
    }
    status = read_clock(&c, &s, at, path);
    if (status == OTOK_OK) status = otok_date_of_start(&start, &key, at);
    if (status == OTOK_OK) status = check_lost(&s, at, path);
    if (status == OTOK_OK) status = take_bounds(&s, map, at, path);
    if (status == OTOK_OK) {
        const int is_utc = key && start.has_zone && !c.since.has_zone;
        FILE *out = open_memstream(bytes, size);
        if (out) put_table(out, &s, &c, is_utc, p);
        if (!out || fclose(out) != 0) status = otok_node_no_memory();
    }
    otok_cf_series_destroy(&s);
    return status;
}
