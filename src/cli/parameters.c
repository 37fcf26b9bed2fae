/* parameters.c: `otok parameters`: the one table of parameters, and that of the fields: for people
 * and, as Markdown, for src/scenario/README.md. */
#include "cli.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char usage[] = "usage: otok parameters [GROUP] [--fields] [--markdown]\n\n"
                            "Prints every key of a scenario with unit, default, range, source and "
                            "meaning; with --fields the maps of a checkpoint.\n\n"
                            "example: otok parameters hydraulic\n";

static void standard(char *out, size_t size, const otok_parameter *p)
{
    out[0] = 0;
    switch (p->kind) {
    case OTOK_BOOL: snprintf(out, size, "%s", p->standard != 0 ? "true" : "false"); break;
    case OTOK_CHOICE: {
        const char *word = p->choices;
        for (int n = (int)p->standard; n > 0; n--)
            word = strchr(word, '|') + 1;
        snprintf(out, size, "%.*s", (int)strcspn(word, "|"), word);
        break;
    }
    case OTOK_REAL:
    case OTOK_INT:
        if (isinf(p->standard))
            snprintf(out, size, "none");
        else if (!isnan(p->standard))
            snprintf(out, size, "%.10g", p->standard);
        break;
    case OTOK_TEXT:
    case OTOK_LIST: break;
    }
}

static void range(char *out, size_t size, const otok_parameter *p)
{
    out[0] = 0;
    if (p->kind == OTOK_CHOICE) {
        snprintf(out, size, "%s", p->choices);
        for (char *c = out; (c = strchr(c, '|'));)
            *c = ' ';
    }
    if (p->kind == OTOK_REAL || p->kind == OTOK_INT)
        snprintf(out, size, "%s%.10g .. %.10g%s", p->open & 1 ? "above " : "", p->low, p->high,
                 p->open & 2 ? " excluded" : "");
}

static void row(const otok_parameter *p, int markdown)
{
    char key[96], value[64], limits[128];
    snprintf(key, sizeof key, "%s%s%s", p->group, *p->group ? "." : "", p->key);
    standard(value, sizeof value, p);
    range(limits, sizeof limits, p);
    if (markdown)
        printf("| `%s` | %s | %s | %s | %s | %s | %s |\n", key, p->symbol, p->unit, value, limits,
               p->equation, p->help);
    else
        printf("%-32s %-8s default %-14s %-34s %s%s%s%s\n", key, p->unit, *value ? value : "-",
               limits, p->help, *p->equation ? " [" : "", p->equation, *p->equation ? "]" : "");
}

/* All layers have the same two fields. */
static int print_fields(int markdown)
{
    if (markdown) puts("| field | unit | meaning | CF standard name |\n| --- | --- | --- | --- |");
    for (int f = 0; f < OTOK_FIELDS; f++) {
        const otok_field_info *info = otok_field_at(f);
        const char *standard_name = info->standard_name ? info->standard_name : "";
        const int layer = otok_field_layer(f);
        if (layer > 0) continue;
        printf(markdown ? "| `%s%s` | %s | %s | %s |\n" : "%s%s  %s  %s  %s\n", info->name,
               layer == 0 ? "_NAME" : "", info->unit, info->long_name, standard_name);
    }
    return 0;
}

int cli_parameters(int argc, char **argv)
{
    int markdown = 0, shown = 0, fields = 0;
    const char *group = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (strcmp(argv[i], "--markdown") == 0)
            markdown = 1;
        else if (strcmp(argv[i], "--fields") == 0)
            fields = 1;
        else if (argv[i][0] == '-' || group)
            return cli_usage("parameters", "otok parameters --help lists the options");
        else
            group = argv[i];
    }
    if (fields) return print_fields(markdown);
    if (markdown)
        puts("| key | symbol | unit | default | range | source | meaning |\n| --- | --- | --- | "
             "--- | --- | --- | --- |");
    for (int i = 0; i < otok_parameter_count(); i++) {
        const otok_parameter *p = otok_parameter_at(i);
        if (group && strcmp(group, p->group) != 0) continue;
        row(p, markdown);
        shown++;
    }
    return shown ? 0
                 : cli_usage("parameters", "no group '%s'; otok parameters prints them all", group);
}
