/* estimate_base.c: estimates the cost of a base terrain without making it. The plan gives the
   number of points that its passes fill and of cells that they evaluate. The time of one of each is
   measured on small maps with the same backend. */
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEVELS = 9,
    TIMED_LEVELS = 11
}; /* levels of lattices in a small pipeline, and of the one that is timed alone */
enum { LEAST = 8, MOST = 256 }; /* sides of the timed maps, increasing until one takes LONG */
enum { REPEATS = 3 };           /* the least of these times counts */
#define LONG 0.25               /* [s]; more than a thread waits for its turn on a busy machine */

void otok_base_small_destroy(otok_generator *list, int n)
{
    for (int i = 0; list && i < n; i++) {
        otok_base_small_destroy(list[i].with, list[i].nwith);
        otok_base_small_destroy(list[i].mask, list[i].nmask);
    }
    free(list);
}

otok_generator *otok_base_small(const otok_generator *list, int n, int64_t levels, int64_t faults)
{
    int complete = 1;
    otok_generator *small = n > 0 ? calloc((size_t)n, sizeof *small) : NULL;
    for (int i = 0; small && i < n; i++) {
        otok_generator *g = &small[i];
        *g = list[i];
        if (g->kind == OTOK_GEN_DIAMOND_SQUARE || g->kind == OTOK_GEN_MIDPOINT) {
            otok_diamond_square *d = &g->as.diamond_square;
            *d = (otok_diamond_square){
                d->low, d->high, d->gain, d->levels < levels ? d->levels : levels, 0, 0, 1};
            g->nnumbers = 0;
        }
        if ((g->kind == OTOK_GEN_FAULTS || g->kind == OTOK_GEN_PLANET) &&
            g->as.faults.count > faults)
            g->as.faults.count = faults;
        if (g->kind == OTOK_GEN_RASTER) {
            g->kind = OTOK_GEN_CONSTANT;
            g->as.constant.height = 1;
        }
        g->with = otok_base_small(list[i].with, g->nwith, levels, faults);
        g->mask = otok_base_small(list[i].mask, g->nmask, levels, faults);
        complete &= (g->with || !g->nwith) && (g->mask || !g->nmask);
    }
    if (complete) return small;
    otok_base_small_destroy(small, n);
    return NULL;
}

otok_grid otok_grid_small(otok_grid g, int64_t side)
{
    int64_t *shorter = g.nx < g.ny ? &g.nx : &g.ny, *longer = g.nx < g.ny ? &g.ny : &g.nx;
    if (*shorter > side) *shorter = side;
    if (*longer > side * side / *shorter) *longer = side * side / *shorter;
    return g;
}

/* Makes only the base, on at most side x side cells. Returns its work and the least time. */
static otok_status time_small(double *seconds, otok_base_work *w, const otok_scenario *s,
                              otok_generator *base, int nbase, int64_t side, const char *backend)
{
    otok_scenario small = *s;
    small.grid = otok_grid_small(s->grid, side);
    small.base = base;
    small.nbase = nbase;
    small.nmaps = small.nlayers = small.nphases = small.nchanges = 0;
    small.initial[0] = 0;
    small.later = (otok_set){{0}};
    small.carried = 0;
    *seconds = INFINITY;
    for (int n = 0; n < REPEATS; n++) {
        otok_sim *sim;
        OTOK_TRY(otok_sim_create(&sim, &small, backend));
        *seconds = fmin(*seconds, otok_sim_base_seconds(sim));
        otok_sim_destroy(sim);
    }
    return otok_base_work_of(w, &small);
}

/* One pipeline. Lattices are timed separately, because the number of their points depends little
   on the size of the grid. */
static otok_status time_pipeline(double *seconds, const otok_scenario *s, otok_generator *base,
                                 const char *backend)
{
    otok_generator lattice = {.kind = OTOK_GEN_DIAMOND_SQUARE,
                              .as.diamond_square = {-1, 1, 0.5, TIMED_LEVELS, 0, 0, 1}};
    double point = 0, took = 0;
    otok_base_work all, some, w;
    OTOK_TRY(otok_base_work_of(&all, s));
    if (all.points > 0) {
        OTOK_TRY(time_small(&took, &w, s, &lattice, 1, LEAST, backend));
        point = took / w.points;
    }
    for (int64_t side = LEAST; side <= MOST; side *= 2) {
        OTOK_TRY(time_small(&took, &some, s, base, s->nbase, side, backend));
        if (took > LONG) break;
    }
    *seconds += all.points * point + all.cells * fmax(took - some.points * point, 0) / some.cells;
    return OTOK_OK;
}

otok_status otok_base_seconds(const otok_scenario *scenario, const char *backend, double *seconds)
{
    *seconds = 0;
    for (int p = 0; p < otok_scenario_pipelines(scenario); p++) {
        otok_scenario pipeline;
        if (!otok_scenario_pipeline(&pipeline, scenario, p)) continue;
        otok_generator *small = otok_base_small(pipeline.base, pipeline.nbase, LEVELS, INT64_MAX);
        const otok_status status = small || !pipeline.nbase
                                       ? time_pipeline(seconds, &pipeline, small, backend)
                                       : OTOK_FAIL(OTOK_NOMEM, "no memory for an estimate");
        otok_base_small_destroy(small, pipeline.nbase);
        OTOK_TRY(status);
    }
    return OTOK_OK;
}
