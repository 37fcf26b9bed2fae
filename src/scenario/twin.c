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

/* ---- can it be made? ---- */

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

/* ---- the twin ---- */

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

/* A phase without a time step does as much as before in as many iterations, unless shares are
   halved. */
static void halve_phases(otok_scenario *s, otok_halves h)
{
    for (int i = 0; i < s->nphases * h.steps; i++) {
        otok_phase *p = &s->phases[i / h.steps];
        const int64_t before = p->iterations;
        otok_phase_halve_steps(p);
        if (!(h.what & OTOK_HALVES_SWEEPS)) p->waves.every *= 2; /* at the same times */
        if (h.what & OTOK_HALVES_SHARES)
            halve_shares(p);
        else if (!(otok_phase_step(p) > 0))
            p->iterations = before;
    }
}

/* Makes a scenario of its own, from its text, because a simulation makes its changes in that
   text. */
static otok_status halve_changing(otok_twin *t, otok_halves h)
{
    otok_scenario *s = NULL;
    OTOK_TRY(otok_scenario_copy(&s, &t->scenario));
    halve_phases(s, h);
    for (int i = 0; i < s->nchanges; i++)
        s->changes[i].iteration <<= h.steps;
    free(s->text);
    s->text = otok_scenario_write(s);
    const otok_status status = s->text ? otok_scenario_copy(&t->changing, s) : no_memory();
    otok_scenario_destroy(s);
    if (status == OTOK_OK) t->scenario = *t->changing;
    return status;
}

static otok_status halve_steps(otok_twin *t, otok_halves h)
{
    otok_scenario *s = &t->scenario;
    if (s->nchanges && h.what & OTOK_REVERSED)
        return OTOK_FAIL(OTOK_DATA, "`changes` alter values during the run");
    if (s->nchanges) return halve_changing(t, h);
    t->phases = malloc((size_t)s->nphases * sizeof *s->phases + 1);
    if (!t->phases) return no_memory();
    s->phases = memcpy(t->phases, s->phases, (size_t)s->nphases * sizeof *s->phases);
    halve_phases(s, h);
    for (int i = 0; i < s->nphases; i++)
        s->phases[i].reversed ^= (h.what & OTOK_REVERSED) != 0;
    return OTOK_OK;
}

/* Replaces a map by one that interpolation makes finer, a generator `top`. */
static void upsample(otok_generator *top, int factor, otok_generator **pipeline, int *n)
{
    if (!*n) return;
    *top = (otok_generator){
        .kind = OTOK_GEN_UPSAMPLE, .as.upsample = {factor}, .nwith = *n, .with = *pipeline};
    *pipeline = top;
    *n = 1;
}

/* Pipes that are narrower by the same factor keep A/l, and with it the celerity and S. */
static otok_status divide_cells(otok_twin *t, int factor)
{
    otok_scenario *s = &t->scenario;
    otok_generator *top = calloc((size_t)(s->nmaps + s->nlayers) + 1, sizeof *top);
    t->tops = top;
    t->maps = calloc((size_t)s->nmaps + 1, sizeof *t->maps);
    if (!t->maps || !top) return no_memory();
    s->grid =
        (otok_grid){factor * s->grid.nx, factor * s->grid.ny, s->grid.spacing / (double)factor};
    upsample(top++, factor, &s->base, &s->nbase);
    for (int i = 0; i < s->nlayers; i++)
        upsample(top++, factor, &s->layers[i].thickness, &s->layers[i].nthickness);
    for (int i = 0; i < s->nphases; i++)
        s->phases[i].hydraulic.pipe_area /= factor;
    for (int i = 0; i < s->nmaps; i++, top++) {
        t->maps[i] = s->maps[i];
        if (is_raster(&s->maps[i])) {
            *top = *s->maps[i].list;
            top->as.raster.fit = OTOK_FIT_STRETCH;
            t->maps[i].list = top;
        } else
            upsample(top, factor, &t->maps[i].list, &t->maps[i].n);
    }
    s->maps = t->maps;
    return OTOK_OK;
}

otok_status otok_scenario_twin(otok_twin **out, const otok_scenario *scenario, otok_halves h)
{
    otok_twin *t = *out = calloc(1, sizeof *t);
    if (!t) return no_memory();
    t->scenario = *scenario;
    otok_status status = halve_steps(t, h);
    if (status == OTOK_OK && h.cells) status = divide_cells(t, 1 << h.cells);
    if (status == OTOK_OK) return OTOK_OK;
    otok_twin_destroy(t);
    *out = NULL;
    return status;
}

void otok_twin_destroy(otok_twin *t)
{
    if (!t) return;
    free(t->phases);
    free(t->maps);
    free(t->tops);
    otok_scenario_destroy(t->changing);
    free(t);
}
