/* lease.h: who works on a study. Each process has a small file in DIRECTORY/claims, its lease, and
   renews it every few seconds. Others judge by the lease whether the process is gone:
   - a process of the same boot of the same machine is gone if the lock on its lease is free: the
   kernel frees it;
   - any other is gone if its lease has not been renewed for a minute, by the clock of the file
   system.
   A wrong judgement costs double work, never a wrong result. */
#ifndef OTOK_STUDY_LEASE_H
#define OTOK_STUDY_LEASE_H

#include "../otok.h"

#include <pthread.h>
#include <time.h>

enum {
    OTOK_LEASE_RUNNING,
    OTOK_LEASE_FINISHED,
    OTOK_LEASE_GONE
}; /* finished: runs no more members, but still holds its lease */
enum { OTOK_LEASE_NAME = 128 };

/* What others see of a process. */
typedef struct otok_lease_seen {
    char name[OTOK_LEASE_NAME], host[65];
    int state;
    int64_t results; /* results in its journal */
} otok_lease_seen;

typedef struct otok_leases {
    otok_lease_seen *all;
    int n;
} otok_leases;

/* A process' own lease. */
typedef struct otok_lease {
    char folder[4200], name[OTOK_LEASE_NAME];
    int file; /* -1: none */
    int state, ends;
    int64_t results;
    otok_leases known; /* the results of all processes at the last reading */
    int64_t elsewhere; /* results that others have added to their journals since then; written by
                          the thread that renews */
    int others;        /* processes that now run members of the same shard; written likewise */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wakes;
} otok_lease;

/* Begins a lease of this name. Makes the folder if it is missing. */
otok_status otok_lease_begin(otok_lease *lease, const char *folder, const char *name, int state);
otok_status otok_lease_finish(otok_lease *lease); /* all others know it when this returns */
void otok_lease_count(otok_lease *lease, int64_t results); /* others see the number soon */
void otok_lease_set_known(
    otok_lease *lease,
    const otok_leases *seen); /* from now on `elsewhere` counts results beyond these */
void otok_lease_elsewhere(otok_lease *lease, int64_t *results, int *others);
void otok_lease_end(otok_lease *lease); /* accepts a lease that did not begin */

/* Reads all leases of a folder except one's own. Without one's own (NULL, or not begun) the age of
 * others cannot be judged. A missing folder has no leases. */
otok_status otok_leases_read(otok_leases *out, const char *folder, const otok_lease *own);
const otok_lease_seen *otok_leases_find(const otok_leases *leases,
                                        const char *name); /* NULL: no such lease */
void otok_leases_destroy(otok_leases *leases);

#endif
