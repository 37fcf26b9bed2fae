/* checkpoint_sum.c: the checksum of the header of a checkpoint. It covers everything that a restart
   reads except fields, which the fingerprint covers. Neither covers who made the file, when and
   where. */
#include "../core/status.h"
#include "checkpoint_table.h"
#include "file.h"
#include "sha256.h"

#include <stdio.h>
#include <stdlib.h>

static void put_text(FILE *out, const char *text)
{
    if (text) fputs(text, out);
    putc(0, out);
}

static void put_judge(FILE *out, const otok_snapshot *s)
{
    if (s->watched || s->earlier) fwrite(&s->judge, sizeof(int64_t), OTOK_JUDGE_COUNTS, out);
    if (s->earlier)
        fwrite(s->earlier, sizeof(double), OTOK_EARLIER_FIGURES, out);
    else if (s->watched)
        fwrite(&s->judge.deepest, sizeof(double), OTOK_JUDGE_FIGURES, out);
    if (s->watched && !s->without_looks)
        fwrite(&s->judge.looks, sizeof(double), OTOK_JUDGE_LOOKS, out);
    if (s->watched && !s->without_amounts)
        fwrite(s->judge.amounts, sizeof(double), OTOK_JUDGE_AMOUNTS, out);
    if (s->watched && s->judge.receivers[0] > 0) fwrite(s->judge.receivers, sizeof(double), 2, out);
}

/* Writes the bytes as they are in memory, which is the same on all supported hosts. */
static void put_all(FILE *out, const otok_snapshot *s)
{
    const int64_t whole[] = {s->grid.nx, s->grid.ny, s->iteration,          s->seed,
                             s->filled,  s->nlayers, s->georeference.known, s->ledger.not_finite};
    const double real[] = {s->grid.spacing,       s->time,
                           s->sea_level,          s->georeference.west,
                           s->georeference.width, s->georeference.north,
                           s->georeference.height};
    fwrite(whole, sizeof whole, 1, out);
    fwrite(real, sizeof real, 1, out);
    fwrite(&s->fingerprint, sizeof s->fingerprint, 1, out);
    fwrite(&s->water_start, sizeof s->water_start, 1, out);
    fwrite(&s->solid_start, sizeof s->solid_start, 1, out);
    for (int i = 0; i < OTOK_SUMS; i++)
        if (otok_sum_names[i] && !(s->absent_sums & BIT(i)))
            fwrite(&s->sums[i], sizeof s->sums[i], 1, out);
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++)
        if (!(s->absent_entries & BIT(i)))
            fwrite((const char *)&s->ledger + otok_ledger_at(i)->offset, sizeof(double), 1, out);
    if (s->nlayers)
        fwrite(&s->sums[OTOK_SUM_DEPOSITED], sizeof s->sums[0], 1 + (size_t)s->nlayers, out);
    for (int k = 0; k < s->nlayers; k++) {
        put_text(out, s->layers[k]);
        fwrite(&s->layer_start[k], sizeof s->layer_start[k], 1, out);
        for (int i = 0; i < OTOK_LAYER_ENTRIES; i++)
            if (!(s->absent_layers & BIT(i)))
                fwrite((const char *)&s->ledger.layers[k] + otok_layer_entries[i].offset,
                       sizeof(double), 1, out);
    }
    put_judge(out, s);
    if (s->water_steps) {
        fwrite(&s->water_steps, sizeof s->water_steps, 1, out);
        fwrite(&s->water_dt, sizeof s->water_dt, 1, out);
    }
    if (s->holes.n) fwrite(s->holes.runs, sizeof *s->holes.runs, 2 * (size_t)s->holes.n, out);
    if (s->gauge_samples) {
        put_text(out, s->gauge_titles);
        fwrite(s->gauges, sizeof *s->gauges, (size_t)otok_gauges_values(s), out);
    }
    put_text(out, s->georeference.wkt);
    put_text(out, s->scenario);
    put_text(out, s->changes);
    if (s->inputs && *s->inputs) put_text(out, s->inputs);
}

otok_status otok_header_sum(const otok_snapshot *snapshot, char hash[OTOK_SHA256_SIZE])
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    if (out) put_all(out, snapshot);
    if (otok_text_finish(out, &bytes))
        otok_sha256(bytes, size, hash);
    else
        hash[0] = 0;
    free(bytes);
    return hash[0] ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for the checksum of a header");
}
