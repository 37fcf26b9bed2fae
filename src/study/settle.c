/* settle.c: settles whether a member depends on its time step, if its audit leaves that in doubt:
   it runs again whole, with half the step, and its results are compared. */
#include "../core/status.h"
#include "../scenario/scenario_audit.h"
#include "../sim/twin.h"
#include "../sim/watch.h"
#include "keep.h"
#include "member.h"

#include <math.h>
#include <stdio.h>

int otok_member_is_doubtful(const otok_result *r, const otok_study *study,
                            const otok_scenario *scenario)
{
    const int wanted =
        study->half_step == OTOK_HALF_ALL ? r->doubt >= 0 : otok_is_doubtful(r->doubt, r->proof);
    return study->half_step != OTOK_HALF_NEVER && wanted && r->iterations > 0 &&
           otok_scenario_splits(scenario);
}

/* ---- what is compared ---- */

/* From what amount on a result counts: a share of the water that came, a quarter of what would
   matter, because it may still double twice as the step falls; a share of the ground that moved; a
   slope; a height above rounding, as for the study's own responses. */
enum { OF_WATER, OF_FLOWS, OF_GROUND, A_SLOPE, A_HEIGHT };

static const double least_water = 0.25e-3, least_flow = 0.0025, least_ground = 0.01,
                    least_slope = 1e-3, rounding = 1.0 / (1 << 20); /* of the highest height */

/* Entries of a ledger follow each other. */
#define IN_LEDGER(entry)                                                                           \
    offsetof(otok_result, ledger) + offsetof(otok_ledger, entry) - offsetof(otok_ledger, water)
#define RESPONSE(n) offsetof(otok_result, responses) + (n) * sizeof(double)

static const struct compared {
    const char *name;
    int least;
    size_t at; /* of a double in the result */
} results[] = {
    {"water", OF_WATER, IN_LEDGER(water)},
    {"outflow", OF_FLOWS, IN_LEDGER(water_out)},
    {"evaporated", OF_FLOWS, IN_LEDGER(evaporated)},
    {"infiltrated", OF_FLOWS, IN_LEDGER(water_infiltrated)},
    {"to the sea", OF_FLOWS, IN_LEDGER(to_sea)},
    {"eroded", OF_GROUND, RESPONSE(0)},
    {"deposited", OF_GROUND, RESPONSE(1)},
    {"suspended", OF_GROUND, IN_LEDGER(suspended)},
    {"sediment out", OF_GROUND, IN_LEDGER(sediment_out)},
    {"reef", OF_GROUND, IN_LEDGER(reef)},
    {"mean slope", A_SLOPE, RESPONSE(2)},
};

static double value(const otok_result *r, size_t at)
{
    return *(const double *)((const char *)r + at);
}

static double least_of(int kind, const otok_result *r, double highest, double area)
{
    const double came = value(r, IN_LEDGER(water_start)) + value(r, IN_LEDGER(rain)) +
                        value(r, IN_LEDGER(rivers)) + value(r, IN_LEDGER(water_entered)),
                 moved = value(r, RESPONSE(0)) + value(r, RESPONSE(1)) +
                         fabs(value(r, IN_LEDGER(sediment_out)));
    switch (kind) {
    case OF_WATER: return least_water * came;
    case OF_FLOWS: return least_flow * came;
    case OF_GROUND: return fmax(least_ground * moved, rounding * highest * area);
    case A_SLOPE: return least_slope;
    default: return rounding * highest;
    }
}

/* Notes the change of a result if it is the largest so far. Values that are not finite change
   altogether. */
static void note_change(otok_result *r, const char *name, double a, double b, double least)
{
    const double size = fmax(fabs(a), fabs(b));
    double change = size > least ? fabs(a - b) / size : 0;
    if (!isfinite(a) || !isfinite(b)) change = 1;
    if (!(change > r->changed)) return;
    r->changed = change;
    snprintf(r->most, sizeof r->most, "%s", name);
}

void otok_member_compare(otok_result *r, const otok_sample *last, const otok_result *half,
                         const otok_sample *half_last, const otok_study *study, otok_grid g)
{
    const double area = (double)(g.nx * g.ny) * g.spacing * g.spacing;
    r->changed = 0;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const struct compared *c = &results[i];
        note_change(r, c->name, value(r, c->at), value(half, c->at),
                    fmax(least_of(c->least, r, last->highest, area),
                         least_of(c->least, half, half_last->highest, area)));
    }
    const double least = rounding * fmax(last->highest, half_last->highest);
    note_change(r, "ground roughness", last->ground_roughness, half_last->ground_roughness, least);
    note_change(r, "relief", last->relief, half_last->relief, least);
    for (int n = 0; n < study->nresponses; n++)
        if (!isnan(r->own[n]) || !isnan(half->own[n]))
            note_change(r, study->responses[n].name, r->own[n], half->own[n], least);
    if (r->island.form != half->island.form) note_change(r, "form", 1, 0, 0);
    r->verdict = r->changed > r->allowed ? OTOK_STEP_DEPENDENT : OTOK_STABLE;
}

/* ---- the run with half the step ---- */

otok_status otok_member_measure(otok_result *r, otok_kept *kept, const otok_study *study,
                                otok_sim *sim, const otok_ledger *ledger, float *room)
{
    otok_state *state;
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++)
        r->ledger[i] = otok_ledger_value(ledger, i);
    OTOK_TRY(otok_state_of(&state, sim, otok_keep_reads(study), room));
    otok_status status = otok_response_measure(r->responses, sim, state);
    if (status == OTOK_OK) status = otok_response_island(&r->island, sim, state);
    if (status == OTOK_OK)
        status = otok_state_responses(r->own, study->responses, study->nresponses, state);
    if (status == OTOK_OK && kept) status = otok_keep_maps(kept, r, study, sim, state, 1);
    otok_state_end(state);
    return status;
}

typedef struct second {
    const otok_study *study;
    otok_result result;
    otok_sample last;
} second;

static otok_status look(void *user, otok_sim *sim, int *ends)
{
    second *half = user;
    otok_suspects where;
    otok_ledger ledger;
    double moved = 0;
    int64_t not_finite;
    *ends = sim->iteration == sim->end;
    if (!*ends) return OTOK_OK;
    OTOK_TRY(otok_watch_look(&half->last, &where, &ledger, sim, &moved, &not_finite));
    return otok_member_measure(&half->result, NULL, half->study, sim, &ledger, NULL);
}

otok_status otok_member_settle(otok_result *r, const otok_sample *samples, const otok_study *study,
                               const otok_scenario *scenario, const char *backend)
{
    second half = {.study = study};
    const otok_twin_run twin = {.scenario = scenario,
                                .halves = otok_second_run,
                                .backend = backend,
                                .every = INT64_MAX,
                                .look = look,
                                .user = &half};
    if (!otok_member_is_doubtful(r, study, scenario)) return OTOK_OK;
    const otok_status status = otok_twin_run_whole(&twin);
    if (status == OTOK_OK)
        otok_member_compare(r, &samples[r->nsamples - 1], &half.result, &half.last, study,
                            scenario->grid);
    return status == OTOK_DATA ? OTOK_OK : status; /* such a scenario may not exist */
}
