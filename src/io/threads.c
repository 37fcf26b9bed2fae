/* threads.c: see threads.h. */
#include "threads.h"

#include "../core/rounding.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

enum { MOST_THREADS = 256 };

typedef struct worker {
    void (*work)(void *task, int thread);
    void *task;
    int number;
} worker;

void otok_threads_unbind(void)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int p = 0; p < omp_get_num_places(); p++) {
        const int n = omp_get_place_num_procs(p);
        int *ids = malloc((size_t)(n > 0 ? n : 1) * sizeof *ids);
        if (ids && n > 0) omp_get_place_proc_ids(p, ids);
        for (int i = 0; ids && i < n; i++)
            if (ids[i] < CPU_SETSIZE) CPU_SET(ids[i], &cores);
        free(ids);
    }
    if (CPU_COUNT(&cores) > 0) pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

static void *run_thread(void *argument)
{
    OTOK_ROUNDING;
    const worker *m = argument;
    otok_threads_unbind();
    m->work(m->task, m->number);
    return NULL;
}

void otok_threads_run(int threads, void (*work)(void *task, int thread), void *task)
{
    worker workers[MOST_THREADS];
    pthread_t ids[MOST_THREADS];
    int n = 1;
    sigset_t all, old;
    sigfillset(&all); /* the thread of the simulation receives the signals */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (; n < threads && n < MOST_THREADS; n++) {
        workers[n] = (worker){work, task, n};
        if (pthread_create(&ids[n], NULL, run_thread, &workers[n]) != 0) break;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    work(task, 0);
    while (--n > 0)
        pthread_join(ids[n], NULL);
}
