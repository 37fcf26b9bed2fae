/* sheet.c: see sheet.h. */
#include "sheet.h"

#include "../core/units.h"
#include "dates.h"
#include "scenario_read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- lines ---- */

/* Every kind of line end becomes a line feed. */
static void settle_ends(char *bytes)
{
    char *to = bytes;
    for (const char *from = bytes; *from; from++) {
        if (*from == '\r' && from[1] == '\n') continue;
        *to++ = *from == '\r' ? '\n' : *from;
    }
    *to = 0;
}

static char *trim(char *text)
{
    text += strspn(text, " \t\n\v\f\r");
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
        text[n - 1] = 0;
    return text;
}

/* The separator of a line: the first of these that stands outside quotes. */
static char separator_of(const char *line)
{
    static const char order[] = "\t;,|";
    for (const char *s = order; *s; s++) {
        int quoted = 0;
        for (const char *c = line; *c; c++) {
            quoted ^= *c == '"';
            if (*c == *s && !quoted) return *s;
        }
    }
    return ' ';
}

/* The end of the cell that begins here; NULL: its quote has no end. A blank inside brackets
   separates nothing. */
static char *cell_end(char *at, char separator)
{
    int quoted = 0, depth = 0;
    for (; *at; at++) {
        quoted ^= *at == '"';
        depth += (*at == '[' || *at == '(') - (*at == ']' || *at == ')');
        if (quoted) continue;
        if (separator != ' ' && *at == separator) return at;
        if (separator == ' ' && isspace((unsigned char)*at) && depth <= 0 &&
            !strchr("[(", at[strspn(at, " \t")] ? at[strspn(at, " \t")] : 'x'))
            return at;
    }
    return quoted ? NULL : at;
}

static char *unquote(char *cell)
{
    cell = trim(cell);
    if (*cell != '"') return cell;
    char *to = cell;
    for (const char *from = cell; *from; from++)
        if (*from != '"' || (from > cell && from[1] == '"' && *++from)) *to++ = *from;
    *to = 0;
    return trim(cell);
}

/* Splits a line into at most `most` cells; returns how many it has, -1: a quote has no end. */
static int split(char **cells, int most, char *line, char separator)
{
    int n = 0;
    for (char *at = separator == ' ' ? trim(line) : line;;) {
        char *end = cell_end(at, separator);
        if (!end) return -1;
        const char last = *end;
        *end = 0;
        if (n < most) cells[n] = unquote(at);
        n++;
        if (!last) return n;
        at = end + 1;
        while (separator == ' ' && isspace((unsigned char)*at))
            at++;
    }
}

enum { MOST_COLUMNS = 512, MOST_COMMENTS = 64 };

/* What the passes over the lines share. */
typedef struct reading {
    otok_sheet *out;
    const otok_node *at;
    const otok_dialect *dialect;
    char *comment[MOST_COMMENTS]; /* the last ones before the first row */
    int comment_line[MOST_COMMENTS], ncomments;
    int first_line, room;
} reading;

/* A row may begin with an error of a spreadsheet, such as #N/A. */
static int is_comment(const reading *r, const char *line)
{
    static const char *const errors[] = {"#N/A", "#NA", "#VALUE!", "#DIV/0!", "#REF!", "#NUM!"};
    const char *mark = *r->dialect->comment ? r->dialect->comment : "#";
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (strncasecmp(line, errors[i], strlen(errors[i])) == 0) return 0;
    return strncmp(line, mark, strlen(mark)) == 0;
}

static void keep_comment(reading *r, char *line, int number)
{
    if (r->out->columns) return;
    const int i = r->ncomments++ % MOST_COMMENTS;
    r->comment[i] = line;
    r->comment_line[i] = number;
}

/* Are these the titles of columns? */
static int are_titles(char *const *cells, int n)
{
    int words = 0;
    for (int i = 0; i < n; i++) {
        if (otok_cell_is_number(cells[i])) return 0;
        words +=
            *cells[i] && !(otok_cell_is_missing(cells[i]) && !isalpha((unsigned char)*cells[i]));
    }
    for (int i = 0; i < n; i++)
        if (strcasecmp(cells[i], "nan") == 0 || strcasecmp(cells[i], "na") == 0) words--;
    return words > 0;
}

static otok_status keep_titles(reading *r, char **cells, int n, int line)
{
    otok_sheet *t = r->out;
    t->titles = malloc((size_t)n * sizeof *t->titles);
    if (!t->titles) return otok_node_no_memory();
    memcpy(t->titles, cells, (size_t)n * sizeof *cells);
    t->title_line = line;
    return OTOK_OK;
}

/* Has a comment a unit in brackets that can be nothing else, such as L/s? */
static int has_unit(const char *line)
{
    char word[32];
    for (const char *at = line; (at = strpbrk(at, "[(")); at++) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at + 1, "])"), at + 1);
        if (isalpha((unsigned char)*word) && strpbrk(word, "/^-") && otok_unit_known(word))
            return 1;
    }
    return 0;
}

/* Are these titles, of which the first is that of the times, and which tell a unit: in brackets,
   behind the first name, or as the last word? */
static int tell_unit(const char *line)
{
    char first[64], word[32];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(line, " \t"), line);
    if (!otok_title_is_time(first)) return 0;
    for (const char *at = line; (at = strpbrk(at, "[(")); at++) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at + 1, "])"), at + 1);
        if (otok_is_unit_word(word)) return 1;
    }
    const char *behind = strrchr(first, '_'), *last = strrchr(line, ' ');
    return (behind && otok_is_unit_word(behind + 1)) || (last && otok_is_unit_word(last + 1));
}

/* The separator of titles with blanks, each of which ends with its unit: T [h] sea level [m]. */
static char part_titles(char *line, int columns, char separator)
{
    int n = 0;
    for (const char *at = line; (at = strpbrk(at, "])")); at++)
        n += !at[1] || at[1] == ' ';
    if (separator != ' ' || n != columns) return separator;
    for (char *at = line; (at = strpbrk(at, "])")); at++)
        if (at[1] == ' ') at[1] = '\t';
    return '\t';
}

/* Splits titles; of two that tell a unit, what follows the first is the second: T water level (ft).
 */
static int split_titles(char **cells, char *line, const otok_sheet *t, int tell)
{
    const char by = part_titles(line, t->columns, t->separator);
    char *end = tell && by == ' ' && t->columns == 2 ? cell_end(line, by) : NULL;
    if (!end || !*end) return split(cells, MOST_COLUMNS, line, by);
    *end = 0;
    cells[0] = unquote(line), cells[1] = unquote(end + 1);
    return 2;
}

/* A comment of as many cells as the rows have is their titles, as numpy.savetxt writes them: the
   last one with a unit in brackets, else the last one. */
static otok_status heed_comments(reading *r)
{
    char *cells[MOST_COLUMNS];
    const int last = r->ncomments, first = last > MOST_COMMENTS ? last - MOST_COMMENTS : 0;
    int units = -1; /* the first comment with some */
    if (r->out->titles || r->out->columns < 2) return OTOK_OK;
    for (int bare = 0; bare < 2; bare++)
        for (int i = last - 1; i >= first && !r->out->titles; i--) {
            char *line = r->comment[i % MOST_COMMENTS];
            if (!bare != (strpbrk(line, "[(") != NULL)) continue;
            if (has_unit(line)) units = i;
            while (is_comment(r, line))
                line += strlen(*r->dialect->comment ? r->dialect->comment : "#");
            line = trim(line);
            const int tells = tell_unit(line);
            if (tells) units = i;
            const int n = split_titles(cells, line, r->out, tells);
            if (n == r->out->columns && are_titles(cells, n))
                OTOK_TRY(keep_titles(r, cells, n, r->comment_line[i % MOST_COMMENTS]));
        }
    if (units < 0 || r->out->titles) return OTOK_OK;
    return otok_sheet_fail(r->out, r->comment_line[units % MOST_COMMENTS], r->at,
                           "a comment tells a unit, and has not as many cells as the rows; write "
                           "all titles in one line, separated as the rows are");
}

static otok_status add_row(reading *r, char **cells, int line)
{
    otok_sheet *t = r->out;
    if (t->n == r->room) {
        const int room = r->room ? 2 * r->room : 256;
        char **more = realloc(t->cells, (size_t)room * (size_t)t->columns * sizeof *more);
        if (more) t->cells = more;
        int *lines = more ? realloc(t->lines, (size_t)room * sizeof *lines) : NULL;
        if (!lines) return otok_node_no_memory();
        t->lines = lines;
        r->room = room;
    }
    memcpy(t->cells + (size_t)t->n * (size_t)t->columns, cells, (size_t)t->columns * sizeof *cells);
    t->lines[t->n++] = line;
    return OTOK_OK;
}

static otok_status read_line(reading *r, char *text, int line)
{
    char *cells[MOST_COLUMNS];
    otok_sheet *t = r->out;
    const int n = split(cells, MOST_COLUMNS, text, t->separator);
    if (n < 0) return otok_sheet_fail(t, line, r->at, "a quote (\") has no end; close it");
    if (n > MOST_COLUMNS)
        return otok_sheet_fail(t, line, r->at, "%d columns; allowed: at most %d", n, MOST_COLUMNS);
    if (!t->columns) {
        t->columns = n;
        r->first_line = line;
        if (are_titles(cells, n)) return keep_titles(r, cells, n, line);
        OTOK_TRY(heed_comments(r));
    }
    if (n != t->columns)
        return otok_sheet_fail(t, line, r->at,
                               "%d cells in the line, and line %d has %d; give each line as many, "
                               "or say what separates them, such as separator: ';'",
                               n, r->first_line, t->columns);
    return add_row(r, cells, line);
}

/* The separator of the second line with cells, which is no title; else of the first. */
static char find_separator(const reading *r, const char *bytes)
{
    char found = ' ';
    int n = 0;
    for (const char *at = bytes; *at && n < 2; at += strcspn(at, "\n"), at += *at == '\n') {
        const size_t size = strcspn(at, "\n"), blank = strspn(at, " \t");
        if (blank >= size || is_comment(r, at + blank)) continue;
        char *line = strndup(at + blank, size - blank);
        if (line) found = separator_of(trim(line));
        free(line);
        n++;
    }
    return found;
}

otok_status otok_sheet_read(otok_sheet *out, char *bytes, const otok_dialect *dialect,
                            const char *path, const otok_node *at)
{
    *out = (otok_sheet){.path = path};
    reading r = {.out = out, .at = at, .dialect = dialect};
    int line = 0;
    if (strncmp(bytes, "\xef\xbb\xbf", 3) == 0) bytes += 3; /* a byte-order mark */
    settle_ends(bytes);
    out->separator = dialect->separator ? dialect->separator : find_separator(&r, bytes);
    if (strncasecmp(bytes, "sep=", 4) == 0 && bytes[4] && bytes[5] == '\n') /* Excel's own way */
        out->separator = bytes[4], memcpy(bytes, "     ", 5);
    for (char *rest = bytes, *text; (text = strsep(&rest, "\n"));) {
        line++;
        char *words = text + strspn(text, " \t");
        if (!words[strspn(words, " \t")]) continue;
        if (is_comment(&r, words)) {
            keep_comment(&r, words, line);
            continue;
        }
        OTOK_TRY(read_line(&r, out->separator == '\t' ? text : words, line));
    }
    return out->n ? OTOK_OK
                  : otok_node_fail(at, "%s has no row; write a time and a value a line", path);
}

void otok_sheet_destroy(otok_sheet *t)
{
    free(t->titles);
    free(t->cells);
    free(t->lines);
    *t = (otok_sheet){0};
}
