/* sim_thread.h: the thread that runs a simulation, a time slice at a time. */
#ifndef OTOK_SIM_THREAD_H
#define OTOK_SIM_THREAD_H

#include "live.h"

enum { OTOK_SLICE_SAMPLES = 64 };

typedef struct otok_slice {
    double seconds; /* no longer than this, but one iteration at least */
    int64_t most;   /* iterations                                      */
    int alone;      /* 1: nobody draws on the same device meanwhile    */
    int64_t done;   /* filled in at the end, with the status and its text */
    otok_status status;
    char why[400];
    int probes; /* 1: what a cell holds is kept on the way, up to so many times */
    int64_t i, j;
    int nsamples;
    int64_t iteration[OTOK_SLICE_SAMPLES];
    float value[OTOK_SLICE_SAMPLES][OTOK_FIELDS];
} otok_slice;

otok_status otok_sim_thread_create(otok_sim_thread **out);
void otok_sim_thread_destroy(otok_sim_thread *thread); /* after the slice's end */

/* Begins a slice. The simulation belongs to the thread until otok_sim_thread_wait returns 1. */
void otok_sim_thread_start(otok_sim_thread *thread, otok_sim *sim, const otok_slice *slice);

/* Waits for so many seconds at most. 1: the slice is over, and `out` says how; 0: not yet. */
int otok_sim_thread_wait(otok_sim_thread *thread, double seconds, otok_slice *out);

#endif
