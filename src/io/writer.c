/* writer.c: see writer.h. */
#include "writer.h"

#include "../core/clock.h"
#include "../core/rounding.h"
#include "../core/status.h"
#include "file.h"
#include "threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SLOTS = 16 };

typedef struct names {
    char *path, *directory, *stem;
    int64_t keep;
} names;

typedef struct slot {
    otok_snapshot
        state; /* the first member, so that the address of a snapshot is that of its slot */
    enum { FREE, TAKEN, QUEUED } use;
    int64_t turn; /* order of submission */
    names names;
} slot;

/* A complete file that is not yet synced and renamed. */
typedef struct filled {
    otok_draft *draft;
    names names;
} filled;

struct otok_writer {
    pthread_t filler, finisher;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int started, stop, nslots, threads; /* started: threads that run; stop: they must end */
    int64_t turns, done;                /* submitted; on disk or failed */
    filled filled;                      /* the file being finished; draft NULL: none */
    otok_status status;                 /* the first failure */
    char *why;
    otok_writer_cost cost;
    slot slots[MOST_SLOTS];
};

static slot *next_queued(otok_writer *w)
{
    slot *next = NULL;
    for (int i = 0; i < w->nslots; i++)
        if (w->slots[i].use == QUEUED && (!next || w->slots[i].turn < next->turn))
            next = &w->slots[i];
    return next;
}

static void free_names(names *n)
{
    free(n->path);
    free(n->directory);
    free(n->stem);
    *n = (names){0};
}

/* Stores a failure of the calling thread. Call it with the lock held. */
static void store_failure(otok_writer *w, otok_status status)
{
    if (status == OTOK_OK || w->status != OTOK_OK) return;
    w->status = status;
    w->why = strdup(otok_why());
}

static otok_status fill_file(slot *s, int threads, filled *f, otok_writer_cost *cost)
{
    const double before = otok_clock();
    OTOK_TRY(otok_snapshot_arrive(&s->state));
    const double there = otok_clock();
    cost->arriving += there - before;
    OTOK_TRY(otok_snapshot_complete(&s->state, threads));
    const otok_status status =
        otok_checkpoint_fill(&f->draft, f->names.path, &s->state, threads, &cost->work);
    cost->filling += otok_clock() - there;
    return status;
}

static otok_status finish_file(const filled *f, otok_writer_cost *cost)
{
    const names *n = &f->names;
    const double before = otok_clock();
    OTOK_TRY(otok_file_commit(f->draft, n->path));
    cost->syncing += otok_clock() - before;
    cost->files++;
    OTOK_TRY(otok_checkpoint_touch(n->path, n->directory, n->stem));
    OTOK_TRY(otok_checkpoint_prune(n->directory, n->stem, n->keep));
    return otok_checkpoint_series(n->directory, n->stem);
}

/* Hands a file to the finishing thread when that is free. Call it with the lock held. */
static void hand_over(otok_writer *w, filled f)
{
    while (w->filled.draft)
        pthread_cond_wait(&w->changed, &w->lock);
    w->filled = f;
}

static void *fill_all(void *argument)
{
    OTOK_ROUNDING;
    otok_writer *w = argument;
    otok_threads_unbind();
    pthread_mutex_lock(&w->lock);
    while (!w->stop || next_queued(w)) {
        slot *s = next_queued(w);
        if (!s) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        otok_writer_cost cost = w->cost;
        filled f = {NULL, s->names};
        s->names = (names){0};
        pthread_mutex_unlock(&w->lock);
        const otok_status status = fill_file(s, w->threads, &f, &cost);
        pthread_mutex_lock(&w->lock);
        w->cost.arriving = cost.arriving;
        w->cost.filling = cost.filling;
        w->cost.work = cost.work;
        store_failure(w, status);
        s->use = FREE;
        pthread_cond_broadcast(&w->changed);
        if (status == OTOK_OK) {
            hand_over(w, f);
        } else {
            free_names(&f.names);
            w->done++;
        }
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void *finish_all(void *argument)
{
    OTOK_ROUNDING;
    otok_writer *w = argument;
    otok_threads_unbind();
    pthread_mutex_lock(&w->lock);
    while (w->stop < 2 || w->filled.draft) {
        if (!w->filled.draft) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        otok_writer_cost cost = w->cost;
        filled f = w->filled;
        pthread_mutex_unlock(&w->lock);
        const otok_status status = finish_file(&f, &cost);
        free_names(&f.names);
        pthread_mutex_lock(&w->lock);
        w->cost.syncing = cost.syncing;
        w->cost.files = cost.files;
        store_failure(w, status);
        w->filled = (filled){0};
        w->done++;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Called with the lock held. */
static otok_status first_failure(const otok_writer *w)
{
    return w->status == OTOK_OK
               ? OTOK_OK
               : OTOK_FAIL(w->status, "%s", w->why ? w->why : "a checkpoint could not be written");
}

otok_status otok_writer_create(otok_writer **out, otok_grid grid, uint64_t has, otok_memory memory,
                               int slots, int threads)
{
    *out = NULL;
    if (slots < 1 || slots > MOST_SLOTS)
        return OTOK_FAIL(OTOK_USAGE, "a writer has 1..%d slots, not %d", MOST_SLOTS, slots);
    otok_writer *w = calloc(1, sizeof *w);
    if (!w) return OTOK_FAIL(OTOK_NOMEM, "no memory for a writer of checkpoints");
    w->threads = threads;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    otok_status status = OTOK_OK;
    for (; w->nslots < slots && status == OTOK_OK; w->nslots++)
        status = otok_snapshot_create(&w->slots[w->nslots].state, grid, has, memory);
    if (status == OTOK_OK) {
        sigset_t all, old;
        sigfillset(&all); /* the thread of the simulation receives the signals */
        pthread_sigmask(SIG_SETMASK, &all, &old);
        w->started += pthread_create(&w->filler, NULL, fill_all, w) == 0;
        if (w->started) w->started += pthread_create(&w->finisher, NULL, finish_all, w) == 0;
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        if (w->started < 2)
            status = OTOK_FAIL(
                OTOK_NOMEM, "no thread for the writer of checkpoints; raise the limit (ulimit -u)");
    }
    if (status == OTOK_OK)
        *out = w;
    else
        otok_writer_destroy(w);
    return status;
}

static void end_thread(otok_writer *w, int stop, pthread_t thread)
{
    pthread_mutex_lock(&w->lock);
    w->stop = stop;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(thread, NULL);
}

void otok_writer_destroy(otok_writer *w)
{
    if (!w) return;
    if (w->started > 0) end_thread(w, 1, w->filler);
    if (w->started > 1) end_thread(w, 2, w->finisher);
    for (int i = 0; i < w->nslots; i++)
        otok_snapshot_destroy(&w->slots[i].state);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w->why);
    free(w);
}

otok_status otok_writer_slot(otok_writer *w, otok_snapshot **out)
{
    *out = NULL;
    const double before = otok_clock();
    pthread_mutex_lock(&w->lock);
    otok_status status = OTOK_OK;
    while (!*out && (status = first_failure(w)) == OTOK_OK) {
        int queued = 0;
        for (int i = 0; i < w->nslots && !*out; i++) {
            queued += w->slots[i].use == QUEUED;
            if (w->slots[i].use != FREE) continue;
            w->slots[i].use = TAKEN;
            *out = &w->slots[i].state;
        }
        if (!*out && !queued) {
            status = OTOK_FAIL(
                OTOK_USAGE, "all %d slots of the writer were taken and none submitted", w->nslots);
            break;
        }
        if (!*out) pthread_cond_wait(&w->changed, &w->lock);
    }
    w->cost.waited += otok_clock() - before;
    pthread_mutex_unlock(&w->lock);
    return status;
}

otok_status otok_writer_submit(otok_writer *w, otok_snapshot *state, const char *path,
                               const char *directory, const char *stem, int64_t keep)
{
    slot *s = (slot *)(void *)state;
    names n = {strdup(path), strdup(directory), strdup(stem), keep};
    const int good = n.path && n.directory && n.stem;
    if (!good) free_names(&n);
    pthread_mutex_lock(&w->lock);
    s->names = n;
    s->use = good ? QUEUED : FREE;
    if (good) s->turn = w->turns++;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return good ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "%s: no memory to write it", path);
}

otok_status otok_writer_wait(otok_writer *w)
{
    pthread_mutex_lock(&w->lock);
    while (w->done < w->turns)
        pthread_cond_wait(&w->changed, &w->lock);
    const otok_status status = first_failure(w);
    pthread_mutex_unlock(&w->lock);
    return status;
}

otok_writer_cost otok_writer_costs(otok_writer *w)
{
    pthread_mutex_lock(&w->lock);
    const otok_writer_cost cost = w->cost;
    pthread_mutex_unlock(&w->lock);
    return cost;
}
