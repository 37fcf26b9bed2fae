/* predict.c: the stability limits of the schemes of a scenario, from its parameters and from what
   is known of its ground and water at iteration 0 (otok_site). Each limit is proven, measured or
   heuristic. The limits of a process are in process_<group>.c, those that need slopes, depths or
   flows in limits_<what>.c. */
#include "../core/rounding.h"
#include "../core/sized.h"
#include "limits.h"

#include <math.h>
#include <string.h>

/* The highest and the lowest point of the sea's history, in their parts of a phase that runs once.
 */
static void read_turns(otok_limits *l, const otok_phase *p)
{
    const otok_series *h = &p->reef.sea_history;
    const double lasts = otok_phase_step(p) * (double)p->iterations;
    double low = INFINITY, high = -INFINITY;
    if (!(p->processes & OTOK_REEF_GROWTH) || otok_phase_runs(p) > 1) return;
    for (int n = 0; n < OTOK_SEA_TIMES; n++) {
        low = fmin(low, l->sea[n]);
        high = fmax(high, l->sea[n]);
    }
    for (int i = 0; i < h->n && h->at[i].time < lasts; i++) {
        const double level = h->at[i].value;
        if (level >= low && level <= high) continue;
        l->sea[(int)fmax(0, OTOK_SEA_TIMES * h->at[i].time / lasts)] = level;
        low = fmin(low, level);
        high = fmax(high, level);
    }
}

/* The sea's level in the middle of equal parts of the phase. */
static void read_sea(otok_limits *l)
{
    const otok_scenario *s = l->scenario;
    const int64_t all = s->phases[l->phase].iterations * otok_phase_runs(&s->phases[l->phase]);
    otok_moment m = {0};
    for (int n = 0; n < OTOK_SEA_TIMES; n++) {
        const int64_t at = all * (2 * n + 1) / (2 * OTOK_SEA_TIMES);
        m = otok_scenario_moment_from(s, &m.visit, otok_phase_iteration(s, l->phase, at));
        l->sea[n] = m.sea_level;
    }
    read_turns(l, &s->phases[l->phase]);
}

/* The last digit of ground that uplift by numbers has raised at the end of the phase [m]; 0: it
   raises none. */
static double last_digit(const otok_scenario *s, int phase)
{
    const int64_t all = s->phases[phase].iterations * otok_phase_runs(&s->phases[phase]);
    const double risen =
        otok_scenario_moment(s, otok_phase_iteration(s, phase, all - 1) + 1).visit.risen;
    return risen != 0 && isfinite(risen) ? ldexp(1, ilogb(risen) - 23) : 0;
}

/* How a process whose steps are not those of the clock keeps to it. */
static void say_pace(otok_limits *l, const otok_process *process, const otok_phase *p)
{
    const double clock = otok_phase_step(p), step = otok_process_step(process, p);
    char own[48], all[48];
    const int64_t n = otok_process_steps(process, p);
    if (!process->dt || step == clock) return;
    otok_time_words(own, step);
    otok_time_words(all, clock);
    if (otok_process_pace(process, p) == OTOK_PACE_OWN)
        otok_limit_add(l, "own time", "dt / clock", OTOK_PROVEN, NAN, NAN, NAN,
                       "%s advances by its own %s an iteration, while the clock advances by %s: "
                       "%.3g times as fast",
                       process->group, own, all, step / clock);
    else
        otok_limit_add(l, "steps an iteration", "clock / dt", OTOK_PROVEN, NAN, NAN, NAN,
                       "%s makes %lld steps of %s in an iteration of %s", process->group,
                       (long long)n, own, all);
}

/* What adds to the ground by a dither is exact in the mean, but for its noise (model/README.md). */
static void say_dithered(otok_limits *l, const otok_phase *p)
{
    const double least = 1350 * l->digit;
    int some = 0;
    for (int i = 0; i < OTOK_PROCESSES; i++)
        some |= p->processes & otok_processes[i]->bit && otok_processes[i]->dithers;
    if (some && least >= 0.02)
        otok_limit_add(
            l, "last digit, dither", "ulp(uplift)", OTOK_MEASURED, NAN, NAN, NAN,
            "diffusion, coasts and reefs by light move ground that uplift has raised by "
            "a dither, exact in the mean; where 1e5 steps move less than %.2g m, volumes "
            "are off by more than 1e-3: longer steps help",
            least);
}

static void add_limits(otok_limits *l, const otok_phase *phase)
{
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        if (!(phase->processes & otok_processes[i]->bit)) continue;
        l->dt = otok_process_step(otok_processes[i], phase);
        l->group = otok_processes[i]->pace == OTOK_PACE_CLOCK ? "" : otok_processes[i]->group;
        l->now =
            otok_processes[i]->bit == OTOK_HYDRAULIC && otok_phase_has_courant(phase) ? 0 : l->dt;
        if (otok_processes[i]->predict) otok_processes[i]->predict(l, phase, l->scenario->grid);
        say_pace(l, otok_processes[i], phase);
    }
    say_dithered(l, phase);
}

/* Gives a phase the least or the greatest values of its maps. Returns 0 if it has none. */
static int end_of_maps(otok_phase *phase, const otok_limits *l, int end)
{
    int has = 0;
    for (int n = 0, made = 0; n < l->scenario->nmaps; n++) {
        const otok_map *map = &l->scenario->maps[n];
        if (map->phase < 0) continue;
        if (map->phase == l->phase && made < OTOK_SITE_MAPS && l->site->cells) {
            otok_map_number(phase, map->buffer, l->site->maps[made][end]);
            has = 1;
        }
        made++;
    }
    return has;
}

/* Of each limit of a phase with maps, that of the worse end of them. */
static void keep_worst(otok_limits *to, const otok_limits *other)
{
    for (int i = 0; i < other->n; i++) {
        int k = 0;
        while (k < to->n && strcmp(to->at[k].name, other->at[i].name) != 0)
            k++;
        if (k == to->n && to->n == OTOK_LIMITS) continue;
        if (k == to->n || otok_limit_margin(&other->at[i]) > otok_limit_margin(&to->at[k]))
            to->at[k] = other->at[i];
        to->n += k == to->n;
    }
}

/* What a program of another version knows of a site, and NAN for the rest. */
static void whole_site(otok_site *all, const otok_site *given, size_t size)
{
    *all = (otok_site){.slope = NAN,
                       .slope_90 = NAN,
                       .slope_most = NAN,
                       .erodibility = NAN,
                       .water = NAN,
                       .water_mean = NAN,
                       .surface = NAN,
                       .hollow = NAN,
                       .hollow_rain = NAN};
    if (given && given->cells) otok_sized_over(all, sizeof *all, given, size);
}

static int predict(otok_limit out[OTOK_LIMITS], const otok_scenario *scenario, int phase,
                   const otok_site *site)
{
    otok_limits l = {.at = out, .phase = phase, .scenario = scenario, .site = site};
    if (phase < 0 || phase >= scenario->nphases) return 0;
    read_sea(&l);
    l.digit = last_digit(scenario, phase);
    otok_phase end = scenario->phases[phase];
    const int has_maps = end_of_maps(&end, &l, 1);
    add_limits(&l, &end);
    if (!has_maps) return l.n;
    otok_limit low[OTOK_LIMITS];
    otok_limits others = l;
    others.at = low;
    others.n = 0;
    end_of_maps(&end, &l, 0);
    add_limits(&others, &end);
    keep_worst(&l, &others);
    return l.n;
}

int(otok_predict)(otok_limit out[OTOK_LIMITS], const otok_scenario *scenario, int phase,
                  const otok_site *site, size_t size, size_t site_size)
{
    if (OTOK_GIVEN(out, scenario)) return 0;
    OTOK_ROUNDING;
    otok_limit all[OTOK_LIMITS];
    otok_site known;
    whole_site(&known, site, site_size);
    const int n = predict(all, scenario, phase, &known);
    for (int i = 0; i < n; i++)
        otok_sized_copy((char *)out + (size_t)i * size, size, &all[i], sizeof all[i]);
    return n;
}

double otok_limit_margin(const otok_limit *limit)
{
    if (OTOK_GIVEN(limit)) return NAN;
    OTOK_ROUNDING;
    /* Rounded in this mode, before the caller's is restored. */
    const volatile double margin = limit->value / limit->bound;
    return limit->value == limit->value ? margin : 0;
}

/* The largest margin of the limits of all phases that `counts`, and the name of that limit. */
static double largest_margin(const char **name, const otok_scenario *s, const otok_site *site,
                             int (*counts)(const otok_limit *))
{
    double most = 0;
    *name = "";
    for (int phase = 0; phase < s->nphases; phase++) {
        otok_limit some[OTOK_LIMITS];
        const int n = predict(some, s, phase, site);
        for (int i = 0; i < n; i++) {
            const double margin = counts(&some[i]) ? otok_limit_margin(&some[i]) : 0;
            if (!(margin > most)) continue;
            most = margin;
            *name = some[i].name;
        }
    }
    return most;
}

static int is_slow(const otok_limit *limit)
{
    return limit->is_slow;
}

double(otok_predict_slow)(const char **name, const otok_scenario *scenario, const otok_site *site,
                          size_t site_size)
{
    if (OTOK_GIVEN(name, scenario)) return NAN;
    OTOK_ROUNDING;
    otok_site known;
    whole_site(&known, site, site_size);
    return largest_margin(name, scenario, &known, is_slow);
}

static int is_of_step(const otok_limit *limit)
{
    return limit->certainty != OTOK_HEURISTIC && limit->dt == limit->dt;
}

double otok_predict_step(const char **name, const otok_scenario *scenario)
{
    if (OTOK_GIVEN(name, scenario)) return NAN;
    OTOK_ROUNDING;
    otok_site unknown;
    whole_site(&unknown, NULL, 0);
    return largest_margin(name, scenario, &unknown, is_of_step);
}

int(otok_predict_dt)(otok_limit *out, const otok_scenario *scenario, int phase, const char *group,
                     const otok_site *site, size_t size, size_t site_size)
{
    if (OTOK_GIVEN(out, scenario, group)) return 0;
    OTOK_ROUNDING;
    otok_site known;
    whole_site(&known, site, site_size);
    const otok_limit *least = NULL;
    otok_limit some[OTOK_LIMITS];
    const int n = predict(some, scenario, phase, &known);
    for (int i = 0; i < n; i++) {
        const otok_limit *l = &some[i];
        if (l->dt > 0 && l->now > 0 && strcmp(l->group, group) == 0 &&
            (!least || l->dt < least->dt))
            least = l;
    }
    if (least) otok_sized_copy(out, size, least, sizeof *least);
    return least != NULL;
}

int(otok_predict_binding)(otok_limit *out, const otok_scenario *scenario, const otok_site *site,
                          size_t size, size_t site_size)
{
    if (OTOK_GIVEN(out, scenario)) return 0;
    OTOK_ROUNDING;
    otok_site known;
    whole_site(&known, site, site_size);
    int found = 0;
    otok_limit binding;
    for (int phase = 0; phase < scenario->nphases; phase++) {
        otok_limit some[OTOK_LIMITS];
        const int n = predict(some, scenario, phase, &known);
        for (int i = 0; i < n; i++) {
            if (!(some[i].value == some[i].value) || some[i].certainty == OTOK_HEURISTIC ||
                (found && !(otok_limit_margin(&some[i]) > otok_limit_margin(&binding))))
                continue;
            binding = some[i];
            found = 1;
        }
    }
    if (found) otok_sized_copy(out, size, &binding, sizeof binding);
    return found;
}
