/* dates.c: see dates.h. */
#include "dates.h"

#include "../core/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define YEAR 31556925.9747 /* [s], as in UDUNITS-2 */

/* Reads by a format of strptime, if the text goes on in this way. */
static int next(const char **text, const char *format, struct tm *day)
{
    const char *end = strptime(*text, format, day);
    if (!end) return 0;
    *text = end;
    return 1;
}

/* The decimals of a second. */
static double read_part(const char **text)
{
    double part = 0, unit = 0.1;
    if (**text != '.' && **text != ',') return 0;
    for ((*text)++; isdigit((unsigned char)**text); (*text)++, unit /= 10)
        part += unit * (**text - '0');
    return part;
}

static int is_same(const struct tm *a, const struct tm *b)
{
    return a->tm_mon == b->tm_mon && a->tm_mday == b->tm_mday && a->tm_hour == b->tm_hour &&
           a->tm_min == b->tm_min && a->tm_sec == b->tm_sec;
}

const char *otok_date_read(otok_date *out, const char *text)
{
    struct tm day = {0}, again;
    double part = 0;
    *out = (otok_date){0};
    if (strspn(text, "0123456789") != 4 || !next(&text, "%Y-%m-%d", &day))
        return "not a date as YYYY-MM-DD HH:MM";
    if (next(&text, "T%H:%M", &day) || next(&text, " %H:%M", &day))
        if (next(&text, ":%S", &day)) part = read_part(&text);
    text += strspn(text, " ");
    struct tm zone = {0};
    if (strcasecmp(text, "UTC") == 0)
        out->has_zone = 1, text += 3;
    else if (*text)
        out->has_zone = next(&text, "%z", &zone);
    if (*text || labs(zone.tm_gmtoff) > 14 * 3600)
        return "its end is neither a time of day nor a time zone as Z or +02:00";
    again = day;
    const time_t seconds = timegm(&again);
    if (!is_same(&again, &day)) return "the calendar has no such day or time";
    out->seconds = (double)seconds - (double)zone.tm_gmtoff + part;
    return NULL;
}

const char *otok_start_read(otok_date *out, const char *text)
{
    char why[OTOK_UNIT_WHY];
    int given = 0;
    double seconds;
    const char *wrong = otok_date_read(out, text);
    if (!wrong || otok_unit_read(&seconds, &given, text, "s", why) || !given) return wrong;
    *out = (otok_date){.seconds = seconds, .is_age = 1};
    return seconds <= 0 ? NULL : "a time before the present is below 0, as -400 kyr";
}

static void write_age(char out[48], double years)
{
    const int n = fabs(years) >= 1e6 ? 2 : fabs(years) >= 1e3;
    static const char *const units[] = {"yr", "kyr", "Myr"};
    snprintf(out, 48, "%.10g %s", years / pow(1000, n), units[n]);
}

void otok_date_write(char out[48], const otok_date *date, double later)
{
    const double all = rint((date->seconds + later) * 1000), whole = floor(all / 1000);
    const time_t seconds = (time_t)(fabs(whole) < 1e12 ? whole : 1e12);
    struct tm day;
    *out = 0;
    if (date->is_age) {
        write_age(out, (date->seconds + later) / YEAR);
        return;
    }
    if (!gmtime_r(&seconds, &day) || day.tm_year < -1900 || day.tm_year > 8099) return;
    const size_t n = strftime(out, 32, "%Y-%m-%dT%H:%M:%S", &day);
    const int part = (int)(all - 1000 * whole);
    snprintf(out + n, 48 - n, part ? ".%03d%s" : "%.0d%s", part, date->has_zone ? "Z" : "");
}

int otok_looks_like_date(const char *text)
{
    int a, b, c;
    char between;
    if (sscanf(text, "%2d.%2d.%4d", &a, &b, &c) == 3) return 1; /* 04.08.2023 */
    return sscanf(text, "%d%c%d", &a, &between, &b) == 3 && strchr("-/:", between);
}

/* The key `start` of the nearest group above that may have one; *in_first: is it below a phase
   after the first, without a start of its own? */
static const otok_node *find_start(const otok_node *node, int *is_late)
{
    const otok_node *item = node, *key = NULL;
    *is_late = 0;
    for (const otok_node *at = node; at; item = at, at = at->parent) {
        if (at->kind == OTOK_NODE_MAP) key = otok_node_find(at, "start");
        if (key) return key;
        if (at->kind == OTOK_NODE_LIST && at->key && strcmp(at->key, "phases") == 0)
            *is_late = at->n && at->items[0] != item;
    }
    return NULL;
}

otok_status otok_date_of_start(otok_date *out, const otok_node **key, const otok_node *node)
{
    int is_late;
    *key = find_start(node, &is_late);
    if (!*key) return OTOK_OK;
    const char *text = (*key)->kind == OTOK_NODE_SCALAR && (*key)->text ? (*key)->text : "",
               *wrong = otok_start_read(out, text);
    if (wrong)
        return otok_node_fail(*key, "\"%.60s\": %s; write such as 2023-08-04T06:00Z or -400 kyr",
                              text, wrong);
    if (!is_late) return OTOK_OK;
    return otok_node_fail(node, "`start` of the scenario is the date of its first phase; write "
                                "start: DATE, when this phase begins, in the phase or beside "
                                "`file`");
}
