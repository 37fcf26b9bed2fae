/* refined.c: see refined.h. */
#include "refined.h"

#include "../core/status.h"
#include "process.h"

#include <stdlib.h>

/* ---- can it be refined? ---- */

otok_status otok_scenario_has_clock(const otok_scenario *s)
{
    if (s->nchanges && !s->timed)
        return OTOK_FAIL(OTOK_DATA, "`changes` count iterations; give their times with a unit, as "
                                    "in `at: 3 h`");
    for (int i = 0; i < s->nphases; i++)
        if (s->phases[i].processes & OTOK_DROPLETS)
            return OTOK_FAIL(OTOK_DATA, "phase %s has droplets, which have no clock",
                             s->phases[i].name);
    for (int i = 0; i < s->nphases && s->nchanges; i++)
        if (!(otok_phase_step(&s->phases[i]) > 0))
            return OTOK_FAIL(OTOK_DATA,
                             "phase %s has no time step, so its iterations stay while those of "
                             "`changes` are doubled",
                             s->phases[i].name);
    if (!(otok_scenario_moment(s, otok_scenario_iterations(s)).time > 0))
        return OTOK_FAIL(OTOK_DATA, "no phase has a time step");
    return OTOK_OK;
}

static int has_raster(const otok_generator *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i].kind == OTOK_GEN_RASTER || has_raster(list[i].with, list[i].nwith) ||
            has_raster(list[i].mask, list[i].nmask))
            return 1;
    return 0;
}

/* Is the map of a parameter a file and nothing else? It can be stretched. */
static int is_raster(const otok_map *map)
{
    return map->phase >= 0 && map->n == 1 && map->list->kind == OTOK_GEN_RASTER &&
           !map->list->nmask;
}

static otok_status check_ground(const otok_scenario *s)
{
    int raster = has_raster(s->base, s->nbase);
    for (int i = 0; i < s->nlayers; i++)
        raster |= has_raster(s->layers[i].thickness, s->layers[i].nthickness);
    for (int i = 0; i < s->nmaps; i++)
        raster |= !is_raster(&s->maps[i]) && has_raster(s->maps[i].list, s->maps[i].n);
    if (raster) return OTOK_FAIL(OTOK_DATA, "the ground comes from a raster");
    if (s->initial[0] || otok_scenario_initial(s))
        return OTOK_FAIL(OTOK_DATA, "the state comes from `initial`");
    if (s->nchanges) return OTOK_FAIL(OTOK_DATA, "`changes` alter values during the run");
    return OTOK_OK;
}

otok_status otok_scenario_has_finer_cells(const otok_scenario *s, int times)
{
    const otok_grid fine = {s->grid.nx << times, s->grid.ny << times,
                            s->grid.spacing / (1 << times)};
    OTOK_TRY(check_ground(s));
    for (int i = 0; i < s->nphases; i++) {
        otok_phase phase = s->phases[i];
        for (int n = 0; n < times; n++)
            otok_phase_halve_steps(&phase);
        for (int k = 0; k < OTOK_PROCESSES; k++)
            if (phase.processes & otok_processes[k]->bit && otok_processes[k]->check &&
                otok_processes[k]->check(&phase, fine, NULL) != OTOK_OK)
                return otok_fail_in(OTOK_DATA, "phase %s", phase.name);
    }
    return fine.nx * fine.ny < INT64_C(1) << 31
               ? OTOK_OK
               : OTOK_FAIL(OTOK_DATA, "%lld x %lld cells are too many", (long long)fine.nx,
                           (long long)fine.ny);
}

/* ---- the finer scenario ---- */

/* Replaces a map by one that interpolation makes finer, a generator `top`. */
static void upsample(otok_generator *top, int factor, otok_generator **pipeline, int *n)
{
    if (!*n) return;
    *top = (otok_generator){
        .kind = OTOK_GEN_UPSAMPLE, .as.upsample = {factor}, .nwith = *n, .with = *pipeline};
    *pipeline = top;
    *n = 1;
}

static otok_status upsample_maps(otok_refined *r, int factor)
{
    otok_scenario *s = &r->scenario;
    r->maps = calloc((size_t)s->nmaps + 1, sizeof *r->maps);
    r->tops = calloc((size_t)s->nmaps + 1, sizeof *r->tops);
    if (!r->maps || !r->tops) return OTOK_FAIL(OTOK_NOMEM, "no memory for maps of finer cells");
    for (int i = 0; i < s->nmaps; i++) {
        r->maps[i] = s->maps[i];
        if (is_raster(&s->maps[i])) {
            r->tops[i] = *s->maps[i].list;
            r->tops[i].as.raster.fit = OTOK_FIT_STRETCH;
            r->maps[i].list = &r->tops[i];
        } else
            upsample(&r->tops[i], factor, &r->maps[i].list, &r->maps[i].n);
    }
    s->maps = r->maps;
    return OTOK_OK;
}

/* Pipes that are narrower by the same factor keep A/l, and with it the celerity and S. */
static otok_status divide_cells(otok_refined *r, int factor)
{
    otok_scenario *s = &r->scenario;
    s->grid =
        (otok_grid){factor * s->grid.nx, factor * s->grid.ny, s->grid.spacing / (double)factor};
    upsample(&r->up[0], factor, &s->base, &s->nbase);
    for (int i = 0; i < s->nlayers; i++)
        upsample(&r->up[1 + i], factor, &s->layers[i].thickness, &s->layers[i].nthickness);
    for (int i = 0; i < s->nphases; i++)
        s->phases[i].hydraulic.pipe_area /= factor;
    return upsample_maps(r, factor);
}

/* An iteration without a time step does as much as before. */
static void keep_untimed(otok_scenario *fine, const otok_scenario *s)
{
    for (int i = 0; i < s->nphases; i++)
        if (!(otok_phase_step(&s->phases[i]) > 0))
            fine->phases[i].iterations = s->phases[i].iterations;
}

otok_status otok_scenario_refine(otok_refined *out, const otok_scenario *scenario, int what,
                                 int steps, int cells)
{
    *out = (otok_refined){.scenario = *scenario};
    for (int n = 0; n < steps; n++) {
        OTOK_TRY(otok_scenario_halve(&out->halved[n], &out->scenario, what));
        out->scenario = out->halved[n].scenario;
    }
    keep_untimed(&out->scenario, scenario);
    return cells ? divide_cells(out, 1 << cells) : OTOK_OK;
}

void otok_refined_destroy(otok_refined *r)
{
    free(r->maps);
    free(r->tops);
    for (int n = OTOK_MOST_HALVINGS - 1; n >= 0; n--)
        if (r->halved[n].phases) otok_halved_destroy(&r->halved[n]);
}
