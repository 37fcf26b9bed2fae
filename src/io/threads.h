/* threads.h: runs a task on a few threads, which end with it. OpenMP is not used: its idle threads
   would share the barriers of the simulation's threads, which would then sleep where they should
   spin. */
#ifndef OTOK_THREADS_H
#define OTOK_THREADS_H

/* Calls work(task, thread) in the calling thread (number 0) and in up to threads - 1 others, and
   returns when all have. They share out the work themselves, so that a thread that the system
   refuses only makes it slower. */
void otok_threads_run(int threads, void (*work)(void *task, int thread), void *task);

/* Lets the calling thread run on every core that OpenMP has, where OMP_PROC_BIND has bound it, or
 * its parent, to one. */
void otok_threads_unbind(void);

#endif
