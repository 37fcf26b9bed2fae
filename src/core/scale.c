/* scale.c: see colours.h. Finds which colours values have. */
#include "colours.h"

#include <math.h>
#include <stdlib.h>

const otok_look *otok_look_of_differences(void)
{
    return otok_field_at(OTOK_TERRAIN_CHANGE)->look;
}

typedef struct weighed {
    float value, weight;
} weighed;

static int compare(const void *a, const void *b)
{
    const float x = ((const weighed *)a)->value, y = ((const weighed *)b)->value;
    return (x > y) - (x < y);
}

/* The values that shares of the weight of n cells stay below. */
static void find_shares(otok_spread *out, weighed *cells, int64_t n, double share)
{
    double sum = 0, below = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)cells[i].weight;
    qsort(cells, (size_t)n, sizeof *cells, compare);
    out->low = out->high = n ? (double)cells[0].value : NAN;
    for (int64_t i = 0; i < n && sum > 0; i++) {
        if (below <= (1 - share) / 2 * sum) out->low = (double)cells[i].value;
        if (below < (1 + share) / 2 * sum) out->high = (double)cells[i].value;
        below += (double)cells[i].weight;
    }
}

int64_t otok_spread_step(int64_t cells)
{
    return (cells - 1) / OTOK_SPREAD_SAMPLE + 1;
}

/* The extremes of the cells outside holes, and the least value above 0. */
static float find_extremes(otok_spread *out, const float *x, const float *y, int64_t cells,
                           const int64_t *holes, int64_t nholes)
{
    float least = INFINITY, most = -INFINITY, positive = INFINITY;
    int64_t next = 0;
    for (int64_t i = 0; i < cells; i++) {
        if (next < nholes && i == holes[2 * next]) {
            i += holes[2 * next++ + 1] - 1;
            continue;
        }
        const float v = y ? hypotf(x[i], y[i]) : x[i];
        least = v < least ? v : least;
        most = v > most ? v : most;
        positive = v > 0 && v < positive ? v : positive;
    }
    out->least = least <= most ? (double)least : NAN;
    out->most = least <= most ? (double)most : NAN;
    return positive;
}

otok_status otok_spread_find(otok_spread *out, const otok_look *look, const float *x,
                             const float *y, const float *depth, int64_t cells,
                             const int64_t *holes, int64_t nholes)
{
    const int64_t step = otok_spread_step(cells);
    int64_t next = 0, n = 0;
    *out = (otok_spread){0};
    const float positive = find_extremes(out, x, y, cells, holes, nholes);
    out->low = !look->is_log ? out->least : positive < INFINITY ? (double)positive : NAN;
    out->high = out->most;
    if (look->share == 1) return OTOK_OK;
    weighed *sample = malloc(sizeof *sample * (size_t)(cells / step + 1));
    if (!sample) return OTOK_FAIL(OTOK_NOMEM, "no memory for the colours of a map");
    for (int64_t i = 0; i < cells; i += step) {
        while (next < nholes && holes[2 * next] + holes[2 * next + 1] <= i)
            next++;
        const float v = y ? hypotf(x[i], y[i]) : x[i];
        if (isnan(v) || (look->is_log && v <= 0)) continue;
        if (next < nholes && i >= holes[2 * next]) continue;
        sample[n++] = (weighed){v, look->by_water && depth ? fmaxf(depth[i], 0) : 1};
    }
    find_shares(out, sample, n, look->share);
    free(sample);
    return OTOK_OK;
}

void otok_spread_join(otok_spread *to, const otok_spread *other)
{
    to->low = fmin(to->low, other->low), to->high = fmax(to->high, other->high);
    to->least = fmin(to->least, other->least), to->most = fmax(to->most, other->most);
}

/* Widens a range to multiples of a round step, of which it has about eight, or to powers of ten. */
static void round_ends(double *low, double *high, int is_log)
{
    static const double steps[] = {1, 2, 2.5, 5, 10};
    const double least = (*high - *low) / 8;
    if (is_log && *low > 0 && isfinite(*high)) {
        *low = pow(10, floor(log10(*low) + 1e-9));
        *high = pow(10, ceil(log10(*high) - 1e-9));
    }
    if (is_log || !(least > 0) || !isfinite(least)) return;
    const double power = pow(10, floor(log10(least)));
    int k = 0;
    while (k < 4 && steps[k] * power < least * (1 - 1e-9))
        k++;
    const double step = steps[k] * power;
    *low = step * floor(*low / step + 1e-9);
    *high = step * ceil(*high / step - 1e-9) + 0.0; /* not -0 */
}

/* The round range of values, with 0 in its middle if they have a sign. Those of one value go to 0
   or from it; of 0 alone to 1. */
static void find_ends(otok_scale *out, const otok_look *look, const otok_spread *s, int sign)
{
    const double most = fmax(fabs(s->low), fabs(s->high)),
                 half = most > 0 ? most : fmax(fabs(s->least), fabs(s->most));
    double low = isnan(s->low) ? 0 : s->low, high = isnan(s->low) ? 0 : s->high;
    if (sign && half > 0) low = -half, high = half;
    if (!isnan(look->low)) low = look->low;
    if (!isnan(look->high)) high = look->high;
    if (look->is_log && !(low > 0)) low = high = 1;
    if (low == high && !look->is_log) low = fmin(low, 0), high = fmax(high, 0);
    if (low == high) high = look->is_log ? 10 * low : 1, low = sign ? -1 : low;
    round_ends(&low, &high, look->is_log);
    out->low = isnan(look->low) ? low : look->low;
    out->high = isnan(look->high) ? high : look->high;
}

/* The colours of a look: those of amounts for heights without a coast, and for what may have a sign
   and has none. */
static int find_map(const otok_look *look, const otok_spread *s, int sign, double sea)
{
    const int own = otok_colours_find(look->colours),
              coast = otok_colours_kind_of(own) == OTOK_COLOURS_TOPOGRAPHY;
    if ((look->sign == 2 && !sign) || (coast && !(s->least < sea && sea < s->most)))
        return otok_colours_find(otok_field_at(OTOK_SEDIMENT)->look->colours);
    return own;
}

/* Puts the middle of colours that have one at 0, or the coast at the sea. */
static void centre(otok_scale *out, double sea)
{
    const otok_colours_kind kind = otok_colours_kind_of(out->colours);
    const double middle = kind == OTOK_COLOURS_TOPOGRAPHY ? sea : 0,
                 half = fmax(middle - out->low, out->high - middle);
    const int centred = kind == OTOK_COLOURS_DIVERGING || kind == OTOK_COLOURS_TOPOGRAPHY;
    if (centred && out->low < middle && middle < out->high && !out->is_log)
        out->low = middle - half, out->high = middle + half;
}

otok_status otok_scale_set(otok_scale *out, const otok_look *look, const otok_spread *s, int map,
                           double sea, double low, double high)
{
    const int sign = look->sign == 2 ? s->least < 0 : look->sign == 1;
    *out = (otok_scale){
        map < 0 ? find_map(look, s, sign, sea) : map, 0, 1, look->is_log, look->sign == 3, 0};
    find_ends(out, look, s, sign);
    centre(out, sea);
    if (sign && isnan(low)) low = -high;
    if (sign && isnan(high)) high = -low;
    if (!isnan(low)) out->low = low;
    if (!isnan(high)) out->high = high;
    if (!(out->low < out->high) || (look->is_log && !(out->low > 0)))
        return otok_scale_refuse(out->low, out->high);
    out->beyond = (s->least < out->low) | (s->most > out->high) << 1;
    return OTOK_OK;
}

otok_status otok_scale_find(otok_scale *out, const otok_look *look, const float *values,
                            const float *depth, int64_t n, double sea, double low, double high)
{
    otok_spread spread;
    OTOK_TRY(OTOK_GIVEN(out, look, values));
    OTOK_TRY(OTOK_GIVEN(look->colours));
    if (n < 1 || n > (int64_t)1 << 40)
        return OTOK_FAIL(OTOK_USAGE, "n is %lld; allowed: 1 to 2^40", (long long)n);
    OTOK_TRY(otok_spread_find(&spread, look, values, NULL, depth, n, NULL, 0));
    return otok_scale_set(out, look, &spread, -1, sea, low, high);
}

double otok_scale_share(const otok_scale *s, double value)
{
    if (!s->is_log) return (value - s->low) / (s->high - s->low);
    return value > 0 ? log(value / s->low) / log(s->high / s->low) : 0;
}

otok_status otok_scale_refuse(double low, double high)
{
    return OTOK_FAIL(
        OTOK_USAGE, "colours from %g to %g: low is not below high; exchange them, or leave one out",
        low, high);
}
