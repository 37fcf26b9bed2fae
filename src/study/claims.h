/* claims.h: which process runs which members of a study. Members are handed out in chunks. A chunk
   is claimed by making a symbolic link that nobody else can make too (also on NFS and Lustre), and
   that is never there in part: DIRECTORY/claims/SHARD-CHUNK.1, whose target is the name of its
   holder's lease (lease.h). A chunk whose holder is gone is claimed by making SHARD-CHUNK.2, and so
   on: claims are never changed, so that two processes that find the same holder gone cannot both
   have its chunk. What claims forbid is only work done twice. */
#ifndef OTOK_STUDY_CLAIMS_H
#define OTOK_STUDY_CLAIMS_H

#include "lease.h"

typedef struct otok_claims {
    char folder[4200], shard[64];
    int64_t n; /* chunks; one more stands for the writing of study.h5 */
    struct otok_claim *all;
    otok_leases seen;
    otok_lease lease;
} otok_claims;

/* Makes a list of chunks; writes nothing. */
otok_status otok_claims_create(otok_claims *claims, const char *directory, const char *shard,
                               int64_t chunks);

/* Looks at claims and leases anew: at first, and when there is nothing left that is free. */
otok_status otok_claims_look(otok_claims *claims);
int otok_claims_running(
    const otok_claims *claims); /* other processes that ran members at the last look */

/* Is a chunk another's, as far as is known? */
int otok_claims_is_held(otok_claims *claims, int64_t chunk);

/* Joins those who work here, by a name that nobody else has: OTOK_LEASE_RUNNING, or FINISHED to
 * write study.h5 only. */
otok_status otok_claims_join(otok_claims *claims, const char *name, int state);

/* Takes a chunk, or finds that it has it already: *mine 1. Another has it: 0. */
otok_status otok_claims_take(otok_claims *claims, int64_t chunk, int *mine);

/* No more members are run here. Are other processes running some? */
otok_status otok_claims_finish(otok_claims *claims, int *others);

/* Waits until this process alone may write study.h5, to the end of its lease. */
otok_status otok_claims_wait_to_write(otok_claims *claims);

/* Leaves; the last to leave removes the folder of claims. Accepts zeros but for lease.file, which
 * is -1. */
void otok_claims_destroy(otok_claims *claims);

#endif
