/* scenario_write.c: writes the canonical text of a resolved scenario: every key of every given
   group, in the order of the table. Changes of values come last. */
#include "../io/file.h"
#include "process.h"
#include "scenario_audit.h"
#include "scenario_items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANGES "changes:\n" /* the last key of a text */

static void indent(FILE *out, int depth)
{
    fprintf(out, "%*s", 2 * depth, "");
}

/* A series in one line. */
static void write_series(FILE *out, const otok_series *s)
{
    static const char *const outside[] = {"free", "hold", "zero"};
    char time[32], value[32];
    fprintf(out, "{between: %s, ", s->stepwise ? "steps" : "linear");
    fprintf(out, s->outside ? "outside: %s" : "repeat: %s",
            s->outside  ? outside[s->outside]
            : s->repeat ? "true"
                        : "false");
    fputs(", points: [", out);
    for (int i = 0; i < s->n; i++)
        fprintf(out, "%s[%s, %s]", i ? ", " : "", otok_number_text(s->at[i].time, time),
                otok_number_text(s->at[i].value, value));
    fputs("]}", out);
}

/* A number as it was given, with its unit; else in the unit of the parameter. */
static const char *real_text(const otok_scenario *s, const double *value, char out[32])
{
    const char *given = otok_scenario_given(s, value);
    return given ? given : otok_number_text(*value, out);
}

static void write_value(FILE *out, const otok_scenario *s, const otok_parameter *p, const void *at)
{
    char number[32], word[64];
    const void *value = (const char *)at + p->offset;
    switch (p->kind) {
    case OTOK_REAL: fputs(real_text(s, value, number), out); break;
    case OTOK_INT: fprintf(out, "%lld", (long long)*(const int64_t *)value); break;
    case OTOK_WHEN: {
        const double seconds = *(const double *)((const int64_t *)value + 1);
        if (isnan(seconds))
            fprintf(out, "%lld", (long long)*(const int64_t *)value);
        else if (otok_scenario_given(s, (const int64_t *)value + 1))
            fputs(otok_scenario_given(s, (const int64_t *)value + 1), out);
        else
            fprintf(out, "%s s", otok_number_text(seconds, number));
        break;
    }
    case OTOK_BOOL: fputs(*(const int *)value ? "true" : "false", out); break;
    case OTOK_CHOICE: fputs(otok_choice_text(p, *(const int *)value, word), out); break;
    case OTOK_TEXT: otok_text_quote(out, value); break;
    case OTOK_SERIES: write_series(out, value); break;
    case OTOK_LIST:
    case OTOK_STRUCTS: break;
    }
}

/* Has the group a value of this key that is written here? Lists have writers of their own. */
static int is_given(const otok_parameter *p, const void *at)
{
    if (p->kind == OTOK_LIST || p->kind == OTOK_STRUCTS || p->offset == (size_t)-1) return 0;
    const void *value = (const char *)at + p->offset;
    if (p->kind == OTOK_SERIES) return ((const otok_series *)value)->n > 0;
    if (p->open & OTOK_UNSAID) return *(const char *)value != 0;
    return p->kind != OTOK_REAL || !isnan(*(const double *)value);
}

static void write_key(FILE *out, const otok_scenario *s, const otok_parameter *p, const void *at,
                      int depth)
{
    if (!is_given(p, at)) return;
    if (p->kind == OTOK_SERIES) {
        otok_series_write(out, p, (const otok_series *)((const char *)at + p->offset), depth);
        return;
    }
    indent(out, depth);
    fprintf(out, "%s: ", p->key);
    write_value(out, s, p, at);
    putc('\n', out);
}

/* Writes a group as one "key: value" a line, without the key `without`. */
static void write_group(FILE *out, const otok_scenario *s, const char *group, const void *at,
                        int depth, const char *without)
{
    const otok_parameter *p;
    for (int i = 0; (p = otok_parameter_at(i)); i++)
        if (strcmp(p->group, group) == 0 && strcmp(p->key, without) != 0)
            write_key(out, s, p, at, depth);
}

static void write_process(FILE *out, const otok_scenario *s, const otok_process *process,
                          const otok_phase *phase)
{
    fprintf(out, "    %s:\n", process->group);
    for (int i = 0; i < process->nparameters; i++)
        if (!process->unused || !process->unused(phase, process->parameters[i].key))
            write_key(out, s, &process->parameters[i], (const char *)phase + process->values, 3);
}

/* Writes the list of a generator: sown heights, the top row first, or corners. */
static void write_numbers(FILE *out, const otok_generator *g, int depth)
{
    char number[32];
    const int polygon = g->kind == OTOK_GEN_CROP, row = polygon ? 2 : otok_sown_side(g),
              rows = row ? g->nnumbers / row : 0;
    if (!rows) return;
    indent(out, depth);
    fputs(polygon ? "points:\n" : "sown:\n", out);
    for (int r = 0; r < rows; r++) {
        const double *at = g->numbers + (size_t)(polygon ? r : rows - 1 - r) * (size_t)row;
        indent(out, depth + 1);
        for (int i = 0; i < row; i++)
            fprintf(out, "%s%s", i ? ", " : "- [",
                    isnan(at[i]) ? "null" : otok_number_text(at[i], number));
        fputs("]\n", out);
    }
}

static void write_base(FILE *out, const otok_scenario *s, const char *key,
                       const otok_generator *list, int n, int depth)
{
    indent(out, depth);
    fprintf(out, "%s:%s\n", key, n ? "" : " []");
    for (int i = 0; i < n; i++) {
        const char *name = otok_generator_names[list[i].kind];
        indent(out, depth + 1);
        fprintf(out, "- %s:\n", name);
        write_group(out, s, name, &list[i].as, depth + 3, "");
        write_group(out, s, "generator", &list[i], depth + 3, "");
        write_numbers(out, &list[i], depth + 3);
        if (list[i].nwith) write_base(out, s, "with", list[i].with, list[i].nwith, depth + 3);
        if (list[i].nmask) write_base(out, s, "mask", list[i].mask, list[i].nmask, depth + 3);
    }
}

/* An item in one line, without the keys that other values of its phase overrule. */
static void write_line(FILE *out, const otok_scenario *s, const otok_parameter *list,
                       const void *at, const otok_process *process, const otok_phase *phase)
{
    otok_words keys = {0};
    otok_words_add_keys(&keys, list->choices);
    const int bare = list->items->style == OTOK_ITEMS_BARE, one = keys.n == 1;
    const char *comma = bare ? one ? "" : "[" : "{";
    const otok_parameter *p;
    for (int i = 0; (p = otok_parameter_at(i)); i++) {
        if (strcmp(p->group, list->choices) != 0 || !is_given(p, at)) continue;
        if (process && process->unused && process->unused(phase, p->key)) continue;
        fputs(comma, out);
        if (!bare) fprintf(out, "%s: ", p->key);
        write_value(out, bare ? NULL : s, p, at);
        comma = ", ";
    }
    if (!bare || !one) putc(bare ? ']' : '}', out);
}

static void write_items(FILE *out, const otok_scenario *s, const otok_parameter *list,
                        const void *owner, int depth, const otok_process *process,
                        const otok_phase *phase);

static void write_block(FILE *out, const otok_scenario *s, const otok_parameter *list,
                        const void *item, int depth)
{
    const otok_layer *layer = strcmp(list->choices, "layer") == 0 ? item : NULL;
    const int named = list->items->style == OTOK_ITEMS_NAMED;
    indent(out, depth);
    fputs(named ? "- name: " : "-", out);
    if (named) write_value(out, s, otok_parameter_find(list->choices, "name"), item);
    putc('\n', out);
    write_group(out, s, list->choices, item, depth + 1, named ? "name" : "");
    if (layer && layer->nthickness)
        write_base(out, s, "thickness", layer->thickness, layer->nthickness, depth + 1);
    if (strcmp(list->choices, "dam") == 0)
        write_items(out, s, otok_parameter_find("dam", "line"), item, depth + 1, NULL, NULL);
}

/* Writes a list of structs; the process, or NULL, is its owner. */
static void write_items(FILE *out, const otok_scenario *s, const otok_parameter *list,
                        const void *owner, int depth, const otok_process *process,
                        const otok_phase *phase)
{
    const int n = otok_items_count(list, owner), style = list->items->style;
    const int line = style == OTOK_ITEMS_LINE || style == OTOK_ITEMS_BARE;
    if (!n) return;
    indent(out, depth);
    fprintf(out, line ? "%s: [" : "%s:\n", list->key);
    for (int i = 0; i < n; i++) {
        const void *item = otok_items_at(list, owner, i);
        if (line && i) fputs(", ", out);
        if (line)
            write_line(out, s, list, item, process, phase);
        else
            write_block(out, s, list, item, depth + 1);
    }
    if (line) fputs("]\n", out);
}

char *otok_rivers_text(const otok_phase *phase, int without, const otok_river *more)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const otok_parameter *rivers = otok_parameter_find("phase", "rivers");
    const char *comma = "[";
    for (int i = 0; i <= phase->nrivers && out; i++) {
        const otok_river *r = i < phase->nrivers ? &phase->rivers[i] : more;
        if (i == without || !r) continue;
        fputs(comma, out);
        write_line(out, NULL, rivers, r, NULL, NULL);
        comma = ", ";
    }
    if (out) fputs(*comma == '[' ? "null" : "]", out);
    return otok_text_finish(out, &text);
}

/* Writes the maps of a group's parameters. The keys of a rain map that is a file are in the group.
 */
static void write_maps(FILE *out, const otok_scenario *s, int phase, const char *group)
{
    for (int n = 0; n < s->nmaps; n++) {
        const otok_map *map = &s->maps[n];
        if (map->phase != phase) continue;
        const otok_parameter *p = otok_map_parameter(map->buffer);
        if (strcmp(p->group, group) == 0 &&
            !(map->buffer == OTOK_MAP_RAIN && s->phases[phase].rain.map[0]))
            write_base(out, s, p->key, map->list, map->n, 3);
    }
}

static void write_phase(FILE *out, const otok_scenario *s, int index)
{
    otok_phase *phase = &s->phases[index];
    fputs("  - name: ", out);
    otok_text_quote(out, phase->name);
    putc('\n', out);
    write_group(out, s, "phase", phase, 2, "name");
    if (phase->cycle.times > 1) fputs("    cycle:\n", out);
    if (phase->cycle.times > 1) write_group(out, s, "cycle", &phase->cycle, 3, "");
    write_items(out, s, otok_parameter_find("phase", "rivers"), phase, 2, NULL, phase);
    write_items(out, s, otok_parameter_find("phase", "dams"), phase, 2, NULL, phase);
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const otok_process *process = otok_processes[i];
        if (!(phase->processes & process->bit)) continue;
        write_process(out, s, process, phase);
        write_maps(out, s, index, process->group);
        for (int k = 0; k < process->nparameters; k++)
            if (process->parameters[k].kind == OTOK_STRUCTS)
                write_items(out, s, &process->parameters[k], (const char *)phase + process->values,
                            3, process, phase);
    }
}

static void write_responses(FILE *out, const otok_scenario *s)
{
    if (s->nresponses) fputs("responses:\n", out);
    for (int i = 0; i < s->nresponses; i++) {
        fprintf(out, "  %s: ", s->responses[i].name);
        otok_text_quote(out, s->responses[i].text);
        putc('\n', out);
    }
}

static void write_output(FILE *out, const otok_scenario *s)
{
    const struct otok_output *output = &s->output;
    const char *comma = "";
    fputs("output:\n", out);
    write_group(out, s, "output", output, 1, "");
    fputs("  fields: ", out);
    if (output->fields == (UINT64_C(1) << OTOK_FIELDS) - 1) {
        fputs("all\n", out);
        return;
    }
    putc('[', out);
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (output->fields >> f & 1) {
            fprintf(out, "%s%s", comma, otok_field_at(f)->name);
            comma = ", ";
        }
    fputs("]\n", out);
}

static void write_all(FILE *out, const otok_scenario *s)
{
    fputs("otok: 1\n", out);
    write_group(out, s, "", s, 0, "");
    fputs("grid:\n", out);
    write_group(out, s, "grid", &s->grid, 1, "");
    fputs("edges:\n", out);
    write_group(out, s, "edges", s->edges, 1, "");
    fputs("sea:\n", out);
    write_group(out, s, "sea", &s->sea_level, 1, "");
    write_base(out, s, "base", s->base, s->nbase, 0);
    const otok_map *map = otok_scenario_map(s, OTOK_ERODIBILITY, -1);
    if (map) write_base(out, s, "erodibility", map->list, map->n, 0);
    write_items(out, s, otok_parameter_find("", "layers"), s, 0, NULL, NULL);
    if (s->initial[0] || otok_scenario_initial(s)) fputs("initial:\n", out);
    if (s->initial[0]) write_group(out, s, "initial", s, 1, "");
    for (int k = 0; k < OTOK_INITIAL_MAPS; k++)
        if ((map = otok_scenario_map(s, (int)otok_initial_fields[k], -1)))
            write_base(out, s, otok_field_at(otok_initial_fields[k])->name, map->list, map->n, 1);
    fprintf(out, "phases:%s\n", s->nphases ? "" : " []");
    for (int i = 0; i < s->nphases; i++)
        write_phase(out, s, i);
    write_items(out, s, otok_parameter_find("", "gauges"), s, 0, NULL, NULL);
    write_responses(out, s);
    otok_audit_write(out, &s->audit);
    write_output(out, s);
}

static void write_changes(FILE *out, const otok_change *changes, int n)
{
    if (n) fputs(CHANGES, out);
    for (int i = 0; i < n; i++) {
        fprintf(out, "  - {at: %lld, path: \"%s\", value: ", (long long)changes[i].iteration,
                changes[i].path);
        otok_text_quote(out, changes[i].after);
        fputs("}\n", out);
    }
}

/* The text that `write` makes of two arguments. */
static char *text_of(void (*write)(FILE *, const void *, const void *), const void *one,
                     const void *other)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out) write(out, one, other);
    return otok_text_finish(out, &text);
}

static void write_map(FILE *out, const void *map, const void *unused)
{
    (void)unused;
    write_base(out, NULL, "map", ((const otok_map *)map)->list, ((const otok_map *)map)->n, 0);
}

int otok_map_is_same(const otok_map *one, const otok_map *other)
{
    char *a = text_of(write_map, one, NULL), *b = text_of(write_map, other, NULL);
    const int same = a && b && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

static void write_scenario(FILE *out, const void *scenario, const void *unused)
{
    const otok_scenario *s = scenario;
    (void)unused;
    write_all(out, s);
    write_changes(out, s->changes, s->nchanges);
}

char *otok_scenario_write(const otok_scenario *scenario)
{
    return text_of(write_scenario, scenario, NULL);
}

size_t otok_scenario_values_size(const char *text)
{
    const char *changes = strstr(text, "\n" CHANGES);
    return changes ? (size_t)(changes - text) + 1 : strlen(text);
}

typedef struct list {
    const otok_change *at;
    int n;
} list;

static void write_list(FILE *out, const void *values, const void *changes)
{
    const list *l = changes;
    fwrite(values, 1, otok_scenario_values_size(values), out);
    write_changes(out, l->at, l->n);
}

char *otok_scenario_with_changes(const char *values, const otok_change *changes, int n)
{
    return text_of(write_list, values, &(list){changes, n});
}
