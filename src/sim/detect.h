/* detect.h: the detectors of a study. They take a sample of a simulation every so many iterations.
   Sums are integers and an extreme takes the first cell, so a sample does not depend on threads or
   on the memory layout. Detectors change nothing. */
#ifndef OTOK_CORE_DETECT_H
#define OTOK_CORE_DETECT_H

#include "../core/diagnostics.h"
#include "audit.h"

#include "../core/verdict.h"

/* The request for the diagnostics of the present state, without pointers to maps. */
void otok_diagnostics_prepare(otok_diagnostics_maps *out, const otok_sim *sim);

/* Turns diagnostics into a sample. *moved is the largest amount so far of sediment in the water and
   gone over edges [m^3]. The caller keeps it from sample to sample and begins with 0. */
void otok_diagnostics_sample(otok_sample *out, otok_suspects *where, const otok_sim *sim,
                             const otok_diagnostics *diagnostics, const otok_ledger *ledger,
                             double *moved);

/* The judge of a run that begins in the present state, which has these diagnostics. `slow`: of an
   audited run otok_predict_slow, else 0. */
otok_judge otok_judge_begin(const otok_sim *sim, const otok_diagnostics *diagnostics, double slow);

typedef struct otok_detector {
    otok_sim *sim;
    otok_audit *audit;
    float *before; /* the memory of all: see otok_diagnostics_maps */
    float *water_before, *walls, *room;
    float *maps[OTOK_STORED]; /* of the simulation's fields */
    otok_judge judge; /* of the state before the first sample, see otok_judge_begin, with the audit
                         since then */
} otok_detector;

/* Takes the present state of the simulation as the state before the first sample. */
otok_status otok_detector_create(otok_detector *out, otok_sim *sim, otok_audit *audit, double slow);
void otok_detector_destroy(otok_detector *detector);

/* Runs n >= 1 iterations and takes a sample and its ledger, without layers. */
otok_status otok_detector_advance(otok_detector *detector, int64_t n, otok_sample *out,
                                  otok_suspects *where, otok_ledger *ledger);

/* All water that there was at the start and that came, but for what displace_water made. */
double otok_water_came(const otok_ledger *ledger);

/* What the ledger cannot explain after maps were set or lent, if that, not what `known` names,
   makes a run non_conservative; else OTOK_LOST_NOTHING. */
otok_lost otok_unbooked(const otok_sim *sim, const otok_ledger *ledger, otok_lost_kind known);

#endif
