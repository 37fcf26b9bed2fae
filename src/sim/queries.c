/* queries.c: where a simulation is, and on what it runs. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "sim.h"

#include <string.h>

int64_t otok_sim_iteration(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return 0;
    return sim->iteration;
}

otok_moment otok_sim_moment(const otok_sim *sim)
{
    return otok_scenario_moment_from(sim->scenario, &sim->visit, sim->iteration);
}

double otok_sim_time(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return NAN;
    OTOK_ROUNDING;
    return otok_sim_moment(sim).time;
}

double otok_sim_sea_level(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return NAN;
    OTOK_ROUNDING;
    return otok_sim_moment(sim).sea_level;
}

const char *otok_sim_phase(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return NULL;
    const int phase = otok_sim_moment(sim).phase;
    return phase < sim->scenario->nphases ? sim->scenario->phases[phase].name : "end";
}

const char *otok_sim_backend(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return NULL;
    return sim->backend->name;
}

const char *otok_sim_device(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return NULL;
    return sim->device;
}

double otok_sim_base_seconds(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return NAN;
    return sim->base_seconds;
}

void otok_sim_axis(otok_axis_about *out, const otok_sim *sim, char axis)
{
    if (OTOK_GIVEN(out, sim)) return;
    *out = (otok_axis_about){NAN, NAN, NULL, NULL, NULL};
    if (axis == 'x' || axis == 'y')
        otok_axis_words(out, axis, &sim->georeference, sim->scenario->grid);
}

const char *otok_sim_crs(const otok_sim *sim)
{
    if (OTOK_GIVEN(sim)) return NULL;
    const otok_georeference *p = &sim->georeference;
    return !otok_georeference_is_place(p, sim->scenario->grid.ny) ? NULL : p->wkt ? p->wkt : "";
}

int64_t otok_sim_no_data(const otok_sim *sim, unsigned char *map)
{
    if (OTOK_GIVEN(sim, map)) return 0;
    memset(map, 0, otok_sim_cells(sim));
    otok_holes_mark(&sim->holes, map);
    return otok_holes_count(&sim->holes);
}
