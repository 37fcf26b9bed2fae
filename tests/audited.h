/* audited.h: a run with its audit, whole, in pieces, or continued from a checkpoint. */
#ifndef OTOK_AUDITED_H
#define OTOK_AUDITED_H

#include "scene.h"
#include "sim/audit.h"

/* Runs a scenario with its audit in pieces of `most` iterations, and, if `from` is not 0, continues
   in a new simulation there. */
static inline otok_judge audited(const char *text, const char *backend, int64_t most, int64_t from,
                                 uint64_t *fingerprint)
{
    otok_scenario *s = scene_load(text, NULL, 0);
    const int64_t end = otok_scenario_iterations(s);
    otok_judge judge = {.until = (double)end};
    otok_sim *sim = scene_sim(s, backend);
    otok_audit audit;
    for (int part = from ? 0 : 1; part < 2; part++) {
        const int64_t upto = part ? end : from;
        MUST(otok_audit_create(&audit, sim, &judge, -1));
        while (otok_sim_iteration(sim) < upto)
            MUST(otok_audit_run(&audit, &judge, otok_least(upto - otok_sim_iteration(sim), most)));
        otok_audit_destroy(&audit);
        if (part) break;
        otok_sim *const next = scene_resume(sim, s, backend);
        otok_sim_destroy(sim);
        sim = next;
    }
    *fingerprint = scene_fingerprint(sim);
    scene_destroy(sim, s);
    return judge;
}

#endif
