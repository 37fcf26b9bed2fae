/* series_read.c: reads and writes values over time, a kind of parameter: [[time, value], ...], a
   CSV file of such rows, or a group that also tells what is between the points. A file becomes the
   list of its points in the tree, so that resolved texts, checkpoints and records of changes hold
   the numbers themselves. */
#include "core/units.h"
#include "scenario_read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FORM "[[time, value], ...]"

static otok_status read_points(otok_series *s, const otok_node *list, const otok_parameter *p)
{
    const otok_parameter time = {.unit = "s", .high = 1e15};
    int n;
    OTOK_TRY(otok_pairs_check(&n, list, OTOK_MAX_POINTS, FORM));
    s->at = malloc((size_t)n * sizeof *s->at + 1);
    if (!s->at) return otok_node_no_memory();
    s->n = n;
    for (int i = 0; i < s->n; i++) {
        const otok_node *pair = list->items[i];
        struct otok_series_point *point = &s->at[i];
        OTOK_TRY(otok_value_real(&point->time, pair->items[0], &time));
        OTOK_TRY(otok_value_real(&point->value, pair->items[1], p));
        if (i && point->time <= point[-1].time)
            return otok_node_fail(
                pair,
                "time %.15g s does not come after %.15g s; sort the pairs by time, each time once",
                point->time, point[-1].time);
    }
    return OTOK_OK;
}

otok_status otok_series_read(otok_series *s, const otok_node *node, const otok_parameter *p)
{
    const otok_parameter between = {
        .kind = OTOK_CHOICE, .choices = "linear|steps", .offset = offsetof(otok_series, stepwise)};
    const otok_parameter repeat = {.kind = OTOK_BOOL, .offset = offsetof(otok_series, repeat)};
    s->n = s->stepwise = s->repeat = 0;
    if (node->kind != OTOK_NODE_MAP) return read_points(s, node, p);
    otok_words words = {0};
    otok_words_add(&words, "points");
    otok_words_add(&words, "file");
    otok_words_add(&words, "between");
    otok_words_add(&words, "repeat");
    otok_series_shape_words(&words, p);
    OTOK_TRY(otok_words_check(&words, node));
    const otok_node *points = otok_node_find(node, "points"),
                    *how = otok_node_find(node, "between"), *again = otok_node_find(node, "repeat");
    if (!points || otok_node_is_null(points))
        return otok_node_fail(node, "`points` is missing; write points: " FORM ", or file: NAME");
    if (how) OTOK_TRY(otok_value_read(s, &between, how));
    if (again) OTOK_TRY(otok_value_read(s, &repeat, again));
    OTOK_TRY(read_points(s, points, p));
    if (s->repeat && (s->n < 2 || s->at[0].time != 0))
        return otok_node_fail(again, "points that repeat begin at time 0 and end at a later one, "
                                     "when they begin again; add a point at 0 and one at the end");
    return OTOK_OK;
}

void otok_series_write(FILE *out, const char *key, const otok_series *s, int depth)
{
    char time[32], value[32];
    if (!s->n) return;
    fprintf(out, "%*s%s:\n", 2 * depth, "", key);
    if (s->stepwise || s->repeat) {
        depth++;
        fprintf(out, "%*sbetween: %s\n", 2 * depth, "", s->stepwise ? "steps" : "linear");
        if (s->repeat) fprintf(out, "%*srepeat: true\n", 2 * depth, "");
        fprintf(out, "%*spoints:\n", 2 * depth, "");
    }
    for (int i = 0; i < s->n; i++)
        fprintf(out, "%*s- [%s, %s]\n", 2 * depth + 2, "", otok_number_text(s->at[i].time, time),
                otok_number_text(s->at[i].value, value));
}

/* ---- files ---- */

enum { CELL = 128 };

/* A row of a file: two cells, and what follows them. */
typedef struct row {
    char cell[2][CELL];
    int n; /* cells of the line */
} row;

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
        text[n - 1] = 0;
    return text;
}

static row read_row(char *line)
{
    row r = {.n = 0};
    for (char *rest = line, *cell; (cell = strsep(&rest, ",;\t")); r.n++)
        if (r.n < 2) snprintf(r.cell[r.n], CELL, "%s", trim(cell));
    return r;
}

/* The unit in a title such as "level [m]" or "time (kyr)"; "": it has none. */
static void unit_of(char unit[CELL], const char *title)
{
    const size_t n = strlen(title), at = strcspn(title, "[(") + 1;
    unit[0] = 0;
    if (at < n && strchr("])", title[n - 1]))
        snprintf(unit, CELL, "%.*s", (int)(n - 1 - at), title + at);
}

/* A title without brackets must not have words that are another unit than the one that its numbers
   would get: "Q in m3/h", where "in" is no inch, or "Q_cfs", the cubic feet of American gauges. */
static otok_status check_words(const otok_node *list, const char *title, const char *assumed)
{
    static const char between[] = " _[]()";
    char word[CELL], why[OTOK_UNIT_WHY];
    for (const char *at = title; *(at += strspn(at, between)); at += strcspn(at, between)) {
        const int one = (int)strcspn(at, between);
        if (isdigit((unsigned char)*at) || (one == 2 && strncmp(at, "in", 2) == 0)) continue;
        for (int to_end = 0; to_end < 2; to_end++) {
            double factor = 1;
            snprintf(word, CELL, "%.*s", to_end ? CELL - 1 : one, at);
            if (strcasecmp(word, "cfs") == 0) strcpy(word, "ft3 s-1");
            if (!otok_unit_factor(&factor, word, assumed, why) && factor != 1)
                return otok_node_fail(
                    list,
                    "the title `%s` has no unit in brackets at its end, but the unit `%s`; write "
                    "`[%s]` there, or `[%s]` if the numbers are in that",
                    title, word, word, assumed);
        }
    }
    return OTOK_OK;
}

/* Does the text begin as a number does? */
static int is_number(const char *text)
{
    return strchr("+-.0123456789", *text) != NULL && *text;
}

/* A scalar at the end of a list; `unit` is added to a bare number. */
static otok_status put_cell(otok_node *pair, const char *cell, const char *unit)
{
    char text[2 * CELL + 2];
    const char last = cell[0] ? cell[strlen(cell) - 1] : 0;
    const int bare = *unit && (isdigit((unsigned char)last) || last == '.');
    otok_node *node = otok_node_create(pair->source, pair->line);
    if (!node) return otok_node_no_memory();
    snprintf(text, sizeof text, "%s%s%s", cell, bare ? " " : "", bare ? unit : "");
    OTOK_TRY(otok_node_put(pair, NULL, node));
    return otok_node_becomes(node, text);
}

static otok_status put_pair(otok_node *list, const char *path, int line, const row *r,
                            char unit[2][CELL])
{
    otok_node *pair = otok_node_create(path, line);
    if (!pair) return otok_node_no_memory();
    OTOK_TRY(otok_node_put(list, NULL, pair));
    pair->kind = OTOK_NODE_LIST;
    if (r->n != 2)
        return otok_node_fail(pair, "%d cells in the line; write two: a time and a value", r->n);
    for (int i = 0; i < 2; i++)
        OTOK_TRY(put_cell(pair, r->cell[i], unit[i]));
    return OTOK_OK;
}

/* The rows of a file become pairs of the list. Empty lines and comments (#) are left out; the first
   line may have titles, with units. */
static otok_status put_rows(otok_node *list, const char *path, char *bytes, const otok_parameter *p)
{
    const char *assumed[2] = {"s", p->unit};
    char unit[2][CELL] = {"", ""};
    int line = 0, first = 1;
    if (strncmp(bytes, "\xef\xbb\xbf", 3) == 0) bytes += 3; /* a byte-order mark */
    for (char *rest = bytes, *text; (text = strsep(&rest, "\n"));) {
        line++;
        text = trim(text);
        if (!*text || *text == '#') continue;
        const row r = read_row(text);
        const int is_title = first && r.n == 2 && !is_number(r.cell[0]) && !is_number(r.cell[1]);
        first = 0;
        for (int i = 0; i < 2 && is_title; i++) {
            unit_of(unit[i], r.cell[i]);
            if (!*unit[i]) OTOK_TRY(check_words(list, r.cell[i], assumed[i]));
        }
        if (!is_title) OTOK_TRY(put_pair(list, path, line, &r, unit));
        if (list->n > OTOK_MAX_POINTS)
            return otok_node_fail(list, "%s has more than %d rows; thin it out", path,
                                  OTOK_MAX_POINTS);
    }
    return list->n ? OTOK_OK
                   : otok_node_fail(list, "%s has no row; write a time and a value a line", path);
}

/* From now on messages name the key in the scenario. */
static void name_origin(otok_node *node, const otok_node *as)
{
    node->source = as->source;
    node->line = as->line;
    for (int i = 0; i < node->n; i++)
        name_origin(node->items[i], as);
}

/* Turns the name of a file, at `node`, into the list of its points. */
static otok_status load(otok_node *node, const char *directory, const otok_parameter *p)
{
    char path[OTOK_TEXT_SIZE], *bytes = NULL;
    size_t size;
    OTOK_TRY(otok_value_text(path, sizeof path, node));
    OTOK_TRY(otok_path_resolve(path, directory, node));
    if (otok_text_read(&bytes, &size, path) != OTOK_OK)
        return is_number(node->text)
                   ? otok_node_fail(node,
                                    "%s is one value; write [[0, %s]] if it holds all the time",
                                    node->text, node->text)
                   : otok_node_fail(node, "%s", otok_why());
    otok_series checked = {0};
    otok_status status =
        strlen(bytes) < size ? otok_node_fail(node, "%s is not a text", path) : OTOK_OK;
    const otok_node key = *node;
    free(node->text);
    node->text = NULL;
    node->kind = OTOK_NODE_LIST;
    if (status == OTOK_OK) status = put_rows(node, path, bytes, p);
    if (status == OTOK_OK) status = read_points(&checked, node, p);
    name_origin(node, &key);
    free(checked.at);
    free(bytes);
    return status;
}

otok_status otok_series_load(const otok_node *node, const char *directory, const otok_parameter *p)
{
    otok_node *at = (otok_node *)node, *file = otok_node_find(node, "file");
    if (otok_node_is_null(node)) return OTOK_OK;
    if (node->kind == OTOK_NODE_SCALAR) return load(at, directory, p);
    OTOK_TRY(otok_series_shape(at, p));
    if (!file) return OTOK_OK;
    if (otok_node_find(node, "points"))
        return otok_node_fail(file, "points and file both give the series; keep one");
    OTOK_TRY(load(file, directory, p));
    free(file->key);
    file->key = strdup("points");
    return file->key ? OTOK_OK : otok_node_no_memory();
}
