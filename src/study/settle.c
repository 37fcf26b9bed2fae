/* settle.c: runs members again. One that its audit leaves in doubt runs whole, with half the step
   or another order, and its results are compared; of one that grows, rates of growth are, with half
   the step, and with half the cell size too. */
#include "../core/diagnostics_rows.h"
#include "../core/status.h"
#include "../scenario/scenario_audit.h"
#include "../sim/island.h"
#include "../sim/twin.h"
#include "../sim/watch.h"
#include "keep.h"
#include "member.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An odd number of sweeps of the seabed turns a checkerboard over, an even one leaves it as it is.
   So the step is halved until their number is odd, twice at most. */
otok_halves otok_again_halves(int again, const otok_scenario *s)
{
    otok_halves h = {1, 0, OTOK_HALVES_SWEEPS | OTOK_HALVES_SHARES};
    for (int p = 0; p < s->nphases; p++)
        if (s->phases[p].processes & OTOK_SEABED && s->phases[p].seabed.sweeps % 4 == 0)
            h.steps = 2;
    return again == OTOK_AGAIN_HALVED ? h : (otok_halves){0, 0, OTOK_REVERSED};
}

static int is_doubtful(const otok_result *r, const otok_study *study, const otok_scenario *scenario)
{
    const int wanted =
        study->half_step == OTOK_HALF_ALL ? r->doubt >= 0 : otok_is_doubtful(r->doubt, r->proof);
    return study->half_step != OTOK_HALF_NEVER && wanted && r->iterations > 0 &&
           otok_scenario_splits(scenario);
}

int otok_member_next(int from, const otok_result *r, const otok_study *study,
                     const otok_scenario *scenario)
{
    if (from <= OTOK_AGAIN_HALVED && is_doubtful(r, study, scenario)) return OTOK_AGAIN_HALVED;
    return from <= OTOK_AGAIN_REVERSED && study->half_step == OTOK_HALF_ALL &&
                   isfinite(r->changed) && !scenario->nchanges && otok_scenario_reverses(scenario)
               ? OTOK_AGAIN_REVERSED
               : OTOK_AGAINS;
}

/* ---- what is compared ---- */

/* From what amount on a result counts: a share of the water that came, a quarter of what would
   matter, because it may still double twice as the step falls; a share of the ground that moved, a
   quarter of it of what water carries; a slope; an area of some cells; heights that are more than
   rounding and more than what is left of ground that moved, of which the ledger promises a
   thousandth. */
enum { OF_WATER, OF_FLOWS, OF_GROUND, OF_LOADS, A_SLOPE, AN_AREA, A_HEIGHT };

static const double residue = 1e-4; /* of the mean thickness that moved */

/* Entries of a ledger follow each other. */
#define IN_LEDGER(entry)                                                                           \
    offsetof(otok_result, ledger) + offsetof(otok_ledger, entry) - offsetof(otok_ledger, water)
#define RESPONSE(n) offsetof(otok_result, responses) + (n) * sizeof(double)

static const struct compared {
    const char *name;
    int least;
    size_t at; /* of a double in the result; of a height, in the last sample */
} results[] = {
    {"water", OF_WATER, IN_LEDGER(water)},
    {"outflow", OF_FLOWS, IN_LEDGER(water_out)},
    {"evaporated", OF_FLOWS, IN_LEDGER(evaporated)},
    {"infiltrated", OF_FLOWS, IN_LEDGER(water_infiltrated)},
    {"to the sea", OF_FLOWS, IN_LEDGER(to_sea)},
    {"eroded", OF_GROUND, RESPONSE(0)},
    {"deposited", OF_GROUND, RESPONSE(1)},
    {"suspended", OF_LOADS, IN_LEDGER(suspended)},
    {"sediment out", OF_LOADS, IN_LEDGER(sediment_out)},
    {"reef", OF_GROUND, IN_LEDGER(reef)},
    {"mean slope", A_SLOPE, RESPONSE(2)},
    {"flooded", AN_AREA, RESPONSE(4)},
    {"ground roughness", A_HEIGHT, offsetof(otok_sample, ground_roughness)},
    {"relief", A_HEIGHT, offsetof(otok_sample, relief)},
};

static double value(const void *of, size_t at)
{
    return *(const double *)((const char *)of + at);
}

static double value_of(const otok_run_end *end, const struct compared *c)
{
    return value(c->least == A_HEIGHT ? (const void *)end->last : end->result, c->at);
}

/* Rounding is a random walk of half a unit in the last place an iteration [m]. */
static double rounded_at(const otok_sample *last)
{
    return 0x1p-24 * sqrt(last->iteration) * last->highest;
}

static double least_of(int kind, const otok_run_end *end, otok_grid g)
{
    const otok_result *r = end->result;
    const double cell = g.spacing * g.spacing, area = (double)(g.nx * g.ny) * cell,
                 rounded = rounded_at(end->last),
                 came = value(r, IN_LEDGER(water_start)) + value(r, IN_LEDGER(rain)) +
                        value(r, IN_LEDGER(rivers)) + value(r, IN_LEDGER(water_entered)),
                 moved =
                     r->responses[0] + r->responses[1] + fabs(value(r, IN_LEDGER(sediment_out))),
                 alone = moved - fabs(value(r, IN_LEDGER(uplift)));
    const double least[] = {[OF_WATER] = 0.25e-3 * came,
                            [OF_FLOWS] = OTOK_DOUBT_OUT * came,
                            [OF_GROUND] = fmax(0.01 * moved, rounded * area),
                            [OF_LOADS] = fmax(0.0025 * moved, rounded * area),
                            [A_SLOPE] = 1e-3,
                            [AN_AREA] = (OTOK_FEW - 0.5) * cell,
                            [A_HEIGHT] = fmax(rounded, residue * alone / area)};
    return least[kind];
}

typedef struct most {
    double changed;
    char name[OTOK_NAME_SIZE];
} most;

/* Notes the change of a result if it is the largest so far. Values that are not finite change
   altogether. */
static void note_change(most *m, const char *name, double a, double b, double least)
{
    const double size = fmax(fabs(a), fabs(b));
    double change = size > least ? fabs(a - b) / size : 0;
    if (!isfinite(a) || !isfinite(b)) change = 1;
    if (!(change > m->changed)) return;
    m->changed = change;
    snprintf(m->name, sizeof m->name, "%s", name);
}

double otok_form_lead(const otok_island *island)
{
    double next = 0;
    for (int f = 0; f < OTOK_FORMS; f++)
        if (f != island->form) next = fmax(next, island->shares[f]);
    return island->form < 0 ? NAN : island->shares[island->form] - next;
}

/* Would another form lead with steps that are finer still? The lead of this one goes on as it went;
   by one azimuth nothing is known. */
static int is_form_lost(const otok_island *own, const otok_island *half)
{
    const double lead = otok_form_lead(half), lost = otok_form_lead(own) - lead;
    return own->form != half->form || (lost > 0 && lost >= lead) || lead <= 1.0 / OTOK_AZIMUTHS;
}

static most most_of(const otok_run_end *own, const otok_run_end *other, const otok_study *study,
                    otok_grid g)
{
    const otok_result *r = own->result, *half = other->result;
    const double least = fmax(rounded_at(own->last), rounded_at(other->last));
    most m = {0};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const struct compared *c = &results[i];
        note_change(&m, c->name, value_of(own, c), value_of(other, c),
                    fmax(least_of(c->least, own, g), least_of(c->least, other, g)));
    }
    for (int n = 0; n < study->nresponses; n++)
        if (!isnan(r->own[n]) || !isnan(half->own[n]))
            note_change(&m, study->responses[n].name, r->own[n], half->own[n], least);
    note_change(&m, "water at rivers", 1, 1 - 0.5 * r->fed, 0); /* a first-order error */
    if (is_form_lost(&r->island, &half->island)) note_change(&m, "form", 1, 0, 0);
    if (own->rivers && other->rivers)
        note_change(&m, "rivers", 1, 1 - otok_twin_rivers_apart(own->rivers, other->rivers, g), 0);
    return m;
}

/* The order tells no verdict: the end of an iteration is another moment of it then, before what
   came last so far. Ground that rises and is cut in one step may be 0.2 rougher before it is cut,
   and change by 1 % with a quarter of the step. */
void otok_member_compare(otok_result *r, int again, const otok_run_end *own,
                         const otok_run_end *other, const otok_study *study, otok_grid g)
{
    const most m = most_of(own, other, study, g);
    const int reversed = again == OTOK_AGAIN_REVERSED;
    *(reversed ? &r->reversed : &r->changed) = m.changed;
    memcpy(reversed ? r->most_reversed : r->most, m.name, sizeof m.name);
    if (!reversed && own->rivers && other->rivers)
        r->rivers = otok_twin_rivers_apart(own->rivers, other->rivers, g);
    if (!reversed) r->verdict = m.changed > r->allowed ? OTOK_STEP_DEPENDENT : OTOK_STABLE;
}

/* ---- further runs ---- */

otok_status otok_member_measure(otok_result *r, otok_kept *kept, unsigned char **rivers,
                                const otok_study *study, otok_sim *sim, const otok_ledger *ledger,
                                float *room)
{
    otok_state *state;
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++)
        r->ledger[i] = otok_ledger_value(ledger, i);
    OTOK_TRY(otok_state_of(&state, sim, otok_keep_reads(study), room));
    otok_status status = otok_response_measure(r->responses, &r->verge, sim, state);
    if (status == OTOK_OK) status = otok_response_island(&r->island, sim, state);
    if (status == OTOK_OK)
        status = otok_state_responses(r->own, study->responses, study->nresponses, state);
    if (status == OTOK_OK && otok_sim_has(sim, OTOK_RECEIVER))
        status = otok_twin_rivers(rivers, state, sim->scenario->grid, 0);
    if (status == OTOK_OK && kept) status = otok_keep_maps(kept, r, study, sim, state, 1);
    if (status == OTOK_OK)
        status = otok_state_fed(&r->fed, r->own, study->responses, study->nresponses, state);
    otok_state_end(state);
    return status;
}

static otok_status run_again(int again, otok_result *r, const otok_sample *samples,
                             const unsigned char *rivers, const otok_study *study,
                             const otok_scenario *scenario, const char *backend)
{
    otok_whole_twin t;
    otok_result result = {0};
    otok_run_end own = {r, &samples[r->nsamples - 1], rivers}, other = {.result = &result};
    otok_sample last;
    unsigned char *found = NULL;
    otok_suspects where;
    otok_ledger ledger;
    double moved = 0;
    otok_status status =
        otok_twin_begin(&t, scenario, otok_again_halves(again, scenario), backend, NULL, NULL);
    if (status == OTOK_OK) status = otok_sim_run(t.sim, t.sim->end);
    if (status == OTOK_OK) status = otok_watch_look(&last, &where, &ledger, t.sim, &moved);
    if (status == OTOK_OK)
        status = otok_member_measure(&result, NULL, &found, study, t.sim, &ledger, NULL);
    other.last = &last;
    other.rivers = found;
    if (status == OTOK_OK) otok_member_compare(r, again, &own, &other, study, scenario->grid);
    free(found);
    otok_twin_end(&t);
    return status == OTOK_DATA ? OTOK_OK : status; /* such a scenario may not exist */
}

otok_status otok_member_settle(otok_result *r, const otok_sample *samples,
                               const unsigned char *rivers, const otok_study *study,
                               const otok_scenario *scenario, const char *backend)
{
    for (int again = 0; (again = otok_member_next(again, r, study, scenario)) < OTOK_AGAINS;
         again++)
        OTOK_TRY(run_again(again, r, samples, rivers, study, scenario, backend));
    return OTOK_OK;
}

/* ---- a member that grows: docs/studies.md explains what is compared, and when it cannot be ----
 */

/* The time in which the ground's roughness grows by a factor over the start. Growth that is twice
   as fast takes half the time, exponential or not. */
typedef struct climb {
    double start, end;  /* roughness, logarithm of the factor */
    double grown, time; /* at the previous sample */
    double rate;        /* end / time [1/s]; 0: not reached yet */
} climb;

/* Between samples the growth is taken as exponential. */
static void note_roughness(climb *c, double time, double roughness)
{
    const double now = log(roughness / c->start);
    if (c->rate > 0) return;
    if (!(now < c->end)) {
        const double share = now < INFINITY ? (c->end - c->grown) / (now - c->grown) : 0.5;
        c->rate = c->end / (c->time + (time - c->time) * share);
    }
    c->grown = now;
    c->time = time;
}

/* The roughness as detectors compute it, on the cells of the member. Walls come from rasters, which
   are not made finer. */
static otok_status measure_roughness(double *out, otok_sim *sim, int halved)
{
    otok_diagnostics_maps m;
    otok_diagnostics_result found = {.not_finite = 0};
    otok_diagnostics_prepare(&m, sim);
    m.pitch = m.nx >>= halved;
    m.ny >>= halved;
    const size_t cells = (size_t)m.nx * (size_t)m.ny;
    float *maps = calloc(3 * cells + otok_diagnostics_room(m.nx), sizeof *maps),
          *walls = sim->holes.n && !halved ? maps + 2 * cells : NULL;
    if (!maps) return OTOK_FAIL(OTOK_NOMEM, "no memory to run a member again");
    m.base = maps;
    m.change = maps + cells;
    m.walls = walls;
    if (walls) otok_sim_walls(sim, walls);
    const otok_status status = otok_twin_get(maps, sim, OTOK_TERRAIN, halved);
    if (status == OTOK_OK) otok_diagnostics_rows(&found, &m, NULL, 0, maps + 3 * cells);
    const int64_t *sum = &found.diagnostics.sums[OTOK_DIAGNOSTICS_GROUND_ROUGH];
    *out = otok_fixed_value(sum[0], sum[1]) /
           (walls ? (double)otok_sim_open_cells(sim) : (double)cells);
    free(maps);
    return status;
}

/* The rate at which the member grows by the factor with half the steps, and with half the cell size
   too if `cells` is 1. NAN: it cannot be made this fine. */
static otok_status rerun_finer(double *out, const otok_scenario *scenario, int cells, double end,
                               int64_t every, const char *backend)
{
    otok_whole_twin t;
    climb c = {.end = end};
    const otok_halves halves = {1, cells, OTOK_HALVES_SWEEPS};
    otok_status status = otok_twin_begin(&t, scenario, halves, backend, NULL, NULL);
    if (status == OTOK_OK) status = measure_roughness(&c.start, t.sim, cells);
    while (status == OTOK_OK && c.rate == 0 && t.sim->iteration < t.sim->end) {
        double rough;
        status = otok_sim_run(t.sim, otok_least(every, t.sim->end - t.sim->iteration));
        if (status == OTOK_OK) status = measure_roughness(&rough, t.sim, cells);
        if (status == OTOK_OK) note_roughness(&c, otok_sim_time(t.sim), rough);
    }
    otok_twin_end(&t);
    *out = c.start > 0 ? c.rate : NAN;
    return status == OTOK_DATA && !(c.start > 0) ? OTOK_OK : status;
}

/* The factor is the growth of the member when half of its growth is done. That is late enough to be
   independent of its beginning, and growth of half the speed reaches it within the same time. */
otok_status otok_member_rerun(otok_result *r, const otok_sample *samples, const otok_study *study,
                              const otok_scenario *scenario, const char *backend)
{
    if (!study->rerun || r->verdict != OTOK_GROWING || otok_scenario_has_clock(scenario) != OTOK_OK)
        return OTOK_OK;
    climb own = {.start = r->rough_start,
                 .end = 0.5 * log(samples[r->nsamples - 1].ground_roughness / r->rough_start)};
    for (int64_t i = 0; i < r->nsamples; i++)
        note_roughness(&own, samples[i].time, samples[i].ground_roughness);
    r->growth[0] = own.rate;
    const int64_t every = 2 * study->every;
    otok_status status = rerun_finer(&r->growth[1], scenario, 0, own.end, every, backend);
    if (status == OTOK_OK && otok_scenario_has_finer_cells(scenario, 1) == OTOK_OK)
        status = rerun_finer(&r->growth[2], scenario, 1, own.end, every, backend);
    if (status == OTOK_OK) r->verdict = otok_verdict_growth(r->growth);
    return status;
}
