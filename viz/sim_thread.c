/* sim_thread.c: runs a slice in chunks of a part of its time, measured by the clock. So a slice
   ends in time, whatever an iteration costs. */
#include "sim_thread.h"
#include "core/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct otok_pace {
    double chunk, each, call; /* iterations of the last chunk; seconds that one of them took, and a
                                 call with one alone */
} otok_pace;

struct otok_sim_thread {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t begins, ends;
    int runs, quits;
    otok_sim *sim;
    otok_slice slice;
    otok_pace pace;
};

static void record_probe(otok_sim *sim, otok_slice *t)
{
    if (!t->probes || t->status != OTOK_OK || t->nsamples == OTOK_SLICE_SAMPLES) return;
    t->iteration[t->nsamples] = otok_sim_iteration(sim);
    if (otok_sim_cell(sim, t->i, t->j, t->value[t->nsamples]) == OTOK_OK) t->nsamples++;
}

/* Chunks of a slice. Each is a call, which takes some time of its own on a GPU. Where the drawing
   waits for a slice of a millisecond, eight chunks would be little else. */
static int count_chunks(const otok_slice *t)
{
    return t->probes ? OTOK_SLICE_SAMPLES : t->alone ? 2 : 8;
}

/* A chunk is at most twice as long as the one before. On a GPU that draws meanwhile every call
   takes long, even with one iteration. That time does not count, or a slice would be one iteration
   there. */
static void run_slice(otok_sim *sim, otok_slice *t, otok_pace *pace)
{
    const double began = otok_clock();
    double now = began;
    while (t->status == OTOK_OK && t->done < t->most &&
           (t->done == 0 || now - began < t->seconds)) {
        const double part = t->seconds / count_chunks(t);
        const double room = fmax(fmin(part / pace->each, 2 * pace->chunk), 1);
        const int64_t chunk = (int64_t)fmin(room, (double)(t->most - t->done)),
                      before = otok_sim_iteration(sim);
        t->status = otok_sim_run(sim, chunk);
        if (t->status != OTOK_OK) snprintf(t->why, sizeof t->why, "%s", otok_why());
        const int64_t ran = otok_sim_iteration(sim) - before;
        const double then = now;
        now = otok_clock();
        if (ran == 0) break;
        record_probe(sim, t);
        t->done += ran;
        pace->chunk = (double)ran;
        if (ran == 1) pace->call = now - then;
        const double call = t->alone ? 0 : pace->call;
        pace->each = fmax((now - then - call) / (double)ran, 1e-9);
    }
}

static void *run_thread(void *user)
{
    otok_sim_thread *t = user;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (!t->runs && !t->quits)
            pthread_cond_wait(&t->begins, &t->lock);
        if (t->quits) break;
        pthread_mutex_unlock(&t->lock);
        run_slice(t->sim, &t->slice, &t->pace);
        pthread_mutex_lock(&t->lock);
        t->runs = 0;
        pthread_cond_signal(&t->ends);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

otok_status otok_sim_thread_create(otok_sim_thread **out)
{
    otok_sim_thread *t = *out = calloc(1, sizeof *t);
    pthread_condattr_t steady;
    if (!t) return OTOK_FAIL(OTOK_NOMEM, "no memory for a thread");
    t->pace = (otok_pace){1, 1, 0}; /* the first chunk is one iteration */
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->begins, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&t->ends, &steady);
    pthread_condattr_destroy(&steady);
    if (pthread_create(&t->thread, NULL, run_thread, t) == 0) return OTOK_OK;
    free(t);
    *out = NULL;
    return OTOK_FAIL(OTOK_NOMEM, "the system gives no thread for the simulation");
}

void otok_sim_thread_destroy(otok_sim_thread *t)
{
    if (!t) return;
    pthread_mutex_lock(&t->lock);
    t->quits = 1;
    pthread_cond_signal(&t->begins);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    pthread_cond_destroy(&t->begins);
    pthread_cond_destroy(&t->ends);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

void otok_sim_thread_start(otok_sim_thread *t, otok_sim *sim, const otok_slice *slice)
{
    pthread_mutex_lock(&t->lock);
    t->sim = sim;
    t->slice = *slice;
    t->slice.done = t->slice.nsamples = 0;
    t->slice.status = OTOK_OK;
    t->runs = 1;
    pthread_cond_signal(&t->begins);
    pthread_mutex_unlock(&t->lock);
}

int otok_sim_thread_wait(otok_sim_thread *t, double seconds, otok_slice *out)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const double at = (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec += (time_t)at;
    until.tv_nsec = (long)((at - floor(at)) * 1e9);
    pthread_mutex_lock(&t->lock);
    while (t->runs && pthread_cond_timedwait(&t->ends, &t->lock, &until) == 0)
        ;
    const int over = !t->runs;
    if (over) *out = t->slice;
    pthread_mutex_unlock(&t->lock);
    return over;
}
