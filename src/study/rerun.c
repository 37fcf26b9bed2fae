/* rerun.c: runs a growing member again on a finer scale: the same simulated time with half the time
   step, and the same ground with half the cell size. docs/studies.md explains what
   is compared, and when that is impossible. */
#include "../core/diagnostics_rows.h"
#include "../core/status.h"
#include "../sim/twin.h"
#include "member.h"

#include <math.h>
#include <stdlib.h>

/* ---- rates ---- */

/* The time in which the ground's roughness grows by a factor over the start. Growth that is twice
   as fast takes half the time, exponential or not. */
typedef struct climb {
    double start, end;  /* roughness, logarithm of the factor */
    double grown, time; /* at the previous sample */
    double rate;        /* end / time [1/s]; 0: not reached yet */
} climb;

/* Between samples the growth is taken as exponential. */
static void note_roughness(climb *c, double time, double roughness)
{
    const double now = log(roughness / c->start);
    if (c->rate > 0) return;
    if (!(now < c->end)) {
        const double share = now < INFINITY ? (c->end - c->grown) / (now - c->grown) : 0.5;
        c->rate = c->end / (c->time + (time - c->time) * share);
    }
    c->grown = now;
    c->time = time;
}

/* ---- finer runs ---- */

/* The roughness as detectors compute it, on the cells of the member. Walls come from rasters, which
   are not made finer. */
static otok_status measure_roughness(double *out, otok_sim *sim, int halved)
{
    otok_diagnostics_maps m;
    otok_diagnostics_result found = {.not_finite = 0};
    otok_diagnostics_prepare(&m, sim);
    m.pitch = m.nx >>= halved;
    m.ny >>= halved;
    const size_t cells = (size_t)m.nx * (size_t)m.ny;
    float *maps = calloc(3 * cells + otok_diagnostics_room(m.nx), sizeof *maps),
          *walls = sim->holes.n && !halved ? maps + 2 * cells : NULL;
    if (!maps) return OTOK_FAIL(OTOK_NOMEM, "no memory to run a member again");
    m.base = maps;
    m.change = maps + cells;
    m.walls = walls;
    if (walls) otok_sim_walls(sim, walls);
    const otok_status status = otok_twin_get(maps, sim, OTOK_TERRAIN, halved);
    if (status == OTOK_OK) otok_diagnostics_rows(&found, &m, NULL, 0, maps + 3 * cells);
    const int64_t *sum = &found.diagnostics.sums[OTOK_DIAGNOSTICS_GROUND_ROUGH];
    *out = otok_fixed_value(sum[0], sum[1]) /
           (walls ? (double)otok_sim_open_cells(sim) : (double)cells);
    free(maps);
    return status;
}

/* The rate at which the member grows by the factor with half the steps, and with half the cell size
   too if `cells` is 1. NAN: it cannot be made this fine. */
static otok_status rerun_finer(double *out, const otok_scenario *scenario, int cells, double end,
                               int64_t every, const char *backend)
{
    otok_whole_twin t;
    climb c = {.end = end};
    const otok_halves halves = {1, cells, OTOK_HALVES_SWEEPS};
    otok_status status = otok_twin_begin(&t, scenario, halves, backend, NULL, NULL);
    if (status == OTOK_OK) status = measure_roughness(&c.start, t.sim, cells);
    while (status == OTOK_OK && c.rate == 0 && t.sim->iteration < t.sim->end) {
        double rough;
        status = otok_sim_run(t.sim, otok_least(every, t.sim->end - t.sim->iteration));
        if (status == OTOK_OK) status = measure_roughness(&rough, t.sim, cells);
        if (status == OTOK_OK) note_roughness(&c, otok_sim_time(t.sim), rough);
    }
    otok_twin_end(&t);
    *out = c.start > 0 ? c.rate : NAN;
    return status == OTOK_DATA && !(c.start > 0) ? OTOK_OK : status;
}

/* The factor is the growth of the member when half of its growth is done. That is late enough to be
   independent of its beginning, and growth of half the speed reaches it within the same time. */
otok_status otok_member_rerun(otok_result *r, const otok_sample *samples, const otok_study *study,
                              const otok_scenario *scenario, const char *backend)
{
    if (!study->rerun || r->verdict != OTOK_GROWING || otok_scenario_has_clock(scenario) != OTOK_OK)
        return OTOK_OK;
    climb own = {.start = r->rough_start,
                 .end = 0.5 * log(samples[r->nsamples - 1].ground_roughness / r->rough_start)};
    for (int64_t i = 0; i < r->nsamples; i++)
        note_roughness(&own, samples[i].time, samples[i].ground_roughness);
    r->growth[0] = own.rate;
    const int64_t every = 2 * study->every;
    otok_status status = rerun_finer(&r->growth[1], scenario, 0, own.end, every, backend);
    if (status == OTOK_OK && otok_scenario_has_finer_cells(scenario, 1) == OTOK_OK)
        status = rerun_finer(&r->growth[2], scenario, 1, own.end, every, backend);
    if (status == OTOK_OK) r->verdict = otok_verdict_growth(r->growth);
    return status;
}
