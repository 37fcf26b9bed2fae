/* writer.c: see writer.h. */
#include "writer.h"

#include "../core/status.h"
#include "crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SLOTS = 16 };

typedef struct slot {
    otok_snapshot state; /* first, so that a snapshot's address is its slot's */
    enum { FREE, TAKEN, QUEUED } use;
    int64_t turn; /* order of submission */
    char *path, *directory, *stem;
    int64_t keep;
} slot;

struct otok_writer {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int started, stop, nslots, threads;
    int64_t turns;
    otok_status status; /* first failure */
    char *why;
    slot slots[MOST_SLOTS];
};

static slot *next_queued(otok_writer *w)
{
    slot *next = NULL;
    for (int i = 0; i < w->nslots; i++)
        if (w->slots[i].use == QUEUED && (!next || w->slots[i].turn < next->turn)) next = &w->slots[i];
    return next;
}

static otok_status write_slot(slot *s, int threads)
{
    OTOK_TRY(otok_snapshot_complete(&s->state, threads));
    OTOK_TRY(otok_checkpoint_write_with(s->path, &s->state, threads));
    OTOK_TRY(otok_checkpoint_touch(s->path, s->directory, s->stem));
    OTOK_TRY(otok_checkpoint_prune(s->directory, s->stem, s->keep));
    return otok_checkpoint_series(s->directory, s->stem);
}

static void release(slot *s)
{
    free(s->path);
    free(s->directory);
    free(s->stem);
    s->path = s->directory = s->stem = NULL;
    s->use = FREE;
}

static void *work(void *argument)
{
    otok_writer *w = argument;
    otok_crew_unbind();
    pthread_mutex_lock(&w->lock);
    for (;;) {
        slot *s = next_queued(w);
        if (!s && w->stop) break;
        if (!s) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        pthread_mutex_unlock(&w->lock);
        const otok_status status = write_slot(s, w->threads);
        pthread_mutex_lock(&w->lock);
        if (status != OTOK_OK && w->status == OTOK_OK) {
            w->status = status;
            w->why = strdup(otok_why());
        }
        release(s);
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Called with the lock held. */
static otok_status first_failure(const otok_writer *w)
{
    return w->status == OTOK_OK ? OTOK_OK : OTOK_FAIL(w->status, "%s", w->why ? w->why : "a checkpoint could not be written");
}

otok_status otok_writer_create(otok_writer **out, otok_grid grid, uint64_t has, otok_memory memory, int slots, int threads)
{
    *out = NULL;
    if (slots < 1 || slots > MOST_SLOTS) return OTOK_FAIL(OTOK_USAGE, "a writer has 1..%d slots, not %d", MOST_SLOTS, slots);
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
        sigfillset(&all); /* signals are for the thread that runs the simulation */
        pthread_sigmask(SIG_SETMASK, &all, &old);
        w->started = pthread_create(&w->thread, NULL, work, w) == 0;
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        if (!w->started) status = OTOK_FAIL(OTOK_NOMEM, "no thread for the writer of checkpoints; raise the limit (ulimit -u)");
    }
    if (status == OTOK_OK)
        *out = w;
    else
        otok_writer_destroy(w);
    return status;
}

void otok_writer_destroy(otok_writer *w)
{
    if (!w) return;
    if (w->started) {
        pthread_mutex_lock(&w->lock);
        w->stop = 1;
        pthread_cond_broadcast(&w->changed);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
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
            status = OTOK_FAIL(OTOK_USAGE, "all %d slots of the writer were taken and none submitted", w->nslots);
            break;
        }
        if (!*out) pthread_cond_wait(&w->changed, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return status;
}

otok_status otok_writer_submit(otok_writer *w, otok_snapshot *state, const char *path, const char *directory, const char *stem,
                               int64_t keep)
{
    slot *s = (slot *)(void *)state;
    s->path = strdup(path);
    s->directory = strdup(directory);
    s->stem = strdup(stem);
    s->keep = keep;
    pthread_mutex_lock(&w->lock);
    const int good = s->path && s->directory && s->stem;
    if (good) {
        s->turn = w->turns++;
        s->use = QUEUED;
    } else
        release(s);
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return good ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "%s: no memory to write it", path);
}

otok_status otok_writer_wait(otok_writer *w)
{
    pthread_mutex_lock(&w->lock);
    while (next_queued(w))
        pthread_cond_wait(&w->changed, &w->lock);
    const otok_status status = first_failure(w);
    pthread_mutex_unlock(&w->lock);
    return status;
}
