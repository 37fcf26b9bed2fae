/* fill.c: fills the buffers of a patch with what a phase gives: maps of parameters, rivers, and
   where droplets start. */
#include "../core/status.h"
#include "../scenario/process.h"
#include "sim.h"
#include "starts.h"

#include <stdlib.h>
#include <string.h>

/* Computes where the droplets of a phase may start: as rain falls, everywhere alike (NULL), and
   never in walls. */
static otok_status fill_starts(otok_sim *sim, const float *rain)
{
    const size_t cells = otok_sim_cells(sim);
    uint64_t *upto = malloc(cells * sizeof *upto);
    float *weights = malloc(cells * sizeof *weights);
    otok_status status =
        upto && weights ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for where droplets start");
    for (size_t n = 0; n < cells && status == OTOK_OK; n++)
        weights[n] = rain ? rain[n] : 1.0f;
    if (status == OTOK_OK) otok_sim_clear_walls(sim, OTOK_WATER, weights);
    if (status == OTOK_OK) status = otok_starts_sum(upto, weights, (int64_t)cells);
    if (status == OTOK_OK) status = sim->backend->starts(otok_sim_patch(sim), upto);
    free(upto);
    free(weights);
    return status;
}

/* The map of a phase's parameter, or NULL. */
static const otok_made *map_of(const otok_sim *sim, int phase, int buffer)
{
    return otok_springs_map(&sim->springs, sim->scenario->phases, phase, buffer);
}

/* The mean of the maps that an iteration has, in `scratch` if they are several. */
static const float *mean_of(const otok_made *made, const otok_shares *shares, float *scratch,
                            size_t cells)
{
    const float *first = made->map + (size_t)shares->first * cells;
    if (shares->first == shares->last) return first;
    for (size_t i = 0; i < cells; i++) {
        double sum = 0;
        for (int64_t n = shares->first; n <= shares->last; n++)
            sum += otok_springs_share(made, shares, n) * (double)made->map[(size_t)n * cells + i];
        scratch[i] = (float)sum;
    }
    return scratch;
}

/* Fills the buffers of a phase's maps, or only that of rain. */
static otok_status fill_maps(otok_sim *sim, const otok_moment *at, int only_rain)
{
    const otok_scenario *s = sim->scenario;
    float *scratch = sim->springs.scratch;
    for (int b = OTOK_MAPS; b < OTOK_MAPS_END; b++) {
        const otok_made *made = map_of(sim, at->phase, b);
        if (!made || !otok_set_has(sim->buffers, b) || (only_rain && b != OTOK_MAP_RAIN)) continue;
        const otok_shares shares = otok_springs_shares(made, at);
        const float *map = mean_of(made, &shares, scratch, otok_sim_cells(sim));
        if (b == OTOK_MAP_RAIN) sim->springs.shares = shares;
        otok_map_coefficients(scratch, map, otok_sim_cells(sim), b, &s->phases[at->phase],
                              s->grid.spacing);
        OTOK_TRY(sim->backend->put(otok_sim_patch(sim), b, scratch));
    }
    return OTOK_OK;
}

/* Fills the buffers of the rivers of a phase. */
static otok_status fill_rivers(otok_sim *sim, const otok_phase *phase)
{
    const otok_view *v = &sim->patch.view;
    const otok_box box = {v->x0, v->x0 + v->nx, v->y0, v->y0 + v->ny};
    float *scratch = sim->springs.scratch;
    int64_t cells = 0;
    sim->springs.meetings = otok_springs_meetings(phase, sim->scenario->grid, &sim->holes);
    for (int n = 0; n < phase->nrivers; n++)
        cells += sim->springs.meetings.cells[n] ? sim->springs.meetings.cells[n] : 1;
    if (cells > sim->springs.cells) sim->springs.cells = cells;
    otok_springs_rivers(scratch, phase, sim->scenario->grid, box, &sim->holes);
    OTOK_TRY(sim->backend->put(otok_sim_patch(sim), OTOK_SPRINGS, scratch));
    if (!otok_phase_has_hydrographs(phase)) return OTOK_OK;
    otok_springs_hydrographs(scratch, phase, sim->scenario->grid, box, &sim->holes);
    return sim->backend->put(otok_sim_patch(sim), OTOK_SPRING_OF, scratch);
}

int otok_sim_is_filled(const otok_sim *sim, const otok_moment *at)
{
    const otok_springs *springs = &sim->springs;
    const otok_made *rain = map_of(sim, at->phase, OTOK_MAP_RAIN);
    const otok_shares shares = rain ? otok_springs_shares(rain, at) : springs->shares;
    return springs->ready == at->phase && memcmp(&shares, &springs->shares, sizeof shares) == 0;
}

otok_status otok_sim_fill(otok_sim *sim, const otok_moment *at)
{
    otok_springs *springs = &sim->springs;
    const int p = at->phase;
    const otok_made *rain = map_of(sim, p, OTOK_MAP_RAIN);
    if (otok_sim_is_filled(sim, at)) return OTOK_OK;
    if (springs->ready == p) return fill_maps(sim, at, 1);
    springs->ready = p;
    const int drops = sim->scenario->phases[p].processes & OTOK_DROPLETS && sim->holes.n;
    if (drops || otok_phase_has_starts(&sim->scenario->phases[p]))
        OTOK_TRY(fill_starts(sim, rain ? rain->map : NULL));
    OTOK_TRY(fill_maps(sim, at, 0));
    OTOK_TRY(otok_sim_fill_dams(sim, p));
    if (!otok_phase_has_springs(&sim->scenario->phases[p])) return OTOK_OK;
    for (size_t n = 0; !rain && n < otok_sim_cells(sim); n++)
        springs->scratch[n] = 1.0f;
    if (!rain) OTOK_TRY(sim->backend->put(otok_sim_patch(sim), OTOK_MAP_RAIN, springs->scratch));
    return fill_rivers(sim, &sim->scenario->phases[p]);
}
