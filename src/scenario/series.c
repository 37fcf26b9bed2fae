/* series.c: the values of a series, and the form of a list of pairs. */
#include "series_file.h"

#include <math.h>

/* The last point that is not after this time, which lies between the first point and the last. */
static const struct otok_series_point *point_before(const otok_series *s, double time)
{
    int low = 0, high = s->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (s->at[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return &s->at[low];
}

double otok_series_end(const otok_series *s)
{
    const struct otok_series_point *last = &s->at[s->n - 1];
    return s->stepwise && s->n > 1 ? last->time + (last->time - last[-1].time) : last->time;
}

/* Is there nothing at a time? */
static int is_zero(const otok_series *s, double time)
{
    const double end = otok_series_end(s);
    return s->outside == OTOK_OUTSIDE_ZERO &&
           (time < s->at[0].time || time > end || (s->stepwise && time == end));
}

/* The value at a time of the first run through the points. */
static double once_at(const otok_series *s, double time)
{
    const struct otok_series_point *last = &s->at[s->n - 1];
    if (is_zero(s, time)) return 0;
    if (time <= s->at[0].time) return s->at[0].value;
    if (time >= last->time) return last->value;
    const struct otok_series_point *p = point_before(s, time);
    if (s->stepwise) return p->value;
    const double share = (time - p->time) / (p[1].time - p->time);
    return p->value + share * (p[1].value - p->value);
}

/* Adds the integral of the part from point i on, up to a time. */
static double add_part(const otok_series *s, double sum, int i, double time)
{
    const double end = i < s->n - 1 ? fmin(time, s->at[i + 1].time) : time;
    const double till = s->stepwise ? s->at[i].value : once_at(s, end);
    return sum + 0.5 * (s->at[i].value + till) * (end - s->at[i].time);
}

void otok_series_sum(otok_series *s)
{
    double *sums = (double *)(s->at + s->n);
    const int zero = s->outside == OTOK_OUTSIDE_ZERO;
    for (int i = 0; i < s->n; i++)
        sums[i] = i      ? add_part(s, sums[i - 1], i - 1, s->at[i].time)
                  : zero ? 0
                         : s->at[0].value * s->at[0].time;
    s->sums = sums;
}

static double once_integral(const otok_series *s, double time)
{
    const int zero = s->outside == OTOK_OUTSIDE_ZERO;
    double sum = zero ? 0 : s->at[0].value * fmin(time, s->at[0].time);
    if (zero) time = fmin(time, otok_series_end(s));
    int i = 0;
    if (s->sums && time > s->at[0].time) {
        i = (int)(point_before(s, time) - s->at);
        sum = s->sums[i];
    }
    for (; i < s->n && s->at[i].time < time; i++)
        sum = add_part(s, sum, i, time);
    return sum;
}

/* The runs through the points that are over at a time. */
static double runs(const otok_series *s, double time)
{
    return s->repeat && time > 0 ? floor(time / s->at[s->n - 1].time) : 0;
}

double otok_series_at(const otok_series *s, double time)
{
    return once_at(s, time - runs(s, time) * s->at[s->n - 1].time);
}

double otok_series_integral(const otok_series *s, double time)
{
    const double over = runs(s, time), period = s->at[s->n - 1].time;
    return (over > 0 ? over * once_integral(s, period) : 0) +
           once_integral(s, time - over * period);
}

double otok_series_between(const otok_series *s, double from, double to)
{
    return s->n ? otok_series_integral(s, to) - otok_series_integral(s, from) : to - from;
}

double otok_series_turn(const otok_series *s, double time)
{
    const double period = s->at[s->n - 1].time, start = runs(s, time) * period,
                 within = time - start;
    if (within < s->at[0].time) return start + s->at[0].time;
    if (within >= period) return s->repeat ? start + period + s->at[0].time : INFINITY;
    return start + point_before(s, within)[1].time;
}

double otok_series_largest(const otok_series *s)
{
    double most = 0;
    for (int i = 0; i < s->n; i++)
        most = fmax(most, fabs(s->at[i].value));
    return most;
}

double otok_series_highest(const otok_series *s, double from, double to)
{
    double most = fmax(otok_series_at(s, from), otok_series_at(s, to));
    for (int i = s->repeat ? 0 : (int)(point_before(s, from) - s->at);
         i < s->n && (s->repeat || s->at[i].time < to); i++)
        if (s->repeat || s->at[i].time > from) most = fmax(most, s->at[i].value);
    return most;
}

otok_status otok_pairs_check(int *n, const otok_node *list, int most, const char *form)
{
    *n = 0;
    if (!list || otok_node_is_null(list)) return OTOK_OK;
    char shown[64];
    if (list->kind != OTOK_NODE_LIST || !list->n)
        return otok_node_fail(
            list, "%s stands where pairs are needed; write %s, or leave the key out",
            list->kind == OTOK_NODE_LIST ? "an empty list" : otok_node_show(list, shown), form);
    if (list->n > most) return otok_node_fail(list, "%d pairs; allowed: at most %d", list->n, most);
    for (int i = 0; i < list->n; i++)
        if (list->items[i]->kind != OTOK_NODE_LIST || list->items[i]->n != 2)
            return otok_node_fail(list->items[i], "not a pair; write %s", form);
    *n = list->n;
    return OTOK_OK;
}
