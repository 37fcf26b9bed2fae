/* maps.c: copies dense maps of the whole grid, which rank 0 has, to the bands and from them;
   lends the rows of one band. */
#include "bands.h"
#include "ranks.h"

#include "../core/status.h"

#include <stdlib.h>

static size_t cells_of(const otok_bands *b, int band)
{
    return (size_t)(b->cut.first[band + 1] - b->cut.first[band]) * (size_t)b->patches[band].view.nx;
}

/* Where a band's rows begin in a map. */
static size_t offset_of(const otok_bands *b, int band)
{
    return (size_t)b->cut.first[band] * (size_t)b->patches[band].view.nx;
}

/* These copy between a band and a map, or, on other ranks than 0, memory that rank 0 sends or
   receives. */
static otok_status put_rows(otok_bands *b, int band, int buffer, const float *map)
{
    OTOK_TRY(otok_bands_enter(b, band));
    return b->inner->put(&b->patches[band], buffer, map);
}

static otok_status get_rows(otok_bands *b, int band, int buffer, float *map)
{
    OTOK_TRY(otok_bands_enter(b, band));
    return b->inner->get(&b->patches[band], buffer, map);
}

/* The map is NULL on other ranks than 0. Those go on receiving after a failure, because rank 0
   sends. */
otok_status otok_bands_put(otok_bands *b, int buffer, const float *map)
{
    otok_status status = OTOK_OK;
    for (int n = 0; n < b->cut.count; n++) {
        const size_t bytes = cells_of(b, n) * sizeof(float);
        if (map && !otok_bands_is_mine(b, n))
            otok_ranks_send(otok_bands_owner(b, n), map + offset_of(b, n), bytes);
        if (!otok_bands_is_mine(b, n)) continue;
        float *received = map ? NULL : malloc(bytes);
        if (!map && !received)
            return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu bytes", bytes);
        if (!map) otok_ranks_receive(0, received, bytes);
        if (status == OTOK_OK)
            status = put_rows(b, n, buffer, map ? map + offset_of(b, n) : received);
        free(received);
    }
    otok_set_add(&b->stale, buffer);
    return status;
}

otok_status otok_bands_get(otok_bands *b, int buffer, float *map)
{
    otok_status status = OTOK_OK;
    for (int n = 0; n < b->cut.count; n++) {
        const size_t bytes = cells_of(b, n) * sizeof(float);
        if (map && !otok_bands_is_mine(b, n))
            otok_ranks_receive(otok_bands_owner(b, n), map + offset_of(b, n), bytes);
        if (!otok_bands_is_mine(b, n)) continue;
        float *sent = map ? NULL : malloc(bytes);
        if (!map && !sent) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu bytes", bytes);
        if (status == OTOK_OK) status = get_rows(b, n, buffer, map ? map + offset_of(b, n) : sent);
        if (!map) otok_ranks_send(0, sent, bytes);
        free(sent);
    }
    return status;
}

otok_status otok_bands_cell(otok_bands *b, int buffer, int i, int j, float *out)
{
    int band = 0;
    otok_status status = OTOK_OK;
    while (j >= b->cut.first[band + 1])
        band++;
    if (otok_bands_is_mine(b, band)) {
        status = otok_bands_enter(b, band);
        if (status == OTOK_OK)
            status = b->inner->cell(&b->patches[band], buffer, i, j - b->cut.first[band], out);
    }
    if (otok_bands_owner(b, band) == 0) return status;
    if (otok_bands_is_mine(b, band)) otok_ranks_send(0, out, sizeof *out);
    if (otok_rank() == 0) otok_ranks_receive(otok_bands_owner(b, band), out, sizeof *out);
    return status;
}

/* Copies under way from all bands. */
typedef struct arrivals {
    int n;
    otok_arrival each[];
} arrivals;

static otok_status wait_for_all(void *ticket)
{
    arrivals *a = ticket;
    otok_status status = OTOK_OK;
    for (int n = 0; n < a->n; n++) {
        const otok_status one = a->each[n].wait ? a->each[n].wait(a->each[n].ticket) : OTOK_OK;
        status = status == OTOK_OK ? one : status;
    }
    free(a);
    return status;
}

static otok_status begin_copies(otok_bands *b, uint64_t which, float *const *maps, arrivals *a)
{
    for (; a->n < b->cut.count; a->n++) {
        float *rows[OTOK_STORED] = {0};
        for (int f = 0; f < OTOK_STORED; f++)
            if (which >> f & 1) rows[f] = maps[f] + offset_of(b, a->n);
        OTOK_TRY(otok_bands_enter(b, a->n));
        OTOK_TRY(b->inner->snapshot(&b->patches[a->n], which, rows, &a->each[a->n]));
    }
    return OTOK_OK;
}

otok_status otok_bands_snapshot(otok_bands *b, uint64_t which, float *const *maps,
                                otok_arrival *out)
{
    arrivals *a = calloc(1, sizeof *a + (size_t)b->cut.count * sizeof a->each[0]);
    if (!a) return OTOK_FAIL(OTOK_NOMEM, "no memory for a copy of the state");
    const otok_status status = begin_copies(b, which, maps, a);
    *out = (otok_arrival){wait_for_all, a};
    if (status != OTOK_OK) wait_for_all(a);
    return status;
}
