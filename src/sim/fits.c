/* fits.c: the memory that a run needs, and whether the machine has it. */
#include "../base/compile.h"
#include "../base/raster.h"
#include "../core/memory.h"
#include "../core/status.h"
#include "../io/arrays.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

otok_status otok_scenario_carried(const otok_scenario *scenario, uint64_t *fields)
{
    *fields = scenario->carried;
    if (!scenario->initial[0]) return OTOK_OK;
    OTOK_TRY(otok_arrays_fields(fields, scenario->initial));
    *fields &= OTOK_CARRIED;
    return OTOK_OK;
}

otok_status otok_scenario_all_buffers(otok_set *out, const otok_scenario *scenario)
{
    uint64_t carried;
    OTOK_TRY(otok_scenario_carried(scenario, &carried));
    OTOK_TRY(otok_scenario_buffers(out, scenario));
    *out = otok_set_or(*out, otok_set_or(otok_set_of(carried), scenario->later));
    return OTOK_OK;
}

otok_status otok_scenario_bytes(const otok_scenario *scenario, const otok_backend *backend,
                                uint64_t *fields, uint64_t *checkpoint)
{
    const uint64_t cells = (uint64_t)scenario->grid.nx * (uint64_t)scenario->grid.ny;
    otok_set buffers;
    int starts = 0;
    OTOK_TRY(otok_scenario_all_buffers(&buffers, scenario));
    const int walls = otok_scenario_may_have_walls(scenario);
    if (walls) otok_set_add(&buffers, OTOK_WALLS);
    *fields =
        backend->room(scenario->grid.nx, scenario->grid.ny, buffers, otok_scenario_batch(scenario));
    for (int p = 0; p < scenario->nphases; p++)
        starts |= otok_phase_has_starts(&scenario->phases[p]) ||
                  (walls && scenario->phases[p].processes & OTOK_DROPLETS);
    if (starts) *fields += cells * sizeof(uint64_t);
    *checkpoint = cells * sizeof(float); /* the terrain, which is derived */
    for (int b = 0; b < OTOK_STORED; b++)
        if (otok_set_has(buffers, b))
            *checkpoint += cells * sizeof(float) *
                           (otok_field_layer(b) < 0 ? 1 : 2); /* and the thickness, for layers */
    return OTOK_OK;
}

otok_status otok_base_work_of(otok_base_work *out, const otok_scenario *s)
{
    otok_base_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain");
    const otok_status status =
        otok_base_compile(s, (otok_box){0, (int)s->grid.nx, 0, (int)s->grid.ny}, plan);
    const uint64_t grid = (uint64_t)s->grid.nx * (uint64_t)s->grid.ny;
    *out = (otok_base_work){.bytes = otok_base_plan_bytes(plan) +
                                     (uint64_t)plan->ntable * sizeof(float)};
    out->bytes += 2 * (uint64_t)otok_base_raster_count(s->base, s->nbase) * grid *
                  sizeof(float); /* as read, and in the plan's table */
    for (int n = 0; n < plan->npasses; n++) {
        const int m = plan->passes[n].map;
        const double size =
            m < 0 ? (double)grid : (double)plan->maps[m].nx * (double)plan->maps[m].ny;
        *(plan->passes[n].kind == OTOK_BASE_FILL ? &out->points : &out->cells) += size;
    }
    otok_base_plan_destroy(plan);
    free(plan);
    return status;
}

otok_status otok_base_bytes(const otok_scenario *scenario, uint64_t *bytes)
{
    *bytes = 0;
    for (int p = 0; p < otok_scenario_pipelines(scenario); p++) { /* one pipeline after the other */
        otok_scenario pipeline;
        otok_base_work w;
        if (!otok_scenario_pipeline(&pipeline, scenario, p)) continue;
        OTOK_TRY(otok_base_work_of(&w, &pipeline));
        if (w.bytes > *bytes) *bytes = w.bytes;
    }
    return OTOK_OK;
}

otok_status otok_scenario_fits(const otok_scenario *scenario, const otok_backend *backend,
                               int snapshots)
{
    uint64_t fields, checkpoint, base = 0;
    OTOK_TRY(otok_backend_takes(backend, scenario->grid.nx, scenario->grid.ny,
                                otok_scenario_undivided(scenario)));
    OTOK_TRY(otok_scenario_bytes(scenario, backend, &fields, &checkpoint));
    OTOK_TRY(otok_base_bytes(scenario, &base));
    const int is_host = strncmp(backend->name, "cpu", 3) == 0;
    const double here = (is_host ? (double)fields : 0) + (double)otok_springs_bytes(scenario),
                 gib = 1 << 30;
    const double making = is_host ? (double)base : 0,
                 writing =
                     (double)snapshots * (double)checkpoint; /* one checkpoint after the other */
    const double needed = here + (making > writing ? making : writing), left = otok_memory_free("");
    if (needed <= left || left == 0) return OTOK_OK;
    return OTOK_FAIL(OTOK_NOMEM,
                     "a grid of %" PRId64 " x %" PRId64
                     " cells needs %.1f GiB of memory here (fields %.1f; while the base terrain is "
                     "made %.1f more, or for checkpoints on their way to disk %.1f), and this "
                     "process may take %.1f GiB; lower grid.nx "
                     "and grid.ny, or the levels of its lattices, or give it more",
                     scenario->grid.nx, scenario->grid.ny, needed / gib, here / gib, making / gib,
                     writing / gib, left / gib);
}
