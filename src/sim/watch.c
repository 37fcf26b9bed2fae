/* watch.c: see watch.h. A sample costs about as much as an iteration, so samples are far apart. */
#include "watch.h"

#include "../core/status.h"
#include "site.h"

enum { LOOKS = 64, APART = 200 };

static int64_t sample_interval(const otok_sim *sim)
{
    const int64_t apart = (sim->end + LOOKS - 1) / LOOKS;
    return apart > APART ? apart : APART;
}

static otok_status diagnose(otok_diagnostics_result *found, otok_sim *sim)
{
    otok_diagnostics_request request = {.patch = otok_sim_patch(sim), .fields = sim->fields};
    otok_diagnostics_prepare(&request.maps, sim);
    OTOK_TRY(sim->backend->diagnose(otok_sim_patch(sim), &request));
    *found = request.found;
    return OTOK_OK;
}

/* See otok_judge. Only a reef has slow limits, and ground that uplift raises. */
static double slow_margin(otok_sim *sim)
{
    const otok_scenario *s = sim->root;
    if (!otok_scenario_has(s, OTOK_REEF_GROWTH | OTOK_UPLIFT) || !otok_scenario_audit(s).n)
        return 0;
    otok_site site;
    const char *name;
    otok_site_of_sim(&site, sim);
    return otok_predict_slow(&name, s, &site);
}

otok_status otok_watch_begin(otok_judge *judge, otok_sim *sim)
{
    otok_diagnostics_result found;
    OTOK_TRY(diagnose(&found, sim));
    *judge = otok_judge_begin(sim, &found.diagnostics, slow_margin(sim));
    if (!judge->audits)
        judge->audits = 1; /* a run alone is never stable unseen; a member of a
                              study asks what its samples show */
    return OTOK_OK;
}

int64_t otok_watch_due(const otok_sim *sim)
{
    const int64_t n = sim->iteration, next = (n / sample_interval(sim) + 1) * sample_interval(sim);
    return (next < sim->end ? next : sim->end) - n;
}

int otok_watch_is_due(const otok_sim *sim)
{
    return sim->iteration == sim->end || sim->iteration % sample_interval(sim) == 0;
}

otok_status otok_watch_look(otok_sample *out, otok_suspects *where, otok_ledger *ledger,
                            otok_sim *sim, double *moved)
{
    otok_diagnostics_result found;
    OTOK_TRY(diagnose(&found, sim));
    otok_sim_balance(sim, &found, ledger);
    otok_diagnostics_sample(out, where, sim, &found.diagnostics, ledger, moved);
    return OTOK_OK;
}

otok_status otok_watch_take(otok_judge *judge, otok_sim *sim)
{
    otok_sample sample;
    otok_suspects where;
    otok_ledger ledger;
    const int64_t nx = sim->scenario->grid.nx, before = judge->last;
    OTOK_TRY(otok_watch_look(&sample, &where, &ledger, sim, &judge->moved));
    otok_judge_note(judge, &sample, &where);
    if (!ledger.not_finite) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "iteration %lld (phase %s): %lld values are no longer finite, and after "
                     "iteration %lld all were; the first stands in cell (%lld, %lld); the "
                     "checkpoints before it stay. Lower dt or the rates",
                     (long long)sim->iteration, otok_sim_phase(sim), (long long)ledger.not_finite,
                     (long long)before, (long long)(where.not_finite % nx),
                     (long long)(where.not_finite / nx));
}

otok_status otok_watch_sample(otok_judge *judge, otok_sim *sim)
{
    return otok_watch_is_due(sim) ? otok_watch_take(judge, sim) : OTOK_OK;
}
