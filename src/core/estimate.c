/* estimate.c: what a run would cost. The time is measured on a small grid of the same backend and scaled by cells: a large grid on
   a CPU runs slower than that once it leaves the caches. */
#include "../base/compile.h"
#include "../base/raster.h"
#include "memory.h"
#include "rounding.h"
#include "scenario.h"
#include "sim.h"
#include "status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BIT(field) (UINT64_C(1) << (field))

otok_status otok_scenario_all_buffers(uint64_t *out, const otok_scenario *scenario)
{
    uint64_t carried;
    OTOK_TRY(otok_scenario_carried(scenario, &carried));
    OTOK_TRY(otok_scenario_buffers(out, scenario));
    *out |= carried | scenario->later;
    return OTOK_OK;
}

otok_status otok_scenario_bytes(const otok_scenario *scenario, uint64_t *fields, uint64_t *checkpoint)
{
    const uint64_t cells = (uint64_t)scenario->grid.nx * (uint64_t)scenario->grid.ny;
    uint64_t buffers;
    OTOK_TRY(otok_scenario_all_buffers(&buffers, scenario));
    *fields = *checkpoint = 0;
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        if (!(buffers >> b & 1)) continue;
        *fields += cells * (b == OTOK_WETNESS ? 1 : sizeof(float));
        if (b < OTOK_STORED) *checkpoint += cells * sizeof(float) * (otok_field_layer(b) < 0 ? 1 : 2); /* and the thickness */
    }
    if (otok_scenario_batch(scenario)) *fields += cells * sizeof(uint64_t); /* what droplets leave in a step */
    *checkpoint += cells * sizeof(float);                                   /* the terrain, derived */
    return OTOK_OK;
}

/* Bytes of the maps between the passes of the base terrain, which are gone when it is made. */
static otok_status base_bytes(uint64_t *bytes, const otok_scenario *scenario)
{
    otok_base_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain");
    const otok_status status = otok_base_compile(scenario, (otok_box){0, (int)scenario->grid.nx, 0, (int)scenario->grid.ny}, plan);
    *bytes = otok_base_plan_bytes(plan);
    otok_base_plan_destroy(plan);
    free(plan);
    return status;
}

otok_status otok_scenario_fits(const otok_scenario *scenario, const otok_backend *backend, int snapshots)
{
    uint64_t fields, checkpoint;
    OTOK_TRY(otok_scenario_bytes(scenario, &fields, &checkpoint));
    uint64_t maps = 0;
    OTOK_TRY(base_bytes(&maps, scenario));
    const double here =
        (strncmp(backend->name, "cpu", 3) == 0 ? (double)(fields + maps) : 0) + (double)otok_springs_bytes(scenario);
    const double needed = here + (double)snapshots * (double)checkpoint, left = otok_memory_free(""), gib = 1 << 30;
    if (needed <= left || left == 0) return OTOK_OK;
    return OTOK_FAIL(OTOK_NOMEM,
                     "a grid of %" PRId64 " x %" PRId64 " cells needs %.1f GiB of memory here (fields %.1f, checkpoints on their "
                     "way to disk %.1f), and this process may take %.1f GiB; lower grid.nx and grid.ny, or give it more",
                     scenario->grid.nx, scenario->grid.ny, needed / gib, here / gib, (needed - here) / gib, left / gib);
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Rasters have the whole grid's size: 1 everywhere stands for a pipeline with one. */
static void flatten(otok_generator **list, int *n)
{
    static otok_generator one = {.kind = OTOK_GEN_CONSTANT, .as.constant.height = 1};
    if (!otok_base_raster_count(*list, *n)) return;
    *list = &one;
    *n = 1;
}

/* Seconds an iteration of one phase, alone from iteration 0 of a small grid. */
static otok_status time_phase(double *seconds, const otok_scenario *scenario, int phase, const char *backend)
{
    otok_scenario small = *scenario;
    otok_phase alone = scenario->phases[phase];
    otok_sim *sim;
    alone.iterations = INT64_C(1) << 30;
    alone.droplets.count = alone.iterations * alone.droplets.batch;
    small.grid.nx = scenario->grid.nx < 512 ? scenario->grid.nx : 512;
    small.grid.ny = scenario->grid.ny < 512 ? scenario->grid.ny : 512;
    small.initial[0] = 0;
    small.nchanges = 0;
    small.later = 0;
    alone.rain.fit = OTOK_FIT_STRETCH;
    for (int r = 0; r < alone.nrivers; r++) {
        alone.rivers[r].x *= (double)small.grid.nx / (double)scenario->grid.nx;
        alone.rivers[r].y *= (double)small.grid.ny / (double)scenario->grid.ny;
    }
    if (otok_base_raster_count(scenario->base, scenario->nbase)) small.nbase = 0; /* they have the whole grid's size */
    flatten(&small.erodibility, &small.nerodibility);
    for (int i = 0; i < small.nlayers; i++)
        flatten(&small.layers[i].thickness, &small.layers[i].nthickness);

    small.nphases = 1;
    small.phases = &alone;
    OTOK_TRY(otok_sim_create(&sim, &small, backend));
    otok_status status = otok_sim_run(sim, 2);
    int64_t n = 0;
    const double before = clock_now();
    double took = 0;
    for (int64_t batch = 4; took < 0.25 && status == OTOK_OK; batch *= 2) {
        status = otok_sim_run(sim, batch);
        n += batch;
        took = clock_now() - before;
    }
    otok_sim_destroy(sim);
    const double scale = (double)scenario->grid.nx * (double)scenario->grid.ny / ((double)small.grid.nx * (double)small.grid.ny);
    *seconds = took / (double)n * scale;
    return status;
}

otok_status otok_run_estimate(otok_estimate *out, const otok_scenario *scenario, const char *backend)
{
    OTOK_ROUNDING;
    const otok_backend *place;
    uint64_t fields, checkpoint;
    *out = (otok_estimate){0};
    otok_springs springs;
    OTOK_TRY(otok_springs_read(&springs, scenario, (otok_box){0, (int)scenario->grid.nx, 0, (int)scenario->grid.ny}));
    otok_springs_destroy(&springs);
    for (int p = 0; p < OTOK_PIPELINES; p++) { /* a run would fail on their rasters, or not */
        otok_scenario pipeline;
        otok_base_rasters rasters;
        if (!otok_scenario_pipeline(&pipeline, scenario, p)) continue;
        OTOK_TRY(otok_base_rasters_read(&rasters, &pipeline));
        otok_base_rasters_destroy(&rasters);
    }
    OTOK_TRY(otok_backend_find(&place, backend));
    OTOK_TRY(place->describe(out->device, sizeof out->device));
    for (int p = 0; p < scenario->nphases; p++) {
        double each;
        OTOK_TRY(time_phase(&each, scenario, p, place->name));
        out->seconds += each * (double)scenario->phases[p].iterations;
    }
    OTOK_TRY(otok_scenario_bytes(scenario, &fields, &checkpoint));
    out->device_bytes = (size_t)fields;
    out->checkpoint_bytes = (size_t)checkpoint;
    const int64_t n = otok_scenario_iterations(scenario), every = scenario->output.every;
    out->checkpoints = 1 + (every > 0 ? (n + every - 1) / every : n > 0);
    return OTOK_OK;
}
