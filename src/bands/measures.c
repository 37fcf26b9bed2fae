/* measures.c: summaries, bookings and diagnostics of all bands together. Each rank adds up its
   own bands, then rank 0 all ranks. */
#include "../core/audit.h"
#include "bands.h"
#include "ranks.h"

#include "../core/diagnostics_rows.h"
#include "../core/status.h"

#include <string.h>

static otok_status measure_all(otok_bands *b, int buffer, otok_field_summary *out)
{
    *out = (otok_field_summary){0};
    for (int n = b->mine; n < b->upto; n++) {
        otok_field_summary one;
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->measure(&b->patches[n], buffer, &one));
        out->sum.hi += one.sum.hi;
        out->sum.lo += one.sum.lo;
        out->fingerprint += one.fingerprint;
        out->not_finite += one.not_finite;
    }
    return OTOK_OK;
}

otok_status otok_bands_measure(otok_bands *b, int buffer, otok_field_summary *out)
{
    const otok_status status = measure_all(b, buffer, out);
    int64_t sums[] = {out->sum.hi, out->sum.lo, (int64_t)out->fingerprint, out->not_finite};
    otok_ranks_add(sums, 4);
    *out = (otok_field_summary){{sums[0], sums[1]}, (uint64_t)sums[2], sums[3]};
    return otok_ranks_agree(status);
}

static otok_status fastest_here(otok_bands *b, float wave, float *out)
{
    *out = 0.0f;
    for (int n = b->mine; n < b->upto; n++) {
        float one;
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->fastest(&b->patches[n], wave, &one));
        *out = one > *out ? one : *out;
    }
    return OTOK_OK;
}

/* The result comes to rank 0. */
otok_status otok_bands_fastest(otok_bands *b, float wave, float *out)
{
    const otok_status status = fastest_here(b, wave, out);
    if (otok_rank() > 0) otok_ranks_send(0, out, sizeof *out);
    for (int rank = 1; rank < otok_ranks() && otok_rank() == 0; rank++) {
        float other;
        otok_ranks_receive(rank, &other, sizeof other);
        *out = other > *out ? other : *out;
    }
    return otok_ranks_agree(status);
}

/* Of this rank's bands, and of the stages that ran on the whole grid. */
static otok_status sums_here(otok_bands *b, otok_sum *out)
{
    memset(out, 0, OTOK_SUMS * sizeof *out);
    for (int n = 0; n < b->cut.count + OTOK_BANDS_WHOLES; n++) {
        otok_sum one[OTOK_SUMS];
        if (!b->patches[n].own) continue;
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->sums(&b->patches[n], one));
        for (int s = 0; s < OTOK_SUMS; s++) {
            out[s].hi += one[s].hi;
            out[s].lo += one[s].lo;
        }
    }
    return OTOK_OK;
}

otok_status otok_bands_sums(otok_bands *b, otok_sum *out)
{
    const otok_status status = sums_here(b, out);
    otok_ranks_add(&out->hi, 2 * OTOK_SUMS);
    return otok_ranks_agree(status);
}

/* The first band keeps what was booked before. */
otok_status otok_bands_set_sums(otok_bands *b, const otok_sum *in)
{
    static const otok_sum none[OTOK_SUMS];
    for (int n = 0; n < b->cut.count + OTOK_BANDS_WHOLES; n++) {
        if (!b->patches[n].own) continue;
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->set_sums(&b->patches[n], n ? none : in));
    }
    return OTOK_OK;
}

/* Cells of a band count from a row near its own, so that a backend's 32 bits hold them. It keeps
   the parity of rows, and that only the grid's first row is row 0. */
static int rows_before(const otok_bands *b, int band)
{
    return b->cut.first[band] > 0 ? (b->cut.first[band] - 1) / 2 * 2 : 0;
}

/* The cells of a band's keys become those of the grid, `cells` further on. */
static void move_places(otok_diagnostics *d, uint64_t cells)
{
    for (int n = 0; n < OTOK_DIAGNOSTICS_PLACES; n++)
        if (d->most[n]) d->most[n] -= cells;
}

static otok_status diagnose_here(otok_bands *b, const otok_diagnostics_request *request,
                                 otok_diagnostics_result *all)
{
    otok_set sampled = otok_set_of(BIT(OTOK_STORED) - 1);
    otok_set_add(&sampled, OTOK_WALLS);
    OTOK_TRY(otok_bands_renew(b, sampled));
    for (int n = b->mine; n < b->upto; n++) {
        otok_diagnostics_request one = *request;
        one.patch = &b->patches[n];
        if (b->cut.count > 1) {
            one.maps.ny = b->patches[n].view.ny;
            one.maps.wrap_y = 0;
            one.maps.first = b->cut.first[n] - b->cut.below[n] - rows_before(b, n);
        }
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->diagnose(&b->patches[n], &one));
        move_places(&one.found.diagnostics,
                    (uint64_t)rows_before(b, n) * (uint64_t)b->patches[n].view.nx);
        otok_diagnostics_join(all, &one.found);
    }
    return OTOK_OK;
}

/* What every rank found comes together on rank 0. */
otok_status otok_bands_diagnose(otok_bands *b, otok_diagnostics_request *request)
{
    otok_diagnostics_result all = {0}, other;
    const otok_status status = diagnose_here(b, request, &all);
    if (otok_rank() > 0) otok_ranks_send(0, &all, sizeof all);
    for (int rank = 1; rank < otok_ranks() && otok_rank() == 0; rank++) {
        otok_ranks_receive(rank, &other, sizeof other);
        otok_diagnostics_join(&all, &other);
    }
    OTOK_TRY(otok_bands_sums(b, all.sums));
    request->found = all;
    return otok_ranks_agree(status);
}

/* ---- audits ---- */

otok_status otok_bands_part(otok_bands *run, otok_bands *twin)
{
    for (int n = run->mine; n < run->upto; n++) {
        const otok_twins pair = {&run->patches[n], &twin->patches[n], 0};
        OTOK_TRY(otok_bands_enter(run, n));
        OTOK_TRY(run->inner->part(&pair));
    }
    const otok_set walls = otok_set_one(OTOK_WALLS); /* which are its own */
    twin->stale =
        otok_set_or(otok_set_without(run->stale, walls), otok_set_and(twin->stale, walls));
    return OTOK_OK;
}

static otok_status compare_here(otok_bands *run, otok_bands *twin, float lifted,
                                otok_audit_sums *out)
{
    const otok_set ground = otok_set_of(BIT(OTOK_TERRAIN_BASE) | BIT(OTOK_TERRAIN_CHANGE));
    *out = (otok_audit_sums){0};
    OTOK_TRY(otok_bands_renew(run, ground));
    OTOK_TRY(otok_bands_renew(twin, ground));
    for (int n = run->mine; n < run->upto; n++) {
        const otok_twins pair = {&run->patches[n], &twin->patches[n], lifted};
        otok_audit_sums one;
        OTOK_TRY(otok_bands_enter(run, n));
        OTOK_TRY(run->inner->compare(&pair, &one));
        for (int s = 0; s < OTOK_TWINS_SUMS; s++) {
            out->of[s].hi += one.of[s].hi;
            out->of[s].lo += one.of[s].lo;
        }
    }
    return OTOK_OK;
}

otok_status otok_bands_compare(otok_bands *run, otok_bands *twin, float lifted,
                               otok_audit_sums *out)
{
    const otok_status status = compare_here(run, twin, lifted, out);
    otok_ranks_add(&out->of[0].hi, 2 * OTOK_TWINS_SUMS);
    return otok_ranks_agree(status);
}
