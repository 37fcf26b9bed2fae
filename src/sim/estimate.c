/* estimate.c: estimates the memory and the time of a run. The time is measured on a small grid of
   the same backend and scaled by the number of cells. A large grid on a CPU is slower than that
   once it no longer fits into the caches. */
#include "../base/raster.h"
#include "../core/clock.h"
#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"
#include "../io/arrays.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <stdlib.h>

enum { LEVELS = 9, FAULTS = 64 }; /* of base terrains that phases are timed on */

/* A map that costs a phase as much as any of this buffer. */
static otok_generator *flat(int buffer)
{
    otok_generator *g = calloc(1, sizeof *g);
    if (g) *g = (otok_generator){.as.constant.height = buffer == OTOK_MAP_RAIN};
    return g;
}

/* Keeps the erodibility and the maps of one phase, which becomes phase 0. */
static int shrink_maps(otok_scenario *s, int phase)
{
    const otok_map *all = s->maps;
    const int n = s->nmaps;
    s->nmaps = 0;
    s->maps = malloc((size_t)n * sizeof *s->maps + 1);
    for (int i = 0; i < n && s->maps; i++) {
        otok_map *m = &s->maps[s->nmaps];
        if (all[i].buffer != OTOK_ERODIBILITY && all[i].phase != phase) continue;
        *m = all[i];
        if (m->phase >= 0) m->phase = 0, m->n = 1;
        m->list = m->phase < 0 ? otok_base_small(m->list, m->n, LEVELS, FAULTS) : flat(m->buffer);
        if (!m->list) return 0;
        s->nmaps++;
    }
    return s->maps != NULL;
}

/* Makes base, maps and layers of a scenario small and cheap, or removes them. Returns 0 if there is
   no memory. */
static int shrink(otok_scenario *s, int phase)
{
    int complete = shrink_maps(s, phase);
    s->base = otok_base_small(s->base, s->nbase, LEVELS, FAULTS);
    complete &= s->base || !s->nbase;
    for (int i = 0; i < s->nlayers; i++) {
        otok_layer *l = &s->layers[i];
        l->thickness = otok_base_small(l->thickness, l->nthickness, LEVELS, FAULTS);
        complete &= l->thickness || !l->nthickness;
    }
    return complete;
}

static void shrunk_destroy(otok_scenario *s)
{
    otok_base_small_destroy(s->base, s->nbase);
    for (int i = 0; i < s->nmaps; i++)
        otok_base_small_destroy(s->maps[i].list, s->maps[i].n);
    free(s->maps);
    for (int i = 0; i < s->nlayers; i++)
        otok_base_small_destroy(s->layers[i].thickness, s->layers[i].nthickness);
}

/* The seconds of one iteration of a phase, run from iteration 0 of a small grid. */
static otok_status time_phase(double *seconds, const otok_scenario *scenario, int phase,
                              const char *backend)
{
    otok_scenario small = *scenario;
    otok_phase alone = scenario->phases[phase];
    otok_sim *sim = NULL;
    alone.iterations = INT64_C(1) << 30;
    alone.cycle.times = alone.runs = 1;
    alone.droplets.count = alone.iterations * alone.droplets.batch;
    small.grid = otok_grid_small(scenario->grid, 512);
    small.initial[0] = 0;
    small.nchanges = 0;
    small.ngauges = 0;
    small.later = (otok_set){{0}};
    const double less_x = (double)small.grid.nx / (double)scenario->grid.nx,
                 less_y = (double)small.grid.ny / (double)scenario->grid.ny;
    for (int r = 0; r < alone.nrivers; r++) {
        alone.rivers[r].x *= less_x;
        alone.rivers[r].y *= less_y;
        alone.rivers[r].to_x *= less_x;
        alone.rivers[r].to_y *= less_y;
        if (!alone.rivers[r].hydrograph) continue;
        alone.rivers[r].hydrograph = 1; /* they may meet there */
        if (otok_river_kind_of(&alone.rivers[r]) == OTOK_RIVER_FLOWS) continue;
        alone.rivers[r] = otok_river_at(0, 0, 0, 0);
    }
    for (int d = 0; d < alone.ndams; d++)
        for (int n = 0; n < alone.dams[d].npoints; n++) {
            alone.dams[d].line[n].x *= less_x;
            alone.dams[d].line[n].y *= less_y;
        }
    small.nphases = 1;
    small.phases = &alone;
    otok_status status = shrink(&small, phase) ? otok_sim_create(&sim, &small, backend)
                                               : OTOK_FAIL(OTOK_NOMEM, "no memory for an estimate");
    if (status == OTOK_OK) status = otok_sim_run(sim, 2);
    int64_t n = 0;
    const double before = otok_clock();
    double took = 0;
    for (int64_t batch = 4; took < 0.25 && status == OTOK_OK; batch *= 2) {
        status = otok_sim_run(sim, batch);
        n += batch;
        took = otok_clock() - before;
    }
    otok_sim_destroy(sim);
    shrunk_destroy(&small);
    const double scale = (double)scenario->grid.nx * (double)scenario->grid.ny /
                         ((double)small.grid.nx * (double)small.grid.ny);
    *seconds = took / (double)n * scale;
    return status;
}

/* Reads the rasters of a pipeline, and forgets all but their walls. */
static otok_status try_pipeline(const otok_scenario *pipeline, int field, otok_raster_place *place,
                                otok_holes *walls)
{
    otok_base_rasters rasters;
    otok_status status = OTOK_OK;
    OTOK_TRY(otok_base_rasters_read(&rasters, pipeline, otok_field_at(field)->unit, place));
    if (rasters.holes)
        status = otok_holes_join(walls, rasters.holes, pipeline->grid.nx * pipeline->grid.ny);
    otok_base_rasters_destroy(&rasters);
    return status;
}

otok_status otok_scenario_inputs(const otok_scenario *scenario)
{
    otok_springs springs;
    otok_raster_place place = {.file = ""};
    otok_holes walls = {0};
    uint64_t fields;
    otok_status status = otok_springs_read(&springs, scenario, &place);
    const int n = otok_scenario_pipelines(scenario);
    for (int i = 1; i <= n && status == OTOK_OK; i++) {
        const int p = i % n,
                  field = otok_pipeline_buffer(scenario, p); /* the base last, as in a run */
        otok_scenario pipeline;
        if (field < OTOK_STORED && otok_scenario_pipeline(&pipeline, scenario, p))
            status = try_pipeline(&pipeline, field, &place, &walls);
    }
    if (status == OTOK_OK) /* a map of heights in initial.file may have further walls */
        status = scenario->initial[0] ? otok_arrays_fields(&fields, scenario->initial)
                                      : otok_springs_heed_walls(&springs, scenario, &walls);
    if (status == OTOK_OK) status = otok_walls_check(scenario, &walls);
    otok_springs_destroy(&springs);
    otok_holes_destroy(&walls);
    otok_georeference_destroy(&place.at);
    return status;
}

static otok_status estimate(otok_estimate *out, const otok_scenario *scenario, const char *backend)
{
    const otok_backend *chosen;
    uint64_t fields, checkpoint, base = 0;
    OTOK_TRY(otok_backend_find(&chosen, backend));
    OTOK_TRY(otok_backend_takes(chosen, scenario->grid.nx, scenario->grid.ny,
                                otok_scenario_undivided(scenario)));
    OTOK_TRY(otok_scenario_inputs(scenario)); /* a run would fail on a bad one */
    OTOK_TRY(chosen->describe(out->device, sizeof out->device));
    for (int p = 0; p < scenario->nphases; p++) {
        double each;
        OTOK_TRY(time_phase(&each, scenario, p, chosen->name));
        const otok_phase *phase = &scenario->phases[p];
        out->seconds += each * (double)(phase->iterations * otok_phase_runs(phase));
    }
    OTOK_TRY(otok_base_seconds(scenario, chosen->name, &out->base_seconds));
    out->seconds += out->base_seconds;
    OTOK_TRY(otok_base_bytes(scenario, &base));
    OTOK_TRY(otok_scenario_bytes(scenario, chosen, &fields, &checkpoint));
    out->device_bytes = (size_t)fields;
    out->base_bytes = (size_t)base;
    out->checkpoint_bytes = (size_t)checkpoint;
    const int64_t n = otok_scenario_iterations(scenario), every = scenario->output.every;
    out->checkpoints = 1 + (every > 0 ? (n + every - 1) / every : n > 0);
    return OTOK_OK;
}

otok_status(otok_run_estimate)(otok_estimate *out, const otok_scenario *scenario,
                               const char *backend, size_t size)
{
    OTOK_TRY(OTOK_GIVEN(out, scenario, backend));
    OTOK_ROUNDING;
    otok_estimate all = {0};
    const otok_status status = estimate(&all, scenario, backend);
    otok_sized_copy(out, size, &all, sizeof all);
    return status;
}
