/* series_moments.c: the times of a file that are dates, or ages before the present. Both need the
   `start` of their phase. */
#include "../core/units.h"
#include "series_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int otok_cell_is_bare(const char *cell)
{
    const char last = *cell ? cell[strlen(cell) - 1] : 0;
    return isdigit((unsigned char)last) || last == '.';
}

static const char *cell_of(const otok_moments *m, int row)
{
    return m->sheet->cells[(size_t)row * (size_t)m->sheet->columns + (size_t)m->column];
}

otok_status otok_moment_check(const otok_moments *m, int row)
{
    const char *cell = cell_of(m, row);
    const int line = m->sheet->lines[row];
    if (otok_cell_is_missing(cell))
        return otok_sheet_fail(m->sheet, line, m->at, "the row has no time (\"%s\"); write one",
                               cell);
    if (m->kind != OTOK_DATES && otok_looks_like_date(cell))
        return otok_sheet_fail(m->sheet, line, m->at,
                               "\"%.60s\" is a date or a time of day, and the times above are "
                               "numbers; write all of them alike",
                               cell);
    return OTOK_OK;
}

static otok_status read_date(double *seconds, const otok_moments *m, int row)
{
    const char *cell = cell_of(m, row);
    const int line = m->sheet->lines[row];
    otok_date date;
    const char *wrong = otok_date_read(&date, cell);
    if (wrong)
        return otok_sheet_fail(m->sheet, line, m->at,
                               "\"%.60s\": %s; write dates such as 2023-08-04T06:00Z, or times as "
                               "numbers below a title such as `time [h]`",
                               cell, wrong);
    if (!date.has_zone && m->assume_zone) date.has_zone = 1, date.seconds -= m->ahead;
    if (date.has_zone != m->start.has_zone)
        return otok_sheet_fail(
            m->sheet, line, m->at,
            "\"%.60s\" is %s a time zone, and `start` is %s one; write both with "
            "a zone, such as Z, or both without",
            cell, date.has_zone ? "with" : "without", m->start.has_zone ? "with" : "without");
    *seconds = date.seconds - m->start.seconds;
    return OTOK_OK;
}

/* Computed in the unit of the times, so that 400 kyr less 399 kyr is 1 kyr. */
otok_status otok_moment_read(double *seconds, const otok_moments *m, int row)
{
    if (m->kind == OTOK_DATES) return read_date(seconds, m, row);
    const char *cell = cell_of(m, row);
    if (!otok_cell_is_number(cell) || !otok_cell_is_bare(cell))
        return otok_sheet_fail(m->sheet, m->sheet->lines[row], m->at,
                               "\"%.60s\" is no number in the unit of the title; write one", cell);
    char text[32];
    snprintf(text, sizeof text, "%.12g", m->sign * strtod(cell, NULL) - m->start.seconds / m->unit);
    *seconds = strtod(text, NULL) * m->unit;
    return OTOK_OK;
}

/* Below a title of dates, or with words in place of the first number. */
static otok_status check_numbers(const otok_moments *m, const char *cell, const char *title)
{
    const otok_sheet *t = m->sheet;
    if (t->n && !otok_cell_is_number(cell) && !otok_cell_is_missing(cell))
        return otok_sheet_fail(t, t->lines[0], m->at,
                               "\"%.60s\" is not a number, nor a date such as "
                               "2023-08-04T06:00Z; units belong into the titles: `time [h]`",
                               cell);
    if (t->n && otok_title_is_date(title) && !strpbrk(title, "[("))
        return otok_sheet_fail(
            t, t->lines[0], m->at,
            "the title `%s` is that of dates, and \"%.60s\" is none as YYYY-MM-DD "
            "HH:MM; write dates such as 2023-08-04T06:00Z, or a title such as `time [h]`",
            title, cell);
    return OTOK_OK;
}

/* UTC in a title, or UTC+1, UTC-03:30. GMT+1 is west of it to some programs and east to others. */
static otok_status read_zone(otok_moments *m, const char *title)
{
    const char *utc = strcasestr(title, "utc"), *gmt = strcasestr(title, "gmt"),
               *zone = utc ? utc : gmt;
    char sign = 0;
    int hours = 0, minutes = 0, length = 0;
    m->assume_zone = zone != NULL;
    if (!zone ||
        sscanf(zone + 3, " %c%2d%n:%2d%n", &sign, &hours, &length, &minutes, &length) < 2 ||
        !strchr("+-", sign))
        return OTOK_OK;
    m->ahead = (sign == '-' ? -60.0 : 60.0) * (60 * hours + minutes);
    if (utc && hours <= 14 && minutes < 60 && !isdigit((unsigned char)zone[3 + length]))
        return OTOK_OK;
    return otok_sheet_fail(m->sheet, m->sheet->title_line, m->at,
                           "the title `%s` has a time zone that is not clear; write UTC+01:00, or "
                           "dates such as 2023-08-04T06:00+01:00",
                           title);
}

otok_status otok_moments_dates(otok_moments *m)
{
    const otok_sheet *t = m->sheet;
    const otok_node *key;
    const char *cell = t->n ? cell_of(m, 0) : "", *title = otok_sheet_title(t, m->column);
    if (!otok_looks_like_date(cell)) return check_numbers(m, cell, title);
    m->kind = OTOK_DATES;
    OTOK_TRY(read_zone(m, title));
    OTOK_TRY(otok_date_of_start(&m->start, &key, m->at));
    if (key && !m->start.is_age) return OTOK_OK;
    return otok_sheet_fail(t, t->lines[0], m->at,
                           "\"%.60s\" is a date, and times count from the beginning of the phase "
                           "on; write start: DATE, such as 2023-08-04T06:00Z, in the scenario or "
                           "beside `file`, or times as numbers below a title such as `time [h]`",
                           cell);
}

otok_status otok_moments_ages(otok_moments *m, const char *unit, int is_assumed)
{
    const otok_sheet *t = m->sheet;
    const otok_node *key;
    const char *title = otok_sheet_title(t, m->column);
    double low = INFINITY, high = -INFINITY;
    char why[OTOK_UNIT_WHY];
    const int is_age = otok_title_is_age(title);
    if (m->kind != OTOK_NUMBERS) return OTOK_OK;
    for (int row = 0; row < t->n; row++) {
        const double time = strtod(cell_of(m, row), NULL);
        low = fmin(low, time);
        high = fmax(high, time);
    }
    if (is_age && low < 0 && high <= 0)
        return otok_sheet_fail(t, t->title_line, m->at,
                               "`%s` counts back from the present, and no time is above 0; write "
                               "ages without the sign, or the times below a title such as `time "
                               "[kyr]`",
                               title);
    if (!is_age && low >= 0) return OTOK_OK;
    OTOK_TRY(otok_date_of_start(&m->start, &key, m->at));
    if (!key && !is_age) return OTOK_OK; /* the range of times refuses it */
    if (is_assumed)
        return otok_sheet_fail(t, t->title_line, m->at,
                               "the title `%s` tells no unit of times before the present; write "
                               "such as `age [kyr]`, or units: {time: kyr} beside `file`",
                               title);
    if (!key || !m->start.is_age)
        return otok_sheet_fail(t, t->title_line, m->at,
                               "`%s` counts from the present, and times count from the beginning "
                               "of the phase on; write start: %.6g %s, when the phase begins, in "
                               "the scenario, in the phase or beside `file`, or the times, the "
                               "oldest 0, below a title such as `time [kyr]`",
                               title, is_age ? -high : low, *unit ? unit : "s");
    m->kind = OTOK_AGES;
    m->sign = is_age ? -1 : 1;
    m->is_turned = t->n > 1 &&
                   m->sign * (strtod(cell_of(m, 0), NULL) - strtod(cell_of(m, t->n - 1), NULL)) > 0;
    otok_unit_factor(&m->unit, unit, "s", why);
    return OTOK_OK;
}
