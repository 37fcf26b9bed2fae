/* response.c: see response.h. */
#include "response.h"

#include "../core/status.h"
#include "../core/walls.h"
#include "../scenario/scenario.h"

#include <math.h>
#include <stdlib.h>

const otok_sample_info otok_response_infos[OTOK_RESPONSES] = {
    {"eroded", "m3", "ground at the end that lies below the base terrain"},
    {"deposited", "m3", "ground at the end that lies above the base terrain"},
    {"mean_slope", "1", "mean slope of the ground at the end"},
    {"mean_speed", "m s-1", "mean speed of the water in wet cells at the end"},
};

/* Leaves the change of the ground in `change`. */
static otok_status measure_moved(double out[OTOK_RESPONSES], otok_sim *sim, float *change,
                                 size_t cells)
{
    const double length = sim->scenario->grid.spacing;
    OTOK_TRY(otok_sim_get(sim, OTOK_TERRAIN_CHANGE, change));
    out[0] = out[1] = 0;
    for (size_t n = 0; n < cells; n++)
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

/* `change` becomes the ground. `base` has room for a map. */
static otok_status measure_slope(double *out, otok_sim *sim, float *change, float *base,
                                 size_t cells)
{
    const otok_grid g = sim->scenario->grid;
    const int *edges = sim->patch.edges;
    const int has_walls = sim->holes.n > 0;
    float *const ground = change, *const walls = base;
    double sum = 0;
    OTOK_TRY(otok_sim_get(sim, OTOK_TERRAIN_BASE, base));
    for (size_t n = 0; n < cells; n++)
        ground[n] = base[n] + change[n];
    if (has_walls) otok_sim_walls(sim, walls);
    for (int64_t j = 0; j < g.ny; j++)
        for (int64_t i = 0; i < g.nx; i++) {
            const int64_t left = side_neighbour(i, -1, g.nx, edges[OTOK_LEFT]),
                          right = side_neighbour(i, 1, g.nx, edges[OTOK_LEFT]);
            const int64_t below = side_neighbour(j, -1, g.ny, edges[OTOK_BOTTOM]),
                          above = side_neighbour(j, 1, g.ny, edges[OTOK_BOTTOM]);
            const int64_t here = j * g.nx + i, around[] = {j * g.nx + left, j * g.nx + right,
                                                           below * g.nx + i, above * g.nx + i};
            double h[4];
            if (has_walls && walls[here] == OTOK_IN_WALL) continue;
            for (int n = 0; n < 4; n++)
                h[n] = (double)
                    ground[has_walls && walls[around[n]] == OTOK_IN_WALL ? here : around[n]];
            const double x = h[1] - h[0], y = h[3] - h[2];
            sum += sqrt(x * x + y * y) / (2 * g.spacing);
        }
    *out = sum / (double)otok_sim_open_cells(sim);
    return OTOK_OK;
}

static otok_status measure_speed(double *out, otok_sim *sim, float *maps, size_t cells)
{
    const otok_scenario *s = sim->scenario;
    const int phase = s->nphases - 1;
    const double dry =
        s->phases[phase].processes & OTOK_HYDRAULIC ? s->phases[phase].hydraulic.dry_depth : 0;
    double sum = 0, wet = 0;
    *out = 0;
    if (!otok_sim_has(sim, OTOK_WATER) || !otok_sim_has(sim, OTOK_VELOCITY_X) ||
        !otok_sim_has(sim, OTOK_VELOCITY_Y))
        return OTOK_OK;
    OTOK_TRY(otok_sim_get(sim, OTOK_WATER, maps));
    OTOK_TRY(otok_sim_get(sim, OTOK_VELOCITY_X, maps + cells));
    OTOK_TRY(otok_sim_get(sim, OTOK_VELOCITY_Y, maps + 2 * cells));
    for (size_t n = 0; n < cells; n++) {
        const double u = (double)maps[cells + n], w = (double)maps[2 * cells + n];
        if (!((double)maps[n] > dry)) continue;
        sum += sqrt(u * u + w * w);
        wet++;
    }
    if (wet > 0) *out = sum / wet;
    return OTOK_OK;
}

static otok_status measure(double out[OTOK_RESPONSES], otok_sim *sim, float *maps, size_t cells)
{
    OTOK_TRY(measure_moved(out, sim, maps, cells));
    OTOK_TRY(measure_slope(&out[2], sim, maps, maps + cells, cells));
    return measure_speed(&out[3], sim, maps, cells);
}

otok_status otok_response_measure(double out[OTOK_RESPONSES], otok_sim *sim, float *maps)
{
    const size_t cells = (size_t)sim->scenario->grid.nx * (size_t)sim->scenario->grid.ny;
    float *const own = maps ? NULL : malloc(OTOK_RESPONSE_MAPS * cells * sizeof *own);
    if (!maps && !own) return OTOK_FAIL(OTOK_NOMEM, "no memory for the responses of a member");
    const otok_status status = measure(out, sim, maps ? maps : own, cells);
    free(own);
    return status;
}
