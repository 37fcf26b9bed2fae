/* response.c: see response.h. */
#include "response.h"

#include "../core/status.h"
#include "../scenario/scenario.h"
#include "../sim/island.h"
#include "../sim/twin.h"

#include <math.h>

const otok_sample_info otok_response_infos[OTOK_RESPONSES] = {
    {"eroded", "m3", "ground at the end that lies below the base terrain"},
    {"deposited", "m3", "ground at the end that lies above the base terrain"},
    {"mean_slope", "1", "mean slope of the ground at the end"},
    {"mean_speed", "m s-1", "mean speed of the water in wet cells at the end"},
    {"flooded", "m2", "area with water deeper than 0.1 m at the end"},
};

static otok_status measure_moved(double out[OTOK_RESPONSES], const otok_scenario *s,
                                 otok_state *state)
{
    const double length = s->grid.spacing;
    const float *change;
    OTOK_TRY(otok_state_map(&change, state, OTOK_TERRAIN_CHANGE));
    out[0] = out[1] = 0;
    for (int64_t n = 0; n < s->grid.nx * s->grid.ny; n++)
        out[change[n] > 0] += fabs((double)change[n]) * length * length;
    return OTOK_OK;
}

/* The neighbour before or after `here`: over a periodic side the opposite end, over any other side
   the cell itself. */
static int64_t side_neighbour(int64_t here, int step, int64_t n, int side)
{
    const int64_t there = here + step;
    if (there >= 0 && there < n) return there;
    return side == OTOK_PERIODIC ? (there + n) % n : here;
}

static otok_status measure_slope(double *out, const otok_scenario *s, otok_state *state)
{
    const otok_grid g = s->grid;
    const int *edges = s->edges;
    const unsigned char *walls = otok_state_walls(state);
    const float *ground;
    double sum = 0;
    int64_t open = 0;
    OTOK_TRY(otok_state_map(&ground, state, OTOK_TERRAIN));
    for (int64_t j = 0; j < g.ny; j++)
        for (int64_t i = 0; i < g.nx; i++) {
            const int64_t left = side_neighbour(i, -1, g.nx, edges[OTOK_LEFT]),
                          right = side_neighbour(i, 1, g.nx, edges[OTOK_LEFT]);
            const int64_t below = side_neighbour(j, -1, g.ny, edges[OTOK_BOTTOM]),
                          above = side_neighbour(j, 1, g.ny, edges[OTOK_BOTTOM]);
            const int64_t here = j * g.nx + i, around[] = {j * g.nx + left, j * g.nx + right,
                                                           below * g.nx + i, above * g.nx + i};
            double h[4];
            if (walls && walls[here]) continue;
            for (int n = 0; n < 4; n++)
                h[n] = (double)ground[walls && walls[around[n]] ? here : around[n]];
            const double x = h[1] - h[0], y = h[3] - h[2];
            sum += sqrt(x * x + y * y) / (2 * g.spacing);
            open++;
        }
    *out = sum / (double)open;
    return OTOK_OK;
}

static otok_status measure_speed(double *out, otok_sim *sim, otok_state *state)
{
    const otok_scenario *s = sim->scenario;
    const int phase = s->nphases - 1;
    const double dry =
        s->phases[phase].processes & OTOK_HYDRAULIC ? s->phases[phase].hydraulic.dry_depth : 0;
    const float *water, *x, *y;
    double sum = 0, wet = 0;
    *out = 0;
    if (!otok_sim_has(sim, OTOK_WATER) || !otok_sim_has(sim, OTOK_VELOCITY_X) ||
        !otok_sim_has(sim, OTOK_VELOCITY_Y))
        return OTOK_OK;
    OTOK_TRY(otok_state_map(&water, state, OTOK_WATER));
    OTOK_TRY(otok_state_map(&x, state, OTOK_VELOCITY_X));
    OTOK_TRY(otok_state_map(&y, state, OTOK_VELOCITY_Y));
    for (int64_t n = 0; n < s->grid.nx * s->grid.ny; n++) {
        const double u = (double)x[n], w = (double)y[n];
        if (!((double)water[n] > dry)) continue;
        sum += sqrt(u * u + w * w);
        wet++;
    }
    if (wet > 0) *out = sum / wet;
    return OTOK_OK;
}

static otok_status measure_flooded(double *out, double *verge, otok_sim *sim, otok_state *state)
{
    const otok_grid g = sim->scenario->grid;
    const float *water;
    double cells = 0, more = 0;
    *out = *verge = 0;
    if (!otok_sim_has(sim, OTOK_WATER)) return OTOK_OK;
    OTOK_TRY(otok_state_map(&water, state, OTOK_WATER));
    for (int64_t n = 0; n < g.nx * g.ny; n++) {
        cells += (double)water[n] > OTOK_FLOODED;
        more += (double)water[n] * 1.05 > OTOK_FLOODED;
    }
    *out = cells * g.spacing * g.spacing;
    if (cells >= OTOK_FEW) *verge = (more / cells - 1) / 0.05;
    return OTOK_OK;
}

otok_status otok_response_measure(double out[OTOK_RESPONSES], double *verge, otok_sim *sim,
                                  otok_state *state)
{
    OTOK_TRY(measure_moved(out, sim->scenario, state));
    OTOK_TRY(measure_slope(&out[2], sim->scenario, state));
    OTOK_TRY(measure_speed(&out[3], sim, state));
    return measure_flooded(&out[4], verge, sim, state);
}

otok_status otok_response_island(otok_island *out, otok_sim *sim, otok_state *state)
{
    const float *terrain, *reef;
    *out = otok_no_island;
    if (!otok_sim_has(sim, OTOK_REEF)) return OTOK_OK;
    OTOK_TRY(otok_state_map(&terrain, state, OTOK_TERRAIN));
    OTOK_TRY(otok_state_map(&reef, state, OTOK_REEF));
    return otok_island_of(out, sim->scenario->grid, otok_sim_sea_level(sim), terrain, reef,
                          otok_state_walls(state));
}
