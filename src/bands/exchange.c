/* exchange.c: rows that go from band to band. Within a rank, devices copy them. Between ranks
   messages carry them: out of the memory of the device if MPI can do that, else through host
   memory. */
#include "bands.h"
#include "ranks.h"

#include "../core/status.h"

#include <stdlib.h>

enum { TAGS = 15000 }; /* see otok_message.tag */

static int is_mine(const otok_bands *b, int band)
{
    return otok_bands_owner(b, band) == otok_rank();
}

int otok_bands_is_within(const otok_bands *b, const otok_transfer *t)
{
    return is_mine(b, t->to) && is_mine(b, t->from);
}

otok_status otok_bands_copy(otok_bands *b, const otok_transfer *t, otok_set buffers)
{
    OTOK_TRY(otok_bands_enter(b, t->to));
    return b->inner->rows.copy(&b->patches[t->to], t->to_row, &b->patches[t->from], t->from_row,
                               t->rows, buffers);
}

otok_status otok_bands_release(otok_bands *b, const otok_transfer *t)
{
    OTOK_TRY(otok_bands_enter(b, t->from));
    return b->inner->rows.release(&b->patches[t->from], &b->patches[t->to]);
}

/* ---- between ranks ---- */

/* A transfer between this rank and another. */
typedef struct crossing {
    const otok_transfer *t;
    int sends, peer, tag;
    size_t bytes, at; /* of its message: the size, and where it lies in the carrier */
} crossing;

static size_t bytes_of(const otok_bands *b, const otok_transfer *t, otok_set buffers)
{
    const size_t cells = (size_t)t->rows * ((size_t)b->patches[0].view.nx + 2);
    const size_t bytes = otok_set_has(buffers, OTOK_WETNESS);
    return cells * (((size_t)otok_set_size(buffers) - bytes) * sizeof(float) + bytes);
}

/* Memory for messages, kept from exchange to exchange: on a device of this rank, if MPI reaches it
   and it has room, else page-locked. */
static otok_status reserve(otok_bands *b, size_t bytes)
{
    const otok_memory *kinds[] = {&b->inner->rows.carrier, &b->inner->host};
    if (bytes <= b->carrier_bytes) return OTOK_OK;
    OTOK_TRY(otok_bands_enter(b, b->mine));
    if (b->carrier) b->carriers->give(b->carrier);
    b->carrier = NULL;
    for (int n = kinds[0]->take && otok_ranks_reach_devices() ? 0 : 1; n < 2 && !b->carrier; n++) {
        b->carriers = kinds[n];
        b->carrier = b->carriers->take(bytes);
    }
    b->carrier_bytes = b->carrier ? bytes : 0;
    return b->carrier ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for %zu bytes of rows", bytes);
}

/* Lays the rows one after the other. Returns their bytes. */
static size_t lay_out(const otok_bands *b, crossing *all, int n, otok_set buffers)
{
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        all[i].bytes = bytes_of(b, all[i].t, buffers);
        all[i].at = used;
        used += (all[i].bytes + 63) / 64 * 64;
    }
    return used;
}

static otok_status carry_in(otok_bands *b, const crossing *all, int n, otok_set buffers,
                            otok_message *messages, char *memory)
{
    for (int i = 0; i < n; i++) {
        const crossing *c = &all[i];
        const otok_transfer *t = c->t;
        messages[i] = (otok_message){c->peer, c->tag, c->sends, memory + c->at, c->bytes};
        if (!c->sends) continue;
        OTOK_TRY(otok_bands_enter(b, t->from));
        OTOK_TRY(b->inner->rows.take(&b->patches[t->from], t->from_row, t->rows, buffers,
                                     memory + c->at));
    }
    OTOK_TRY(otok_ranks_exchange(messages, n));
    for (int i = 0; i < n; i++) {
        const otok_transfer *t = all[i].t;
        if (all[i].sends) continue;
        OTOK_TRY(otok_bands_enter(b, t->to));
        OTOK_TRY(b->inner->rows.give(&b->patches[t->to], t->to_row, t->rows, buffers,
                                     memory + all[i].at));
    }
    return OTOK_OK;
}

/* lasting: rows of the cut, which come again and again. A whole grid would be too much to keep. */
static otok_status carry_all(otok_bands *b, crossing *all, int n, otok_set buffers,
                             otok_message *messages, int lasting)
{
    const size_t bytes = lay_out(b, all, n, buffers);
    if (bytes == 0) return OTOK_OK;
    if (lasting) {
        OTOK_TRY(reserve(b, bytes));
        b->crossed = 1;
        return carry_in(b, all, n, buffers, messages, b->carrier);
    }
    char *memory = malloc(bytes);
    const otok_status status = memory ? carry_in(b, all, n, buffers, messages, memory)
                                      : OTOK_FAIL(OTOK_NOMEM, "no memory for %zu bytes", bytes);
    free(memory);
    return status;
}

const char *otok_bands_crossing(const otok_patch *patch)
{
    const otok_bands *b = otok_bands_of_patch(patch);
    if (!b->crossed) return NULL;
    return b->carriers == &b->inner->rows.carrier ? "in messages out of GPU memory"
                                                  : "in messages through host memory";
}

otok_status otok_bands_cross(otok_bands *b, const otok_transfer *transfers, int n, otok_set buffers)
{
    const int lasting = transfers == b->cut.transfers;
    int count = 0;
    if (otok_ranks() == 1) return OTOK_OK;
    crossing *all = calloc((size_t)n + 1, sizeof *all);
    otok_message *messages = calloc((size_t)n + 1, sizeof *messages);
    otok_status status =
        all && messages ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for %d messages", n);
    for (int i = 0; i < n && status == OTOK_OK; i++) {
        const otok_transfer *t = &transfers[i];
        const int sends = is_mine(b, t->from);
        if (sends == is_mine(b, t->to)) continue;
        all[count++] = (crossing){.t = t,
                                  .sends = sends,
                                  .peer = otok_bands_owner(b, sends ? t->to : t->from),
                                  .tag = i % TAGS};
    }
    if (status == OTOK_OK) status = carry_all(b, all, count, buffers, messages, lasting);
    free(all);
    free(messages);
    return status;
}

otok_status otok_bands_transfer(otok_bands *b, const otok_transfer *transfers, int n,
                                otok_set buffers)
{
    for (int i = 0; i < n; i++)
        if (otok_bands_is_within(b, &transfers[i]))
            OTOK_TRY(otok_bands_copy(b, &transfers[i], buffers));
    for (int i = 0; i < n; i++)
        if (otok_bands_is_within(b, &transfers[i])) OTOK_TRY(otok_bands_release(b, &transfers[i]));
    return otok_bands_cross(b, transfers, n, buffers);
}

otok_status otok_bands_add(otok_bands *b, const otok_transfer *transfers, int n, otok_set buffers)
{
    for (const otok_transfer *t = transfers; t < transfers + n; t++) {
        OTOK_TRY(otok_bands_enter(b, t->to));
        OTOK_TRY(b->inner->rows.add(&b->patches[t->to], t->to_row, &b->patches[t->from],
                                    t->from_row, t->rows, buffers));
    }
    for (int i = 0; i < n; i++)
        OTOK_TRY(otok_bands_release(b, &transfers[i]));
    return OTOK_OK;
}

otok_status otok_bands_renew(otok_bands *b, otok_set buffers)
{
    const otok_set wanted = otok_set_and(buffers, otok_set_and(b->stale, b->present));
    if (otok_set_is_empty(wanted)) return OTOK_OK;
    b->stale = otok_set_without(b->stale, wanted);
    return otok_bands_transfer(b, b->cut.transfers, b->cut.ntransfers, wanted);
}
