/* series_span.c: does a series reach as far as its phase? At least one of its times must be in the
   phase. One from a file that covers a part of it is warned of, unless `outside` says what is in
   the rest. */
#include "../core/usual_units.h"
#include "process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = OTOK_TEXT_SIZE + 96 };

/* A series of a phase. */
typedef struct forcing {
    const otok_series *series;
    const otok_parameter *p;
    const char *group;
    int item; /* of a list, such as rivers; -1: of none */
} forcing;

/* The n-th series of a phase; 0: there are no more. */
static int forcing_at(forcing *out, const otok_phase *phase, int n)
{
    for (int i = 0; i < phase->nrivers; i++)
        for (int level = 0; level < 2; level++) {
            const otok_series *s = level ? &phase->rivers[i].level : &phase->rivers[i].history;
            if (!s->n || n-- > 0) continue;
            *out = (forcing){s, otok_parameter_find("river", level ? "level" : "history"), "rivers",
                             i};
            return 1;
        }
    for (int i = 0; i < phase->ndams; i++)
        if (phase->dams[i].history.n && n-- == 0) {
            *out = (forcing){&phase->dams[i].history, otok_parameter_find("dam", "history"), "dams",
                             i};
            return 1;
        }
    for (int i = 0; i < OTOK_PROCESSES; i++)
        for (int k = 0; k < otok_processes[i]->nparameters; k++) {
            const otok_process *process = otok_processes[i];
            const otok_parameter *p = &process->parameters[k];
            const otok_series *s =
                (const otok_series *)((const char *)phase + process->values + p->offset);
            if (p->kind != OTOK_SERIES || !(phase->processes & process->bit) || !s->n) continue;
            if (n-- > 0) continue;
            *out = (forcing){s, p, process->group, -1};
            return 1;
        }
    return 0;
}

/* What such times are, by the first one as it is written, if they are none of a phase; "": nothing
   is known. */
static const char *guess(const char *text)
{
    const double first = strtod(text, NULL);
    if (first >= 19000101 && first <= 21001231 && fmod(first, 100) >= 1 && fmod(first, 100) <= 31)
        return "; they look like dates such as 20200101";
    if (first >= 3e8 && first <= 4.2e9) return "; they look like seconds since 1970";
    if (first >= 3e11 && first <= 4.2e12) return "; they look like milliseconds since 1970";
    if (first >= 25000 && first <= 80000)
        return "; they look like the days that a spreadsheet counts from 1900 on";
    if (first >= 2.4e6 && first <= 2.5e6) return "; they look like Julian days";
    return "";
}

/* The last time of a series in the tree. */
static const otok_node *time_of(const otok_node *key)
{
    const otok_node *points = key->kind == OTOK_NODE_MAP ? otok_node_find(key, "points") : key;
    return points && points->n ? points->items[points->n - 1]->items[0] : NULL;
}

/* A time in the unit of the last one of a series. */
static const char *in_its_unit(const otok_scenario *scenario, const otok_series *s, double time,
                               int digits, char out[64])
{
    static const otok_parameter seconds = {.group = "", .key = "", .unit = "s"};
    return otok_usual_text(&seconds, otok_scenario_given(scenario, &s->at[s->n - 1].time), time,
                           digits, out);
}

otok_status otok_series_check(const otok_phase *phase, const otok_node *map)
{
    const double end = (double)phase->iterations * otok_phase_step(phase);
    char first[64], last[64], stop[64];
    forcing f;
    for (int n = 0; end > 0 && forcing_at(&f, phase, n); n++) {
        const otok_series *s = f.series;
        const double from = s->at[0].time;
        if (from < end || s->n == 1 || s->repeat || s->outside) continue;
        const otok_node *group = otok_node_find(map, f.group);
        if (f.item >= 0) group = group->items[f.item];
        const otok_node *key = otok_node_find(group, f.p->key), *time = time_of(key);
        const char *begin = otok_as_given(time, from, 15, "s", first);
        return otok_node_fail(key,
                              "its times, %s to %s, are all after the phase, 0 s to %s%s; times "
                              "count from the beginning of the phase on: subtract the first, or "
                              "write outside: hold beside the series if its first value holds all "
                              "the time",
                              begin, otok_as_given(time, s->at[s->n - 1].time, 15, "s", last),
                              otok_as_given(time, end, 15, "s", stop), guess(begin));
    }
    return OTOK_OK;
}

static int covers(const otok_series *s, double end)
{
    return s->at[0].time <= 1e-9 * end && otok_series_end(s) >= end * (1 - 1e-9);
}

static const char *name_of(char out[NAME_SIZE], const otok_phase *phase, const forcing *f)
{
    if (f->item < 0)
        snprintf(out, NAME_SIZE, "phase %s: %s.%s", phase->name, f->group, f->p->key);
    else
        snprintf(out, NAME_SIZE, "phase %s: %s.%d.%s", phase->name, f->group, f->item, f->p->key);
    return out;
}

/* The least and the greatest value, and the amount in the phase. */
typedef struct range {
    char low[64], high[64], amount[128];
} range;

static range range_of(const otok_scenario *scenario, const otok_phase *phase, const forcing *f,
                      double end)
{
    const otok_series *s = f->series;
    range r = {.amount = ""};
    char rate[64];
    const int is_factor = strcmp(f->p->unit, "1") == 0,
              is_rain = s == &phase->rain.history && !(phase->maps & MAP_BIT(OTOK_MAP_RAIN)) &&
                        !phase->rain.map[0],
              has_rates = is_rain && phase->rain.rate == 1; /* its values are rates */
    double low = s->at[0].value, high = low;
    const double sum = otok_series_integral(s, end), mm = 1000 * phase->rain.rate * sum;
    for (int i = 0; i < s->n; i++) {
        low = fmin(low, s->at[i].value);
        high = fmax(high, s->at[i].value);
    }
    snprintf(r.low, sizeof r.low, "%.6g", low);
    snprintf(r.high, sizeof r.high, "%.6g%s%s", high, is_factor ? "" : " ",
             is_factor ? "" : f->p->unit);
    const otok_parameter *rain = otok_parameter_find("rain", "rate");
    const char *given = otok_scenario_given(scenario, &phase->rain.rate);
    otok_usual_text(rain, given, phase->rain.rate, 6, rate);
    if (has_rates) otok_usual_text(rain, NULL, low, 6, r.low);
    if (has_rates) otok_usual_text(rain, NULL, high, 6, r.high);
    if (strcmp(f->p->unit, "m3 s-1") == 0)
        snprintf(r.amount, sizeof r.amount, ", %.6g m3 in the phase", sum);
    else if (is_rain)
        snprintf(r.amount, sizeof r.amount, "%s%s, %.6g mm in the phase", has_rates ? "" : " x ",
                 has_rates ? "" : rate, mm);
    else if (is_factor)
        snprintf(r.amount, sizeof r.amount, ", %.6g on average in the phase", sum / end);
    return r;
}

static void describe(char *out, size_t size, const otok_scenario *scenario, const otok_phase *phase,
                     const forcing *f, double end)
{
    const otok_series *s = f->series;
    const range r = range_of(scenario, phase, f, end);
    char name[NAME_SIZE], first[64], last[64], stop[64];
    double knot = INFINITY;
    for (int i = 1; i < s->n; i++)
        knot = fmin(knot, s->at[i].time - s->at[i - 1].time);
    name_of(name, phase, f);
    if (s->n == 1 && s->outside != OTOK_OUTSIDE_ZERO && !s->assumed) {
        snprintf(out, size, "%s: %s all the time%s", name, r.high, r.amount);
        return;
    }
    snprintf(out, size, "%s: %d points, %s to %s of %s, %s to %s%s", name, s->n,
             in_its_unit(scenario, s, s->at[0].time, 10, first),
             in_its_unit(scenario, s, s->at[s->n - 1].time, 10, last),
             in_its_unit(scenario, s, end, 10, stop), r.low, r.high, r.amount);
    size_t n = strlen(out);
    if (isfinite(knot))
        snprintf(out + n, size - n, "; a dt above %s skips some of its points",
                 in_its_unit(scenario, s, knot, 6, first)),
            n = strlen(out);
    if (s->assumed & OTOK_ASSUMED_TIME)
        snprintf(out + n, size - n, "; times have no unit: s"), n = strlen(out);
    if (s->assumed & OTOK_ASSUMED_UNIT)
        snprintf(out + n, size - n, "; values have no unit: %s",
                 strcmp(f->p->unit, "1") == 0 ? "factors" : f->p->unit);
}

/* The iterations of a phase in which it rains. */
static int64_t wet_iterations(const otok_rain *rain, int64_t n)
{
    int64_t wet = rain->nspans ? 0 : n;
    for (int64_t at = 0, next; rain->nspans && at < n; at = next) {
        int rains = 0;
        next = n;
        for (int i = 0; i < rain->nspans; i++) {
            const int64_t from = rain->during[i].from, to = rain->during[i].to;
            rains |= at >= from && at < to;
            if (from > at && from < next) next = from;
            if (to > at && to < next) next = to;
        }
        if (rains) wet += next - at;
    }
    return wet;
}

/* Rates that are not the default. */
static void say_rates(const otok_scenario *scenario, const otok_phase *phase,
                      void (*say)(void *user, const char *text), void *user)
{
    char text[NAME_SIZE + 160], rate[64];
    for (int i = 0; i < OTOK_PROCESSES; i++)
        for (int k = 0; k < otok_processes[i]->nparameters; k++) {
            const otok_process *process = otok_processes[i];
            const otok_parameter *p = &process->parameters[k];
            const double *value = (const void *)((const char *)phase + process->values + p->offset);
            if (!(phase->processes & process->bit) || !otok_has_usual_unit(p) ||
                process == &otok_process_rain || *value == p->standard || isnan(*value))
                continue;
            snprintf(text, sizeof text, "phase %s: %s.%s: %s", phase->name, p->group, p->key,
                     otok_usual_text(p, otok_scenario_given(scenario, value), *value, 6, rate));
            say(user, text);
        }
}

/* Rain and rivers that do not change over time. */
static void say_constant(const otok_scenario *scenario, const otok_phase *phase, double end,
                         void (*say)(void *user, const char *text), void *user)
{
    char text[NAME_SIZE + 160], rate[64];
    const otok_rain *rain = &phase->rain;
    for (int i = 0; i < phase->nrivers; i++) {
        const otok_river *r = &phase->rivers[i];
        const otok_river_kind kind = otok_river_kind_of(r);
        const char *key = kind == OTOK_RIVER_RATING  ? "rating"
                          : kind == OTOK_RIVER_SLOPE ? "slope"
                                                     : "discharge";
        const double *value = kind == OTOK_RIVER_RATING  ? &r->rating
                              : kind == OTOK_RIVER_SLOPE ? &r->slope
                                                         : &r->discharge;
        if (r->history.n || r->level.n) continue;
        const int n =
            snprintf(text, sizeof text, "phase %s: rivers.%d.%s: %s", phase->name, i, key,
                     otok_usual_text(otok_parameter_find("river", key),
                                     otok_scenario_given(scenario, value), *value, 6, rate));
        if (kind == OTOK_RIVER_FLOWS)
            snprintf(text + n, sizeof text - (size_t)n, ", %.6g m3 in the phase", *value * end);
        say(user, text);
    }
    say_rates(scenario, phase, say, user);
    if (!(phase->processes & OTOK_RAIN) || rain->history.n || !(rain->rate > 0)) return;
    const int has_map = phase->maps & MAP_BIT(OTOK_MAP_RAIN) || rain->map[0];
    snprintf(text, sizeof text, "phase %s: rain.rate: %s, %.6g mm in the phase%s", phase->name,
             otok_usual_text(otok_parameter_find("rain", "rate"),
                             otok_scenario_given(scenario, &rain->rate), rain->rate, 6, rate),
             1000 * rain->rate * otok_phase_step(phase) *
                 (double)wet_iterations(rain, phase->iterations),
             has_map ? ", times the values of rain.map" : "");
    say(user, text);
}

static void say_dams(const otok_scenario *scenario, const otok_phase *phase,
                     void (*say)(void *user, const char *text), void *user)
{
    char text[NAME_SIZE + 160], crest[64];
    for (int i = 0; i < phase->ndams; i++) {
        const otok_dam *dam = &phase->dams[i];
        otok_usual_text(otok_parameter_find("dam", "crest"),
                        otok_scenario_given(scenario, &dam->crest), dam->crest, 6, crest);
        snprintf(text, sizeof text, "phase %s: dams.%d.crest: %s, between cells at %lld faces",
                 phase->name, i, dam->history.n ? "by its history" : crest,
                 (long long)otok_dam_faces(dam, scenario->grid));
        say(user, text);
    }
}

static void say_all(const otok_scenario *scenario, int warnings_alone,
                    void (*say)(void *user, const char *text), void *user)
{
    char text[1200], name[NAME_SIZE], first[64], last[64], stop[64];
    forcing f;
    for (int p = 0; p < scenario->nphases; p++) {
        const otok_phase *phase = &scenario->phases[p];
        const double end = (double)phase->iterations * otok_phase_step(phase);
        if (!warnings_alone) say_constant(scenario, phase, end, say, user);
        if (!warnings_alone) say_dams(scenario, phase, say, user);
        for (int n = 0; end > 0 && forcing_at(&f, phase, n); n++) {
            const otok_series *s = f.series;
            if (warnings_alone && s->bare[0]) {
                snprintf(text, sizeof text,
                         "warning: %s: units of titles outside brackets: %s; write them in "
                         "brackets, or beside `file` as `units`",
                         name_of(name, phase, &f), s->bare);
                say(user, text);
            }
            if (warnings_alone && (!(s->assumed & OTOK_ASSUMED_ENDS) || covers(s, end))) continue;
            const char *begin = in_its_unit(scenario, s, s->at[0].time, 10, first);
            if (warnings_alone)
                snprintf(
                    text, sizeof text,
                    "warning: %s covers %s to %s of a phase of %s%s; outside, its end values hold; "
                    "write {file: NAME, outside: hold}, or zero or repeat",
                    name_of(name, phase, &f), begin,
                    in_its_unit(scenario, s, otok_series_end(s), 10, last),
                    in_its_unit(scenario, s, end, 10, stop), guess(begin));
            else
                describe(text, sizeof text, scenario, phase, &f, end);
            say(user, text);
        }
    }
}

void otok_series_warn(const otok_scenario *scenario, void (*say)(void *user, const char *text),
                      void *user)
{
    say_all(scenario, 1, say, user);
}

void otok_scenario_forcings(const otok_scenario *scenario,
                            void (*say)(void *user, const char *text), void *user)
{
    if (OTOK_GIVEN(scenario) || !say) return;
    say_all(scenario, 0, say, user);
}
