/* twin.c: see twin.h. */
#include "twin.h"

#include "../core/status.h"
#include "process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static otok_status no_memory(void)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory for a finer scenario");
}

/* Two iterations with the new shares take as much as one with the old. */
static void halve_shares(otok_phase *p)
{
    otok_hydraulic *h = &p->hydraulic;
    if (p->processes & OTOK_DROPLETS && p->droplets.batch > 1) p->droplets.batch /= 2;
    if (p->seabed.sweeps % 2 == 0) p->seabed.sweeps /= 2;
    if (h->diffusion_sweeps % 2 == 0) h->diffusion_sweeps /= 2;
    h->theta = 0.5 * (1 + h->theta); /* 1 - theta of the old flow is mixed in an iteration */
    if (h->rates != OTOK_PER_ITERATION) return;
    h->dissolve = 1 - sqrt(1 - h->dissolve);
    h->deposit = 1 - sqrt(1 - h->deposit);
}

static void halve_phases(otok_scenario *s, int what, int times)
{
    for (int i = 0; i < s->nphases * times; i++) {
        otok_phase *p = &s->phases[i / times];
        otok_phase_halve_steps(p);
        if (!(what & OTOK_HALVES_SWEEPS)) p->waves.every *= 2; /* at the same times */
        if (what & OTOK_HALVES_SHARES) halve_shares(p);
    }
}

/* Makes a scenario of its own, from its text, because a simulation makes its changes in that
   text. */
static otok_status halve_changing(otok_halved *h, int what, int times)
{
    otok_scenario *s = NULL;
    OTOK_TRY(otok_scenario_copy(&s, &h->scenario));
    halve_phases(s, what, times);
    for (int i = 0; i < s->nchanges; i++)
        s->changes[i].iteration <<= times;
    free(s->text);
    s->text = otok_scenario_write(s);
    const otok_status status = s->text ? otok_scenario_copy(&h->changing, s) : no_memory();
    otok_scenario_destroy(s);
    if (status == OTOK_OK) h->scenario = *h->changing;
    return status;
}

otok_status otok_scenario_halve(otok_halved *out, const otok_scenario *scenario, int what,
                                int times)
{
    *out = (otok_halved){.scenario = *scenario, .phases = scenario->phases};
    otok_scenario *s = &out->scenario;
    if (s->nchanges) return halve_changing(out, what, times);
    s->phases = malloc((size_t)s->nphases * sizeof *s->phases + 1);
    if (!s->phases) {
        s->phases = scenario->phases;
        return no_memory();
    }
    memcpy(s->phases, scenario->phases, (size_t)s->nphases * sizeof *s->phases);
    halve_phases(s, what, times);
    return OTOK_OK;
}

void otok_halved_destroy(otok_halved *h)
{
    if (!h->changing && h->scenario.phases != h->phases) free(h->scenario.phases);
    otok_scenario_destroy(h->changing);
    *h = (otok_halved){.phases = NULL};
}

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
    otok_scenario *s = &r->halved.scenario;
    r->maps = calloc((size_t)s->nmaps + 1, sizeof *r->maps);
    r->tops = calloc((size_t)s->nmaps + 1, sizeof *r->tops);
    if (!r->maps || !r->tops) return no_memory();
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
    otok_scenario *s = &r->halved.scenario;
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
    *out = (otok_refined){.maps = NULL};
    OTOK_TRY(otok_scenario_halve(&out->halved, scenario, what, steps));
    keep_untimed(&out->halved.scenario, scenario);
    return cells ? divide_cells(out, 1 << cells) : OTOK_OK;
}

void otok_refined_destroy(otok_refined *r)
{
    free(r->maps);
    free(r->tops);
    if (r->halved.phases) otok_halved_destroy(&r->halved);
}
