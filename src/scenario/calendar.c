/* calendar.c: clock and sea level after n iterations. They follow from the scenario alone, as whole
   steps times dt. There is no running sum, so that a restart cannot drift. */
#include "../model/dither.h"
#include "process.h"

#include <math.h>

int otok_scenario_phases(const otok_scenario *scenario)
{
    if (OTOK_GIVEN(scenario)) return 0;
    return scenario->nphases;
}

const char *otok_scenario_phase(const otok_scenario *scenario, int phase)
{
    if (OTOK_GIVEN(scenario)) return NULL;
    return phase >= 0 && phase < scenario->nphases ? scenario->phases[phase].name : NULL;
}

int64_t otok_scenario_iterations(const otok_scenario *scenario)
{
    if (OTOK_GIVEN(scenario)) return 0;
    int64_t n = 0;
    if (scenario->nchanges) return scenario->end;
    for (int i = 0; i < scenario->nphases; i++)
        n += scenario->phases[i].iterations * otok_phase_runs(&scenario->phases[i]);
    return n;
}

int otok_scenario_batch(const otok_scenario *scenario)
{
    int64_t most = 0;
    for (int i = 0; i < scenario->nphases; i++) {
        const otok_phase *p = &scenario->phases[i];
        if (p->processes & OTOK_DROPLETS && p->droplets.batch > most) most = p->droplets.batch;
    }
    return (int)most;
}

double *otok_process_dt(const otok_process *process, const otok_phase *phase)
{
    return process->dt ? (double *)((char *)phase + process->dt) : NULL;
}

otok_pace otok_process_pace(const otok_process *process, const otok_phase *p)
{
    return process->divided && process->divided(p) ? OTOK_PACE_DIVIDED : process->pace;
}

/* The largest time step given to processes of this pace in a phase. */
static double largest_step(const otok_phase *p, otok_pace pace)
{
    double most = 0;
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const otok_process *process = otok_processes[i];
        const double *dt = otok_process_dt(process, p);
        if (p->processes & process->bit && otok_process_pace(process, p) == pace && dt &&
            *dt > most)
            most = *dt;
    }
    return most;
}

double otok_phase_step(const otok_phase *p)
{
    for (int pace = OTOK_PACE_CLOCK; pace <= OTOK_PACE_OWN; pace++) {
        const double step = largest_step(p, (otok_pace)pace);
        if (step > 0) return step;
    }
    return 0;
}

int64_t otok_process_steps(const otok_process *process, const otok_phase *p)
{
    if (!process->dt || otok_process_pace(process, p) != OTOK_PACE_DIVIDED) return 1;
    const double n = otok_phase_step(p) / *otok_process_dt(process, p);
    return n > 1 ? (int64_t)ceil(n * (1 - 1e-12)) : 1;
}

double otok_process_step(const otok_process *process, const otok_phase *p)
{
    if (!process->dt) return 0;
    return otok_process_pace(process, p) == OTOK_PACE_OWN
               ? *otok_process_dt(process, p)
               : otok_phase_step(p) / (double)otok_process_steps(process, p);
}

void otok_phase_set_step(otok_step *out, const otok_phase *p, const otok_now *now)
{
    const uint64_t seed = (uint64_t)now->scenario->seed * UINT64_C(0x9e3779b97f4a7c15);
    *out = (otok_step){.sea = (float)now->moment.sea_level,
                       .phase = (uint32_t)(seed >> 32) +
                                OTOK_DITHER_ITERATION * (uint32_t)now->iteration,
                       .iteration = now->iteration,
                       .rainfall = 1};
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (p->processes & otok_processes[i]->bit && otok_processes[i]->step)
            otok_processes[i]->step(out, p, now);
}

/* The iteration that is nearest to a time of a phase. The first `done` iterations of the phase took
   `clock` seconds. */
static int64_t nearest(const otok_phase *p, double time, int64_t done, double clock)
{
    const double n = (double)done + floor((time - clock) / otok_phase_step(p) + 0.5);
    return n < 0 ? 0 : n < (double)p->iterations ? (int64_t)n : p->iterations;
}

void otok_phase_place_rain(otok_phase *p, int64_t done, double clock)
{
    for (int i = 0; i < p->rain.nspans; i++) {
        struct otok_span *span = &p->rain.during[i];
        if (isnan(span->begin)) continue;
        span->from = nearest(p, span->begin, done, clock);
        span->to = nearest(p, span->end, done, clock);
    }
}

void otok_phase_halve_steps(otok_phase *p)
{
    p->iterations *= 2;
    p->hydraulic.courant /= 2;
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (otok_processes[i]->dt) *otok_process_dt(otok_processes[i], p) /= 2;
    for (int n = 0; n < p->rain.nspans; n++) {
        p->rain.during[n].from *= 2;
        p->rain.during[n].to *= 2;
    }
}

/* The sea level after `passed` more seconds of a phase, from a clock of it with the level `start`.
 */
static double sea_level(const otok_phase *p, double start, double clock, double passed)
{
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (p->processes & otok_processes[i]->bit && otok_processes[i]->sea)
            return otok_processes[i]->sea(p, start, clock, passed);
    return start;
}

/* The moment after `done` iterations of a run of a phase. */
static otok_moment moment_of(const otok_scenario *s, const otok_visit *v, int64_t done)
{
    const otok_anchor *a = &s->anchor;
    const otok_phase *p = &s->phases[v->phase];
    const int64_t before = a->at > v->begin ? a->at - v->begin : 0,
                  steps = done > before ? done - before : 0; /* since the anchor */
    const double dt = otok_phase_step(p), clock = before ? a->clock : 0.0,
                 passed = (double)steps * dt;
    otok_moment m = {v->phase, done, v->time, v->sea_level, 0, 0, *v};
    if (before < p->iterations || steps) {
        m.time += passed;
        m.sea_level = sea_level(p, m.sea_level, clock, passed);
    }
    m.clock = clock + passed;
    m.next = clock + (double)(steps + 1) * dt;
    return m;
}

otok_moment otok_moment_after(const otok_scenario *s, const otok_moment *moment, int64_t n)
{
    return moment_of(s, &moment->visit, moment->within + n);
}

otok_moment otok_scenario_moment_from(const otok_scenario *s, const otok_visit *from, int64_t n)
{
    const otok_anchor *a = &s->anchor;
    otok_visit v = {.time = a->time, .sea_level = a->at ? a->sea_level : s->sea_level};
    if (from && from->begin > 0 && from->begin <= n && from->phase < s->nphases) v = *from;
    otok_moment m = {.time = v.time, .sea_level = v.sea_level, .visit = v};
    if (n < 0) n = 0;
    while (v.phase < s->nphases) {
        const int64_t all = s->phases[v.phase].iterations;
        const int inside = n - v.begin < all;
        m = moment_of(s, &v, inside ? n - v.begin : all);
        if (inside) return m;
        const double lifts = otok_phase_lifts(&s->phases[v.phase], m.clock),
                     rate = s->phases[v.phase].uplift.rate;
        v.lifted += lifts;
        v.risen += isnan(rate) ? 0 : rate * lifts; /* by a map */
        otok_visit_next(&v, s);
        v.time = m.time;
        v.sea_level = m.sea_level;
    }
    m.phase = s->nphases;
    m.within = 0;
    m.visit = v;
    return m;
}

otok_moment otok_scenario_moment(const otok_scenario *s, int64_t n)
{
    return otok_scenario_moment_from(s, NULL, n);
}

int64_t otok_scenario_iteration_at(const otok_scenario *s, double time)
{
    int64_t low = s->anchor.at, high = otok_scenario_iterations(s);
    const double end = otok_scenario_moment(s, high).time,
                 last = high > low ? end - otok_scenario_moment(s, high - 1).time : 0;
    if (time - end > 0.5 * last) return -1;
    while (low < high) { /* finds the first one that is not before it */
        const int64_t middle = low + (high - low) / 2;
        if (otok_scenario_moment(s, middle).time < time)
            low = middle + 1;
        else
            high = middle;
    }
    const double after = otok_scenario_moment(s, low).time - time;
    const double before =
        low > s->anchor.at ? time - otok_scenario_moment(s, low - 1).time : INFINITY;
    return before < after ? low - 1 : low;
}

int otok_pipes_of_phase(const otok_scenario *scenario, int phase)
{
    const otok_phase *p = &scenario->phases[phase];
    if (!(p->processes & OTOK_HYDRAULIC)) return -1;
    return p->hydraulic.law == OTOK_LAW_SHALLOW_WATER ? OTOK_SPEEDS : p->hydraulic.pipes;
}

int otok_pipes_after(const otok_scenario *scenario, int64_t n)
{
    int kept = scenario->anchor.pipes;
    for (otok_visit v = {0}; v.phase < scenario->nphases && v.begin < n;
         otok_visit_next(&v, scenario)) {
        const int kind = otok_pipes_of_phase(scenario, v.phase);
        if (kind >= 0 && scenario->phases[v.phase].iterations > 0) kept = kind;
    }
    return kept;
}

const char *otok_pipes_word(int kind)
{
    return kind == OTOK_SPEEDS ? "shallow-water" : kind == OTOK_SIGNED ? "signed" : "one-way";
}
