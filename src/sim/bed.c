/* bed.c: notes steps of the bed that are higher than the water is deep, for laws that pass too much
   over them unless `bed_steps: critical` holds it. */
#include "../core/status.h"
#include "../model/critical.h"
#include "../scenario/program.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CELLS = 1 << 22, OTHERS = 50 /* ground of one step in so many faces is rough */ };

/* Does the water of a phase pass steps by a smooth bed? */
static int is_smooth(const otok_phase *p)
{
    return p->processes & OTOK_HYDRAULIC && p->hydraulic.area == OTOK_AREA_DEPTH &&
           (p->hydraulic.law == OTOK_LAW_SHALLOW_WATER ||
            p->hydraulic.law == OTOK_LAW_LOCAL_INERTIA) &&
           p->hydraulic.bed_steps == OTOK_BED_STEPS_SMOOTH;
}

/* The depth of critical flow. */
static double critical_depth(double q, const otok_phase *p)
{
    return q > 0 ? cbrt(q * q / p->hydraulic.gravity) : 0;
}

/* How deep the water is that enters a phase over sides and from rivers [m]; 0: none enters. */
static double depth_of(const otok_sim *sim, const otok_phase *p, const float *ground)
{
    const otok_grid g = sim->scenario->grid;
    double depth = otok_springs_stage(p, g, &sim->holes, ground, 0,
                                      (double)p->iterations * otok_phase_step(p));
    for (int r = 0; r < p->nrivers; r++) {
        const otok_river *river = &p->rivers[r];
        const double line =
            otok_river_is_line(river) ? hypot(river->to_x - river->x, river->to_y - river->y) : 0;
        const double width = fmax(line + 2 * river->radius, g.spacing);
        depth = fmax(depth, critical_depth(otok_river_largest(river) / width, p));
    }
    for (int side = 0; side < OTOK_SIDES && p->processes & OTOK_BEYOND_SIDES; side++) {
        const otok_series *enters = &p->sides.discharge[side], *level = &p->sides.level[side];
        const double q = enters->n ? otok_series_largest(enters) / otok_side_width(p, side, g) : 0;
        const int upright = side == OTOK_LEFT || side == OTOK_RIGHT;
        double low = INFINITY, high = -INFINITY;
        depth = fmax(depth, critical_depth(q, p));
        for (int i = 0; i < level->n; i++)
            high = fmax(high, level->at[i].value);
        for (int64_t n = 0; level->n && n < (upright ? g.ny : g.nx); n++) {
            const int64_t end = side == OTOK_RIGHT ? g.nx - 1 : side == OTOK_TOP ? g.ny - 1 : 0;
            const int64_t cell = upright ? n * g.nx + end : end * g.nx + n;
            if (!otok_holes_have(&sim->holes, cell)) low = fmin(low, (double)ground[cell]);
        }
        if (high > low) depth = fmax(depth, high - low);
    }
    return depth;
}

/* The steps of the bed between cells that are `step` apart in lines of n: what of the rise is no
   slope, as critical.h has it, is more than the depth. */
static int64_t count_steps(const otok_sim *sim, const float *h, double depth, int up)
{
    const otok_grid g = sim->scenario->grid;
    const int64_t n = up ? g.ny : g.nx, lines = up ? g.nx : g.ny, step = up ? g.nx : 1,
                  over = up ? 1 : g.nx;
    int64_t count = 0;
    for (int64_t line = 0; line < lines; line++)
        for (int64_t i = 1; i + 2 < n; i++) {
            const int64_t at = line * over + i * step;
            int walled = 0;
            for (int64_t k = -1; k <= 2 && sim->holes.n; k++)
                walled |= otok_holes_have(&sim->holes, at + k * step);
            const float rise = h[at + step] - h[at],
                        behind = otok_bed_slope(h[at] - h[at - step], rise),
                        ahead = otok_bed_slope(rise, h[at + 2 * step] - h[at + step]);
            const float slope = fminf(fabsf(behind), fabsf(ahead));
            count += !walled && (double)(fabsf(rise) - slope) > depth;
        }
    return count;
}

otok_status otok_sim_note_steps(otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    const size_t cells = otok_sim_cells(sim);
    float *ground = NULL;
    otok_status status = OTOK_OK;
    for (int p = 0; p < s->nphases && cells <= MOST_CELLS && status == OTOK_OK; p++) {
        if (!is_smooth(&s->phases[p])) continue;
        if (!ground) {
            ground = malloc(cells * sizeof *ground);
            if (!ground) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu cells", cells);
            status = otok_sim_get(sim, OTOK_TERRAIN, ground);
        }
        const double depth = status == OTOK_OK ? depth_of(sim, &s->phases[p], ground) : 0;
        if (!(depth > 0)) continue;
        const int64_t steps =
            count_steps(sim, ground, depth, 0) + count_steps(sim, ground, depth, 1);
        if (steps && steps * OTHERS < 2 * (int64_t)cells)
            status = otok_sim_note(sim,
                                   "%s: phases.%s.hydraulic: %lld faces of the bed are steps "
                                   "higher than the water that enters, %.3g m deep, such as "
                                   "levees, sills or cliffs, over which up to 4 times the flow of "
                                   "a weir passes; write `bed_steps: critical`",
                                   s->path, s->phases[p].name, (long long)steps, depth);
    }
    free(ground);
    return status;
}
