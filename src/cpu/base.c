/* base.c: carries out a plan of the base terrain: evaluates maps cell by cell, and fills
   lattices level by level. */
#include "cpu.h"

#include "../core/status.h"
#include "../model/base.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { TILE = 256 }; /* cells of a row between two queries whether to go on */

/* Should the base terrain be given up? The calling thread asks patch->stop; other threads read
   `stopped`. */
static int is_stopped(const otok_patch *patch, atomic_int *stopped)
{
    if (patch->stop && omp_get_thread_num() == 0 && patch->stop(patch->user))
        atomic_store(stopped, 1);
    return atomic_load(stopped);
}

static void fill(const otok_patch *patch, const otok_base_plan *plan, const otok_midpoint_fill *f,
                 float *map, atomic_int *stopped)
{
    for (int n = 0; n <= 2 * f->levels && !is_stopped(patch, stopped); n++) {
        const otok_midpoint_step step = otok_midpoint_step_at(n);
#pragma omp parallel for schedule(static) if (step.ny > 64)
        for (int b = 0; b < step.ny; b++) {
            OTOK_ROUNDING;
            if (is_stopped(patch, stopped)) continue;
            for (int a = 0; a < step.nx; a++)
                otok_midpoint_make(plan, f, map, step, a, b);
        }
    }
}

static void evaluate(const otok_patch *patch, const otok_base_plan *plan,
                     const otok_base_pass *pass, const otok_base_map *to, ptrdiff_t pitch,
                     atomic_int *stopped)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int j = 0; j < to->ny; j++) {
        OTOK_ROUNDING;
        for (int first = 0; first < to->nx && !is_stopped(patch, stopped); first += TILE)
            for (int i = first; i < to->nx && i < first + TILE; i++)
                to->at[j * pitch + i] = otok_base_cell(plan, pass, to->x0 + i, to->y0 + j);
    }
}

static otok_status allocate(otok_base_plan *plan)
{
    for (int m = 0; m < plan->nmaps; m++)
        plan->maps[m].at = NULL;
    for (int m = 0; m < plan->nmaps; m++) {
        otok_base_map *map = &plan->maps[m];
        map->at = malloc((size_t)map->nx * (size_t)map->ny * sizeof *map->at);
        if (!map->at)
            return OTOK_FAIL(OTOK_NOMEM,
                             "a map of %d x %d cells for the base terrain does not fit in memory; "
                             "use fewer levels or a "
                             "smaller grid",
                             map->nx, map->ny);
    }
    return OTOK_OK;
}

static otok_status run_plan(const otok_patch *patch, otok_base_plan *plan)
{
    const otok_view *v = &patch->view;
    const int own = otok_own_from(v);
    const otok_base_map terrain = {v->x0, otok_row_of(v, own), v->nx, otok_own_rows(v),
                                   v->at[OTOK_TERRAIN_BASE] + own * v->pitch};
    atomic_int stopped = 0;
    OTOK_TRY(allocate(plan));
    for (int n = 0; n < plan->npasses && !stopped; n++) {
        const otok_base_pass *pass = &plan->passes[n];
        const otok_base_map *to = pass->map < 0 ? &terrain : &plan->maps[pass->map];
        if (pass->kind == OTOK_BASE_FILL)
            fill(patch, plan, &pass->fill, to->at, &stopped);
        else
            evaluate(patch, plan, pass, to, pass->map < 0 ? v->pitch : to->nx, &stopped);
    }
    cpu_halo(patch, OTOK_TERRAIN_BASE, OTOK_HALO_COPY);
    return stopped ? OTOK_STOPPED : OTOK_OK;
}

otok_status cpu_base(otok_patch *patch, const otok_base_plan *plan, double *seconds)
{
    otok_base_plan *own = malloc(sizeof *own);
    if (!own) return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain");
    *own = *plan;
    const double before = omp_get_wtime();
    const otok_status status = run_plan(patch, own);
    *seconds = omp_get_wtime() - before;
    for (int m = 0; m < own->nmaps; m++)
        free(own->maps[m].at);
    free(own);
    return status;
}
