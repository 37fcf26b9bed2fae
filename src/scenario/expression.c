/* expression.c: parses an expression; see expression.h. Each parser returns 1 if its part has a
   value per cell, 0 if it is one number, and -1 after a failure. */
#include "expression.h"

#include "../core/status.h"
#include "../core/words.h"
#include "expression_names.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64, NESTED = 24, COMPARES = 3, UNARY = 6 };

typedef struct parser {
    const char *text, *at;
    const char *argument, *end; /* within the text of a named reducer: its argument; the place after
                                   it, for messages */
    const char *loose; /* the first name with a value per cell that no reducer encloses; or NULL */
    otok_expression *out;
    int depth, nested; /* of the values of the evaluation; of calls of the parser */
} parser;

/* ---- messages ---- */

static int fail(const parser *p, const char *at, const char *format, ...)
{
    char what[768];
    va_list arguments;
    if (p->argument) at = p->end;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    otok_fail(OTOK_DATA, "column %d of `%.200s`: %s", (int)(at - p->text) + 1, p->text, what);
    return -1;
}

static void add_names(otok_words *words, int calls)
{
    for (int i = 0; i < FUNCTIONS && calls; i++)
        otok_words_add(words, functions[i].name);
    for (int i = 0; i < NAMED && calls; i++)
        otok_words_add(words, named[i].name);
    for (int i = 0; i < 2 && calls; i++)
        otok_words_add(words, of_sections[i].name);
    if (calls) return;
    for (int i = 0; i < OTOK_FIELDS; i++)
        if (otok_field_layer(i) < 0) otok_words_add(words, otok_field_at(i)->name);
    for (int i = 0; otok_derived_at(i); i++)
        otok_words_add(words, otok_derived_at(i)->name);
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        otok_words_add(words, constants[i].name);
}

static int fail_name(const parser *p, const char *at, const char *name, int calls)
{
    char known[640] = "";
    otok_words words = {0}, others = {0};
    add_names(&words, calls);
    add_names(&others, !calls);
    if (otok_words_find(&others, name) >= 0)
        return calls ? fail(p, at, "`%s` is a field, not a function; leave out its brackets", name)
                     : fail(p, at, "`%s` is a function; give it arguments in brackets", name);
    for (int i = 0; i < words.n; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                 words.at[i]);
    return fail(p, at, "there is no %s `%s`; the nearest is `%s`. Known: %s",
                calls ? "function" : "field", name, otok_words_nearest(&words, name), known);
}

static int fail_here(const parser *p, const char *wanted)
{
    const char *before = p->at;
    int size = 1; /* of a letter in UTF-8 */
    if (!*p->at) return fail(p, p->at, "the text ends where %s is needed", wanted);
    while ((p->at[size] & 0xc0) == 0x80)
        size++;
    while (before > p->text && isspace((unsigned char)before[-1]))
        before--;
    const int unit = *p->at == '[' || (isalpha((unsigned char)*p->at) && before > p->text &&
                                       isdigit((unsigned char)before[-1]));
    return fail(p, p->at, "`%.*s` stands where %s is needed%s", size, p->at, wanted,
                unit ? "; leave units out: numbers are in those of the fields" : "");
}

/* ---- operations ---- */

/* Adds an operation that changes the number of values by `more`. Returns its position, or -1. */
static int emit(parser *p, int kind, int arg, double number, int more)
{
    otok_expression *e = p->out;
    p->depth += more;
    if (e->n == OTOK_EXPRESSION_OPS || p->depth > OTOK_EXPRESSION_DEPTH)
        return fail(p, p->at, "the expression is too long or nested too deeply; divide it");
    e->ops[e->n] = (otok_operation){kind, arg, number};
    return e->n++;
}

static void skip_spaces(parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static int accept(parser *p, char c)
{
    skip_spaces(p);
    if (*p->at != c) return 0;
    p->at++;
    return 1;
}

static int parse_level(parser *p, int least);

static int parse_number(parser *p)
{
    char *end;
    const double number = strtod(p->at, &end);
    if (p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X')) end = (char *)p->at + 1;
    if (isinf(number))
        return fail(p, p->at, "`%.*s` is too large for a number", (int)(end - p->at), p->at);
    p->at = end;
    if (isalnum((unsigned char)*end) || *end == '.') return fail_here(p, "an operator");
    return emit(p, OTOK_OP_NUMBER, 0, number, 1) < 0 ? -1 : 0;
}

static int need_map(parser *p, const char *at, int field)
{
    otok_expression *e = p->out;
    int map = 0;
    while (map < e->nmaps && e->maps[map] != field)
        map++;
    if (map == OTOK_EXPRESSION_MAPS)
        return fail(p, at, "more than %d fields; divide the expression", OTOK_EXPRESSION_MAPS);
    if (map == e->nmaps) e->maps[e->nmaps++] = field;
    return 0;
}

static int parse_field(parser *p, const char *at, const char *name)
{
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        if (strcmp(constants[i].name, name) != 0) continue;
        const int cells = constants[i].kind != OTOK_OP_L;
        if (cells && !p->loose) p->loose = at;
        return emit(p, constants[i].kind, 0, 0, 1) < 0 ? -1 : cells;
    }
    const int stored = otok_field_find(name), derived = otok_derived_find(name);
    const int field = stored >= 0 ? stored : OTOK_FIELDS + derived;
    if (stored < 0 && derived < 0) return fail_name(p, at, name, 0);
    if (need_map(p, at, field) < 0) return -1;
    if (!p->loose) p->loose = at;
    return emit(p, OTOK_OP_FIELD, field, 0, 1) < 0 ? -1 : 1;
}

/* The share of a quantile, a number of its own. */
static int parse_share(parser *p, double *share)
{
    char *end;
    skip_spaces(p);
    *share = strtod(p->at, &end);
    if (end == p->at || !(*share >= 0 && *share <= 1))
        return fail(p, p->at, "quantile(values, share) needs a number from 0 to 1, such as 0.99");
    p->at = end;
    return 0;
}

/* The argument is parsed once for its end, then where the text of the reducer has it. */
static int parse_named(parser *p, const char *text)
{
    const parser before = *p;
    const otok_expression so_far = *p->out;
    if (parse_level(p, 1) < 0) return -1;
    if (!accept(p, ')')) return fail_here(p, "`)`");
    const char *const end = p->at;
    *p->out = so_far;
    *p = before;
    p->argument = p->at;
    p->end = end;
    p->at = text;
    const int cells = parse_level(p, 1);
    p->argument = before.argument;
    p->end = before.end;
    p->at = end;
    return cells;
}

/* The argument of a named reducer in its place. */
static int parse_argument(parser *p)
{
    const parser before = *p;
    p->at = p->argument;
    p->argument = NULL;
    const int cells = parse_level(p, 1);
    p->at = before.at + 1;
    p->argument = before.argument;
    return cells;
}

/* Is the value of the operations from `first` on a direction: a field of angles, or one of two by a
   condition? */
static int is_direction(const otok_expression *e, int first)
{
    int angles[OTOK_EXPRESSION_DEPTH + 1] = {0}, top = -1;
    for (int at = first; at < e->n; at++) {
        const otok_operation *op = &e->ops[at];
        if (op->kind == OTOK_OP_BEGIN && op->arg < 0) continue;
        if (op->kind <= OTOK_OP_L || op->kind == OTOK_OP_BEGIN) {
            angles[++top] = op->kind == OTOK_OP_FIELD && op->arg >= OTOK_FIELDS &&
                            otok_derived_at(op->arg - OTOK_FIELDS)->look->sign == 3;
            if (op->kind == OTOK_OP_BEGIN) at = op->arg;
        } else if (op->kind < OTOK_OP_OR)
            angles[top] = 0;
        else if (op->kind < OTOK_OP_IF)
            angles[--top] = 0;
        else
            top -= 2, angles[top] = angles[top + 1] | angles[top + 2];
    }
    return angles[0];
}

/* The reducer of values that may be directions; -1: they have none. */
static int reducer_of(parser *p, const char *at, const struct function *f, int begin)
{
    if (f->reduces == OTOK_OP_AREA || f->reduces == OTOK_OP_COMPONENTS ||
        !is_direction(p->out, begin + 1))
        return f->reduces;
    if (f->reduces == OTOK_OP_MEAN) return OTOK_OP_DIRECTION;
    return fail(p, at,
                "`%s` of directions, of which 0 and 360 are the same one; write mean(...), their "
                "mean direction, or reduce an angle between, such as abs(aspect - 180)",
                f->name);
}

/* `min` and `max` reduce one argument, and compare two. */
static int parse_function(parser *p, const char *at, const struct function *f)
{
    const char *const loose = p->loose;
    const int quantile = f->reduces == OTOK_OP_QUANTILE,
              begin = f->reduces ? emit(p, OTOK_OP_BEGIN, 0, 0, 0) : 0;
    int n = 0, cells = 0;
    double share = 0;
    if (begin < 0) return -1;
    do {
        const int one = quantile && n == 1 ? parse_share(p, &share) : parse_level(p, 1);
        if (one < 0) return -1;
        cells |= one;
    } while (++n < f->most && accept(p, ','));
    if (n < f->least) return fail(p, at, "%s needs %d arguments, and has %d", f->name, f->least, n);
    if (!accept(p, ')')) return fail_here(p, n < f->most ? "`,` or `)`" : "`)`");
    if (f->reduces && (n == 1 || quantile)) {
        const int kind = reducer_of(p, at, f, begin);
        p->out->ops[begin].arg = p->out->n;
        p->loose = loose;
        return kind < 0 || emit(p, kind, begin, share, 0) < 0 ? -1 : 0;
    }
    if (f->reduces) p->out->ops[begin].arg = -1; /* min or max of two values: nothing begins */
    return emit(p, f->kind, 0, 0, 1 - n) < 0 ? -1 : cells;
}

/* The name of a gauge, which the state must know. */
static int parse_section(parser *p, int kind)
{
    static const int maps[] = {OTOK_WATER, OTOK_VELOCITY_X, OTOK_VELOCITY_Y, OTOK_TERRAIN};
    otok_expression *e = p->out;
    skip_spaces(p);
    const char *const at = p->at;
    const size_t n = strspn(at, "0123456789_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    int which = 0;
    p->at += n;
    if (!n || n >= OTOK_NAME_SIZE || !accept(p, ')'))
        return fail(p, at,
                    "write the name of one cross section of `gauges`, such as "
                    "discharge(weir)");
    while (which < e->nsections &&
           (strlen(e->sections[which]) != n || strncmp(e->sections[which], at, n) != 0))
        which++;
    if (which == OTOK_EXPRESSION_SECTIONS)
        return fail(p, at, "more than %d cross sections; divide the expression", which);
    if (which == e->nsections)
        snprintf(e->sections[e->nsections++], OTOK_NAME_SIZE, "%.*s", (int)n, at);
    for (int i = 0; i < 4; i++)
        if (need_map(p, at, maps[i]) < 0) return -1;
    return emit(p, kind, e->n, which, 1) < 0 ? -1 : 0;
}

static int parse_call(parser *p, const char *at, const char *name)
{
    for (int i = 0; i < 2; i++)
        if (strcmp(of_sections[i].name, name) == 0) return parse_section(p, of_sections[i].kind);
    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0) return parse_function(p, at, &functions[i]);
    for (int i = 0; i < NAMED; i++)
        if (strcmp(named[i].name, name) == 0) return parse_named(p, named[i].text);
    return fail_name(p, at, name, 1);
}

static int parse_name(parser *p)
{
    char name[NAME];
    const char *const at = p->at;
    const size_t n = strspn(at, "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    snprintf(name, sizeof name, "%.*s", (int)(n < NAME ? n : NAME - 1), at);
    p->at += n;
    return accept(p, '(') ? parse_call(p, at, name) : parse_field(p, at, name);
}

static int parse_first(parser *p)
{
    skip_spaces(p);
    if (isdigit((unsigned char)*p->at) || *p->at == '.') return parse_number(p);
    if (isalpha((unsigned char)*p->at)) return parse_name(p);
    if (*p->at == '$' && p->argument) return parse_argument(p);
    const int kind = accept(p, '-') ? OTOK_OP_NEGATE : accept(p, '!') ? OTOK_OP_NOT : -1;
    if (kind >= 0) {
        const int cells = parse_level(p, UNARY);
        return cells < 0 || emit(p, kind, 0, 0, 0) < 0 ? -1 : cells;
    }
    if (!accept(p, '(')) return fail_here(p, "a number, a field or a function");
    const int cells = parse_level(p, 1);
    if (cells >= 0 && !accept(p, ')')) return fail_here(p, "`)`");
    return cells;
}

static const struct binary *find_binary(parser *p)
{
    skip_spaces(p);
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        if (strncmp(p->at, binaries[i].word, strlen(binaries[i].word)) == 0) return &binaries[i];
    return NULL;
}

/* Operators of this level and of higher ones, which bind more tightly. */
static int parse_level(parser *p, int least)
{
    int compares = 0;
    if (++p->nested > NESTED) return fail(p, p->at, "more than %d brackets; divide it", NESTED);
    int cells = parse_first(p);
    for (const struct binary *b; cells >= 0 && (b = find_binary(p)) && b->level >= least;) {
        if (b->level == COMPARES && compares++)
            return fail(p, p->at, "two comparisons in a row; write a < b && b < c");
        p->at += strlen(b->word);
        const int right = parse_level(p, b->level == POWERS ? UNARY : b->level + 1);
        if (right < 0 || emit(p, b->kind, 0, 0, -1) < 0) return -1;
        cells |= right;
        if (b->level < COMPARES) compares = 0;
    }
    p->nested--;
    return cells;
}

otok_status otok_expression_parse(otok_expression *out, const char *text)
{
    *out = (otok_expression){0};
    parser p = {.text = text, .at = text, .out = out};
    const int cells = parse_level(&p, 1);
    if (cells < 0) return OTOK_DATA;
    skip_spaces(&p);
    if (*p.at) {
        fail_here(&p, "an operator or the end");
        return OTOK_DATA;
    }
    if (!cells) return OTOK_OK;
    fail(&p, p.loose,
         "the value differs from cell to cell; a response is one number: reduce it with area, "
         "mean, sum, min, max, quantile or components");
    return OTOK_DATA;
}
