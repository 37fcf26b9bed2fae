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

typedef struct finer {
    climb climb;
    int cells; /* how often they are halved: the roughness is that on the cells of the member */
} finer;

/* The roughness as detectors compute it. `room`: for three maps and the rows. Walls come from
   rasters, which are not made finer. */
static otok_status measure_roughness(double *out, otok_sim *sim, int halved, float *room)
{
    otok_diagnostics_maps m;
    otok_diagnostics_result found = {.not_finite = 0};
    otok_diagnostics_prepare(&m, sim);
    m.pitch = m.nx >>= halved;
    m.ny >>= halved;
    const size_t cells = (size_t)m.nx * (size_t)m.ny;
    float *walls = sim->holes.n && !halved ? room + 2 * cells : NULL;
    m.base = room;
    m.change = room + cells;
    m.walls = walls;
    if (walls) otok_sim_walls(sim, walls);
    OTOK_TRY(otok_twin_get(room, sim, OTOK_TERRAIN, halved));
    otok_diagnostics_rows(&found, &m, NULL, 0, room + 3 * cells);
    const int64_t *sum = &found.diagnostics.sums[OTOK_DIAGNOSTICS_GROUND_ROUGH];
    *out = otok_fixed_value(sum[0], sum[1]) /
           (walls ? (double)otok_sim_open_cells(sim) : (double)cells);
    return OTOK_OK;
}

static otok_status look(void *user, otok_sim *sim, int *ends)
{
    finer *f = user;
    double rough;
    float *room = calloc(3 * otok_sim_cells(sim) + otok_diagnostics_room((int)sim->root->grid.nx),
                         sizeof *room);
    const otok_status status = room ? measure_roughness(&rough, sim, f->cells, room)
                                    : OTOK_FAIL(OTOK_NOMEM, "no memory to run a member again");
    free(room);
    OTOK_TRY(status);
    if (sim->iteration == 0)
        f->climb.start = rough;
    else
        note_roughness(&f->climb, otok_sim_time(sim), rough);
    *ends = f->climb.rate > 0;
    return OTOK_OK;
}

/* The rate at which the member grows by the factor with half the steps, and with half the cell size
   too if `cells` is 1. NAN: it cannot be made this fine. */
static otok_status rerun_finer(double *out, const otok_scenario *scenario, int cells, double end,
                               int64_t every, const char *backend)
{
    finer f = {.climb = {.end = end}, .cells = cells};
    const otok_status status =
        otok_twin_run_whole(&(otok_twin_run){.scenario = scenario,
                                             .halves = {1, cells, OTOK_HALVES_SWEEPS},
                                             .backend = backend,
                                             .every = every,
                                             .look = look,
                                             .user = &f});
    const int begun = f.climb.start > 0;
    *out = begun ? f.climb.rate : NAN;
    return status == OTOK_DATA && !begun ? OTOK_OK : status;
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
