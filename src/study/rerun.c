/* rerun.c: runs a growing member again on a finer scale: the same simulated time with half the time
   step, and the same ground with half the cell size. docs/studies.md explains what
   is compared, and when that is impossible. */
#include "../core/status.h"
#include "../model/detect.h"
#include "../model/fixed.h"
#include "../scenario/twin.h"
#include "member.h"

#include <math.h>
#include <stdlib.h>

static otok_status no_memory(void)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory to run a member again");
}

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

typedef struct ground {
    int nx, ny, factor; /* cells of the member; those of the run are finer by the factor */
    const int *edges;
    float *fine, *map;
    float *walls; /* OTOK_WALLS of the run; NULL: none. With walls the cells are the member's */
    int64_t open; /* cells that are no walls */
} ground;

/* The height in cell (i, j); in a wall that of cell `here`. */
static float height(const ground *g, int i, int j, size_t here)
{
    const size_t at = (size_t)j * (size_t)g->nx + (size_t)i;
    return g->map[g->walls && g->walls[at] == OTOK_IN_WALL ? here : at];
}

static int clamp_or_wrap(int i, int n, int edge)
{
    if (i >= 0 && i < n) return i;
    return (i < 0) == (edge == OTOK_PERIODIC) ? n - 1 : 0;
}

/* The roughness as detectors compute it, on the cells of the member; finer cells are averaged. */
static double roughness(const ground *g)
{
    otok_sum sum = {0, 0};
    const size_t row = (size_t)g->nx * (size_t)g->factor;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            const float *f =
                &g->fine[(size_t)j * (size_t)g->factor * row + (size_t)(i * g->factor)];
            g->map[(size_t)j * (size_t)g->nx + (size_t)i] =
                g->factor == 1 ? f[0] : 0.25f * ((f[0] + f[1]) + (f[row] + f[row + 1]));
        }
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            const size_t at = (size_t)j * (size_t)g->nx + (size_t)i;
            const int left = clamp_or_wrap(i - 1, g->nx, g->edges[OTOK_LEFT]),
                      right = clamp_or_wrap(i + 1, g->nx, g->edges[OTOK_LEFT]);
            const int low = clamp_or_wrap(j - 1, g->ny, g->edges[OTOK_BOTTOM]),
                      high = clamp_or_wrap(j + 1, g->ny, g->edges[OTOK_BOTTOM]);
            if (g->walls && g->walls[at] == OTOK_IN_WALL) continue;
            const otok_fixed r =
                otok_fixed_from(fabsf(otok_rough((otok_cross){.here = g->map[at],
                                                              .left = height(g, left, j, at),
                                                              .right = height(g, right, j, at),
                                                              .bottom = height(g, i, low, at),
                                                              .top = height(g, i, high, at)})));
            sum.hi += r.hi;
            sum.lo += r.lo;
        }
    return otok_fixed_value(sum.hi, sum.lo) / (double)g->open;
}

static otok_status measure_roughness(double *out, otok_sim *sim, const ground *g)
{
    OTOK_TRY(otok_sim_get(sim, OTOK_TERRAIN, g->fine));
    *out = roughness(g);
    return OTOK_OK;
}

static otok_status measure_growth(climb *c, otok_sim *sim, const ground *g, int64_t iterations,
                                  int64_t every)
{
    double rough;
    OTOK_TRY(measure_roughness(&c->start, sim, g));
    for (int64_t done = 0; done < iterations && !(c->rate > 0); done += every) {
        OTOK_TRY(otok_sim_run(sim, iterations - done < every ? iterations - done : every));
        OTOK_TRY(measure_roughness(&rough, sim, g));
        note_roughness(c, otok_sim_time(sim), rough);
    }
    return OTOK_OK;
}

/* Walls come from rasters, which are not made finer. */
static otok_status note_walls(ground *g, const otok_sim *sim)
{
    if (!sim->holes.n || g->factor > 1) return OTOK_OK;
    g->walls = malloc(otok_sim_cells(sim) * sizeof *g->walls);
    if (!g->walls) return no_memory();
    otok_sim_walls(sim, g->walls);
    g->open = otok_sim_open_cells(sim);
    return OTOK_OK;
}

/* The rate at which a finer run grows by the factor. */
static otok_status rate(double *out, const otok_scenario *s, int factor, double end, int64_t every,
                        const char *backend)
{
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    ground g = {(int)s->grid.nx / factor,
                (int)s->grid.ny / factor,
                factor,
                s->edges,
                malloc(cells * sizeof(float)),
                NULL,
                NULL,
                (s->grid.nx / factor) * (s->grid.ny / factor)};
    climb c = {.end = end};
    otok_sim *sim = NULL;
    g.map = malloc(cells * sizeof(float));
    otok_status status = g.fine && g.map ? otok_sim_create(&sim, s, backend) : no_memory();
    if (status == OTOK_OK) status = note_walls(&g, sim);
    if (status == OTOK_OK) status = measure_growth(&c, sim, &g, otok_scenario_iterations(s), every);
    *out = sim ? c.rate : NAN;
    free(g.fine);
    free(g.walls);
    free(g.map);
    if (!sim && status == OTOK_DATA) return OTOK_OK; /* the scenario cannot be made this fine */
    otok_sim_destroy(sim);
    return status;
}

/* Runs the member again with half the steps, and with half the cell size too if `cells` is 1. */
static otok_status rerun_finer(double *out, const otok_scenario *scenario, int cells, double end,
                               int64_t every, const char *backend)
{
    otok_refined *fine = calloc(1, sizeof *fine);
    if (!fine) return no_memory();
    otok_status status = otok_scenario_refine(fine, scenario, OTOK_HALVES_SWEEPS, 1, cells);
    if (status == OTOK_OK)
        status = rate(out, &fine->halved.scenario, 1 + cells, end, every, backend);
    otok_refined_destroy(fine);
    free(fine);
    return status;
}

/* The factor is the growth of the member when half of its growth is done. That is late enough to be
   independent of its beginning, and growth of half the speed reaches it within the same time. */
static otok_status rerun(otok_result *r, const otok_sample *samples, const otok_study *study,
                         const otok_scenario *scenario, const char *backend)
{
    if (otok_scenario_has_clock(scenario) != OTOK_OK) return OTOK_OK;
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

otok_status otok_member_rerun(otok_result *r, const otok_sample *samples, const otok_study *study,
                              const char *backend)
{
    otok_scenario *scenario;
    if (!study->rerun || r->verdict != OTOK_GROWING) return OTOK_OK;
    OTOK_TRY(otok_study_member(&scenario, study, r->row));
    const otok_status status = rerun(r, samples, study, scenario, backend);
    otok_scenario_destroy(scenario);
    return status;
}
