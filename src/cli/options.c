/* options.c: see options.h. */
#include "options.h"

#include "../core/status.h"
#include "cli.h"
#include "text.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 48, FIRST = 256 }; /* the most options; the number of the first one for getopt_long */
enum { WIDTH = 80, COLUMN = 26, LINE = 96 }; /* columns of the help */

/* ---- help ---- */

void cli_flow(const char *text, int indent)
{
    int column = indent;
    while (*text) {
        const int whole = column == indent && *text == ' ',
                  n = (int)strcspn(text, whole ? "\n" : " \n");
        if (column > indent && column + 1 + n > WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        column += printf("%s%.*s", column > indent ? " " : "", n, text);
        text += n;
        text += *text == ' ';
        for (; *text == '\n'; text++, column = indent)
            printf("\n%*s", indent, "");
    }
    putchar('\n');
}

static void print_option(const cli_option *o)
{
    char letter[8] = "    ", words[LINE];
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    const int n = snprintf(words, sizeof words, "  %s--%s%s%s", letter, o->name,
                           o->value ? " " : "", o->value ? o->value : "");
    printf("%-*s%s", COLUMN - 1, words, n < COLUMN ? " " : "\n");
    if (n >= COLUMN) printf("%*s", COLUMN, "");
    cli_flow(o->help, COLUMN);
}

/* Prints lines of shell, each after "otok NAME". */
static void print_examples(const cli_command *c)
{
    const char *line = c->examples;
    for (int first = 1; *line; first = 0) {
        const int n = (int)strcspn(line, "\n");
        printf("%s otok %s %.*s\n", first ? "example:" : "        ", c->name, n, line);
        line += n + (line[n] == '\n');
    }
}

static int print_help(const cli_command *c)
{
    static const cli_option help = {
        .name = "help", .letter = 'h', .help = "print this help and exit"};
    printf("usage: otok %s %s\n\n", c->name, c->operands);
    cli_flow(c->about, 0);
    putchar('\n');
    for (const cli_option *o = c->options; o->name; o++)
        print_option(o);
    print_option(&help);
    putchar('\n');
    if (c->notes) {
        cli_flow(c->notes, 0);
        putchar('\n');
    }
    print_examples(c);
    return 0;
}

/* ---- values ---- */

otok_status cli_number(double *out, const char *name, const char *text, double low, double high)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    if (end == text || *end || errno == ERANGE || !isfinite(*out))
        return OTOK_FAIL(OTOK_USAGE, "--%s %s: not a number", name, text);
    return *out >= low && *out <= high
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--%s %s: not a number from %g to %g", name, text, low,
                           high);
}

otok_status cli_read_size(void *to, const char *name, const char *text)
{
    enum { MOST_PIXELS = 65536 };
    cli_size *s = to;
    char width[16] = "";
    const size_t n = strcspn(text, "x");
    if (text[n] && n < sizeof width) memcpy(width, text, n);
    return cli_whole(width, 1, MOST_PIXELS, &s->width) &&
                   cli_whole(text + n + 1, 1, MOST_PIXELS, &s->height)
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--%s %s: not WIDTHxHEIGHT, each from 1 to %d pixels", name,
                           text, MOST_PIXELS);
}

static otok_status add_set(cli_sets *sets, const char *words)
{
    if (sets->n == CLI_MOST_SETS - 2) /* a command may add two */
        return OTOK_FAIL(OTOK_USAGE, "more than %d --set", CLI_MOST_SETS - 2);
    sets->at[sets->n++] = words;
    return OTOK_OK;
}

static otok_status set_value(const cli_option *o, const char *text)
{
    switch (o->kind) {
    case CLI_FLAG:
    case CLI_OFF: *(int *)o->to = o->kind == CLI_FLAG; return OTOK_OK;
    case CLI_TEXT: *(const char **)o->to = text; return OTOK_OK;
    case CLI_REAL: return cli_number(o->to, o->name, text, o->low, o->high);
    case CLI_SET: return add_set(o->to, text);
    case CLI_READ: return o->read(o->to, o->name, text);
    case CLI_WHOLE:
        if (cli_whole(text, (int)o->low, (int)o->high, o->to)) return OTOK_OK;
        return OTOK_FAIL(OTOK_USAGE, "--%s %s: not a whole number from %.0f to %.0f", o->name, text,
                         o->low, o->high);
    case CLI_SECONDS: break;
    }
    if (cli_duration(text, o->to)) return OTOK_OK;
    return OTOK_FAIL(OTOK_USAGE, "--%s %s: not a time such as 90 (seconds), 30m, 1h30m or 23h50m",
                     o->name, text);
}

/* ---- the command line ---- */

/* The option that getopt_long has just refused with `c`. '?': unknown or misused; ':': without its
   value. */
static int fail_refused(const char *name, int c, char **argv)
{
    const char *word = argv[optind - 1];
    if (c == ':')
        return cli_usage(name, "option %s needs a value; otok %s --help lists the options", word,
                         name);
    if (strncmp(word, "--", 2) != 0 && optopt)
        return cli_usage(name, "unknown option -%c; otok %s --help lists the options", optopt,
                         name);
    if (optopt)
        return cli_usage(name, "option %s takes no value; otok %s --help lists the options", word,
                         name);
    return cli_usage(name, "unknown option %s; otok %s --help lists the options", word, name);
}

/* Converts the table for getopt_long. */
static int convert_table(const cli_option *options, struct option *known, char *letters)
{
    int n = 0;
    *letters++ = ':';
    *letters++ = 'h';
    for (; options[n].name && n < MOST; n++) {
        const cli_option *o = &options[n];
        known[n] = (struct option){o->name, o->value != NULL, NULL, FIRST + n};
        if (!o->letter) continue;
        *letters++ = o->letter;
        if (o->value) *letters++ = ':';
    }
    known[n] = (struct option){"help", 0, NULL, 'h'};
    known[n + 1] = (struct option){0};
    *letters = 0;
    return n;
}

int cli_options(const cli_command *command, int argc, char **argv)
{
    struct option known[MOST + 2];
    char letters[2 * MOST + 3];
    const cli_option *options = command->options;
    const int n = convert_table(options, known, letters);
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, letters, known, NULL)) != -1;) {
        int at = c - FIRST;
        if (c == 'h') return print_help(command);
        if (c == '?' || c == ':') return fail_refused(command->name, c, argv);
        for (int i = 0; i < n && at < 0; i++)
            if (options[i].letter == c) at = i;
        const otok_status status = set_value(&options[at], optarg);
        if (status != OTOK_OK) return cli_fail(command->name, status);
    }
    const int operands = argc - optind, most = command->most ? command->most : 1,
              least = command->most ? command->least : 1;
    if (operands >= least && operands <= most) return -1;
    return cli_usage(command->name, "needs %s; otok %s --help shows how", command->needs,
                     command->name);
}
