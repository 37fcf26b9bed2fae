/* twin.c: see twin.h. */
#include "twin.h"

#include "../core/clock.h"
#include "../core/status.h"
#include "sim.h"

#include <stdlib.h>

static otok_status go(const otok_twin_run *r, otok_sim *sim)
{
    int64_t chunk = r->every ? r->every : 1;
    int ends = 0;
    OTOK_TRY(r->look(r->user, sim, &ends));
    while (!ends && sim->iteration < sim->end) {
        const double before = otok_clock();
        OTOK_TRY(otok_sim_run(sim, otok_least(chunk, sim->end - sim->iteration)));
        if (!r->every && otok_clock() - before < 0.1)
            chunk *= 2;
        else if (!r->every && chunk > 1)
            chunk /= 2;
        OTOK_TRY(r->look(r->user, sim, &ends));
    }
    return OTOK_OK;
}

otok_status otok_twin_run_whole(const otok_twin_run *r)
{
    otok_twin *twin;
    otok_sim *sim = NULL;
    OTOK_TRY(otok_scenario_twin(&twin, r->scenario, r->halves));
    otok_status status =
        otok_sim_create_until(&sim, &twin->scenario, r->backend, r->stops, r->user);
    if (status == OTOK_OK) status = go(r, sim);
    otok_sim_destroy(sim);
    otok_twin_destroy(twin);
    return status;
}

otok_status otok_twin_get(float *map, otok_sim *sim, otok_field field, int halved)
{
    const size_t factor = (size_t)1 << halved, row = (size_t)sim->scenario->grid.nx,
                 nx = row / factor, ny = (size_t)sim->scenario->grid.ny / factor;
    if (!otok_sim_has(sim, field)) return OTOK_OK;
    if (!halved) return otok_sim_get(sim, field, map);
    float *fine = malloc(otok_sim_cells(sim) * sizeof *fine);
    const otok_status status = fine ? otok_sim_get(sim, field, fine)
                                    : OTOK_FAIL(OTOK_NOMEM, "no memory for a map of a finer run");
    for (size_t n = 0; n < nx * ny && status == OTOK_OK; n++) {
        const float *at = &fine[(n / nx * row + n % nx) * factor];
        double sum = 0;
        for (size_t b = 0; b < factor; b++)
            for (size_t a = 0; a < factor; a++)
                sum += (double)at[b * row + a];
        map[n] = (float)(sum / (double)(factor * factor));
    }
    free(fine);
    return status;
}
