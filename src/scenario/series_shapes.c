/* series_shapes.c: shapes of the sea's level over time: a saw, and the ice ages. They become the
   list of their points in the tree, as the rows of a file do. */
#include "parameter_rows.h"
#include "scenario_read.h"

#include <stdlib.h>
#include <string.h>

static int is_level(const otok_parameter *p)
{
    return strcmp(p->key, "sea_history") == 0;
}

void otok_series_shape_words(otok_words *words, const otok_parameter *p)
{
    if (!is_level(p)) return;
    otok_words_add(words, "saw");
    otok_words_add(words, "pleistocene");
}

static otok_status put(otok_node *parent, const char *key, const char *text)
{
    otok_node *node = otok_node_create(parent->source, parent->line);
    if (!node) return otok_node_no_memory();
    OTOK_TRY(otok_node_put(parent, key, node));
    if (text) return otok_node_becomes(node, text);
    node->kind = OTOK_NODE_LIST;
    return OTOK_OK;
}

/* Adds [time, level] to a list. */
static otok_status put_point(otok_node *list, double time, double level)
{
    char text[32];
    OTOK_TRY(put(list, NULL, NULL));
    otok_node *pair = list->items[list->n - 1];
    OTOK_TRY(put(pair, NULL, otok_number_text(time, text)));
    return put(pair, NULL, otok_number_text(level, text));
}

/* From 0 the sea stays, falls, and rises again. */
static otok_status make_saw(otok_node *series, const otok_node *saw)
{
    enum { AMPLITUDE, PERIOD, RISE, HOLD, KEYS };
    static const struct {
        const char *key;
        otok_parameter range;
    } keys[KEYS] = {{"amplitude", {.unit = "m", .high = HUGE_LENGTH, .open = OPEN_LOW}},
                    {"period", {.unit = "s", .high = 1e15, .open = OPEN_LOW}},
                    {"rise", {.unit = "s", .high = 1e15, .open = OPEN_LOW}},
                    {"hold", {.unit = "s", .high = 1e15}}};
    const otok_node *nodes[KEYS];
    double v[KEYS] = {0};
    char rise[64], hold[64], period[64];
    otok_words words = {0};
    for (int k = 0; k < KEYS; k++)
        otok_words_add(&words, keys[k].key);
    OTOK_TRY(otok_words_check(&words, saw));
    for (int k = 0; k < KEYS; k++) {
        const otok_node *node = nodes[k] = otok_node_find(saw, keys[k].key);
        if (node)
            OTOK_TRY(otok_value_real(&v[k], node, &keys[k].range));
        else if (k != HOLD)
            return otok_node_fail(saw,
                                  "`%s` is missing; write saw: {amplitude: 120 m, period: 100 "
                                  "kyr, rise: 10 kyr, hold: 5 kyr}",
                                  keys[k].key);
    }
    if (!(v[RISE] + v[HOLD] < v[PERIOD]))
        return otok_node_fail(saw,
                              "rise %s and hold %s leave no time of the period of %s for the "
                              "fall; lower them",
                              otok_as_given(nodes[RISE], v[RISE], 15, "s", rise),
                              otok_as_given(nodes[HOLD], v[HOLD], 15, "s", hold),
                              otok_as_given(nodes[PERIOD], v[PERIOD], 15, "s", period));
    OTOK_TRY(put(series, "points", NULL));
    otok_node *list = otok_node_find(series, "points");
    OTOK_TRY(put_point(list, 0, 0));
    if (v[HOLD] > 0) OTOK_TRY(put_point(list, v[HOLD], 0));
    OTOK_TRY(put_point(list, v[PERIOD] - v[RISE], -v[AMPLITUDE]));
    OTOK_TRY(put_point(list, v[PERIOD], 0));
    return put(series, "repeat", "true");
}

static const struct {
    double age, level; /* [kyr], [m] */
} pleistocene[] = {
#define LEVEL(age, level) {age, level},
#include "pleistocene.def"
#undef LEVEL
};

enum { LEVELS = sizeof pleistocene / sizeof pleistocene[0] };

static double seconds(int n)
{
    return -1000 * OTOK_YEAR * pleistocene[n].age;
}

/* The level of the ice ages, in a phase that begins at this time; the present is 0. */
static otok_status make_pleistocene(otok_node *series, const otok_node *begin)
{
    const otok_parameter range = {.unit = "s", .low = seconds(LEVELS - 1), .open = OPEN_HIGH};
    double start;
    OTOK_TRY(otok_value_real(&start, begin, &range));
    OTOK_TRY(put(series, "points", NULL));
    otok_node *list = otok_node_find(series, "points");
    int n = LEVELS - 1; /* the last turning point before the start, or at it */
    while (seconds(n - 1) <= start)
        n--;
    const double share = (start - seconds(n)) / (seconds(n - 1) - seconds(n));
    OTOK_TRY(put_point(
        list, 0, pleistocene[n].level + share * (pleistocene[n - 1].level - pleistocene[n].level)));
    for (n--; n >= 0; n--)
        OTOK_TRY(put_point(list, seconds(n) - start, pleistocene[n].level));
    return OTOK_OK;
}

otok_status otok_series_shape(otok_node *node, const otok_parameter *p)
{
    static const char *const shapes[] = {"saw", "pleistocene"};
    for (int k = 0; k < 2 && is_level(p); k++) {
        const otok_node *shape = otok_node_find(node, shapes[k]);
        if (!shape) continue;
        if (node->n > 1)
            return otok_node_fail(shape, "a shape gives the whole series; leave the keys beside it "
                                         "out");
        OTOK_TRY(k ? make_pleistocene(node, shape) : make_saw(node, shape));
        otok_node_remove(node, shapes[k]);
    }
    return OTOK_OK;
}
