/* queries.c: where a simulation is, and on what it runs. */
#include "../core/rounding.h"
#include "sim.h"

int64_t otok_sim_iteration(const otok_sim *sim)
{
    return sim->iteration;
}

otok_moment otok_sim_moment(const otok_sim *sim)
{
    return otok_scenario_moment_from(sim->scenario, &sim->visit, sim->iteration);
}

double otok_sim_time(const otok_sim *sim)
{
    OTOK_ROUNDING;
    return otok_sim_moment(sim).time;
}

double otok_sim_sea_level(const otok_sim *sim)
{
    OTOK_ROUNDING;
    return otok_sim_moment(sim).sea_level;
}

const char *otok_sim_phase(const otok_sim *sim)
{
    const int phase = otok_sim_moment(sim).phase;
    return phase < sim->scenario->nphases ? sim->scenario->phases[phase].name : "end";
}

const char *otok_sim_backend(const otok_sim *sim)
{
    return sim->backend->name;
}

const char *otok_sim_device(const otok_sim *sim)
{
    return sim->device;
}

double otok_sim_base_seconds(const otok_sim *sim)
{
    return sim->base_seconds;
}
