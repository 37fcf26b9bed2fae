/* ranks_mpi.c: see ranks.h; over MPI. A program that no MPI launcher started does not initialise
   MPI, which would only take time. */
#include "ranks.h"

#include "../core/status.h"

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PIECE = 1 << 30,
    TAG = 1 << 14
}; /* MPI counts with int; tags of otok_ranks_exchange are below */

static int size = 1, rank, here = 1, rank_here, initialised;
static int agreed;  /* all ranks know of the same failure */
static pid_t first; /* the process of rank 0, if it is on this machine */

static void finish(void)
{
    if (initialised) MPI_Finalize();
}

/* Ranks of unlike commands would wait for each other for ever. */
static void check_alike(int apart)
{
    int kinds[2] = {apart, !apart};
    MPI_Allreduce(MPI_IN_PLACE, kinds, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (!kinds[0] || !kinds[1]) return;
    if (rank == 0)
        fputs("otok: the ranks of one mpirun have different commands, of which `study` is one; "
              "start it with an mpirun of its own\n",
              stderr);
    MPI_Abort(MPI_COMM_WORLD, otok_exit_code(OTOK_USAGE));
}

static void find_first(MPI_Comm machine)
{
    int lowest[2] = {rank, (int)getpid()}; /* here: rank and process, of the machine's first rank */
    MPI_Bcast(lowest, 2, MPI_INT, 0, machine);
    if (lowest[0] == 0) first = lowest[1];
}

otok_status otok_ranks_begin(int apart)
{
    int provided = 0;
    MPI_Comm machine;
    const char *name;
    if (otok_ranks_expected(&name) == 1) return OTOK_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS) initialised = 1;
    atexit(finish);
    otok_ranks_part(0);
    if (size == 1)
        return otok_ranks_refuse("the MPI library of this otok is not the launcher's, or srun "
                                 "lacks --mpi=pmix; start it with the mpirun of this library");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_rank(machine, &rank_here);
    check_alike(apart);
    find_first(machine);
    MPI_Comm_free(&machine);
    return OTOK_OK;
}

/* MPI_Finalize would wait for the other ranks, which may wait for this one. */
void otok_ranks_end(int code)
{
    if (size < 2 || !code || agreed) return;
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, code);
}

int otok_ranks_first_is_gone(void)
{
    return first > 0 && kill(first, 0) != 0 && errno == ESRCH;
}

void otok_ranks_part(int apart)
{
    if (!initialised) return;
    MPI_Comm_size(apart ? MPI_COMM_SELF : MPI_COMM_WORLD, &size);
    MPI_Comm_rank(apart ? MPI_COMM_SELF : MPI_COMM_WORLD, &rank);
}

int otok_ranks(void)
{
    return size;
}

int otok_rank(void)
{
    return rank;
}

int otok_ranks_here(void)
{
    return here;
}

int otok_rank_here(void)
{
    return rank_here;
}

/* The next piece of n bytes. */
static int piece(size_t n)
{
    return n < PIECE ? (int)n : PIECE;
}

void otok_ranks_broadcast(void *bytes, size_t n)
{
    char *at = bytes;
    for (; size > 1 && n > 0; n -= (size_t)piece(n), at += PIECE)
        MPI_Bcast(at, piece(n), MPI_BYTE, 0, MPI_COMM_WORLD);
}

otok_status otok_ranks_agree(otok_status mine)
{
    char text[2048];
    struct {
        int status, rank;
    } one = {(int)mine, rank}, worst = one;
    if (size == 1) return mine;
    MPI_Allreduce(&one, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (worst.status == OTOK_OK) return OTOK_OK;
    agreed = 1;
    strncpy(text, otok_why(), sizeof text - 1);
    text[sizeof text - 1] = '\0';
    MPI_Bcast(text, sizeof text, MPI_CHAR, worst.rank, MPI_COMM_WORLD);
    return worst.rank == rank
               ? mine
               : OTOK_FAIL((otok_status)worst.status, "rank %d: %s", worst.rank, text);
}

void otok_ranks_add(int64_t *values, int n)
{
    if (size > 1) MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void otok_ranks_send(int to, const void *bytes, size_t n)
{
    const char *at = bytes;
    for (; n > 0; n -= (size_t)piece(n), at += PIECE)
        MPI_Send(at, piece(n), MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

void otok_ranks_receive(int from, void *bytes, size_t n)
{
    char *at = bytes;
    for (; n > 0; n -= (size_t)piece(n), at += PIECE)
        MPI_Recv(at, piece(n), MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Begins a message in pieces, which arrive in the order of sending. Returns their number. */
static int begin_message(const otok_message *one, MPI_Request *requests)
{
    int begun = 0;
    char *at = one->bytes;
    for (size_t n = one->n; n > 0; n -= (size_t)piece(n), at += PIECE)
        if (one->sends)
            MPI_Isend(at, piece(n), MPI_BYTE, one->peer, one->tag, MPI_COMM_WORLD,
                      &requests[begun++]);
        else
            MPI_Irecv(at, piece(n), MPI_BYTE, one->peer, one->tag, MPI_COMM_WORLD,
                      &requests[begun++]);
    return begun;
}

otok_status otok_ranks_exchange(otok_message *messages, int n)
{
    size_t pieces = 0;
    int begun = 0;
    for (int m = 0; m < n; m++)
        pieces += messages[m].n / PIECE + 1;
    if (n == 0) return OTOK_OK;
    MPI_Request *requests = malloc(pieces * sizeof(MPI_Request));
    if (!requests) return OTOK_FAIL(OTOK_NOMEM, "no memory for %d messages", n);
    for (int m = 0; m < n; m++)
        begun += begin_message(&messages[m], requests + begun);
    MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE);
    free(requests);
    return OTOK_OK;
}

/* Open MPI, and MPICH since 3.4, have a function for this. */
int otok_ranks_reach_devices(void)
{
    const char *said = getenv("OTOK_MPI_DEVICE_MEMORY");
    if (said && *said) return strcmp(said, "0") != 0;
#if defined MPIX_CUDA_AWARE_SUPPORT || (defined MPICH_NUMVERSION && MPICH_NUMVERSION >= 30400000)
    return initialised && MPIX_Query_cuda_support() == 1;
#else
    return 0;
#endif
}
