/* watch.h: takes samples of a run, and judges them with the detectors and thresholds of studies.
   Samples change nothing, and keep no map of the previous sample. The scenario alone determines the
   iterations of the samples, so that a resumed run takes the same samples as an uninterrupted
   one. */
#ifndef OTOK_WATCH_H
#define OTOK_WATCH_H

#include "detect.h"

/* Takes the present state as the state before the first sample. */
otok_status otok_watch_begin(otok_judge *judge, otok_sim *sim);

/* The number of iterations until the next sample, at least 1. The scenario ends with a sample. */
int64_t otok_watch_due(const otok_sim *sim);

/* Is a sample due at the present iteration? */
int otok_watch_is_due(const otok_sim *sim);

/* The sample and the ledger, without layers, of the present state; *moved: see
   otok_diagnostics_sample. */
otok_status otok_watch_look(otok_sample *out, otok_suspects *where, otok_ledger *ledger,
                            otok_sim *sim, double *moved);

/* Takes a sample; only if one is due. OTOK_DATA: a value is not finite; the judge has the sample.
 */
otok_status otok_watch_take(otok_judge *judge, otok_sim *sim);
otok_status otok_watch_sample(otok_judge *judge, otok_sim *sim);

/* ---- witness.c: watches a simulation that a program runs itself (otok_sim_watch), with the
   samples and the audit of otok_run. The program may set values, change parameters or go elsewhere
   between two calls; the witness finds that out when the simulation next runs. ---- */

/* What a checkpoint has of it; and what it has of a checkpoint from which the simulation goes on.
   Both do nothing if nobody watches. */
void otok_witness_save(const otok_sim *sim, otok_snapshot *out);
otok_status otok_witness_load(otok_sim *sim, const otok_snapshot *from);

#endif
