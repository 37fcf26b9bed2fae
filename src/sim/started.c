/* started.c: iterations that were started and that nobody has waited for yet. Some of them are held
   back while the device is busy. */
#include "../core/status.h"
#include "sim.h"

/* Gives the held steps to the backend. */
static otok_status give_held(otok_sim *sim)
{
    const int at = sim->given, length = sim->started - at, p = sim->held;
    if (length == 0) return OTOK_OK;
    sim->given = sim->started;
    sim->flying += length;
    return sim->backend->start(&sim->patch, &sim->programs[p], &sim->coefficients[p], sim->steps,
                               at, length, 0);
}

otok_patch *otok_sim_patch(otok_sim *sim)
{
    const otok_status status = give_held(sim);
    if (status != OTOK_OK) sim->failed = status;
    return &sim->patch;
}

otok_status otok_sim_wait(otok_sim *sim)
{
    OTOK_TRY(OTOK_GIVEN(sim));
    if (sim->started == 0) return OTOK_OK;
    otok_status status = give_held(sim);
    const otok_status failed = sim->failed;
    sim->started = sim->given = sim->flying = 0;
    sim->failed = OTOK_OK;
    if (status == OTOK_OK) status = sim->backend->wait(&sim->patch);
    if (status == OTOK_OK && failed != OTOK_OK)
        return OTOK_FAIL(failed, "iterations that were started could not be given to the device; "
                                 "continue from a checkpoint");
    return status;
}

/* Whether started steps should wait for more of their phase: a launch of many costs less than
   many launches. They wait while the device has at least as many left to do. */
static int should_wait(otok_sim *sim)
{
    if (!sim->backend->busy) return 0;
    if (!sim->backend->busy(&sim->patch)) sim->flying = 0;
    return sim->started - sim->given < sim->flying;
}

/* A backend without `start`, such as one in bands, runs to the end at once. */
otok_status otok_sim_start_steps(otok_sim *sim, int p, int length)
{
    if (!sim->backend->start)
        return sim->backend->run(&sim->patch, &sim->programs[p], &sim->coefficients[p], sim->steps,
                                 length);
    if (p != sim->held) OTOK_TRY(give_held(sim));
    sim->held = p;
    sim->started += length;
    return should_wait(sim) ? OTOK_OK : give_held(sim);
}
