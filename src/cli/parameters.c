/* parameters.c: `otok parameters`: prints the tables of parameters and of fields, for people or, as
   Markdown, for src/docs/reference. */
#include "../core/words.h"
#include "../scenario/scenario_items.h"
#include "cli.h"
#include "options.h"
#include "text.h"

#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void standard(char out[64], const otok_parameter *p)
{
    out[0] = 0;
    if (p->kind == OTOK_CHOICE)
        otok_choice_text(p, (int)p->standard, out);
    else if (p->kind == OTOK_BOOL)
        strcpy(out, p->standard != 0 ? "true" : "false");
    else if (isinf(p->standard))
        strcpy(out, "none");
    else if ((p->kind == OTOK_REAL || p->kind == OTOK_INT) && !isnan(p->standard))
        snprintf(out, 64, "%.10g", p->standard);
}

static void range(char *out, size_t size, const otok_parameter *p)
{
    out[0] = 0;
    if (p->kind == OTOK_CHOICE) {
        snprintf(out, size, "%s", p->choices);
        for (char *c = out; (c = strchr(c, '|'));)
            *c = ' ';
    }
    if (p->kind == OTOK_STRUCTS)
        snprintf(out, size, "at most %.0f, each a %s", p->high, p->choices);
    if (p->kind == OTOK_REAL || p->kind == OTOK_INT || p->kind == OTOK_WHEN)
        snprintf(out, size, "%s%.10g .. %.10g%s", p->open & 1 ? "above " : "", p->low, p->high,
                 p->open & 2 ? " excluded" : "");
}

static void row(const otok_parameter *p, int markdown)
{
    char key[96], value[64], limits[128];
    snprintf(key, sizeof key, "%s%s%s", p->group, *p->group ? "." : "", p->key);
    standard(value, p);
    range(limits, sizeof limits, p);
    if (markdown) {
        printf("| `%s` | %s | %s | %s | %s | %s | %s |\n", key, p->symbol, p->unit, value, limits,
               p->equation, p->help);
        return;
    }
    printf(*p->unit ? "%s [%s]\n    " : "%s\n    ", key, p->unit);
    cli_flow(p->help, 4);
    if (*value) printf("    default: %s\n", value);
    if (*limits) printf("    allowed: %s\n", limits);
    if (*p->equation) printf("    source: %s\n", p->equation);
}

static void print_field(const otok_field_info *info, const char *of_layer, int markdown)
{
    printf(markdown ? "| `%s%s` | %s | %s | %s |\n" : "%s%s [%s]\n    %s\n", info->name, of_layer,
           info->unit, info->long_name, info->standard_name ? info->standard_name : "");
}

/* Layers have the same two fields each; they are printed once. */
static int print_fields(int markdown)
{
    static const char head[] =
        "| field | unit | meaning | CF standard name |\n| --- | --- | --- | --- |";
    if (markdown) puts(head);
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (otok_field_layer(f) <= 0)
            print_field(otok_field_at(f), otok_field_layer(f) == 0 ? "_NAME" : "", markdown);
    puts("\nDerived fields follow from these. `otok inspect`, `otok export` and `otok render` make "
         "them by name with `--field`.\nh: ground, d: depth of the water, l: cell size, n and g: "
         "Manning's friction and gravity of the phase.\n");
    if (markdown) puts(head);
    for (int i = 0; otok_derived_at(i); i++)
        print_field(otok_derived_at(i), "", markdown);
    return 0;
}

/* "manning", "hydraulic.manning" and "phases.rain.hydraulic.manning" name one key. */
static int is_key(const otok_parameter *p, const char *asked)
{
    return strcmp(p->key, asked) == 0 || otok_parameter_at_path(asked) == p;
}

/* The rows of a group follow each other. */
static int fail_no_group(const char *asked)
{
    char groups[1024] = "";
    const char *before = "";
    otok_words names = {0};
    for (int i = 0; i < otok_parameter_count(); i++) {
        const char *group = otok_parameter_at(i)->group;
        const size_t length = strlen(groups);
        if (*group && strcmp(group, before) != 0) {
            snprintf(groups + length, sizeof groups - length, "%s%s", length ? ", " : "", group);
            otok_words_add(&names, group);
        }
        otok_words_add(&names, otok_parameter_at(i)->key);
        before = group;
    }
    return cli_usage("parameters",
                     "no group or key '%s'; the nearest is `%s`, and the groups are %s", asked,
                     otok_words_nearest(&names, asked), groups);
}

int cli_parameters(int argc, char **argv)
{
    int markdown = 0, shown = 0, fields = 0;
    const cli_option table[] = {
        CLI_OPTION("fields", 0, NULL, "print the fields of a checkpoint instead", CLI_FLAG,
                   &fields),
        CLI_OPTION("markdown", 0, NULL, "print Markdown", CLI_FLAG, &markdown),
        {0}};
    const cli_command command = {.name = "parameters",
                                 .operands = "[GROUP | KEY] [options]",
                                 .about =
                                     "Print every key of scenarios and studies, of one group, or "
                                     "of one name: unit, default, range, meaning and source.",
                                 .examples = "hydraulic\nmanning",
                                 .least = 0,
                                 .most = 1,
                                 .needs = "one group or key",
                                 .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    const char *asked = argv[optind];
    if (fields) return print_fields(markdown);
    if (markdown)
        puts("| key | symbol | unit | default | range | source | meaning |\n| --- | --- | --- | "
             "--- | --- | --- | --- |");
    for (int as_key = 0; as_key < 2 && !shown; as_key++)
        for (int i = 0; i < otok_parameter_count(); i++) {
            const otok_parameter *p = otok_parameter_at(i);
            if (asked && !(as_key ? is_key(p, asked) : strcmp(asked, p->group) == 0)) continue;
            row(p, markdown);
            shown++;
        }
    return shown ? 0 : fail_no_group(asked);
}
