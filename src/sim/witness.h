/* witness.h: watches a simulation that a program runs itself (otok_sim_watch), with the samples and
   the audit of otok_run (watch.h, audit.h). The program may set values, change parameters or go
   elsewhere between two calls; the witness finds that out when the simulation next runs. */
#ifndef OTOK_WITNESS_H
#define OTOK_WITNESS_H

#include "watch.h"

/* What a checkpoint has of it; and what it has of a checkpoint from which the simulation goes on.
   Both do nothing if nobody watches. */
void otok_witness_save(const otok_sim *sim, otok_snapshot *out);
otok_status otok_witness_load(otok_sim *sim, const otok_snapshot *from);

#endif
