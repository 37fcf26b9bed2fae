/* started.c: the end of what otok_sim_start began: hands over the steps that it put off, and
   waits. */
#include "sim.h"

#include "../core/status.h"

otok_status otok_sim_flush(otok_sim *sim)
{
    const int n = sim->put_off, p = sim->put_off_phase;
    sim->put_off = 0;
    if (n == 0) return OTOK_OK;
    return sim->backend->start(&sim->patch, &sim->programs[p], &sim->coefficients[p], sim->steps,
                               sim->started - n, n, 0);
}

otok_status otok_sim_wait(otok_sim *sim)
{
    if (sim->started == 0) return OTOK_OK;
    OTOK_TRY(otok_sim_flush(sim));
    sim->started = 0;
    return sim->backend->wait(&sim->patch);
}
