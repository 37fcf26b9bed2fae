/* driver_read.c: reads parameters files of Dakota (user's manual, "Parameters file format"):
   standard, with a value and its tag a line; APREPRO, with `{ tag = value }` a line; JSON. In the
   first two, a count announces each section of lines: variables and functions, and sections that
   are skipped here: derivative variables, analysis components, the number of the evaluation.
   Evaluations in batches have one file each. */
#include "../scenario/scenario_read.h"
#include "driver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lines {
    otok_asked *out;
    const char *path;
    char *rest;
    int number, aprepro;
    char *value, *tag; /* of the present line */
} lines;

static otok_status fail_line(const lines *l, const char *what)
{
    return OTOK_FAIL(OTOK_DATA, "%s:%d: %s", l->path, l->number, what);
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        text[--n] = 0;
    return text;
}

/* Splits { tag = value }; a text is in quotes. */
static otok_status split_aprepro(lines *l, char *line)
{
    const size_t n = strlen(line);
    char *equals = strchr(line, '=');
    if (line[0] != '{' || line[n - 1] != '}' || !equals)
        return fail_line(l, "not of the form { tag = value }");
    line[n - 1] = *equals = 0;
    l->tag = trim(line + 1);
    l->value = trim(equals + 1);
    const size_t m = strlen(l->value);
    if (m >= 2 && l->value[0] == '"' && l->value[m - 1] == '"') {
        l->value[m - 1] = 0;
        l->value++;
    }
    return OTOK_OK;
}

/* Goes to the next line that is not empty; *end: there is none. */
static otok_status next_line(lines *l, int *end)
{
    char *line = NULL;
    *end = 0;
    do {
        line = strsep(&l->rest, "\n");
        l->number += line != NULL;
        if (line) line = trim(line);
    } while (line && !*line);
    *end = !line;
    if (!line) return OTOK_OK;
    if (l->aprepro) return split_aprepro(l, line);
    l->tag = line + strlen(line);
    while (l->tag > line && !isspace((unsigned char)l->tag[-1]))
        l->tag--;
    if (l->tag == line)
        return fail_line(l, "a value without a tag; each line has a value and then its tag");
    l->tag[-1] = 0;
    l->value = trim(line);
    return OTOK_OK;
}

static otok_status copy_text(const lines *l, char *to, size_t size, const char *from)
{
    return snprintf(to, size, "%s", from) < (int)size ? OTOK_OK
                                                      : fail_line(l, "the text is too long");
}

/* "ASV_2:relief" -> "relief" */
static otok_status read_response(lines *l, int i)
{
    const char *colon = strchr(l->tag, ':');
    char *end;
    const long set = strtol(l->value, &end, 10);
    if (strncmp(l->tag, "ASV_", 4) != 0 || !colon || end == l->value || *end || set < 0 || set > 7)
        return fail_line(l, "not of the form 1 ASV_1:name, with a number from 0 to 7");
    if (set & 6)
        return fail_line(l, "a gradient or Hessian is asked for; otok has values only: write "
                            "no_gradients, or numerical_gradients");
    l->out->responses[i].wanted = (int)set;
    return copy_text(l, l->out->responses[i].name, OTOK_NAME_SIZE, colon + 1);
}

/* The section that a head announces: 0 variables, 1 functions, 2 metadata, 3 a skipped section, 4
   no section; -1: unknown. */
static int section_of(const char *tag)
{
    static const struct {
        const char *standard, *aprepro;
        int section;
    } known[] = {{"variables", "DAKOTA_VARS", 0},
                 {"functions", "DAKOTA_FNS", 1},
                 {"metadata", "DAKOTA_METADATA", 2},
                 {"derivative_variables", "DAKOTA_DER_VARS", 3},
                 {"analysis_components", "DAKOTA_AN_COMPS", 3},
                 {"eval_id", "DAKOTA_EVAL_ID", 4}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(tag, known[i].standard) == 0 || strcmp(tag, known[i].aprepro) == 0)
            return known[i].section;
    return -1;
}

static otok_status read_section(lines *l, int which, long n)
{
    static const long most[] = {OTOK_MAX_AXES, OTOK_ASKED_MOST, OTOK_ASKED_MOST, 1L << 20};
    int end = 0;
    if (n < 0 || n > most[which])
        return fail_line(l, "the number of lines that follow is below 0 or too large");
    for (int i = 0; i < n; i++) {
        OTOK_TRY(next_line(l, &end));
        if (end)
            return fail_line(l,
                             "the file ends early; give as many lines as the section's head says");
        if (which == 0) {
            OTOK_TRY(copy_text(l, l->out->variables[i].name, OTOK_TEXT_SIZE, l->tag));
            OTOK_TRY(copy_text(l, l->out->variables[i].value, OTOK_VALUE_SIZE, l->value));
        }
        if (which == 1) OTOK_TRY(read_response(l, i));
        if (which == 2) OTOK_TRY(copy_text(l, l->out->metadata[i], OTOK_NAME_SIZE, l->value));
    }
    if (which == 0) l->out->nvariables = (int)n;
    if (which == 1) l->out->nresponses = (int)n;
    if (which == 2) l->out->nmetadata = (int)n;
    return OTOK_OK;
}

static otok_status read_lines(lines *l)
{
    int end, seen = 0;
    for (;;) {
        char *stop;
        OTOK_TRY(next_line(l, &end));
        if (end) break;
        const int which = section_of(l->tag);
        const long n = strtol(l->value, &stop, 10);
        if (which < 0)
            return fail_line(
                l, "not the head of a section: variables, functions, derivative_variables, ...");
        if (which == 4) continue;
        if (stop == l->value || *stop)
            return fail_line(l, "the number of lines that follow must be a whole number");
        if (which == 0 && seen & 1)
            return fail_line(
                l, "a second evaluation; otok takes one evaluation a file, so leave `batch` out");
        OTOK_TRY(read_section(l, which, n));
        seen |= which < 2 ? 1 << which : 0;
    }
    return seen == 3 ? OTOK_OK
                     : fail_line(l, "variables or functions are missing; is it a parameters file?");
}

/* ---- JSON ---- */

static otok_status member_text(char *out, size_t size, const otok_node *object, const char *key)
{
    const otok_node *node = otok_node_find(object, key);
    return node ? otok_value_text(out, size, node) : otok_node_fail(object, "`%s` is missing", key);
}

static otok_status json_list(const otok_node **out, const otok_node *root, const char *key,
                             int most, int needed)
{
    *out = otok_node_find(root, key);
    if (!*out) return needed ? otok_node_fail(root, "`%s` is missing", key) : OTOK_OK;
    if ((*out)->kind != OTOK_NODE_LIST || (*out)->n > most)
        return otok_node_fail(*out, "a list of at most %d is needed", most);
    return OTOK_OK;
}

static otok_status read_json(otok_asked *out, const otok_node *root)
{
    const otok_node *list;
    OTOK_TRY(json_list(&list, root, "variables", OTOK_MAX_AXES, 1));
    for (; out->nvariables < list->n; out->nvariables++) {
        const otok_node *item = list->items[out->nvariables];
        OTOK_TRY(member_text(out->variables[out->nvariables].name, OTOK_TEXT_SIZE, item, "label"));
        OTOK_TRY(
            member_text(out->variables[out->nvariables].value, OTOK_VALUE_SIZE, item, "value"));
    }
    OTOK_TRY(json_list(&list, root, "responses", OTOK_ASKED_MOST, 1));
    for (; out->nresponses < list->n; out->nresponses++) {
        const otok_parameter range = {.unit = "", .low = 0, .high = 7};
        const otok_node *item = list->items[out->nresponses],
                        *set = otok_node_find(item, "active_set");
        int64_t active = 1;
        OTOK_TRY(member_text(out->responses[out->nresponses].name, OTOK_NAME_SIZE, item, "label"));
        if (set) OTOK_TRY(otok_value_int(&active, set, &range));
        if (active & 6)
            return otok_node_fail(set, "a gradient or Hessian is asked for; otok has values only");
        out->responses[out->nresponses].wanted = (int)active;
    }
    OTOK_TRY(json_list(&list, root, "metadata", OTOK_ASKED_MOST, 0));
    for (; list && out->nmetadata < list->n; out->nmetadata++)
        OTOK_TRY(otok_value_text(out->metadata[out->nmetadata], OTOK_NAME_SIZE,
                                 list->items[out->nmetadata]));
    return OTOK_OK;
}

static otok_status parse(otok_asked *out, const char *path, char *bytes, size_t size)
{
    const char *first = bytes + strspn(bytes, " \t\r\n"),
               *second = *first ? first + 1 + strspn(first + 1, " \t\r\n") : first;
    out->is_json = *first == '{' && (*second == '"' || *second == '}');
    if (!out->is_json) {
        lines l = {.out = out, .path = path, .rest = bytes, .aprepro = *first == '{'};
        return read_lines(&l);
    }
    otok_node *root;
    OTOK_TRY(otok_node_parse(&root, path, 1, bytes, size));
    const otok_status status = read_json(out, root);
    otok_node_destroy(root);
    return status;
}

otok_status otok_asked_read(otok_asked *out, const char *path)
{
    char *bytes;
    size_t size;
    memset(out, 0, sizeof *out);
    OTOK_TRY(otok_text_read(&bytes, &size, path));
    const otok_status status = parse(out, path, bytes, size);
    free(bytes);
    return status;
}
