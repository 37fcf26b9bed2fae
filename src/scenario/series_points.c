/* series_points.c: the pairs of a series, from the scenario or from a file. */
#include "series_file.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int otok_is_missing_number(double value)
{
    char text[32];
    int nines = 0;
    if (!(fabs(value) < 1e20)) return 1;
    if (value == -32768 || value == -32767 || value == -2147483648.0) return 1;
    if (value > -99 && value < 9999) return 0;
    snprintf(text, sizeof text, "%.12g", fabs(value));
    for (const char *c = text; *c; c++) {
        if (*c != '9' && *c != '.') return 0;
        nines += *c == '9';
    }
    return nines >= (value < 0 ? 3 : 4);
}

otok_status otok_series_points(otok_series *s, const otok_node *list, const otok_parameter *p)
{
    const otok_parameter time = {.unit = "s", .high = 1e15};
    const otok_node *before = NULL;
    char one[64], other[64];
    int n;
    OTOK_TRY(otok_pairs_check(&n, list, INT_MAX, OTOK_PAIRS));
    s->sums = NULL;
    s->at = malloc((size_t)n * (sizeof *s->at + sizeof *s->sums) + 1);
    if (!s->at) return otok_node_no_memory();
    s->n = n;
    for (int i = 0; i < s->n; i++) {
        const otok_node *pair = list->items[i];
        struct otok_series_point *point = &s->at[i];
        OTOK_TRY(otok_value_real(&point->time, pair->items[0], &time));
        OTOK_TRY(otok_value_real(&point->value, pair->items[1], p));
        if (i && point->time <= point[-1].time)
            return otok_node_fail(
                pair, "time %s does not come after %s; sort the pairs by time, each time once",
                otok_as_given(pair->items[0], point->time, 15, "s", one),
                otok_as_given(before, point[-1].time, 15, "s", other));
        before = pair->items[0];
    }
    return OTOK_OK;
}
