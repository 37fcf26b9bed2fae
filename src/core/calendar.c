/* calendar.c: clock and sea level after n iterations, as functions of the scenario alone: whole steps times dt, never a running
   sum, so that a restart cannot drift. */
#include "scenario.h"

int otok_scenario_phases(const otok_scenario *scenario)
{
    return scenario->nphases;
}

const char *otok_scenario_phase(const otok_scenario *scenario, int phase)
{
    return phase >= 0 && phase < scenario->nphases ? scenario->phases[phase].name : NULL;
}

int64_t otok_scenario_iterations(const otok_scenario *scenario)
{
    int64_t n = 0;
    for (int i = 0; i < scenario->nphases; i++)
        n += scenario->phases[i].iterations;
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

/* What one iteration adds to the clock [s]. */
static double step_of(const otok_phase *p)
{
    if (p->processes & OTOK_HYDRAULIC) return p->hydraulic.dt;
    if (p->processes & OTOK_THERMAL) return p->thermal.dt;
    return p->processes & OTOK_REEF_GROWTH ? p->reef.dt : 0.0;
}

/* Linear between the points, held at the ends. */
static double history(const otok_reef *reef, double time)
{
    const struct otok_sea_point *p = reef->sea_history;
    int low = 0, high = reef->nsea - 1;
    if (time <= p[low].time) return p[low].level;
    if (time >= p[high].time) return p[high].level;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (p[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    const double share = (time - p[low].time) / (p[high].time - p[low].time);
    return p[low].level + share * (p[high].level - p[low].level);
}

/* The level after `within` iterations of a phase that began at `start`. */
static double sea_level(const otok_phase *p, double start, int64_t within)
{
    if (!(p->processes & OTOK_REEF_GROWTH)) return start;
    const double time = (double)within * p->reef.dt;
    return p->reef.nsea ? history(&p->reef, time) : start + time * p->reef.sea_rise;
}

otok_moment otok_scenario_moment(const otok_scenario *scenario, int64_t n)
{
    otok_moment m = {.within = n > 0 ? n : 0, .sea_level = scenario->sea_level};
    for (; m.phase < scenario->nphases; m.phase++) {
        const otok_phase *p = &scenario->phases[m.phase];
        const int inside = m.within < p->iterations;
        const int64_t done = inside ? m.within : p->iterations;
        m.time += (double)done * step_of(p);
        m.sea_level = sea_level(p, m.sea_level, done);
        if (inside) return m;
        m.within -= done;
    }
    m.within = 0;
    return m;
}
