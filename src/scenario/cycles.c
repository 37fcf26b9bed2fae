/* cycles.c: the runs of phases, which cycles repeat. */
#include "scenario.h"

int64_t otok_phase_runs(const otok_phase *phase)
{
    return phase->runs > 1 ? phase->runs : 1;
}

int otok_phase_cycle(const otok_scenario *s, int phase)
{
    for (int last = phase; last < s->nphases; last++)
        if (s->phases[last].cycle.times > 1)
            return s->phases[last].cycle.first <= phase ? last : -1;
    return -1;
}

void otok_visit_next(otok_visit *v, const otok_scenario *s)
{
    const struct otok_cycle *cycle = &s->phases[v->phase].cycle;
    v->begin += s->phases[v->phase].iterations;
    if (v->round + 1 < cycle->times) {
        v->phase = cycle->first;
        v->round++;
        return;
    }
    if (cycle->times > 1) v->round = 0;
    v->phase++;
}

int64_t otok_phase_iteration(const otok_scenario *s, int phase, int64_t n)
{
    const int last = otok_phase_cycle(s, phase);
    const int64_t each = s->phases[phase].iterations;
    int64_t round = 0; /* iterations of one */
    otok_visit v = {0};
    while (v.phase < phase)
        otok_visit_next(&v, s);
    for (int p = last < 0 ? phase : s->phases[last].cycle.first; p <= (last < 0 ? phase : last);
         p++)
        round += s->phases[p].iterations;
    return each ? v.begin + n / each * round + n % each : v.begin;
}
