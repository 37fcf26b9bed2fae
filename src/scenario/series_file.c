/* series_file.c: the file of a series becomes the pairs [time, value] of its key in the tree, so
   that resolved texts, checkpoints and records of changes hold the numbers themselves. What is in
   doubt is refused: units, decimals, dates, and numbers that stand for no value. */
#include "series_file.h"
#include "../core/units.h"
#include "../io/cf_series.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CELL = 128, MOST_ROWS = OTOK_NODE_LIMIT / 4 };

const char *const otok_series_file_keys[] = {"column",  "units", "separator", "decimal", "comment",
                                             "missing", "start", "station",   NULL};

/* ---- pairs ---- */

/* What the pairs of one file share. */
typedef struct loading {
    otok_node *list;
    const otok_sheet *table;
    const otok_parameter *p;
    const otok_node *missing; /* NULL: none may be */
    const char *unit[2];      /* "": of the key */
    int column[2];
    int stepwise;
    otok_moments moments;
} loading;

/* A scalar at the end of a pair; the unit is added to a bare number. */
static otok_status put_cell(otok_node *pair, const char *cell, const char *unit)
{
    char text[CELL + OTOK_TITLE + 2];
    const int bare = *unit && otok_cell_is_bare(cell);
    otok_node *node = otok_node_create(pair->source, pair->line);
    if (!node) return otok_node_no_memory();
    snprintf(text, sizeof text, "%s%s%s", cell, bare ? " " : "", bare ? unit : "");
    OTOK_TRY(otok_node_put(pair, NULL, node));
    return otok_node_becomes(node, text);
}

/* Is a cell declared to have no value? */
static int is_declared(const loading *l, const char *cell)
{
    if (!l->missing || !l->missing->text) return 0;
    const char *mark = l->missing->text;
    if (otok_cell_is_missing(cell)) return 1;
    return otok_cell_is_number(cell) && otok_cell_is_bare(cell) && otok_cell_is_number(mark) &&
           strtod(cell, NULL) == strtod(mark, NULL);
}

static otok_status check_value(const loading *l, const char *cell, int line)
{
    const char *unit = l->p->unit;
    if (otok_cell_is_missing(cell))
        return otok_sheet_fail(l->table, line, l->list,
                               "the row has no value (\"%s\"); write one, or missing: NaN beside "
                               "`file` to go on from the row before to the next one",
                               cell);
    if (otok_cell_is_number(cell) && otok_cell_is_bare(cell) &&
        otok_is_missing_number(strtod(cell, NULL)))
        return otok_sheet_fail(
            l->table, line, l->list,
            "%s is a mark for no value in data; write missing: %s beside `file` to go on from the "
            "row before to the next one, or, if it is a value, write it with its unit: %s %s",
            cell, cell, cell, strcmp(unit, "1") == 0 ? "%" : unit);
    return OTOK_OK;
}

static otok_status put_pair(const loading *l, int line, const char *time, const char *value)
{
    otok_node *pair = otok_node_create(l->table->path, line);
    if (!pair) return otok_node_no_memory();
    OTOK_TRY(otok_node_put(l->list, NULL, pair));
    pair->kind = OTOK_NODE_LIST;
    OTOK_TRY(put_cell(pair, time, l->unit[0]));
    return put_cell(pair, value, l->unit[1]);
}

/* Rows with dates or ages: those before the start are left out, and the value at the start is that
   between the last of them and the next one. */
typedef struct earlier {
    const char *value; /* NULL: there is none */
    double time;       /* of the last row */
    int has_time;
} earlier;

static otok_status put_dated(const loading *l, earlier *last, int line, double time,
                             const char *value)
{
    char when[32], between[32];
    if (last->has_time && time <= last->time)
        return otok_sheet_fail(l->table, line, l->list,
                               "the %s is not later than that of the row before; sort the rows by "
                               "time, and keep one of those with the same",
                               l->moments.kind == OTOK_DATES ? "date" : "moment");
    if (time < 0) return *last = (earlier){value, time, 1}, OTOK_OK;
    if (last->value && time > 0 && l->stepwise) OTOK_TRY(put_pair(l, line, "0", last->value));
    if (last->value && time > 0 && !l->stepwise) {
        if (!otok_cell_is_number(value) || !otok_cell_is_bare(value) ||
            !otok_cell_is_bare(last->value))
            return otok_sheet_fail(l->table, line, l->list,
                                   "the start is between this row and the one before, and their "
                                   "values have units of their own; write these in the title");
        const double a = strtod(last->value, NULL), b = strtod(value, NULL),
                     share = -last->time / (time - last->time);
        snprintf(between, sizeof between, "%.17g", a + (b - a) * share);
        OTOK_TRY(put_pair(l, line, "0", between));
    }
    *last = (earlier){NULL, time, 1};
    snprintf(when, sizeof when, "%.17g", time);
    return put_pair(l, line, when, value);
}

static otok_status put_row(const loading *l, int row, earlier *last)
{
    const otok_sheet *t = l->table;
    char *const *cells = t->cells + (size_t)row * (size_t)t->columns;
    const char *time = cells[l->column[0]], *value = cells[l->column[1]];
    OTOK_TRY(otok_moment_check(&l->moments, row));
    if (strlen(time) >= CELL || strlen(value) >= CELL)
        return otok_sheet_fail(t, t->lines[row], l->list, "a cell is too long for a number");
    if (is_declared(l, value)) return OTOK_OK;
    OTOK_TRY(check_value(l, value, t->lines[row]));
    if (l->moments.kind == OTOK_NUMBERS) return put_pair(l, t->lines[row], time, value);
    double seconds = 0;
    OTOK_TRY(otok_moment_read(&seconds, &l->moments, row));
    return put_dated(l, last, t->lines[row], seconds, value);
}

/* ---- keys of the file ---- */

/* The unit that `units` tells for a column, by "time" or "value", by its title or its name; NULL:
   none. */
static const char *told_unit(const otok_node *units, const char *general, const char *title)
{
    for (int i = 0; units && units->kind == OTOK_NODE_MAP && i < units->n; i++) {
        const otok_node *one = units->items[i];
        if (one->kind == OTOK_NODE_SCALAR && one->text &&
            (strcmp(one->key, general) == 0 || (*title && otok_title_is_called(title, one->key))))
            return one->text;
    }
    return NULL;
}

/* Every key of `units` must be of the two columns. */
static otok_status check_units(const otok_node *units, const otok_sheet *t, const int column[2])
{
    if (!units) return OTOK_OK;
    if (units->kind != OTOK_NODE_MAP)
        return otok_node_fail(units, "units is a group; write such as {time: h, value: L/s}");
    for (int i = 0; i < units->n; i++) {
        const otok_node *one = units->items[i];
        int known = strcmp(one->key, "time") == 0 || strcmp(one->key, "value") == 0;
        for (int k = 0; k < t->columns && t->titles && !known; k++)
            known = otok_title_is_called(otok_sheet_title(t, k), one->key);
        if (one->kind != OTOK_NODE_SCALAR || !one->text || !*one->text)
            return otok_node_fail(one, "not a unit; write such as {time: h, value: L/s}");
        if (!known)
            return otok_node_fail(one, "%s has no such column; write `time`, `value`, or a title",
                                  t->path);
    }
    return (void)column, OTOK_OK;
}

static otok_status read_dialect(otok_dialect *out, const otok_node *map)
{
    static const struct {
        const char *word;
        char is;
    } words[] = {{"comma", ','}, {",", ','},    {"semicolon", ';'}, {";", ';'}, {"tab", '\t'},
                 {"\t", '\t'},   {"\\t", '\t'}, {"blank", ' '},     {" ", ' '}, {"|", '|'}};
    char text[OTOK_TEXT_SIZE];
    const otok_node *separator = otok_node_find(map, "separator"),
                    *decimal = otok_node_find(map, "decimal"),
                    *comment = otok_node_find(map, "comment");
    *out = (otok_dialect){0};
    if (separator) {
        const char *given = separator->kind == OTOK_NODE_SCALAR ? separator->text : NULL;
        for (size_t i = 0; given && i < sizeof words / sizeof words[0]; i++)
            if (strcmp(given, words[i].word) == 0) out->separator = words[i].is;
        if (!out->separator)
            return otok_node_fail(separator, "not a separator; write one of \",\", \";\", tab, "
                                             "blank, \"|\"");
    }
    if (decimal) {
        OTOK_TRY(otok_value_text(text, sizeof text, decimal));
        if (strcmp(text, ".") != 0 && strcmp(text, ",") != 0)
            return otok_node_fail(decimal, "not a decimal point; write \".\" or \",\"");
        out->decimal = text[0];
    }
    if (!comment) return OTOK_OK;
    OTOK_TRY(otok_value_text(text, sizeof text, comment));
    if (!*text || strlen(text) >= sizeof out->comment)
        return otok_node_fail(comment, "not a mark of comments; write such as \"%%\"");
    strcpy(out->comment, text);
    return OTOK_OK;
}

/* From now on messages name the key in the scenario. */
static void name_origin(otok_node *node, const otok_node *as)
{
    node->source = as->source;
    node->line = as->line;
    for (int i = 0; i < node->n; i++)
        name_origin(node->items[i], as);
}

static otok_status put_rows(loading *l, otok_sheet *t, const otok_node *map, char decimal,
                            otok_series *out)
{
    static const char *const general[2] = {"time", "value"};
    const char *own[2] = {"s", l->p->unit};
    char unit[2][OTOK_TITLE], why[OTOK_UNIT_WHY];
    double factor;
    const otok_node *units = map ? otok_node_find(map, "units") : NULL;
    OTOK_TRY(otok_columns_choose(l->column, t, map ? otok_node_find(map, "column") : NULL,
                                 l->p->unit, l->list));
    OTOK_TRY(check_units(units, t, l->column));
    l->moments = (otok_moments){.sheet = t, .column = l->column[0], .at = l->list};
    OTOK_TRY(otok_moments_dates(&l->moments));
    for (int i = l->moments.kind == OTOK_DATES; i < 2; i++) {
        int is_told;
        const char *title = otok_sheet_title(t, l->column[i]);
        OTOK_TRY(otok_title_unit(unit[i], &is_told, title, told_unit(units, general[i], title),
                                 own[i], t, l->list));
        if (!is_told) out->assumed |= i ? OTOK_ASSUMED_UNIT : OTOK_ASSUMED_TIME;
        const size_t n = strlen(out->bare);
        if (!otok_unit_factor(&factor, unit[i], own[i], why) && factor == 1)
            unit[i][0] = 0;
        else if (is_told == OTOK_TOLD_BARE)
            snprintf(out->bare + n, sizeof out->bare - n, "%s`%s` as %s", n ? ", " : "", title,
                     unit[i]);
        l->unit[i] = unit[i];
    }
    OTOK_TRY(otok_sheet_decimals(t, l->column, decimal, l->list));
    OTOK_TRY(otok_moments_ages(&l->moments, unit[0], out->assumed & OTOK_ASSUMED_TIME));
    if (l->moments.kind == OTOK_AGES) l->unit[0] = ""; /* they become seconds */
    if (t->n > MOST_ROWS)
        return otok_node_fail(l->list, "%s has %d rows; allowed: at most %d; thin it out", t->path,
                              t->n, MOST_ROWS);
    earlier last = {0};
    for (int i = 0; i < t->n; i++)
        OTOK_TRY(put_row(l, l->moments.is_turned ? t->n - 1 - i : i, &last));
    if (last.value)
        return otok_node_fail(l->list, "%s ends before `start`; correct the one or the other",
                              t->path);
    return l->list->n ? OTOK_OK : otok_node_fail(l->list, "%s has no row with a value", t->path);
}

static int is_stepwise(const otok_node *map)
{
    const otok_node *between = map ? otok_node_find(map, "between") : NULL;
    return between && between->kind == OTOK_NODE_SCALAR && between->text &&
           strcmp(between->text, "steps") == 0;
}

static otok_status open_text(char **bytes, size_t *size, const char *path, const otok_node *node)
{
    if (otok_text_read(bytes, size, path) != OTOK_OK)
        return otok_cell_is_number(node->text)
                   ? otok_node_fail(node,
                                    "%s is one value; write [[0, %s]] if it holds all the time",
                                    node->text, node->text)
                   : otok_node_fail(node, "%s", otok_why());
    return strlen(*bytes) < *size
               ? otok_node_fail(node, "%s is not a text; export it as CSV in UTF-8", path)
               : OTOK_OK;
}

otok_status otok_series_file(otok_series *out, otok_node *node, const otok_node *map,
                             const char *directory, const otok_parameter *p)
{
    char path[OTOK_TEXT_SIZE], *bytes = NULL;
    size_t size;
    otok_dialect dialect;
    otok_sheet table = {0};
    OTOK_TRY(otok_value_text(path, sizeof path, node));
    OTOK_TRY(otok_path_resolve(path, directory, node));
    OTOK_TRY(read_dialect(&dialect, map));
    const int is_netcdf = otok_cf_is_hdf(path) || otok_cf_is_classic(path);
    const otok_node *station = map ? otok_node_find(map, "station") : NULL;
    otok_status status = is_netcdf ? otok_series_netcdf(&bytes, &size, path, map, p, node)
                                   : open_text(&bytes, &size, path, node);
    if (status == OTOK_OK && station && !is_netcdf)
        status = otok_node_fail(station, "only files of NetCDF have stations; write column: NAME");
    if (status == OTOK_OK) {
        const otok_node key = *node;
        loading l = {.list = node,
                     .table = &table,
                     .p = p,
                     .unit = {"", ""},
                     .stepwise = is_stepwise(map),
                     .missing = map ? otok_node_find(map, "missing") : NULL};
        free(node->text);
        node->text = NULL;
        node->kind = OTOK_NODE_LIST;
        otok_series checked = {0};
        if (is_netcdf) dialect = (otok_dialect){.separator = ',', .decimal = '.'};
        status = otok_sheet_read(&table, bytes, &dialect, path, node);
        for (int i = 0; i < table.n && is_netcdf; i++)
            table.lines[i] = i + 1; /* of the times */
        if (status == OTOK_OK) status = put_rows(&l, &table, map, dialect.decimal, out);
        if (status == OTOK_OK) status = otok_series_points(&checked, node, p);
        name_origin(node, &key);
        free(checked.at);
    }
    otok_sheet_destroy(&table);
    free(bytes);
    return status;
}
