/* series_read.c: reads and writes values over time, a kind of parameter: [[time, value], ...], a
   file (series_file.c), or a group that also tells what is between the points and outside them. */
#include "series_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static otok_status read_points_of(otok_series *s, const otok_node *node, const otok_parameter *p)
{
    const otok_node *points = otok_node_find(node, "points");
    if (!points || otok_node_is_null(points))
        return otok_node_fail(node,
                              "`points` is missing; write points: " OTOK_PAIRS ", or file: NAME");
    return otok_series_points(s, points, p);
}

otok_status otok_series_read(otok_series *s, const otok_node *node, const otok_parameter *p)
{
    const otok_parameter between = {
        .kind = OTOK_CHOICE, .choices = "linear|steps", .offset = offsetof(otok_series, stepwise)};
    const otok_parameter repeat = {.kind = OTOK_BOOL, .offset = offsetof(otok_series, repeat)};
    const otok_parameter outside = {.kind = OTOK_CHOICE,
                                    .choices = "free|hold|zero|repeat",
                                    .offset = offsetof(otok_series, outside)};
    s->n = s->stepwise = s->repeat = s->outside = 0;
    if (node->kind != OTOK_NODE_MAP) {
        OTOK_TRY(otok_series_points(s, node, p));
        otok_series_sum(s);
        return OTOK_OK;
    }
    otok_words words = {0};
    otok_words_add(&words, "points");
    otok_words_add(&words, "file");
    otok_words_add(&words, "between");
    otok_words_add(&words, "means");
    otok_words_add(&words, "outside");
    otok_words_add(&words, "repeat");
    for (int i = 0; otok_series_file_keys[i]; i++)
        otok_words_add(&words, otok_series_file_keys[i]);
    otok_series_shape_words(&words, p);
    OTOK_TRY(otok_words_check(&words, node));
    const otok_node *how = otok_node_find(node, "between"),
                    *beyond = otok_node_find(node, "outside"),
                    *again = otok_node_find(node, "repeat");
    for (int i = 0; otok_series_file_keys[i]; i++) {
        const otok_node *key = otok_node_find(node, otok_series_file_keys[i]);
        if (key)
            return otok_node_fail(key, "this tells how a file is written; write file: NAME "
                                       "beside it, or leave it out");
    }
    if (how) OTOK_TRY(otok_value_read(s, &between, how));
    if (again) OTOK_TRY(otok_value_read(s, &repeat, again));
    if (beyond) OTOK_TRY(otok_value_read(s, &outside, beyond));
    otok_parameter own;
    OTOK_TRY(otok_series_means(&own, node, p));
    OTOK_TRY(read_points_of(s, node, &own));
    OTOK_TRY(otok_series_take_means(s, node));
    if (beyond && again && s->repeat != (s->outside == OTOK_OUTSIDE_REPEAT))
        return otok_node_fail(beyond, "outside and repeat contradict each other; keep one");
    if (s->outside == OTOK_OUTSIDE_REPEAT) s->repeat = 1, s->outside = OTOK_OUTSIDE_FREE;
    if (s->repeat && (s->n < 2 || s->at[0].time != 0))
        return otok_node_fail(again ? again : beyond,
                              "points that repeat begin at time 0 and end at a later one, "
                              "when they begin again; add a point at 0 and one at the end");
    otok_series_sum(s);
    return OTOK_OK;
}

/* A value that data use for none has its unit, so that it reads back. */
static const char *value_text(double value, const otok_parameter *p, char out[64])
{
    char number[32];
    const int is_factor = strcmp(p->unit, "1") == 0, marked = otok_is_missing_number(value);
    snprintf(out, 64, "%s%s%s", otok_number_text(marked && is_factor ? 100 * value : value, number),
             marked ? " " : "",
             !marked     ? ""
             : is_factor ? "%"
                         : p->unit);
    return out;
}

void otok_series_write(FILE *out, const otok_parameter *p, const otok_series *s, int depth)
{
    static const char *const words[] = {"free", "hold", "zero"};
    char time[32], value[64];
    if (!s->n) return;
    fprintf(out, "%*s%s:\n", 2 * depth, "", p->key);
    if (s->stepwise || s->repeat || s->outside) {
        depth++;
        fprintf(out, "%*sbetween: %s\n", 2 * depth, "", s->stepwise ? "steps" : "linear");
        if (s->repeat) fprintf(out, "%*srepeat: true\n", 2 * depth, "");
        if (s->outside) fprintf(out, "%*soutside: %s\n", 2 * depth, "", words[s->outside]);
        fprintf(out, "%*spoints:\n", 2 * depth, "");
    }
    for (int i = 0; i < s->n; i++)
        fprintf(out, "%*s- [%s, %s]\n", 2 * depth + 2, "", otok_number_text(s->at[i].time, time),
                value_text(s->at[i].value, p, value));
}

/* ---- loading ---- */

/* Refuses numbers of pairs that data use for no value. */
static otok_status check_pairs(const otok_node *list, const otok_parameter *p)
{
    for (int i = 0; list && list->kind == OTOK_NODE_LIST && i < list->n; i++) {
        const otok_node *pair = list->items[i],
                        *value =
                            pair->kind == OTOK_NODE_LIST && pair->n == 2 ? pair->items[1] : NULL;
        const char *text = value && value->kind == OTOK_NODE_SCALAR ? value->text : NULL;
        if (!text || !otok_cell_is_number(text) ||
            !isdigit((unsigned char)text[strlen(text) - 1]) ||
            !otok_is_missing_number(strtod(text, NULL)))
            continue;
        return otok_node_fail(value,
                              "%s is a mark for no value in data; leave the pair out, or, if it is "
                              "a value, write it with its unit: %s %s",
                              text, text, strcmp(p->unit, "1") == 0 ? "%" : p->unit);
    }
    return OTOK_OK;
}

otok_status otok_series_load(otok_series *out, const otok_node *node, const char *directory,
                             const otok_parameter *p)
{
    otok_node *at = (otok_node *)node;
    otok_parameter own;
    out->assumed = 0;
    out->bare[0] = 0;
    if (otok_node_is_null(node)) return OTOK_OK;
    if (node->kind == OTOK_NODE_SCALAR) {
        out->assumed = OTOK_ASSUMED_ENDS;
        return otok_series_file(out, at, NULL, directory, p);
    }
    OTOK_TRY(otok_series_shape(at, p));
    OTOK_TRY(otok_series_means(&own, node, p));
    OTOK_TRY(check_pairs(node->kind == OTOK_NODE_LIST ? node : otok_node_find(node, "points"), p));
    otok_node *file = otok_node_find(node, "file");
    if (!file) return OTOK_OK;
    if (otok_node_find(node, "points"))
        return otok_node_fail(file, "points and file both give the series; keep one");
    OTOK_TRY(otok_series_file(out, file, at, directory, &own));
    for (int i = 0; otok_series_file_keys[i]; i++)
        otok_node_remove(at, otok_series_file_keys[i]);
    free(file->key);
    file->key = strdup("points");
    if (!file->key) return otok_node_no_memory();
    if (own.unit != p->unit && out->assumed & OTOK_ASSUMED_UNIT)
        return otok_node_fail(file,
                              "its values are an amount, whose unit is not told; write it in "
                              "brackets in the title, or units: {value: %s}",
                              own.unit);
    if (!otok_node_find(node, "repeat") && !otok_node_find(node, "outside"))
        out->assumed |= OTOK_ASSUMED_ENDS;
    return OTOK_OK;
}
