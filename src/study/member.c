/* member.c: see member.h. */
#include "member.h"

#include "../core/status.h"
#include "../scenario/scenario_audit.h"
#include "../sim/detect.h"
#include "../sim/island.h"
#include "keep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Do sweeps of the seabed follow other processes that move the ground? They level under water
   alone, so that the ground keeps what it was when the sea left it; and single sweeps may leave
   checkerboards, which pairs of sweeps do not. Water without a capacity moves none. */
static int is_swept(const otok_scenario *s)
{
    for (int p = 0; p < s->nphases; p++) {
        const int has = s->phases[p].processes,
                  other = has & ~(OTOK_SEABED | OTOK_RAIN | OTOK_BEYOND_SIDES | OTOK_MAXIMA |
                                  (s->phases[p].hydraulic.capacity > 0 ? 0 : OTOK_HYDRAULIC));
        if (has & OTOK_SEABED && other) return 1;
    }
    return 0;
}

/* Does the result rest on what no window compares? Depths, if there are responses, which may be
   about them; forms of reefs; where rivers are; flooded areas that grow much more than depths, and
   outflow that is little beside what stands; the course of a run in which waves are swept a few
   times, or the seabed beside other processes; and rounding. */
static int is_open(const otok_result *r, const otok_study *study, const otok_sim *sim,
                   const otok_judge *judge, const otok_ledger *ledger)
{
    const double doubt = otok_judge_doubt(judge, 1),
                 least = study->nresponses ? OTOK_DOUBT_LEAST : OTOK_DOUBT_FLOWS;
    const int depth = judge->swing.most > OTOK_SWINGS || 0.5 * r->fed > r->allowed,
              left = ledger->water_out > OTOK_DOUBT_OUT * otok_water_came(ledger) &&
                     r->audit_speed * ledger->water > r->allowed * ledger->water_out;
    return left || (study->nresponses && depth) || otok_form_lead(&r->island) < OTOK_FORM_LEAD ||
           otok_scenario_has(sim->root, OTOK_INCISION) || doubt * r->verge >= least ||
           (otok_scenario_swept(sim->root) && otok_scenario_sweeps(sim->root) < OTOK_FEW_SWEEPS) ||
           is_swept(sim->root) ||
           fabs(ledger->ground_rounded) > OTOK_LOST_SHARE * ledger->ground_moved;
}

otok_status otok_member_conclude(otok_result *r, otok_kept *kept, unsigned char **rivers,
                                 const otok_study *study, otok_sim *sim, const otok_judge *judge,
                                 const otok_ledger *ledger, float *room)
{
    r->time = otok_sim_time(sim);
    OTOK_TRY(otok_member_measure(r, kept, rivers, study, sim, ledger, room));
    const otok_diagnosis f = otok_judge_diagnosis(judge, sim->scenario->grid.nx);
    r->verdict = f.verdict;
    r->first = f.first;
    r->cell_x = f.cell_x;
    r->cell_y = f.cell_y;
    r->cells = f.cells;
    r->audit_speed = f.audit_speed;
    r->audit_ground = f.audit_ground;
    r->audit_sediment = f.audit_sediment;
    r->audit_sweeps = f.audit_sweeps;
    r->doubt = otok_judge_doubt(judge, study->nresponses || f.doubt >= OTOK_DOUBT_FLOWS);
    r->proof = f.proof;
    r->allowed = otok_judge_change(judge);
    if (judge->audits > 0 && r->doubt < OTOK_DOUBT_LEAST && is_open(r, study, sim, judge, ledger))
        r->doubt = OTOK_DOUBT_LEAST;
    r->rough_start = judge->rough_start;
    return OTOK_OK;
}

static otok_status run_samples(otok_result *r, otok_sample **samples, unsigned char **rivers,
                               const otok_study *study, otok_sim *sim, otok_detector *detector,
                               otok_kept *kept)
{
    const int64_t every = study->every, end = sim->end, most = (end + every - 1) / every;
    otok_judge *judge = &detector->judge;
    otok_suspects where;
    otok_ledger ledger;
    *samples = malloc((size_t)(most ? most : 1) * sizeof **samples);
    if (!*samples)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for %lld samples of a member", (long long)most);
    while (r->iterations < end) {
        const int64_t left = end - r->iterations;
        otok_sample *sample = &(*samples)[r->nsamples];
        OTOK_TRY(
            otok_detector_advance(detector, left < every ? left : every, sample, &where, &ledger));
        r->nsamples++;
        r->iterations = otok_sim_iteration(sim);
        otok_judge_note(judge, sample, &where);
        if (otok_keep_due(study, sim)) OTOK_TRY(otok_keep_now(kept, r, study, sim, NULL));
        if (judge->seen[OTOK_DIVERGED].held) break;
    }
    OTOK_TRY(otok_sim_measure(sim, &ledger, &r->fingerprint));
    OTOK_TRY(otok_member_conclude(r, kept, rivers, study, sim, judge, &ledger, NULL));
    return otok_kept_join(kept, r, samples);
}

static otok_status simulate(otok_result *r, otok_sample **samples, unsigned char **rivers,
                            const otok_scenario *scenario, const otok_study *study,
                            const char *backend)
{
    otok_sim *sim;
    otok_detector detector;
    otok_audit audit;
    otok_kept kept = {0};
    OTOK_TRY(otok_sim_create(&sim, scenario, backend));
    otok_status status = otok_audit_create(&audit, sim, NULL, -1);
    audit.of_member = 1;
    if (status == OTOK_OK)
        status = otok_detector_create(&detector, sim, &audit, audit.windows.n ? r->slow : 0);
    if (status == OTOK_OK) {
        status = run_samples(r, samples, rivers, study, sim, &detector, &kept);
        otok_detector_destroy(&detector);
    }
    free(kept.bytes);
    otok_audit_destroy(&audit);
    otok_sim_destroy(sim);
    return status;
}

/* Writes the cause without the folders of this machine, so that a result does not depend on where
   it was computed. */
static void store_cause(otok_result *r, const otok_study *study)
{
    const char *why = otok_why(), *slash = strrchr(study->scenario, '/');
    const size_t folder = slash ? (size_t)(slash - study->scenario) + 1 : 0;
    size_t n = 0;
    while (*why && n < sizeof r->cause - 1) {
        if (folder && strncmp(why, study->scenario, folder) == 0)
            why += folder;
        else
            r->cause[n++] = *why++;
    }
    r->cause[n] = 0;
}

/* Nothing is known of what a run shows. */
static void forget_run(otok_result *r)
{
    r->first = r->cell_x = r->cell_y = r->cells = -1;
    r->audit_speed = r->audit_ground = r->audit_sediment = r->audit_sweeps = r->doubt = r->changed =
        r->rivers = r->reversed = NAN;
    r->growth[0] = r->growth[1] = r->growth[2] = NAN;
    r->island = otok_no_island;
}

void otok_member_begin(otok_result *r, int64_t row)
{
    memset(r, 0, sizeof *r);
    forget_run(r);
    r->row = row;
    r->verdict = -1;
    r->margin = r->rough_start = NAN;
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++)
        r->ledger[i] = NAN;
    for (int n = 0; n < OTOK_RESPONSES; n++)
        r->responses[n] = NAN;
    for (int n = 0; n < OTOK_MAX_RESPONSES; n++)
        r->own[n] = NAN;
}

void otok_member_fail(otok_result *r, const otok_study *study, otok_status status)
{
    store_cause(r, study);
    r->verdict = status == OTOK_DATA || status == OTOK_USAGE ? OTOK_REFUSED : -1;
    r->failed = r->verdict < 0;
    forget_run(r);
    r->nsamples = r->iterations = 0;
    memset(r->kept, 0, sizeof r->kept);
    memset(r->most, 0, sizeof r->most);
    memset(r->most_reversed, 0, sizeof r->most_reversed);
    r->fingerprint = 0;
}

int otok_result_number_at(otok_result_number *out, int i)
{
#define AT(member) offsetof(otok_result, member)
    static const otok_result_number own[] = {
#define OTOK_NUMBER(name, unit, meaning, member, is_int) {#name, unit, meaning, AT(member), is_int},
#include "numbers.def"
    };
    const int n = (int)(sizeof own / sizeof *own);
    if (i < n) {
        *out = own[i];
        return 1;
    }
    i -= n;
    *out = (otok_result_number){.unit = "m3"};
    if (i < OTOK_RESPONSES) {
        const otok_sample_info *info = &otok_response_infos[i];
        snprintf(out->name, sizeof out->name, "%s", info->name);
        out->unit = info->unit;
        out->long_name = info->long_name;
        out->offset = AT(responses) + (size_t)i * sizeof(double);
        return 1;
    }
    i -= OTOK_RESPONSES;
    if (i >= OTOK_LEDGER_ENTRIES) return 0;
    snprintf(out->name, sizeof out->name, "ledger_%s", otok_ledger_at(i)->name);
    out->long_name = otok_ledger_at(i)->help;
    out->offset = AT(ledger) + (size_t)i * sizeof(double);
    return 1;
#undef AT
}

otok_status otok_member_run(otok_result *r, otok_sample **samples, const otok_study *study,
                            int64_t row, const char *backend)
{
    otok_scenario *scenario = NULL;
    unsigned char *rivers = NULL;
    *samples = NULL;
    otok_member_begin(r, row);
    otok_status status = otok_study_member(&scenario, study, row);
    if (status == OTOK_OK) {
        otok_member_predict(r, scenario);
        status = simulate(r, samples, &rivers, scenario, study, backend);
    }
    if (status == OTOK_OK) status = otok_member_rerun(r, *samples, study, scenario, backend);
    if (status == OTOK_OK)
        status = otok_member_settle(r, *samples, rivers, study, scenario, backend);
    free(rivers);
    otok_scenario_destroy(scenario);
    if (status != OTOK_OK) otok_member_fail(r, study, status);
    return OTOK_OK;
}
