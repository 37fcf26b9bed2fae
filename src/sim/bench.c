/* bench.c: measures how fast a phase runs on a backend, and how fast the same backend copies
 * memory. */
#include "../core/clock.h"
#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static otok_status run_timed(otok_sim *sim, int iterations, double *seconds)
{
    const otok_program *program = &sim->programs[0];
    const otok_coefficients *k = &sim->coefficients[0];
    if (sim->backend->time)
        return sim->backend->time(&sim->patch, program, k, sim->steps, iterations, seconds);
    const double before = otok_clock();
    const otok_status status = sim->backend->run(&sim->patch, program, k, sim->steps, iterations);
    *seconds = otok_clock() - before;
    return status;
}

static otok_status measure(otok_bench *out, otok_sim *sim, int iterations, int repeats)
{
    enum { MOST = 101 };
    double took[MOST];
    otok_ledger ledger;
    if (iterations < 1 || iterations > OTOK_SEGMENT || repeats < 1 || repeats > MOST)
        return OTOK_FAIL(OTOK_USAGE, "1..%d iterations, 1..%d repeats", OTOK_SEGMENT, MOST);
    OTOK_TRY(otok_sim_run(sim, iterations)); /* a warm run: it touches memory, raises clocks, makes
                                                graphs and puts rain on the ground */
    OTOK_TRY(otok_sim_measure(sim, &ledger, &out->fingerprint));
    for (int n = 0; n < iterations; n++)
        sim->steps[n].iteration = OTOK_SEGMENT + n; /* what moves is counted as in most of a run */
    for (int n = 0; n < repeats; n++)
        OTOK_TRY(run_timed(sim, iterations, &took[n]));
    qsort(took, (size_t)repeats, sizeof took[0], ascending);
    out->seconds = took[repeats / 2];
    out->fastest = took[0];
    out->cell_steps =
        (double)sim->scenario->grid.nx * (double)sim->scenario->grid.ny * iterations / out->seconds;
    const int bytes = sim->backend->bytes(&sim->patch, &sim->programs[0], &sim->coefficients[0]);
    out->bytes_per_cell = bytes == 0  ? otok_program_bytes(&sim->programs[0])
                          : bytes > 0 ? bytes
                                      : 0;
    snprintf(out->strategy, sizeof out->strategy, "%s",
             sim->backend->strategy(&sim->patch, &sim->programs[0], &sim->coefficients[0]));
    memcpy(out->device, sim->device, sizeof out->device);
    return sim->backend->copy_rate((size_t)1 << 30, &out->copy_rate);
}

otok_status(otok_bench_run)(otok_bench *out, const otok_scenario *scenario, const char *backend,
                            int iterations, int repeats, size_t size)
{
    OTOK_TRY(OTOK_GIVEN(out, scenario, backend));
    OTOK_ROUNDING;
    otok_sim *sim;
    otok_bench all = {0};
    otok_sized_copy(out, size, &all, sizeof all); /* zeros, if it fails */
    if (scenario->nphases == 0 || scenario->phases[0].iterations < iterations)
        return OTOK_FAIL(
            OTOK_USAGE,
            "the scenario's first phase is shorter than %d iterations; lower --iterations",
            iterations);
    if (otok_phase_has_courant(&scenario->phases[0]))
        return OTOK_FAIL(OTOK_USAGE,
                         "phases.%s.hydraulic.courant: steps that follow the water have no one "
                         "time; add --set phases.%s.hydraulic.courant=0",
                         scenario->phases[0].name, scenario->phases[0].name);
    OTOK_TRY(otok_sim_create(&sim, scenario, backend));
    const otok_status status = measure(&all, sim, iterations, repeats);
    otok_sized_copy(out, size, &all, sizeof all);
    otok_sim_destroy(sim);
    return status;
}
