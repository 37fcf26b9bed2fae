/* ranks.h: the processes of one run, which carry its bands together: those that MPI started, or
   one. Rank 0 is the program; the others do what it tells them (backend.c). Without MPI in the
   build, or not started by it, there is one rank, and all this does nothing. Calls are made by one
   thread of each rank. */
#ifndef OTOK_RANKS_H
#define OTOK_RANKS_H

#include "../otok.h"

#include <stddef.h>
#include <stdint.h>

int otok_ranks_begin(void); /* to be called first; returns otok_rank() */

/* From now on each rank is a program of its own, for which otok_ranks() is 1 and otok_rank() 0; or,
 * `apart` 0, no longer. */
void otok_ranks_part(int apart);

int otok_ranks(void);      /* how many, at least 1 */
int otok_rank(void);       /* which of them this is */
int otok_ranks_here(void); /* on this machine, and which of those */
int otok_rank_here(void);

/* Gives rank 0's bytes to all. */
void otok_ranks_tell(void *bytes, size_t n);

/* The worst status of all ranks, with its text, on all. */
otok_status otok_ranks_agree(otok_status mine);

/* Adds up integers over all ranks, on all. */
void otok_ranks_add(int64_t *values, int n);

/* Bytes from one rank to another, which both call. */
void otok_ranks_send(int to, const void *bytes, size_t n);
void otok_ranks_receive(int from, void *bytes, size_t n);

/* Messages that go at the same time; `tag` tells those between two ranks apart. */
typedef struct otok_message {
    int peer, tag, sends;
    void *bytes;
    size_t n;
} otok_message;

otok_status otok_ranks_exchange(otok_message *messages, int n);

#endif
