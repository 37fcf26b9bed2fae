/* refine.c: see refine.h. */
#include "refine.h"

#include "../core/clock.h"
#include "../core/rounding.h"
#include "../core/status.h"
#include "../io/checkpoint.h"
#include "../scenario/program.h"
#include "../scenario/scenario_audit.h"
#include "derived.h"
#include "expressions.h"
#include "sim.h"
#include "twin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Differences below this share are those of rounding, and have no order. */
static const double rounding = 1e-6;

const otok_refine_run otok_refine_runs[OTOK_REFINE_RUNS] = {
    {"this run", {0, 0, 0}},
    {"dt/2", {1, 0, 0}},
    {"waves/2", {1, 0, OTOK_HALVES_SWEEPS}},
    {"reversed", {0, 0, OTOK_REVERSED}},
    {"l/2, dt/2", {1, 1, OTOK_HALVES_SWEEPS}},
    {"l/4, dt/4", {2, 2, OTOK_HALVES_SWEEPS}}};

const otok_refine_figure otok_refine_figures[OTOK_REFINE_FIGURES] = {
    [OTOK_REFINE_WATER] = {"water", "m3", 0},
    [OTOK_REFINE_OUT] = {"water out", "m3", 0},
    [OTOK_REFINE_ERODED] = {"eroded", "m3", 0},
    [OTOK_REFINE_DEPOSITED] = {"deposited", "m3", 0},
    [OTOK_REFINE_FLOODED] = {"flooded", "m2", 0},
    [OTOK_REFINE_RELIEF] = {"relief", "m", 0},
    [OTOK_REFINE_DEPTH] = {"depth of water, by cell", "m", 1},
    [OTOK_REFINE_CHANGE] = {"change of ground, by cell", "m", 1},
    [OTOK_REFINE_RIVERS] = {"rivers, by cell", "", 1},
};

/* The result of a run, on the cells of the finished one. */
typedef struct result {
    float *depth, *change;
    unsigned char *rivers; /* NULL: there are none */
    double values[OTOK_REFINE_ALL];
} result;

typedef struct refining {
    const otok_scenario *scenario;
    const otok_refine_options *options;
    otok_refinement *out;
    const otok_holes *walls;
    size_t cells;
    float *start, *terrain, *lifted; /* the change of the ground at iteration 0; of a run at its
                                        end, its ground and CHANGE_BY_UPLIFT, if there is one */
    double rise; /* of the ground since iteration 0, by uplift that `lifted` lacks; NAN: of
                    a map, so that what else moved is unknown */
    result results[OTOK_REFINE_RUNS];
    int run; /* the present one */
    int64_t done;
} refining;

/* ---- what can be run ---- */

static otok_status check_rates(const otok_scenario *s)
{
    for (int i = 0; i < s->nphases; i++)
        if (s->phases[i].processes & OTOK_HYDRAULIC &&
            s->phases[i].hydraulic.rates == OTOK_PER_ITERATION)
            return OTOK_FAIL(
                OTOK_DATA,
                "phase %s has `rates: per_iteration`, so that a finer step means more change",
                s->phases[i].name);
    return OTOK_OK;
}

/* Explicit diffusion needs dt to fall with the square of the cell size. Beyond a limit that the
   finished run keeps, a finer run would compare noise. */
static otok_status check_limits(const otok_scenario *s, const otok_scenario *fine)
{
    otok_limit own, l;
    if (!otok_predict_binding(&l, fine, NULL) || !(otok_limit_margin(&l) > 1)) return OTOK_OK;
    if (otok_predict_binding(&own, s, NULL) && otok_limit_margin(&own) > 1) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "phase %s would be beyond the limit of %s, %s = %.4g of %.4g; give it a "
                     "smaller dt",
                     otok_scenario_phase(s, l.phase), l.name, l.symbol, l.value, l.bound);
}

static otok_status check_size(const otok_scenario *fine)
{
    const double cells = (double)fine->grid.nx * (double)fine->grid.ny;
    const double work = cells * (double)otok_scenario_iterations(fine);
    if (cells > (double)OTOK_REFINE_MOST_CELLS)
        return OTOK_FAIL(OTOK_DATA, "%.0f cells are more than %lld", cells,
                         (long long)OTOK_REFINE_MOST_CELLS);
    if (work > OTOK_REFINE_MOST_WORK)
        return OTOK_FAIL(OTOK_DATA, "%.3g cells times iterations are more than %.3g", work,
                         OTOK_REFINE_MOST_WORK);
    return OTOK_OK;
}

static otok_status check_cells(const otok_scenario *s, int run)
{
    otok_twin *fine;
    OTOK_TRY(otok_scenario_has_finer_cells(s, otok_refine_runs[run].halves.cells));
    OTOK_TRY(check_rates(s));
    OTOK_TRY(otok_scenario_twin(&fine, s, otok_refine_runs[run].halves));
    otok_status status = run == OTOK_REFINE_TWICE ? check_size(&fine->scenario) : OTOK_OK;
    if (status == OTOK_OK) status = check_limits(s, &fine->scenario);
    otok_twin_destroy(fine);
    return status;
}

/* A run that cannot be made is no failure: it is left out, and the reason kept. */
static otok_status leave_out(otok_refinement *out, int run, otok_status status)
{
    if (status != OTOK_DATA && status != OTOK_NOMEM) return status;
    snprintf(out->why[run], sizeof out->why[run], "%s", otok_why());
    return OTOK_OK;
}

otok_status otok_refine_plan(otok_refinement *out, const otok_scenario *s)
{
    *out = (otok_refinement){.done = {1},
                             .unneeded = {[OTOK_REFINE_SWEEPS] = !otok_scenario_swept(s),
                                          [OTOK_REFINE_REVERSED] = !otok_scenario_reverses(s)}};
    for (int f = 0; f < OTOK_REFINE_FIGURES; f++)
        out->order[f] = NAN;
    for (int f = 0; f < OTOK_REFINE_ALL; f++)
        for (int run = 0; run < OTOK_REFINE_RUNS; run++)
            out->apart[f][run] = NAN;
    for (int run = OTOK_REFINE_CELLS; run < OTOK_REFINE_RUNS; run++) {
        if (run > OTOK_REFINE_CELLS && out->why[run - 1][0])
            memcpy(out->why[run], out->why[run - 1], sizeof out->why[run]);
        else
            OTOK_TRY(leave_out(out, run, check_cells(s, run)));
    }
    return OTOK_OK;
}

/* ---- results ---- */

/* The mean size of the differences between two maps, or of a map (NULL), without walls. */
static double mean_apart(const refining *r, const float *a, const float *b)
{
    double sum = 0;
    for (size_t i = 0; i < r->cells; i++)
        sum += fabs((double)a[i] - (b ? (double)b[i] : 0));
    return sum / ((double)r->cells - (double)otok_holes_count(r->walls));
}

/* What uplift did since iteration 0. */
static void note_rise(refining *r, const otok_sim *sim)
{
    const otok_rise rise = otok_scenario_rise(sim->scenario, 0, sim->iteration);
    const int has_map = otok_sim_has(sim, OTOK_CHANGE_BY_UPLIFT);
    r->rise = rise.alone + (has_map ? 0 : rise.in_part);
    if (!has_map) memset(r->lifted, 0, r->cells * sizeof *r->lifted);
}

/* The change of the ground without uplift. What is below a last digit of either is none. */
static double beside(float change, double risen)
{
    const double left = (double)change - risen, size = fmax(fabs((double)change), fabs(risen));
    return risen != 0 && fabs(left) <= size * 0x1p-23 ? 0 : left;
}

/* The maps of the result, r->terrain and r->lifted are filled. */
static void measure(refining *r, int run, const otok_ledger *ledger)
{
    result *to = &r->results[run];
    const otok_grid g = r->scenario->grid;
    double low = INFINITY, high = -INFINITY, down = 0, up = 0, flooded = 0;
    for (size_t i = 0; i < r->cells; i++) {
        if (otok_holes_have(r->walls, (int64_t)i)) continue; /* they are 0 */
        to->change[i] -= r->start[i];
        low = fmin(low, (double)r->terrain[i]);
        high = fmax(high, (double)r->terrain[i]);
        flooded += (double)to->depth[i] > OTOK_FLOODED;
        const double moved = beside(to->change[i], (double)r->lifted[i] + r->rise);
        *(moved < 0 ? &down : &up) += fabs(moved);
    }
    const double area = g.spacing * g.spacing;
    to->values[OTOK_REFINE_WATER] = ledger->water;
    to->values[OTOK_REFINE_OUT] = ledger->water_out;
    to->values[OTOK_REFINE_ERODED] = isnan(r->rise) ? 0 : down * area;
    to->values[OTOK_REFINE_DEPOSITED] = isnan(r->rise) ? 0 : up * area;
    to->values[OTOK_REFINE_FLOODED] = flooded * area;
    to->values[OTOK_REFINE_RELIEF] = high - low;
    to->values[OTOK_REFINE_DEPTH] = mean_apart(r, to->depth, NULL);
    to->values[OTOK_REFINE_CHANGE] = mean_apart(r, to->change, NULL);
    for (size_t i = 0; to->rivers && i < r->cells; i++)
        to->values[OTOK_REFINE_RIVERS] += to->rivers[i];
}

/* How far two runs are apart: with a sign unless compared cell by cell. */
static double apart(const refining *r, int figure, int from, int to)
{
    const result *a = &r->results[from], *b = &r->results[to];
    if (figure == OTOK_REFINE_DEPTH) return mean_apart(r, a->depth, b->depth);
    if (figure == OTOK_REFINE_CHANGE) return mean_apart(r, a->change, b->change);
    if (figure == OTOK_REFINE_RIVERS) /* a share; the caller divides */
        return a->values[figure] * otok_twin_rivers_apart(a->rivers, b->rivers, r->scenario->grid);
    return b->values[figure] - a->values[figure];
}

/* Errors that fall as l^p, when l and dt are halved together, are apart as 2^p : 1. Totals have no
   order: errors of either sign cancel in them. */
static double order(const refining *r, int figure)
{
    const double first = apart(r, figure, OTOK_REFINE_OWN, OTOK_REFINE_CELLS);
    const double second = apart(r, figure, OTOK_REFINE_CELLS, OTOK_REFINE_TWICE);
    const double whole = r->out->values[figure], least = rounding * whole;
    const int shows = first > least && second > least && first < OTOK_REFINE_MOST_APART * whole;
    return shows ? log2(first / second) : NAN;
}

static void compare(refining *r, int run)
{
    otok_refinement *out = r->out;
    out->done[run] = 1;
    for (int f = 0; f < OTOK_REFINE_FIGURES + r->scenario->nresponses; f++)
        if (out->values[f] != 0)
            out->apart[f][run] = apart(r, f, OTOK_REFINE_OWN, run) / fabs(out->values[f]);
        else if (f >= OTOK_REFINE_FIGURES)
            out->apart[f][run] = apart(r, f, OTOK_REFINE_OWN, run);
    for (int f = OTOK_REFINE_DEPTH; f <= OTOK_REFINE_CHANGE; f++)
        if (run == OTOK_REFINE_TWICE && out->done[OTOK_REFINE_CELLS]) out->order[f] = order(r, f);
}

/* ---- runs ---- */

static int stops(void *user)
{
    const refining *r = user;
    return r->options->poll && r->options->poll(r->options->user, r->run, r->done, 0);
}

static otok_status take_rivers(result *to, const refining *r, otok_sim *sim, int halved)
{
    otok_state *state;
    if (!otok_sim_has(sim, OTOK_RECEIVER)) return OTOK_OK;
    OTOK_TRY(otok_state_of(&state, sim, 0, NULL));
    const otok_status status = otok_twin_rivers(&to->rivers, state, r->scenario->grid, halved);
    otok_state_end(state);
    return status;
}

static otok_status take_result(refining *r, otok_sim *sim)
{
    result *to = &r->results[r->run];
    const int halved = otok_refine_runs[r->run].halves.cells;
    otok_ledger ledger;
    uint64_t fingerprint;
    OTOK_TRY(otok_sim_measure(sim, &ledger, &fingerprint));
    if (ledger.not_finite)
        return OTOK_FAIL(OTOK_DATA, "diverges: %lld values are no longer finite at its end",
                         (long long)ledger.not_finite);
    OTOK_TRY(otok_twin_get(to->depth, sim, OTOK_WATER, halved));
    OTOK_TRY(otok_twin_get(to->change, sim, OTOK_TERRAIN_CHANGE, halved));
    OTOK_TRY(otok_twin_get(r->terrain, sim, OTOK_TERRAIN, halved));
    OTOK_TRY(otok_twin_get(r->lifted, sim, OTOK_CHANGE_BY_UPLIFT, halved));
    note_rise(r, sim);
    OTOK_TRY(take_rivers(to, r, sim, halved));
    measure(r, r->run, &ledger);
    return otok_responses_measure(&to->values[OTOK_REFINE_FIGURES], r->scenario->responses,
                                  r->scenario->nresponses, sim);
}

/* The finished run is another such simulation: one that goes on from its last checkpoint. */
static otok_status take_own(refining *r, const otok_snapshot *end, const char *path)
{
    otok_sim *sim = NULL;
    otok_status status = otok_sim_create_until(&sim, r->scenario, r->options->backend, stops, r);
    if (status == OTOK_OK) status = otok_twin_get(r->start, sim, OTOK_TERRAIN_CHANGE, 0);
    if (status == OTOK_OK) status = otok_sim_restore(sim, end, path);
    if (status == OTOK_OK) status = take_result(r, sim);
    otok_sim_destroy(sim);
    memcpy(r->out->values, r->results[OTOK_REFINE_OWN].values, sizeof r->out->values);
    return status;
}

static otok_status take_finer(refining *r)
{
    const otok_refine_options *o = r->options;
    otok_whole_twin t;
    int64_t chunk = 1; /* iterations between two polls, a tenth of a second */
    r->done = 0;
    otok_status status =
        otok_twin_begin(&t, r->scenario, otok_refine_runs[r->run].halves, o->backend, stops, r);
    while (status == OTOK_OK && r->done < t.sim->end) {
        const double before = otok_clock();
        status = otok_sim_run(t.sim, otok_least(chunk, t.sim->end - r->done));
        chunk = otok_clock() - before < 0.1 ? 2 * chunk : chunk > 1 ? chunk / 2 : 1;
        r->done = t.sim->iteration;
        if (status == OTOK_OK && o->poll && o->poll(o->user, r->run, r->done, t.sim->end) &&
            r->done < t.sim->end)
            status = OTOK_FAIL(OTOK_STOPPED, "stopped");
    }
    if (status == OTOK_OK) status = take_result(r, t.sim);
    otok_twin_end(&t);
    return status;
}

static otok_status compare_finer(refining *r)
{
    for (r->run = OTOK_REFINE_STEP; r->run < OTOK_REFINE_RUNS; r->run++) {
        if (r->out->why[r->run][0] || r->out->unneeded[r->run]) continue;
        const otok_status status = take_finer(r);
        OTOK_TRY(status == OTOK_OK ? status : leave_out(r->out, r->run, status));
        if (status == OTOK_OK) compare(r, r->run);
    }
    return OTOK_OK;
}

static otok_status refine(refining *r, const otok_snapshot *end, const char *path)
{
    float *maps = calloc((2 * OTOK_REFINE_RUNS + 3) * r->cells, sizeof *maps), *next = maps;
    if (!maps) return OTOK_FAIL(OTOK_NOMEM, "no memory to refine a run");
    float **const each[] = {&r->start, &r->terrain, &r->lifted};
    for (int n = 0; n < 3; n++, next += r->cells)
        *each[n] = next;
    for (int run = 0; run < OTOK_REFINE_RUNS; run++, next += 2 * r->cells) {
        r->results[run].depth = next;
        r->results[run].change = next + r->cells;
    }
    otok_status status = take_own(r, end, path);
    if (status == OTOK_OK) status = compare_finer(r);
    for (int run = 0; run < OTOK_REFINE_RUNS; run++)
        free(r->results[run].rivers);
    free(maps);
    return status;
}

static otok_status check_end(const refining *r, const otok_snapshot *end, const char *path,
                             const char *skipped)
{
    if (!path)
        return OTOK_FAIL(OTOK_DATA, "%s: has no valid checkpoint of %s%s%s", r->options->directory,
                         r->scenario->stem, skipped ? "; " : "", skipped ? skipped : "");
    if (skipped) return OTOK_FAIL(OTOK_DATA, "%s", skipped);
    if (end->iteration != otok_scenario_iterations(r->scenario))
        return OTOK_FAIL(OTOK_DATA, "%s: is not the end of the run", path);
    OTOK_TRY(otok_scenario_has_clock(r->scenario));
    return otok_refine_plan(r->out, r->scenario);
}

otok_status otok_refine(otok_refinement *out, const otok_scenario *scenario,
                        const otok_refine_options *options)
{
    OTOK_ROUNDING;
    const otok_grid g = scenario->grid;
    otok_snapshot end = {0};
    otok_scenario *changed = NULL; /* the checkpoint's, if values changed before a restart */
    char *path = NULL, *skipped = NULL;
    refining r = {.scenario = scenario,
                  .options = options,
                  .out = out,
                  .walls = &end.holes,
                  .cells = (size_t)g.nx * (size_t)g.ny};
    otok_status status =
        otok_checkpoint_newest(&end, &path, &skipped, options->directory, scenario->stem, g);
    if (status == OTOK_OK && end.scenario &&
        strcmp(end.scenario, otok_scenario_text(scenario)) != 0)
        status = otok_scenario_read(&changed, end.scenario, scenario->path, NULL, 0);
    if (changed) r.scenario = changed;
    if (status == OTOK_OK) status = check_end(&r, &end, path, skipped);
    if (status == OTOK_OK) status = refine(&r, &end, path);
    otok_scenario_destroy(changed);
    otok_snapshot_destroy(&end);
    free(path);
    free(skipped);
    return status;
}
