/* rating.c: notes rating curves whose level without flow no water of the run can reach: such a side
   is closed. */
#include "../core/status.h"
#include "../scenario/process.h"
#include "../scenario/program.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CELLS = 1 << 22 };

static const char *const names[OTOK_SIDES] = {"left", "right", "bottom", "top"};

/* No less than the water that enters while a phase runs once [m3]; INFINITY: it is not known. */
static double entering(const otok_scenario *s, const otok_phase *p)
{
    const double l = s->grid.spacing, area = (double)s->grid.nx * (double)s->grid.ny * l * l,
                 end = (double)p->iterations * otok_phase_step(p);
    const otok_rain *rain = &p->rain;
    double volume = 0;
    if (!(p->processes & OTOK_HYDRAULIC)) return 0;
    if (p->hydraulic.sea) return INFINITY;
    for (int n = 0; n < p->nrivers; n++) {
        if (p->rivers[n].level.n) return INFINITY;
        volume += fmax(0, otok_river_largest(&p->rivers[n])) * end;
    }
    for (int side = 0; side < OTOK_SIDES && p->processes & OTOK_BEYOND_SIDES; side++) {
        if (p->sides.level[side].n) return INFINITY;
        if (p->sides.discharge[side].n)
            volume += otok_series_largest(&p->sides.discharge[side]) * end;
    }
    if (!(p->processes & OTOK_RAIN)) return volume;
    if (p->maps & MAP_BIT(OTOK_MAP_RAIN) || rain->map[0]) return INFINITY;
    return volume +
           rain->rate * (rain->history.n ? otok_series_largest(&rain->history) : 1) * end * area;
}

/* Adds what the ground holds below the level in front of the cell, which is pushed; a cell counts
   once. Returns the sum of depths, as soon as it is above `most`. */
static double pool(double sum, float *ground, const otok_grid g, int64_t *heap, int64_t cell,
                   double level, double most)
{
    int64_t n = 0;
    heap[n++] = cell;
    while (n > 0 && sum <= most) {
        const int64_t at = heap[--n], x = at % g.nx, y = at / g.nx;
        if (!((double)ground[at] < level)) continue;
        sum += level - (double)ground[at];
        ground[at] = INFINITY;
        const int64_t beside[] = {x > 0 ? at - 1 : -1, x + 1 < g.nx ? at + 1 : -1,
                                  y > 0 ? at - g.nx : -1, y + 1 < g.ny ? at + g.nx : -1};
        for (int k = 0; k < 4; k++)
            if (beside[k] >= 0 && (double)ground[beside[k]] < level) heap[n++] = beside[k];
    }
    return sum;
}

static otok_status note_side(otok_sim *sim, const otok_phase *p, int side, double volume,
                             float *ground, int64_t *heap)
{
    const otok_scenario *s = sim->scenario;
    const otok_grid g = s->grid;
    const int64_t upright = side == OTOK_LEFT || side == OTOK_RIGHT,
                  start = side == OTOK_RIGHT ? g.nx - 1
                          : side == OTOK_TOP ? (g.ny - 1) * g.nx
                                             : 0;
    const double zero = p->sides.zero[side], most = volume / (g.spacing * g.spacing);
    double sum = 0, lowest = INFINITY;
    int first, end;
    OTOK_TRY(otok_sim_get(sim, OTOK_TERRAIN, ground));
    for (int64_t n = 0; n < g.nx * g.ny && sim->holes.n; n++)
        if (otok_holes_have(&sim->holes, n)) ground[n] = INFINITY;
    otok_side_part(&first, &end, p, side, g);
    for (int k = first; k < end; k++)
        lowest = fmin(lowest, (double)ground[start + k * (upright ? g.nx : 1)]);
    const double half = lowest + (zero - lowest) / 2; /* a wave is twice as high at a wall */
    for (int k = first; k < end && sum <= most; k++)
        sum = pool(sum, ground, g, heap, start + k * (upright ? g.nx : 1), half, most);
    if (sum <= most) return OTOK_OK;
    return otok_sim_note(sim,
                         "%s: phases.%s.sides: %s_rating_zero is %.6g m, %.6g m above the lowest "
                         "ground of that side; a lake of all water of the run, at most %.3g m3, "
                         "is not half as deep there, so that the side is as if closed; write a "
                         "level that water reaches",
                         s->path, p->name, names[side], zero, zero - lowest, volume);
}

/* The water of the run, no less than there is; INFINITY: it is not known. */
static otok_status all_water(double *volume, otok_sim *sim, float *map)
{
    const otok_scenario *s = sim->scenario;
    double depths = 0;
    OTOK_TRY(otok_sim_get(sim, OTOK_WATER, map));
    for (int64_t n = 0; n < s->grid.nx * s->grid.ny; n++)
        depths += (double)map[n];
    *volume = depths * s->grid.spacing * s->grid.spacing;
    for (int p = 0; p < s->nphases; p++)
        *volume += entering(s, &s->phases[p]) * (double)otok_phase_runs(&s->phases[p]);
    return OTOK_OK;
}

otok_status otok_sim_note_rating(otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    const size_t cells = otok_sim_cells(sim);
    float *map = NULL;
    int64_t *heap = NULL;
    double volume = 0;
    otok_status status = OTOK_OK;
    for (int p = 0; p < s->nphases && cells <= MOST_CELLS; p++)
        for (int side = 0; side < OTOK_SIDES && status == OTOK_OK; side++) {
            if (!(s->phases[p].processes & OTOK_BEYOND_SIDES) ||
                s->phases[p].sides.kind[side] != OTOK_RATING)
                continue;
            if (!map) { /* a cell is pushed by each of its neighbours at most */
                map = malloc(cells * sizeof *map);
                heap = malloc(4 * cells * sizeof *heap + sizeof *heap);
                status = map && heap
                             ? all_water(&volume, sim, map)
                             : OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu cells", cells);
            }
            if (status == OTOK_OK && volume > 0 && isfinite(volume))
                status = note_side(sim, &s->phases[p], side, volume, map, heap);
        }
    free(map);
    free(heap);
    return status;
}
