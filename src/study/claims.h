/* claims.h: which process runs which members of a study. Members are handed out in chunks. A
 * process claims a chunk by a symbolic link, DIRECTORY/claims/SHARD-CHUNK.1, whose target is the
 * name of its lease (lease.h). Only one process can make a link of this name, also on NFS and
 * Lustre, and a link is never there in part. If the holder of a chunk is gone, another process
 * claims the chunk by SHARD-CHUNK.2, and so on. A claim never changes, so two processes that find
 * the same holder gone cannot both get its chunk. Claims only avoid double work; results do not
 * depend on them. */
#ifndef OTOK_STUDY_CLAIMS_H
#define OTOK_STUDY_CLAIMS_H

#include "lease.h"

typedef struct otok_claims {
    char folder[4200], shard[64];
    int64_t n; /* number of chunks; one more stands for the writing of study.h5 */
    struct otok_claim *all;
    otok_leases seen;
    otok_lease lease;
} otok_claims;

/* Makes a list of chunks; writes nothing. */
otok_status otok_claims_create(otok_claims *claims, const char *directory, const char *shard,
                               int64_t chunks);

/* Reads claims and leases again. Call it first, and whenever no free chunk is left. */
otok_status otok_claims_update(otok_claims *claims);
int otok_claims_running(
    const otok_claims *claims); /* other processes that ran members at the last reading */

/* Does another process hold the chunk, as far as is known? */
int otok_claims_is_held(otok_claims *claims, int64_t chunk);

/* Begins a lease under a name that no other process has. State: OTOK_LEASE_RUNNING, or
 * OTOK_LEASE_FINISHED only to write study.h5. */
otok_status otok_claims_join(otok_claims *claims, const char *name, int state);

/* Claims a chunk. *mine: 1 if this process now has it, 0 if another has. */
otok_status otok_claims_take(otok_claims *claims, int64_t chunk, int *mine);

/* Announces that this process runs no more members. *others: the number of processes that still
   do. */
otok_status otok_claims_finish(otok_claims *claims, int *others);

/* Waits until only this process may write study.h5. It may do so until its lease ends. */
otok_status otok_claims_wait_to_write(otok_claims *claims);

/* Ends the lease. The last process removes the folder of claims. Accepts a zeroed struct with
   lease.file -1. */
void otok_claims_destroy(otok_claims *claims);

#endif
