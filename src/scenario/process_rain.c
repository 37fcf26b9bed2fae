/* process_rain.c: rain. Hydraulic erosion uses it as water; droplets start by its map; incision
   weighs areas by it. */
#include "parameter_rows.h"
#include "process.h"

#include <string.h>

static const otok_parameter parameters[] = {
    REAL("rain", otok_rain, rate, "r, kappa_r", "m s-1", 0, 0, 1000, 0, "K16 eq. 3.1",
         "rain on every cell; with a map, the factor of its values"),
    ROW("rain", "map", "", "1", OTOK_TEXT, NULL, 0, 0, INFINITY, 0, offsetof(otok_rain, map), "",
        "rain from place to place, 0 and more, with data in all cells but walls: a pipeline like "
        "`base`, or a file: PNG in gray, Esri ASCII, or what GDAL reads; relative to the "
        "scenario's "
        "file; droplets start by it, and incision weighs areas by it, whatever the rate"),
    CHOICE("rain", otok_rain, fit, "exact|stretch", OTOK_FIT_EXACT, "",
           "exact: size and spacing of the map are the grid's; stretch: bilinear over the grid, "
           "means of the cells of a finer map"),
    REAL("rain", otok_rain, low, "", "1", NAN, 0, 1e6, 0, "",
         "value of black (PNG) in the file; default: the file's otok_low"),
    REAL("rain", otok_rain, high, "", "1", NAN, 0, 1e6, 0, "",
         "value of white (PNG) in the file; default: the file's otok_high"),
    SERIES("rain", otok_rain, history, "", "1", 0, 1e6, "",
           "factor of the rate over the time of the phase, such as [[0 min, 0.2], [10 min, 1], [1 "
           "h, 0]], or without `rate` rates, such as [[0 h, 5 mm/h], [1 h, 0 mm/h]]; default: 1"),
    STRUCTS(
        "rain", otok_rain, "during", nspans, during, "span", 1, OTOK_MAX_SPANS, BARE, "",
        "[[from, to), ...] iterations of the phase in which it rains, or its times with a unit, "
        "[[0 h, 3 h]]; default: always"),
};

/* A span such as [0 h, 3 h]: both ends must be times, or both iterations. A bare 0 is the start in
   both cases. */
static otok_status check_times(struct otok_span *span, const otok_phase *phase,
                               const otok_node *pair)
{
    const double step = otok_phase_step(phase);
    const otok_node *from = pair->items[0], *to = pair->items[1];
    char one[64], other[64], least[64];
    const int bare = isnan(span->begin) ? 0 : 1;
    if (isnan(span->begin) && span->from == 0) {
        span->begin = 0;
        OTOK_TRY(otok_node_becomes(pair->items[0], "0 s"));
    }
    if (isnan(span->begin) || isnan(span->end))
        return otok_node_fail(
            pair->items[bare],
            "iterations beside a time; give both ends a unit, such as [0 h, 3 h], or none");
    if (!(step > 0))
        return otok_node_fail(pair, "the phase has no time step; count iterations, without a unit");
    if (!(span->begin < span->end))
        return otok_node_fail(pair, "[%s, %s] holds no time; `from` must be below `to`",
                              otok_as_given(from, span->begin, 15, "s", one),
                              otok_as_given(to, span->end, 15, "s", other));
    if (span->end - span->begin < step)
        return otok_node_fail(pair, "[%s, %s] is shorter than an iteration of %s",
                              otok_as_given(from, span->begin, 15, "s", one),
                              otok_as_given(to, span->end, 15, "s", other),
                              otok_as_given(to, step, 15, "s", least));
    return OTOK_OK;
}

static otok_status check_span(otok_scenario *s, otok_phase *phase, int i, const otok_node *pair)
{
    struct otok_span *span = &phase->rain.during[i];
    (void)s;
    if (!isnan(span->begin) || !isnan(span->end))
        OTOK_TRY(check_times(span, phase, pair));
    else if (span->to > phase->iterations)
        return otok_node_fail(pair->items[1], "%lld is out of range; allowed: at most %lld",
                              (long long)span->to, (long long)phase->iterations);
    else if (span->from >= span->to)
        return otok_node_fail(pair,
                              "[%lld, %lld] holds no iteration; `from` must be below `to`, the "
                              "first iteration without rain",
                              (long long)span->from, (long long)span->to);
    otok_phase_place_rain(phase, 0, 0);
    return OTOK_OK;
}

/* Rain and rivers bring water, which only the hydraulic process moves. Droplets use only the
   map, incision the map and the times. */
static otok_status check(const otok_phase *p, otok_grid grid, const otok_node *map)
{
    (void)grid;
    const otok_node *rain = otok_node_find(map, "rain");
    const int users = OTOK_HYDRAULIC | OTOK_DROPLETS | OTOK_INCISION;
    if (p->processes & OTOK_RAIN && !(p->processes & users))
        return otok_node_fail(p->maps & MAP_BIT(OTOK_MAP_RAIN) ? otok_node_find(rain, "map") : rain,
                              "rain needs water that flows; add `hydraulic: {}`, `droplets: {}` or "
                              "`incision: {}` to the "
                              "phase");
    if (!p->rain.map[0] && (!isnan(p->rain.low) || !isnan(p->rain.high)))
        return otok_node_fail(otok_blame(rain, "low", "high", NULL),
                              "low and high are for a map; add `map: FILE`, or take them out");
    if (p->rain.history.n && !p->rain.rate && !p->rain.map[0] &&
        !(p->maps & MAP_BIT(OTOK_MAP_RAIN)) && !otok_node_find(rain, "rate"))
        return otok_node_fail(otok_node_find(rain, "history"),
                              "factors of no rain; write rate: 36 mm/h beside them, or values with "
                              "a unit, such as [0 h, 5 mm/h]");
    if (p->rain.history.n && !(p->processes & (OTOK_HYDRAULIC | OTOK_INCISION)))
        return otok_node_fail(
            otok_node_find(rain, "history"),
            "droplets have no time; a history of rain needs `hydraulic` or `incision`");
    return OTOK_OK;
}

/* The key of a file is not written beside a pipeline. */
static int unused(const otok_phase *phase, const char *key)
{
    return phase->maps & MAP_BIT(OTOK_MAP_RAIN) && !phase->rain.map[0] && strcmp(key, "map") == 0;
}

static int rains(const otok_rain *rain, int64_t within)
{
    for (int i = 0; i < rain->nspans; i++)
        if (within >= rain->during[i].from && within < rain->during[i].to) return 1;
    return rain->nspans == 0;
}

/* The depth of rain that an iteration brings [m]. */
static double fallen(const otok_phase *phase, const otok_now *now)
{
    const otok_rain *rain = &phase->rain;
    const otok_series *h = &rain->history;
    if (!rains(rain, now->moment.within)) return 0;
    return rain->rate * (h->n ? otok_series_between(h, now->moment.clock, now->moment.next)
                              : phase->hydraulic.dt);
}

/* The factor of the rain in an iteration. */
static double factor(const otok_rain *rain, const otok_moment *now)
{
    if (!rains(rain, now->within)) return 0;
    return rain->history.n ? otok_series_between(&rain->history, now->clock, now->next) /
                                 (now->next - now->clock)
                           : 1;
}

static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    out->rain = (float)fallen(phase, now);
    out->rainfall = (float)factor(&phase->rain, &now->moment);
}

static void nominal(otok_ledger *to, const otok_phase *phase, const otok_now *now)
{
    const double l = now->scenario->grid.spacing;
    const double cells =
        phase->maps & MAP_BIT(OTOK_MAP_RAIN) ? now->sums[OTOK_MAP_RAIN - OTOK_MAPS] : now->cells;
    if (phase->processes & OTOK_HYDRAULIC) to->rain_nominal += fallen(phase, now) * cells * (l * l);
}

const otok_process otok_process_rain = {OTOK_PROCESS_ROW(RAIN, rain),
                                        .item = check_span,
                                        .unused = unused,
                                        .check = check,
                                        .step = step,
                                        .nominal = nominal};
