/* untouched.c: what nobody writes on purpose: generators of the base terrain that touch no cell,
   water that leaves where it enters, and rivers without an end. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CELLS = 1 << 20 }; /* of a map that is made for notes alone */

/* ---- of the base and of rivers ---- */
static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* Does the cone reach the cell whose centre is nearest to it? */
static int reaches(const otok_cone *cone, const otok_grid *g)
{
    const double l = g->spacing, x = cone->x / l - 0.5, y = cone->y / l - 0.5,
                 away_x = x - clamp(round(x), 0, (double)g->nx - 1),
                 away_y = y - clamp(round(y), 0, (double)g->ny - 1);
    return hypot(away_x, away_y) * l < cone->radius;
}

static otok_status note_cones(otok_sim *sim, const otok_generator *list, int n)
{
    const otok_scenario *s = sim->scenario;
    for (int i = 0; i < n; i++) {
        const otok_generator *g = &list[i];
        OTOK_TRY(note_cones(sim, g->mask, g->nmask));
        if (g->kind != OTOK_GEN_UPSAMPLE) OTOK_TRY(note_cones(sim, g->with, g->nwith));
        if (g->kind != OTOK_GEN_CONE || reaches(&g->as.cone, &s->grid)) continue;
        OTOK_TRY(otok_sim_note(sim,
                               "%s:%d: cone: it touches no cell: x %.9g m, y %.9g m, radius %.9g m "
                               "lie outside the grid of %.9g m x %.9g m",
                               s->path, g->line, g->as.cone.x, g->as.cone.y, g->as.cone.radius,
                               (double)s->grid.nx * s->grid.spacing,
                               (double)s->grid.ny * s->grid.spacing));
    }
    return OTOK_OK;
}

/* The highest cell of the base before its generator k. */
static otok_status highest_before(float *highest, otok_sim *sim, int k)
{
    const int64_t filled = sim->filled, raster_cells = sim->raster_cells;
    otok_scenario before = *sim->scenario;
    otok_georeference place = {0};
    double seconds;
    float *map;
    before.nbase = k;
    otok_status status =
        otok_sim_evaluate(sim, &before, otok_field_at(OTOK_TERRAIN_BASE)->unit, &place, &seconds);
    otok_georeference_destroy(&place);
    sim->filled = filled;
    sim->raster_cells = raster_cells;
    OTOK_TRY(status);
    OTOK_TRY(otok_sim_new_map(&map, sim));
    status = sim->backend->get(otok_sim_patch(sim), OTOK_TERRAIN_BASE, map);
    *highest = -INFINITY;
    for (size_t i = 0; i < otok_sim_cells(sim) && status == OTOK_OK; i++)
        *highest = map[i] > *highest ? map[i] : *highest;
    free(map);
    return status;
}

static otok_status note_craters(otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    for (int k = 0; k < s->nbase && otok_sim_cells(sim) <= MOST_CELLS; k++) {
        const otok_generator *g = &s->base[k];
        float highest;
        if (g->kind != OTOK_GEN_CRATER) continue;
        OTOK_TRY(highest_before(&highest, sim, k));
        if (highest <= (float)g->as.crater.level)
            OTOK_TRY(otok_sim_note(sim,
                                   "%s:%d: crater: it touches no cell: level %.9g m is not below "
                                   "the highest cell, %.9g m",
                                   s->path, g->line, g->as.crater.level, (double)highest));
    }
    return OTOK_OK;
}

/* Rivers along a line of cells at an open side, over which they fall. */
static otok_status note_rivers(otok_sim *sim)
{
    static const char *const names[OTOK_SIDES] = {"left", "right", "bottom", "top"};
    const otok_scenario *s = sim->scenario;
    const double l = s->grid.spacing, width = (double)s->grid.nx * l,
                 height = (double)s->grid.ny * l;
    for (int p = 0; p < s->nphases; p++)
        for (int n = 0; n < s->phases[p].nrivers; n++) {
            const otok_river *r = &s->phases[p].rivers[n];
            const double away[OTOK_SIDES] = {fmax(r->x, r->to_x), width - fmin(r->x, r->to_x),
                                             fmax(r->y, r->to_y), height - fmin(r->y, r->to_y)};
            for (int side = 0; side < OTOK_SIDES && otok_river_is_line(r) &&
                               otok_river_kind_of(r) == OTOK_RIVER_FLOWS;
                 side++)
                if (s->edges[side] == OTOK_OPEN && away[side] < l)
                    OTOK_TRY(otok_sim_note(sim,
                                           "%s: phases.%s.rivers: river %d enters along the %s "
                                           "side, which is open: its water falls out over it; "
                                           "leave that side closed",
                                           s->path, s->phases[p].name, n + 1, names[side]));
        }
    return OTOK_OK;
}

otok_status otok_sim_note_untouched(otok_sim *sim)
{
    OTOK_TRY(note_rivers(sim));
    OTOK_TRY(note_cones(sim, sim->scenario->base, sim->scenario->nbase));
    return note_craters(sim);
}

/* The lowest cell of the ground that is no wall. */
static otok_status lowest_ground(float *lowest, otok_sim *sim)
{
    float *map;
    OTOK_TRY(otok_sim_new_map(&map, sim));
    const otok_status status = otok_sim_get(sim, OTOK_TERRAIN, map);
    *lowest = INFINITY;
    for (size_t i = 0; i < otok_sim_cells(sim) && status == OTOK_OK; i++)
        if (!otok_holes_have(&sim->holes, (int64_t)i)) *lowest = fminf(*lowest, map[i]);
    free(map);
    return status;
}

otok_status otok_sim_note_closed(otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    int open = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        open |= s->edges[side] == OTOK_OPEN;
    for (int p = 0; p < s->nphases; p++) {
        float lowest = INFINITY;
        if (!(s->phases[p].processes & OTOK_INCISION) || s->phases[p].reef.sea_history.n ||
            (open && s->phases[p].incision.base_level != OTOK_BASE_SEA))
            continue;
        OTOK_TRY(lowest_ground(&lowest, sim));
        if (lowest >= (float)s->sea_level)
            OTOK_TRY(otok_sim_note(sim,
                                   "%s: phases.%s.incision: rivers find no open side and no sea: "
                                   "the lowest ground is at %.9g m, the sea at %.9g m; they end in "
                                   "the lowest cell, and what they cut leaves the grid there: `out "
                                   "with rivers` in the ledger; open a side, or raise `sea.level`",
                                   s->path, s->phases[p].name, (double)lowest, s->sea_level));
    }
    return OTOK_OK;
}
