/* cf_times.c: the times of a map in steps, such as "hours since 2026-07-12 06:00". A step lasts
   between its bounds, or else from its own time to that of the next one, and the last step as long
   as the one before. The moment is for a scenario with a date. */
#include "../core/status.h"
#include "../core/units.h"
#include "cf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 1.5 /* times the shortest step: months are within it */

static otok_status fail(const otok_cf_map *m, const char *wrong)
{
    return OTOK_FAIL(OTOK_DATA, "%s: the times `%s` of %s %s", m->path,
                     *m->time.name ? m->time.name : "time", m->name, wrong);
}

/* The seconds in a unit of the times. */
static otok_status read_unit(double *out, const otok_cf_map *m)
{
    char unit[OTOK_AXIS_WORD], why[OTOK_UNIT_WHY], wrong[OTOK_AXIS_WORD + OTOK_UNIT_WHY + 128];
    const char *since = strstr(m->time.units, " since ");
    snprintf(unit, sizeof unit, "%.*s", since ? (int)(since - m->time.units) : 0, m->time.units);
    if (*unit && !otok_unit_factor(out, unit, "s", why)) return OTOK_OK;
    snprintf(wrong, sizeof wrong,
             "are in `%s`, no unit of time since a moment%s%s; write such as units = \"hours since "
             "2026-07-12 06:00\"",
             m->time.units, *unit ? ": " : "", *unit ? why : "");
    return fail(m, wrong);
}

static double begin_of(const otok_cf_map *m, int64_t n)
{
    return m->bounds ? m->bounds[2 * n] : m->time.centres[n];
}

static double end_of(const otok_cf_map *m, int64_t n)
{
    const double *t = m->time.centres;
    if (m->bounds) return m->bounds[2 * n + 1];
    return n + 1 < m->time.n ? t[n + 1] : t[n] + (t[n] - t[n - 1]);
}

/* Without bounds, a step that is much longer than the others hides steps that are missing. */
static otok_status check_gaps(const otok_cf_map *m, double unit)
{
    const double *t = m->time.centres;
    char wrong[400], at[48], length[48], other[48];
    double least = INFINITY;
    for (int64_t n = 1; n < m->time.n && !m->bounds; n++)
        least = fmin(least, t[n] - t[n - 1]);
    for (int64_t n = 1; n < m->time.n && !m->bounds; n++) {
        if (t[n] - t[n - 1] <= LONGEST * least) continue;
        otok_time_words(at, (t[n - 1] - t[0]) * unit);
        otok_time_words(length, (t[n] - t[n - 1]) * unit);
        otok_time_words(other, least * unit);
        snprintf(wrong, sizeof wrong,
                 "have a gap: step %lld, at %s, would last %s, and another %s; add the steps that "
                 "are missing, or bounds that tell how long each lasts",
                 (long long)n, at, length, other);
        return fail(m, wrong);
    }
    return OTOK_OK;
}

/* Steps follow one another without gaps, and times of float32 are fine enough to tell how long they
   last. */
static otok_status check_steps(const otok_cf_map *m)
{
    const double *t = m->time.centres;
    for (int64_t n = 0; n < m->time.n; n++) {
        const double begin = begin_of(m, n), end = end_of(m, n), length = end - begin;
        if (!isfinite(begin) || !(length > 0) || !isfinite(length))
            return fail(m, "do not grow; sort the steps by time, each time once");
        if (n && fabs(begin - end_of(m, n - 1)) > 1e-6 * length)
            return fail(m, "have bounds with gaps, or that overlap; make each step begin where the "
                           "one before ends");
        if (m->bounds && !(t[n] >= begin && t[n] <= end))
            return fail(m, "are not within their bounds; correct those or take the attribute "
                           "bounds out");
        if (m->time.is_single && fabs(t[n]) * 0x1p-24 > 1e-3 * length)
            return fail(m, "are float32 and too coarse for their steps; write them as float64");
    }
    return OTOK_OK;
}

otok_status otok_cf_times(otok_raster *out, const otok_cf_map *m)
{
    const int64_t n = m->step - 1;
    double unit;
    if (!m->time.centres) return fail(m, "are missing; give its first dimension coordinates");
    if (m->time.n == 1 && !m->bounds)
        return fail(m, "have one step, and no bounds that tell how long it lasts; add them, or "
                       "leave `over_time` out and choose the step with `ncks -d time,0`");
    OTOK_TRY(read_unit(&unit, m));
    OTOK_TRY(check_steps(m));
    OTOK_TRY(check_gaps(m, unit));
    out->steps = m->time.n;
    out->first = begin_of(m, 0) * unit;
    snprintf(out->since, sizeof out->since, "%s", strstr(m->time.units, " since ") + 7);
    out->begin = (begin_of(m, n) - begin_of(m, 0)) * unit;
    out->end = (end_of(m, n) - begin_of(m, 0)) * unit;
    return OTOK_OK;
}
