/* queue.h: the open list of a search: nodes in buckets of almost equal keys. A bucket gives out its
   last node first, whatever the key, because the neighbours of that node are in the caches. So the
   search must expand a node again when its cost falls. A window of buckets covers the smallest
   keys; larger keys wait unsorted for the next window. Two arrays that double in size hold all
   nodes. */
#ifndef OTOK_ROAD_QUEUE_H
#define OTOK_ROAD_QUEUE_H

#include "../core/status.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUE_WINDOW = 8192 };
#define QUEUE_END UINT32_MAX

typedef struct queue_entry {
    uint32_t node, next; /* next: entry of the same bucket, or QUEUE_END */
} queue_entry;

typedef struct queue_far {
    uint32_t node, bucket;
} queue_far;

typedef struct queue {
    queue_entry *entries;
    queue_far *far;
    uint32_t used, room, recycled; /* linked list of entries for reuse */
    uint32_t nfar, far_room;
    uint32_t now, begin; /* now: the bucket being emptied; begin: the first bucket of the window */
    uint32_t first[QUEUE_WINDOW];
} queue;

/* NULL: no memory. */
static inline queue *queue_create(void)
{
    queue *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    memset(q->first, 0xff, sizeof q->first);
    q->recycled = QUEUE_END;
    return q;
}

static inline void queue_destroy(queue *q)
{
    if (!q) return;
    free(q->entries);
    free(q->far);
    free(q);
}

static inline otok_status queue_status(int failed)
{
    return failed
               ? OTOK_FAIL(OTOK_NOMEM, "no memory for the open list of a search; raise road.step")
               : OTOK_OK;
}

static inline int queue_grow(void **array, uint32_t *room, uint32_t needed, size_t size)
{
    uint32_t more = *room ? *room : 8192;
    while (more < needed && more < UINT32_MAX / 2)
        more *= 2;
    void *grown = more < needed ? NULL : realloc(*array, more * size);
    if (!grown) return 0;
    *array = grown;
    *room = more;
    return 1;
}

/* Makes room for n more pushes; 0: no memory. */
static inline int queue_reserve(queue *q, uint32_t n)
{
    if (q->room - q->used < n &&
        !queue_grow((void **)&q->entries, &q->room, q->used + n, sizeof *q->entries))
        return 0;
    return q->far_room - q->nfar >= n ||
           queue_grow((void **)&q->far, &q->far_room, q->nfar + n, sizeof *q->far);
}

static inline void queue_append(queue *q, uint32_t bucket, uint32_t node)
{
    const uint32_t index = bucket - q->begin;
    uint32_t e = q->recycled;
    if (e != QUEUE_END)
        q->recycled = q->entries[e].next;
    else
        e = q->used++;
    q->entries[e] = (queue_entry){node, q->first[index]};
    q->first[index] = e;
}

/* The bucket must not be below `now`. Call queue_reserve before. */
static inline void queue_push(queue *q, uint32_t bucket, uint32_t node)
{
    if (bucket - q->begin < QUEUE_WINDOW)
        queue_append(q, bucket, node);
    else
        q->far[q->nfar++] = (queue_far){node, bucket};
}

/* Moves the window to the smallest bucket beyond it. Returns 0: there is none, or no memory
   (*failed). */
static inline int queue_advance(queue *q, int *failed)
{
    if (q->nfar == 0) return 0;
    uint32_t least = q->far[0].bucket, kept = 0;
    for (uint32_t i = 1; i < q->nfar; i++)
        least = q->far[i].bucket < least ? q->far[i].bucket : least;
    *failed = !queue_reserve(q, q->nfar);
    if (*failed) return 0;
    q->begin = q->now = least;
    for (uint32_t i = 0; i < q->nfar; i++) {
        const queue_far f = q->far[i];
        if (f.bucket - least < QUEUE_WINDOW)
            queue_append(q, f.bucket, f.node);
        else
            q->far[kept++] = f;
    }
    q->nfar = kept;
    return 1;
}

/* Takes a node out of the smallest bucket, and sets `now` to that bucket. Returns 0: the list is
   empty, or no memory (*failed). */
static inline int queue_pop(queue *q, uint32_t *node, int *failed)
{
    *failed = 0;
    for (;;) {
        while (q->now - q->begin < QUEUE_WINDOW && q->first[q->now - q->begin] == QUEUE_END)
            q->now++;
        if (q->now - q->begin < QUEUE_WINDOW) break;
        if (!queue_advance(q, failed)) return 0;
    }
    const uint32_t e = q->first[q->now - q->begin];
    *node = q->entries[e].node;
    q->first[q->now - q->begin] = q->entries[e].next;
    q->entries[e].next = q->recycled;
    q->recycled = e;
    return 1;
}

/* The node that comes next if it is in the same bucket, else any node of the grid. */
static inline uint32_t queue_next(const queue *q)
{
    const uint32_t e = q->first[q->now - q->begin];
    return e != QUEUE_END ? q->entries[e].node : q->entries[0].node;
}

#endif
