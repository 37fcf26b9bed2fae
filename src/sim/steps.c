/* steps.c: the values of iterations, before they run, and their nominal amounts, after. */
#include "../scenario/process.h"
#include "sim.h"

/* What the processes of a phase are told of the iteration i after a moment of its run, that of the
   present iteration. */
static otok_now now_at(const otok_sim *sim, const otok_moment *moment, int64_t i)
{
    const otok_scenario *s = sim->scenario;
    otok_now now = {s,
                    otok_moment_after(s, moment, i),
                    sim->iteration + i,
                    (double)otok_sim_open_cells(sim),
                    {0},
                    sim->halves_sweeps};
    for (int b = OTOK_MAPS; b < OTOK_MAPS_END; b++) {
        const otok_made *made = otok_springs_map(&sim->springs, s->phases, now.moment.phase, b);
        if (!made) continue;
        const otok_shares shares = otok_springs_shares(made, &now.moment);
        for (int64_t k = shares.first; k <= shares.last; k++)
            now.sums[b - OTOK_MAPS] += otok_springs_share(made, &shares, k) * made->of[k].sum;
    }
    return now;
}

otok_status otok_sim_prepare(otok_sim *sim, int64_t n, int *p, int *length)
{
    const otok_scenario *s = sim->scenario;
    const otok_moment now = otok_sim_moment(sim);
    *p = now.phase;
    *length = 0;
    if (now.phase >= s->nphases) return OTOK_OK;
    const otok_phase *phase = &s->phases[now.phase];
    OTOK_TRY(otok_sim_fill(sim, &now));
    const int64_t left = phase->iterations - now.within, room = OTOK_SEGMENT - sim->started;
    const int64_t most = n < room ? n : room;
    otok_step *const steps = sim->steps + sim->started;
    *length = (int)(left < most ? left : most);
    if (*length > otok_sim_until_change(sim)) *length = (int)otok_sim_until_change(sim);
    for (int i = 0; i < *length; i++) {
        const otok_now then = now_at(sim, &now, i);
        if (!otok_sim_is_filled(sim, &then.moment)) *length = i;
        otok_phase_set_step(&steps[i], phase, &then);
        otok_springs_volumes(&steps[i].rivers, &sim->springs.meetings, phase, &then.moment);
    }
    return OTOK_OK;
}

void otok_sim_pass(otok_sim *sim, int length)
{
    const otok_moment begin = otok_sim_moment(sim);
    sim->visit = begin.visit;
    for (int i = 0; i < length; i++) { /* one by one, because a restart must not change the sum */
        const otok_now now = now_at(sim, &begin, i);
        const otok_phase *phase = &sim->scenario->phases[now.moment.phase];
        for (int k = 0; k < OTOK_PROCESSES; k++)
            if (phase->processes & otok_processes[k]->bit && otok_processes[k]->nominal)
                otok_processes[k]->nominal(&sim->nominal, phase, &now);
    }
    sim->iteration += length;
    sim->uncarried = 0;
}
