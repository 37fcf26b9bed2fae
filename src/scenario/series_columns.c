/* series_columns.c: which columns of a file are the times and the values of a series. */
#include "dates.h"
#include "series_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *otok_sheet_title(const otok_sheet *t, int column)
{
    return t->titles ? t->titles[column] : "";
}

int otok_title_is_date(const char *text)
{
    static const char *const dates[] = {"date", "datetime", "timestamp", "datum"};
    const size_t n = strcspn(text, " \t_[(");
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++)
        if (strlen(dates[i]) == n && strncasecmp(text, dates[i], n) == 0) return 1;
    return 0;
}

int otok_title_is_called(const char *title, const char *name)
{
    size_t n = strcspn(title, "[(");
    if (strcmp(title, name) == 0) return 1;
    while (n && strchr(" \t_", title[n - 1]))
        n--;
    return title[n] && strlen(name) == n && memcmp(title, name, n) == 0;
}

/* Does a column hold dates beside other times; or, without a title, nothing, or the names of rows
   as pandas and R write them? */
static int is_idle(const otok_sheet *t, int column, int time)
{
    if (t->n && otok_looks_like_date(t->cells[column])) return 1;
    if (!t->titles || *otok_sheet_title(t, column)) return 0;
    for (int i = 0; i < t->n; i++)
        if (*t->cells[(size_t)i * (size_t)t->columns + (size_t)column]) return column < time;
    return 1;
}

/* The titles of columns of values, if `but` is that of the times, for a message; -1: all titles. */
static const char *list_titles(const otok_sheet *t, int but, char out[400])
{
    out[0] = 0;
    for (int i = 0; i < t->columns; i++) {
        const size_t n = strlen(out);
        if (i == but || (but >= 0 && is_idle(t, i, but))) continue;
        snprintf(out + n, 400 - n, "%s`%s`", n ? ", " : "", otok_sheet_title(t, i));
    }
    return out;
}

static otok_status find_wanted(int *out, const otok_sheet *t, const otok_node *wanted)
{
    char list[400], name[OTOK_TEXT_SIZE];
    int found = 0;
    OTOK_TRY(otok_value_text(name, sizeof name, wanted));
    for (int i = 0; i < t->columns && t->titles; i++)
        if (otok_title_is_called(otok_sheet_title(t, i), name)) *out = i, found++;
    if (found == 1) return OTOK_OK;
    if (found > 1)
        return otok_node_fail(wanted, "%d columns of %s are called `%s`; give each another title",
                              found, t->path, name);
    const long number = strtol(name, NULL, 10);
    if (!t->titles && number >= 1 && number <= t->columns && !name[strspn(name, "0123456789")]) {
        *out = (int)number - 1;
        return OTOK_OK;
    }
    return t->titles ? otok_node_fail(wanted, "%s has no column `%s`; it has %s", t->path, name,
                                      list_titles(t, -1, list))
                     : otok_node_fail(wanted,
                                      "%s has no titles; write the number of the column, from 1 "
                                      "to %d, or give the columns titles",
                                      t->path, t->columns);
}

static otok_status find_time(int *out, const otok_sheet *t, int value, const otok_node *at)
{
    char list[400] = "";
    int times = 0;
    *out = 0;
    for (int i = 0; i < t->columns && t->titles; i++)
        if (i != value && otok_title_is_time(otok_sheet_title(t, i))) {
            const size_t n = strlen(list);
            snprintf(list + n, sizeof list - n, "%s`%s`", n ? ", " : "", otok_sheet_title(t, i));
            *out = i, times++;
        }
    for (int i = 0; i < t->columns && t->titles && !times; i++) /* Datum [MEZ] */
        if (i != value && otok_title_is_date(otok_sheet_title(t, i))) *out = i, times++;
    if (times > 1)
        return otok_sheet_fail(t, t->title_line, at,
                               "several columns may be the times: %s; keep one of them, with "
                               "seconds, a unit in brackets, or date and time of day in one",
                               list);
    return OTOK_OK;
}

/* Has the title a unit in brackets, and one that converts to this one? */
static int has_unit(const otok_sheet *t, int column, const char *unit, const otok_node *at)
{
    char own[OTOK_TITLE];
    int is_told;
    const char *title = otok_sheet_title(t, column);
    return strchr(title, '[') &&
           otok_title_unit(own, &is_told, title, NULL, unit, t, at) == OTOK_OK;
}

/* The only column of values; or of several, whose titles all have units, the only one in that of
   the key. */
static otok_status find_value(int *out, const otok_sheet *t, int time, const char *unit,
                              const otok_node *at)
{
    char list[400];
    int values = 0, told = 0, fitting = 0, fit = 0;
    for (int i = t->columns - 1; i >= 0; i--) { /* the advice names the first */
        if (i == time || is_idle(t, i, time)) continue;
        *out = i, values++;
        told += strchr(otok_sheet_title(t, i), '[') != NULL;
        if (has_unit(t, i, unit, at)) fit = i, fitting++;
    }
    if (values > 1 && told == values && fitting == 1) {
        *out = fit;
        return OTOK_OK;
    }
    if (values > 1)
        return otok_sheet_fail(t, t->title_line, at,
                               "%d columns of values: %s; choose one, such as {file: %s, column: "
                               "'%s'}",
                               values, list_titles(t, time, list), t->path,
                               otok_sheet_title(t, *out));
    return OTOK_OK;
}

otok_status otok_columns_choose(int column[2], const otok_sheet *t, const otok_node *wanted,
                                const char *unit, const otok_node *at)
{
    int value = -1, time;
    if (t->columns < 2 || (t->columns > 2 && !t->titles && !wanted))
        return otok_sheet_fail(t, t->lines[0], at,
                               "%d cells in the line; write two: a time and a value%s", t->columns,
                               t->columns < 2 ? "" : ", or column: NUMBER beside `file`");
    if (wanted) OTOK_TRY(find_wanted(&value, t, wanted));
    OTOK_TRY(find_time(&time, t, value, at));
    if (!wanted) OTOK_TRY(find_value(&value, t, time, unit, at));
    if (value < 0 || value == time)
        return otok_sheet_fail(t, t->title_line, at, "there is no column of values beside `%s`",
                               otok_sheet_title(t, time));
    column[0] = time;
    column[1] = value;
    for (int i = 0; i < 2 && t->titles; i++)
        if (!*otok_sheet_title(t, column[i]))
            return otok_sheet_fail(t, t->title_line, at,
                                   "column %d has no title; write one such as `%s`", column[i] + 1,
                                   i ? "NAME [UNIT]" : "time [s]");
    return OTOK_OK;
}
