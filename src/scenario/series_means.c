/* series_means.c: what the values of a series mean: those of moments, means of the intervals after
   or before their times, or an amount since the start. They become values between points. */
#include "series_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANT, AFTER, BEFORE, ACCUMULATED };

static otok_status read_means(int *means, const otok_node *node)
{
    static const otok_parameter choice = {.kind = OTOK_CHOICE,
                                          .choices = "instant|after|before|accumulated"};
    const otok_node *key = node->kind == OTOK_NODE_MAP ? otok_node_find(node, "means") : NULL;
    *means = INSTANT;
    if (!key) return OTOK_OK;
    if (otok_node_find(node, "between"))
        return otok_node_fail(key, "`means` and `between` both tell what is between the points; "
                                   "keep one");
    return otok_value_read(means, &choice, key);
}

otok_status otok_series_means(otok_parameter *own, const otok_node *node, const otok_parameter *p)
{
    static const char *const rates[] = {"m3 s-1", "m s-1"}, *const amounts[] = {"m3", "m"};
    int means;
    *own = *p;
    OTOK_TRY(read_means(&means, node));
    for (int i = 0; means == ACCUMULATED && i < 2; i++) {
        if (strcmp(p->unit, rates[i]) != 0) continue;
        own->unit = amounts[i];
        own->low = 0;
        own->high = 1e15;
        return OTOK_OK;
    }
    return means != ACCUMULATED ? OTOK_OK
                                : otok_node_fail(otok_node_find(node, "means"),
                                                 "only discharges, and rain without `rate`, can be "
                                                 "accumulated; write factors of moments or "
                                                 "intervals");
}

/* The points before, each value from its time to the next. */
typedef struct taking {
    struct otok_series_point *at;
    int n;
} taking;

static void put(taking *to, double time, double value)
{
    to->at[to->n++] = (struct otok_series_point){time, value};
}

static void take_before(taking *to, const otok_series *s)
{
    const struct otok_series_point *at = s->at, *last = &at[s->n - 1];
    const double first = fmax(0, at[0].time - (at[1].time - at[0].time));
    if (first < at[0].time) put(to, first, at[0].value);
    for (int i = 1; i < s->n; i++)
        put(to, at[i - 1].time, at[i].value);
    put(to, last->time, s->outside == OTOK_OUTSIDE_ZERO ? 0 : last->value);
}

static otok_status take_amounts(taking *to, const otok_series *s, const otok_node *key)
{
    char reset[48];
    const struct otok_series_point *at = s->at;
    if (at[0].time > 0) put(to, 0, at[0].value / at[0].time);
    for (int i = 1; i < s->n; i++) {
        otok_time_words(reset, at[i].time);
        if (at[i].value < at[i - 1].value)
            return otok_node_fail(key,
                                  "the amount falls from %.10g to %.10g at %s; an amount "
                                  "since the start never falls: leave out the rows after a reset, "
                                  "or add what came before",
                                  at[i - 1].value, at[i].value, reset);
        put(to, at[i - 1].time, (at[i].value - at[i - 1].value) / (at[i].time - at[i - 1].time));
    }
    put(to, at[s->n - 1].time, 0);
    return OTOK_OK;
}

otok_status otok_series_take_means(otok_series *s, const otok_node *node)
{
    int means;
    OTOK_TRY(read_means(&means, node));
    if (means == INSTANT) return OTOK_OK;
    s->stepwise = 1;
    if (means == AFTER) return OTOK_OK;
    const otok_node *key = otok_node_find(node, "means");
    if (s->n < 2)
        return otok_node_fail(key, "one point has no interval before it; write two or more");
    taking to = {malloc((size_t)(s->n + 1) * (sizeof *s->at + sizeof *s->sums) + 1), 0};
    if (!to.at) return otok_node_no_memory();
    otok_status status = OTOK_OK;
    if (means == BEFORE)
        take_before(&to, s);
    else
        status = take_amounts(&to, s, key);
    free(s->at);
    s->at = to.at;
    s->n = to.n;
    return status;
}

/* Does the first value of pairs have a unit? */
static int has_unit(const otok_node *list)
{
    const otok_node *pair = list && list->kind == OTOK_NODE_LIST && list->n ? list->items[0] : NULL,
                    *value = pair && pair->kind == OTOK_NODE_LIST && pair->n == 2 ? pair->items[1]
                                                                                  : NULL;
    const char *text = value && value->kind == OTOK_NODE_SCALAR ? value->text : NULL;
    const char end = text && *text ? text[strlen(text) - 1] : '1';
    return !isdigit((unsigned char)end) && end != '.' && end != '%';
}

int otok_series_has_rates(const otok_node *map, const otok_node *node)
{
    if (!map->key || strcmp(map->key, "rain") != 0 || otok_node_find(map, "rate") ||
        otok_node_find(map, "map") || otok_node_is_null(node))
        return 0;
    if (node->kind == OTOK_NODE_MAP && !otok_node_find(node, "file"))
        return has_unit(otok_node_find(node, "points"));
    return node->kind != OTOK_NODE_LIST || has_unit(node);
}
