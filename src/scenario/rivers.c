/* rivers.c: what a river is, and what rivers bring over time. */
#include "process.h"

#include <math.h>

otok_river_kind otok_river_kind_of(const otok_river *r)
{
    return r->level.n      ? OTOK_RIVER_LEVEL
           : r->rating > 0 ? OTOK_RIVER_RATING
           : r->slope > 0  ? OTOK_RIVER_SLOPE
                           : OTOK_RIVER_FLOWS;
}

otok_river otok_river_at(double x, double y, double radius, double discharge)
{
    return (otok_river){.x = x,
                        .y = y,
                        .radius = radius,
                        .discharge = discharge,
                        .to_x = NAN,
                        .to_y = NAN,
                        .rating = NAN,
                        .rating_exponent = NAN,
                        .rating_zero = NAN,
                        .slope = NAN};
}

double otok_river_volume(const otok_river *r, double from, double to)
{
    if (otok_river_kind_of(r) != OTOK_RIVER_FLOWS) return 0;
    return r->hydrograph
               ? otok_series_integral(&r->history, to) - otok_series_integral(&r->history, from)
               : r->discharge * (to - from);
}

double otok_river_largest(const otok_river *r)
{
    if (otok_river_kind_of(r) != OTOK_RIVER_FLOWS) return 0;
    return r->hydrograph ? otok_series_largest(&r->history) : r->discharge;
}

int otok_river_pumps(const otok_river *r)
{
    int some = otok_river_kind_of(r) != OTOK_RIVER_FLOWS || (!r->hydrograph && r->discharge < 0);
    for (int i = 0; r->hydrograph && i < r->history.n; i++)
        some |= r->history.at[i].value < 0;
    return some;
}

int otok_river_is_line(const otok_river *r)
{
    return !isnan(r->to_x);
}

/* What a river with a number brings, or the level, or the factor of its power, of all its cells. */
static void set_river(otok_volumes *out, const otok_river *r, const otok_phase *phase,
                      const otok_moment *m)
{
    const int n = r->hydrograph;
    const double time = m->next - m->clock;
    out->power[n] = out->zero[n] = 0;
    switch (otok_river_kind_of(r)) {
    case OTOK_RIVER_FLOWS: out->of[n] = (float)otok_river_volume(r, m->clock, m->next); break;
    case OTOK_RIVER_LEVEL:
        out->of[n] = (float)otok_series_at(&r->level, 0.5 * (m->clock + m->next));
        out->power[n] = -1;
        break;
    case OTOK_RIVER_RATING:
        out->of[n] = (float)(r->rating * time);
        out->power[n] = (float)(isnan(r->rating_exponent) ? 1.5 : r->rating_exponent);
        out->zero[n] = (float)r->rating_zero;
        break;
    case OTOK_RIVER_SLOPE:
        out->of[n] = (float)(hypot(r->to_x - r->x, r->to_y - r->y) * sqrt(r->slope) /
                             phase->hydraulic.manning * time);
        out->power[n] = (float)(5.0 / 3);
        out->zero[n] = NAN;
        break;
    }
}

void otok_rivers_step(otok_volumes *out, const otok_phase *phase, const otok_moment *m)
{
    int last = 0; /* numbers ascend from river to river */
    out->of[0] = 1.0f;
    for (int r = 0; r < phase->nrivers; r++) {
        if (phase->rivers[r].hydrograph <= last) continue;
        last = phase->rivers[r].hydrograph;
        set_river(out, &phase->rivers[r], phase, m);
    }
}
