/* threads.h: runs a task on a few threads, which end with it. It does not use OpenMP, whose idle
   threads would join the barriers of the simulation's threads and make them sleep instead of
   spin. */
#ifndef OTOK_THREADS_H
#define OTOK_THREADS_H

/* Calls work(task, thread) in the calling thread (number 0) and in up to threads - 1 others.
   Returns when all have returned. They share out the work themselves, so a thread that the
   system refuses only costs time. */
void otok_threads_run(int threads, void (*work)(void *task, int thread), void *task);

/* Lets the calling thread run on every core of OpenMP, if OMP_PROC_BIND bound it or its parent
   to one. */
void otok_threads_unbind(void);

#endif
