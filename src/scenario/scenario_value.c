/* scenario_value.c: reads YAML values by the parameter table: type, range, default. It does not
   check values against each other. */
#include "../core/units.h"
#include "parameter_rows.h"
#include "scenario_read.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *otok_number_text(double value, char out[32])
{
    if (isinf(value)) return strcpy(out, value > 0 ? ".inf" : "-.inf");
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    char *e =
        strchr(out, 'e'); /* readers of YAML 1.1 read 1e-06 as a word and 1.0e-06 as a number */
    if (e && !strchr(out, '.')) {
        memmove(e + 2, e, strlen(e) + 1);
        memcpy(e, ".0", 2);
    }
    return out;
}

const char *otok_choice_text(const otok_parameter *parameter, int n, char out[64])
{
    if (OTOK_GIVEN(parameter, out)) return NULL;
    const char *word = parameter->choices;
    while (n-- > 0 && word)
        word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL;
    snprintf(out, 64, "%.*s", word ? (int)strcspn(word, "|") : 0, word ? word : "");
    return out;
}

/* A number in a unit that is so many of the parameter's own, without digits of the conversion. */
static const char *converted_text(double value, double factor, char out[32])
{
    if (factor == 1 || !isfinite(value)) return otok_number_text(value, out);
    snprintf(out, 32, "%.6g", value / factor);
    return out;
}

/* "allowed: above 0, at most 1000000 s" */
static const char *range_text(const otok_parameter *p, const char *unit, double factor,
                              char out[128])
{
    char low[32], high[32];
    converted_text(p->low, factor, low);
    converted_text(p->high, factor, high);
    unit = strcmp(unit, "1") == 0 ? "" : unit;
    if (p->low == p->high) {
        snprintf(out, 128, "allowed: %s", low);
        return out;
    }
    snprintf(out, 128, "allowed: %s %s%s%s%s%s", p->open & 1 ? "above" : "at least", low,
             isinf(p->high) ? ", or "
             : p->open & 2  ? ", below "
                            : ", at most ",
             high, *unit ? " " : "", unit);
    return out;
}

const char *otok_range_text(const otok_parameter *p, char out[128])
{
    return range_text(p, p->unit, 1, out);
}

static int is_infinite(const char *t)
{
    t += *t == '+' || *t == '-';
    return strcmp(t, ".inf") == 0 || strcmp(t, ".Inf") == 0 || strcmp(t, ".INF") == 0;
}

/* Replaces the node by the plain number, so that readers after this one need no units; see
   scenario_given.c. */
static otok_status drop_unit(const otok_node *node, double value)
{
    char number[32];
    return otok_node_means(node, otok_number_text(value, number));
}

/* Reads a number, with a unit or without; *given tells which. */
static otok_status read_number(double *out, int *given, const otok_node *node,
                               const otok_parameter *p)
{
    char shown[64], range[128], why[OTOK_UNIT_WHY];
    otok_range_text(p, range);
    *given = 0;
    if (node->kind != OTOK_NODE_SCALAR || otok_node_is_null(node))
        return otok_node_fail(node, "%s stands where a number is needed; %s",
                              otok_node_show(node, shown), range);
    if (node->plain && is_infinite(node->text)) {
        *out = node->text[0] == '-' ? -INFINITY : INFINITY;
        return OTOK_OK;
    }
    const char *bad = otok_unit_read(out, given, node->text, p->unit, why);
    if (!node->plain && !*given)
        return otok_node_fail(node, "%s is in quotes, which makes it a text; write a number; %s",
                              otok_node_show(node, shown), range);
    return bad ? otok_node_fail(node, "%s; %s", bad, range) : OTOK_OK;
}

static otok_status check_range(double value, int given, const otok_node *node,
                               const otok_parameter *p)
{
    char range[128], number[32], why[OTOK_UNIT_WHY];
    if (!(value < p->low || value > p->high || (value == p->low && p->open & 1) ||
          (value == p->high && p->open & 2)))
        return OTOK_OK;
    double factor = 1;
    const char *unit = given ? node->text + strcspn(node->text, " \t") : "";
    unit += strspn(unit, " \t");
    if (*unit && !otok_unit_factor(&factor, unit, p->unit, why))
        return otok_node_fail(node, "%.60s is out of range; %s", node->text,
                              range_text(p, unit, factor, range));
    return otok_node_fail(node, "%.60s%s%s is out of range; %s", node->text, given ? " = " : "",
                          given ? otok_number_text(value, number) : "", otok_range_text(p, range));
}

otok_status otok_value_real(double *out, const otok_node *node, const otok_parameter *p)
{
    double value = 0;
    int given;
    OTOK_TRY(read_number(&value, &given, node, p));
    OTOK_TRY(check_range(value, given, node, p));
    *out = value;
    otok_node_read_into(node, out);
    return given ? drop_unit(node, value) : OTOK_OK;
}

otok_status otok_value_when(int64_t *n, double *seconds, const otok_node *node,
                            const otok_parameter *p)
{
    const otok_parameter time = {.unit = "s", .high = 1e15};
    char why[OTOK_UNIT_WHY];
    double value = 0;
    int given = 0;
    *seconds = NAN;
    if (node->kind == OTOK_NODE_SCALAR && node->text)
        otok_unit_read(&value, &given, node->text, "s", why);
    if (!given) return otok_value_int(n, node, p);
    OTOK_TRY(otok_value_real(&value, node, &time));
    *seconds = value;
    otok_node_read_into(node, seconds);
    char number[32], text[48];
    snprintf(text, sizeof text, "%s s", otok_number_text(value, number));
    return otok_node_becomes(node, text);
}

otok_status otok_value_int(int64_t *out, const otok_node *node, const otok_parameter *p)
{
    double value = 0;
    char shown[64], range[128];
    OTOK_TRY(otok_value_real(&value, node, p));
    if (value != floor(value))
        return otok_node_fail(node, "%s is not a whole number; %s", otok_node_show(node, shown),
                              otok_range_text(p, range));
    *out = (int64_t)value;
    return OTOK_OK;
}

/* Is every character allowed in one line of any file? Control characters, separators of lines and
   byte-order marks are not. */
static int is_printable(const char *text)
{
    for (const unsigned char *t = (const unsigned char *)text; *t; t++) {
        if (*t < 0x20 || *t == 0x7f) return 0;
        if (*t == 0xc2 && t[1] < 0xa0) return 0;
        if (*t == 0xe2 && t[1] == 0x80 && (t[2] == 0xa8 || t[2] == 0xa9)) return 0;
        if (*t == 0xef && ((t[1] == 0xbb && t[2] == 0xbf) || (t[1] == 0xbf && t[2] >= 0xbe)))
            return 0;
    }
    return 1;
}

otok_status otok_value_text(char *out, size_t size, const otok_node *node)
{
    char shown[64];
    if (node->kind != OTOK_NODE_SCALAR)
        return otok_node_fail(node, "%s stands where a text is needed; put it in quotes",
                              otok_node_show(node, shown));
    const char *text = otok_node_is_null(node) ? "" : node->text;
    if (strlen(text) >= size)
        return otok_node_fail(node, "%zu bytes are too long; allowed: at most %zu", strlen(text),
                              size - 1);
    if (!is_printable(text))
        return otok_node_fail(node, "%s holds a line break or control character; write one line",
                              otok_node_show(node, shown));
    strcpy(out, text);
    return OTOK_OK;
}

static otok_status read_bool(int *out, const otok_node *node)
{
    char shown[64];
    const char *text =
        node->kind == OTOK_NODE_SCALAR && node->plain && node->text ? node->text : "";
    *out = strcmp(text, "true") == 0;
    if (*out || strcmp(text, "false") == 0) return OTOK_OK;
    return otok_node_fail(
        node, "%s is neither true nor false; write one of these two words, without quotes",
        otok_node_show(node, shown));
}

static otok_status read_choice(int *out, const otok_node *node, const char *choices)
{
    char copy[256], shown[64], *rest = copy;
    otok_words words = {0};
    snprintf(copy, sizeof copy, "%s", choices);
    while (rest)
        otok_words_add(&words, strsep(&rest, "|"));
    const char *text = node->kind == OTOK_NODE_SCALAR && node->text ? node->text : "";
    *out = otok_words_find(&words, text);
    if (*out >= 0) return OTOK_OK;
    return otok_node_fail(node, "%s is none of %s; the nearest is `%s`",
                          otok_node_show(node, shown), choices, otok_words_nearest(&words, text));
}

static otok_status check_name(const char *name, const otok_parameter *p, const otok_node *node)
{
    const size_t n = strlen(name);
    if (n ? !name[strspn(name, p->choices)] && n <= p->high : !(p->open & GIVEN)) return OTOK_OK;
    return otok_node_fail(node, "`%.64s` is not a name for a %s; use %s, at most %.0f", name,
                          p->group,
                          strcmp(p->choices, SMALL_NAME) == 0 ? "small letters, digits and _"
                                                              : "letters, digits, _ and -",
                          p->high);
}

otok_status otok_value_read(void *at, const otok_parameter *p, const otok_node *node)
{
    int64_t version;
    if (p->offset == (size_t)-1) return otok_value_int(&version, node, p);
    void *value = (char *)at + p->offset;
    switch (p->kind) {
    case OTOK_REAL: return otok_value_real(value, node, p);
    case OTOK_INT: return otok_value_int(value, node, p);
    case OTOK_WHEN: return otok_value_when(value, (double *)((int64_t *)value + 1), node, p);
    case OTOK_BOOL: return read_bool(value, node);
    case OTOK_CHOICE: return read_choice(value, node, p->choices);
    case OTOK_TEXT:
        OTOK_TRY(otok_value_text(value, OTOK_TEXT_SIZE, node));
        return p->choices ? check_name(value, p, node) : OTOK_OK;
    case OTOK_LIST:
    case OTOK_STRUCTS:
    case OTOK_SERIES: break;
    }
    return OTOK_OK;
}

otok_status otok_path_split(char **whole, char **directory, char **stem, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *dot = strrchr(name, '.');
    *whole = strdup(path);
    *directory = !slash          ? strdup(".")
                 : slash == path ? strdup("/")
                                 : strndup(path, (size_t)(slash - path));
    *stem = dot && dot > name ? strndup(name, (size_t)(dot - name)) : strdup(name);
    return *whole && *directory && *stem ? OTOK_OK
                                         : OTOK_FAIL(OTOK_NOMEM, "no memory for a scenario");
}

otok_status otok_path_resolve(char *file, const char *directory, const otok_node *node)
{
    char name[OTOK_TEXT_SIZE], absolute[PATH_MAX];
    if (!file[0] || file[0] == '/') return OTOK_OK;
    strcpy(name, file);
    if (!realpath(directory, absolute))
        return otok_node_fail(node, "its file's folder %s cannot be resolved: %s", directory,
                              strerror(errno));
    const int n =
        snprintf(file, OTOK_TEXT_SIZE, "%s/%s", strcmp(absolute, "/") == 0 ? "" : absolute, name);
    if (n < OTOK_TEXT_SIZE) return OTOK_OK;
    return otok_node_fail(node, "%d bytes with its file's folder before it; allowed: at most %d", n,
                          OTOK_TEXT_SIZE - 1);
}

otok_status otok_scenario_resolve(const otok_scenario *s, char *file, const otok_node *node)
{
    return otok_path_resolve(file, s->directory, node);
}
