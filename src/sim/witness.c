/* witness.c: see watch.h. */
#include "watch.h"

#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"

#include <stdlib.h>
#include <string.h>

typedef struct otok_witness {
    otok_watcher watcher; /* the first */
    otok_judge judge;
    otok_audit audit;
    int begun;            /* the state before the first sample is known */
    int64_t iteration;    /* of the state that the last run left ... */
    uint64_t fingerprint; /* ... and its fingerprint, if it is within a window of the audit */
} otok_witness;

static otok_witness *witness_of(const otok_sim *sim)
{
    return (otok_witness *)sim->watcher;
}

static void destroy(otok_sim *sim)
{
    otok_audit_destroy(&witness_of(sim)->audit);
    free(witness_of(sim));
    sim->watcher = NULL;
}

static otok_status begin(otok_witness *w, otok_sim *sim)
{
    w->begun = 0;
    otok_audit_destroy(&w->audit);
    OTOK_TRY(otok_watch_begin(&w->judge, sim));
    OTOK_TRY(otok_audit_create(&w->audit, sim, NULL, -1));
    w->begun = 1;
    return OTOK_OK;
}

/* Was a parameter changed that the scenario does not change itself? Its twin knows nothing of that.
 */
static int is_changed(const otok_sim *sim)
{
    const otok_scenario *root = sim->root;
    int same = sim->nchanges == root->nchanges;
    for (int i = 0; i < root->nchanges && same; i++)
        same = strcmp(sim->changes[i].after, root->changes[i].after) == 0;
    return !same;
}

/* Ends what no longer holds: a window whose state was set since the last run, and the audit of a
   simulation whose parameters were changed. */
static otok_status resume(otok_witness *w, otok_sim *sim)
{
    otok_ledger ledger;
    uint64_t fingerprint = w->fingerprint;
    if (w->audit.open) OTOK_TRY(otok_sim_measure(sim, &ledger, &fingerprint));
    if (fingerprint != w->fingerprint) otok_audit_pass(&w->audit, &w->judge);
    if (!is_changed(sim)) return OTOK_OK;
    otok_audit_destroy(&w->audit);
    memset(w->judge.shown, 0, sizeof w->judge.shown); /* with other values */
    return OTOK_OK;
}

static otok_status leave(otok_witness *w, otok_sim *sim)
{
    otok_ledger ledger;
    w->iteration = sim->iteration;
    return w->audit.open ? otok_sim_measure(sim, &ledger, &w->fingerprint) : OTOK_OK;
}

/* Runs to the next iteration at which a sample or the audit is due, n iterations at most. */
static otok_status advance(otok_witness *w, otok_sim *sim, int64_t n,
                           otok_status (*go)(otok_sim *, int64_t))
{
    OTOK_TRY(otok_audit_open(&w->audit, &w->judge));
    OTOK_TRY(go(sim, otok_least(n, otok_least(otok_watch_due(sim), otok_audit_until(&w->audit)))));
    OTOK_TRY(otok_audit_close(&w->audit, &w->judge));
    if (!otok_watch_is_due(sim)) return OTOK_OK;
    OTOK_TRY(otok_sim_wait(sim));
    const otok_status status = otok_watch_take(&w->judge, sim);
    if (status == OTOK_DATA) otok_audit_destroy(&w->audit);
    return status == OTOK_DATA ? OTOK_OK : status;
}

static otok_status run(otok_sim *sim, int64_t n, otok_status (*go)(otok_sim *, int64_t))
{
    otok_witness *w = witness_of(sim);
    if (n <= 0 || sim->iteration >= sim->end) return go(sim, n);
    OTOK_TRY(w->begun && sim->iteration == w->iteration ? resume(w, sim) : begin(w, sim));
    while (n > 0 && sim->iteration < sim->end) {
        const int64_t before = sim->iteration;
        OTOK_TRY(advance(w, sim, n, go));
        n -= sim->iteration - before;
    }
    return leave(w, sim);
}

static otok_status book(otok_sim *sim, int buffer, const float *map)
{
    otok_witness *w = witness_of(sim);
    if (!w->begun || sim->iteration != w->iteration) return otok_sim_raise(sim, buffer, map);
    OTOK_TRY(resume(w, sim));
    OTOK_TRY(otok_audit_raise(&w->audit, &w->judge, buffer, map));
    return leave(w, sim);
}

otok_status otok_sim_watch(otok_sim *sim)
{
    OTOK_TRY(OTOK_GIVEN(sim));
    if (sim->watcher) return OTOK_OK;
    otok_witness *w = calloc(1, sizeof *w);
    if (!w) return OTOK_FAIL(OTOK_NOMEM, "no memory for a verdict");
    w->watcher = (otok_watcher){run, book, destroy};
    sim->watcher = &w->watcher;
    return OTOK_OK;
}

/* Says whether it may be the caller who changed what the ledger cannot explain. */
static otok_status name_unbooked(otok_diagnosis *out, otok_sim *sim)
{
    otok_ledger ledger;
    uint64_t unused;
    OTOK_TRY(otok_sim_measure(sim, &ledger, &unused));
    const otok_lost lost = otok_unbooked(sim, &ledger, (otok_lost_kind)out->lost_kind);
    if (lost.kind == OTOK_LOST_NOTHING) return OTOK_OK;
    out->lost_kind = (int64_t)lost.kind;
    out->lost = lost.by;
    out->lost_of = lost.of;
    return OTOK_OK;
}

otok_status(otok_sim_diagnose)(otok_sim *sim, otok_diagnosis *out, size_t size)
{
    OTOK_TRY(OTOK_GIVEN(sim, out));
    OTOK_ROUNDING;
    const otok_witness *w = witness_of(sim);
    if (!w)
        return OTOK_FAIL(OTOK_USAGE, "the simulation is not watched, so it has no verdict; call "
                                     "otok_sim_watch before its first iteration");
    otok_judge judge = {0};
    if (w->begun && w->iteration == sim->iteration) judge = w->judge;
    otok_status status = OTOK_OK;
    if (judge.cells > 0 && sim->iteration > (judge.samples ? judge.last : judge.since))
        status = otok_watch_take(&judge, sim);
    OTOK_TRY(status == OTOK_DATA ? OTOK_OK : status);
    otok_diagnosis all = otok_judge_diagnosis(&judge, sim->scenario->grid.nx);
    if (all.verdict == OTOK_NON_CONSERVATIVE && sim->is_handed) OTOK_TRY(name_unbooked(&all, sim));
    otok_sized_copy(out, size, &all, sizeof all);
    return OTOK_OK;
}

void otok_witness_save(const otok_sim *sim, otok_snapshot *out)
{
    const otok_witness *w = witness_of(sim);
    if (!w || !w->begun || w->iteration != sim->iteration) return;
    out->watched = 1;
    out->judge = w->judge;
}

otok_status otok_witness_load(otok_sim *sim, const otok_snapshot *from)
{
    otok_witness *w = witness_of(sim);
    sim->is_handed = 0; /* before, which is gone */
    if (!w) return OTOK_OK;
    otok_audit_destroy(&w->audit);
    w->begun = from->watched;
    w->judge = from->judge;
    w->iteration = sim->iteration;
    return w->begun ? otok_audit_create(&w->audit, sim, &w->judge, -1) : OTOK_OK;
}
