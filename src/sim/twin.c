/* twin.c: see twin.h. */
#include "twin.h"

#include "../core/clock.h"
#include "../core/status.h"
#include "derived.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>

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

void otok_twin_mark_rivers(unsigned char *rivers, const float *areas, otok_grid g, int halved)
{
    const int64_t factor = INT64_C(1) << halved, nx = g.nx * factor;
    const double least = (OTOK_RIVER_CELLS + 0.5) * g.spacing * g.spacing;
    memset(rivers, 0, (size_t)(g.nx * g.ny));
    for (int64_t n = 0; n < nx * g.ny * factor; n++)
        rivers[n / nx / factor * g.nx + n % nx / factor] |= (double)areas[n] > least;
}

otok_status otok_twin_rivers(unsigned char **rivers, otok_state *state, otok_grid g, int halved)
{
    const float *areas;
    *rivers = NULL;
    OTOK_TRY(otok_state_map(&areas, state, OTOK_FIELDS + OTOK_DERIVED_DRAINAGE_AREA));
    *rivers = malloc((size_t)(g.nx * g.ny));
    if (!*rivers) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of rivers");
    otok_twin_mark_rivers(*rivers, areas, g, halved);
    return OTOK_OK;
}

double otok_twin_rivers_apart(const unsigned char *one, const unsigned char *other, otok_grid g)
{
    int64_t both = 0, first = 0, second = 0;
    for (int64_t n = 0; n < g.nx * g.ny; n++) {
        both += one[n] & other[n];
        first += one[n];
        second += other[n];
    }
    const int64_t most = first > second ? first : second;
    return most < OTOK_FEW ? 0 : (double)(most - both) / (double)most;
}
