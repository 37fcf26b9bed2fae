/* twin.c: see twin.h. */
#include "twin.h"

#include "../core/status.h"
#include "derived.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>

otok_status otok_twin_begin(otok_whole_twin *t, const otok_scenario *s, otok_halves halves,
                            const char *backend, int (*stops)(void *), void *user)
{
    *t = (otok_whole_twin){NULL, NULL};
    OTOK_TRY(otok_scenario_twin(&t->twin, s, halves));
    return otok_sim_create_until(&t->sim, &t->twin->scenario, backend, stops, user);
}

void otok_twin_end(otok_whole_twin *t)
{
    otok_sim_destroy(t->sim);
    otok_twin_destroy(t->twin);
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
