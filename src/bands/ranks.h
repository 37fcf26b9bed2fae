/* ranks.h: the processes (ranks) of one run, which carry its bands together. MPI starts them.
   Rank 0 is the program; the others carry out its orders (backend.c). In a build without MPI,
   and in a program that MPI did not start, there is one rank and these calls do nothing. One
   thread of each rank makes the calls. */
#ifndef OTOK_RANKS_H
#define OTOK_RANKS_H

#include "../otok.h"

#include <stddef.h>
#include <stdint.h>

/* To be called first. `apart`: this command makes each rank a program of its own; if the ranks
   disagree, all of them end. OTOK_USAGE: a launcher has started several processes that cannot find
   each other. */
otok_status otok_ranks_begin(int apart);

/* The number of processes that a launcher has started, by the variable that it has set; 0: it does
   not tell; 1: also if there is no launcher. */
long otok_ranks_expected(const char **variable);

/* OTOK_USAGE, because of `why`, if they are several. */
otok_status otok_ranks_refuse(const char *why);

/* Ends all ranks at once if this one ends with an error that the others have not agreed on. Called
   last, with the exit code. */
void otok_ranks_end(int code);

/* Is rank 0 known to be gone? Signal handlers may call it. */
int otok_ranks_first_is_gone(void);

/* With `apart` 1 each rank becomes a program of its own, where otok_ranks() is 1 and otok_rank()
   0. With 0 that ends. */
void otok_ranks_part(int apart);

int otok_ranks(void);      /* how many, at least 1 */
int otok_rank(void);       /* which of them this is */
int otok_ranks_here(void); /* ranks on this machine; which of those this is */
int otok_rank_here(void);

/* Copies rank 0's bytes to all ranks. */
void otok_ranks_broadcast(void *bytes, size_t n);

/* Returns the worst status of all ranks, with its text, on every rank. */
otok_status otok_ranks_agree(otok_status mine);

/* Adds up integers over all ranks. Every rank gets the sums. */
void otok_ranks_add(int64_t *values, int n);

/* Bytes from one rank to another. Both ranks call. */
void otok_ranks_send(int to, const void *bytes, size_t n);
void otok_ranks_receive(int from, void *bytes, size_t n);

/* A message of an exchange, in which all messages go at the same time; `tag` distinguishes those
   between two ranks. */
typedef struct otok_message {
    int peer, tag, sends;
    void *bytes;
    size_t n;
} otok_message;

otok_status otok_ranks_exchange(otok_message *messages, int n);

/* Whether messages may lie in memory of a CUDA device: if the MPI library says so, or the
   environment variable OTOK_MPI_DEVICE_MEMORY (1: yes, 0: no), for libraries that do not say. */
int otok_ranks_reach_devices(void);

#endif
