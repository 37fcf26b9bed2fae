/* rim.h: the rim of a flood that rises from outlets over a ground (priority flood): the lowest cell
   is always next. A binary heap. */
#ifndef OTOK_SIM_RIM_H
#define OTOK_SIM_RIM_H

#include <stdint.h>

typedef struct rim {
    float level;  /* that water has in the cell when all hollows are full [m] */
    int64_t cell; /* breaks ties, so that the order is one */
} rim;

static inline int rim_is_before(const rim *a, const rim *b)
{
    return a->level < b->level || (a->level == b->level && a->cell < b->cell);
}

/* heap: *n of them, with room for one more. */
static inline void rim_push(rim *heap, int64_t *n, rim new)
{
    int64_t at = (*n)++;
    for (; at > 0 && rim_is_before(&new, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = new;
}

static inline rim rim_pop(rim *heap, int64_t *n)
{
    const rim first = heap[0], last = heap[--*n];
    int64_t at = 0;
    for (int64_t next; (next = 2 * at + 1) < *n; at = next) {
        if (next + 1 < *n && rim_is_before(&heap[next + 1], &heap[next])) next++;
        if (!rim_is_before(&heap[next], &last)) break;
        heap[at] = heap[next];
    }
    heap[at] = last;
    return first;
}

#endif
