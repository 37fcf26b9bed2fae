/* estimate.c: what a run would cost. The time is measured on a small grid of the same backend and scaled by cells: a large grid on a
   CPU runs slower than that once it leaves the caches. */
#include "scenario.h"
#include "sim.h"
#include "status.h"

#include <time.h>

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds an iteration of one phase, alone from iteration 0 of a small grid. */
static otok_status time_phase(double *seconds, const otok_scenario *scenario, int phase, const char *backend)
{
    otok_scenario small = *scenario;
    otok_phase alone = scenario->phases[phase];
    otok_sim *sim;
    alone.iterations = INT64_C(1) << 30;
    small.grid.nx = scenario->grid.nx < 512 ? scenario->grid.nx : 512;
    small.grid.ny = scenario->grid.ny < 512 ? scenario->grid.ny : 512;
    small.initial[0] = 0;
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
    const otok_backend *place;
    const size_t cells = (size_t)scenario->grid.nx * (size_t)scenario->grid.ny;
    uint64_t buffers = 0;
    *out = (otok_estimate){0};
    OTOK_TRY(otok_backend_find(&place, backend));
    OTOK_TRY(place->describe(out->device, sizeof out->device));
    for (int p = 0; p < scenario->nphases; p++) {
        otok_program program;
        double each;
        OTOK_TRY(otok_program_for_phase(&program, &scenario->phases[p], scenario->edges));
        buffers |= otok_program_buffers(&program);
        OTOK_TRY(time_phase(&each, scenario, p, place->name));
        out->seconds += each * (double)scenario->phases[p].iterations;
    }
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        if (!(buffers >> b & 1)) continue;
        out->device_bytes += cells * (b == OTOK_WETNESS ? 1 : sizeof(float));
        if (b < OTOK_STORED) out->checkpoint_bytes += cells * sizeof(float);
    }
    if (scenario->output.fields >> OTOK_TERRAIN & 1) out->checkpoint_bytes += cells * sizeof(float);
    const int64_t n = otok_scenario_iterations(scenario), every = scenario->output.every;
    out->checkpoints = 1 + (every > 0 ? (n + every - 1) / every : n > 0);
    return OTOK_OK;
}
