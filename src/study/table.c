/* table.c: joins the journals of a directory into a table. */
#include "table.h"

#include "../core/status.h"
#include "../io/file.h"
#include "keep.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_journal(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name), end = strlen(".journal");
    return n > end && strcmp(entry->d_name + n - end, ".journal") == 0;
}

/* A finished member stays finished; a failed one may be finished elsewhere. */
static void enter_result(otok_table *t, const otok_entry *e)
{
    otok_table_row *row = &t->rows[e->row];
    const int state = !e->result ? OTOK_RUNNING : e->result->failed ? OTOK_FAILED : OTOK_DONE;
    if (row->state == OTOK_DONE || (state == OTOK_RUNNING && row->state == OTOK_FAILED)) return;
    *row = (otok_table_row){state, e->result, e->samples};
}

/* Is it a member of the study, with a sample every so many iterations? */
static int is_valid(const otok_table *t, const otok_entry *e)
{
    const int64_t every = t->study->every, n = e->result ? e->result->iterations : 0;
    return e->row >= 0 && e->row < t->nrows &&
           (!e->result || (e->result->nsamples == n / every + (n % every != 0) &&
                           otok_kept_is_valid(e->result, &t->study->keep)));
}

static otok_status begin_table(otok_table *t, const char *bytes, size_t size, const char *path)
{
    OTOK_TRY(otok_study_unpack(&t->study, bytes, size, path));
    t->packed = bytes;
    t->packed_size = size;
    t->nrows = otok_study_rows(t->study);
    t->rows = calloc((size_t)t->nrows + 1, sizeof *t->rows);
    return t->rows ? OTOK_OK
                   : OTOK_FAIL(OTOK_NOMEM, "no memory for a table of %lld members",
                               (long long)t->nrows);
}

static otok_status add_journal(otok_table *t, const char *directory, const char *name)
{
    char path[4400], other[OTOK_TEXT_SIZE];
    otok_entry entry;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    otok_records *r = &t->journals[t->njournals];
    OTOK_TRY(otok_records_open(r, path));
    t->njournals++;
    if (!r->study) return OTOK_OK;
    if (!t->packed) OTOK_TRY(begin_table(t, r->study, r->study_size, path));
    const int same = otok_study_is_same(t->packed, t->packed_size, r->study, r->study_size);
    if (same && otok_study_other_input(other, t->packed, t->packed_size, r->study, r->study_size))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: was made with another %s than %s: its SHA-256 differs; restore that "
                         "file, or use another directory for each study",
                         path, other, t->given ? "the one given" : "its neighbours");
    if (!same)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: is of another study, scenario or version of otok than %s; use "
                         "another directory for each study",
                         path, t->given ? "the one given" : "its neighbours");
    while (otok_records_next(r, &entry)) {
        if (!is_valid(t, &entry))
            return OTOK_FAIL(OTOK_DATA,
                             "%s: has a result for row %lld that no member of its study can have; "
                             "restore the file, or remove it",
                             path, (long long)entry.row);
        enter_result(t, &entry);
    }
    return OTOK_OK;
}

const char *otok_table_lacks(const otok_table_row *row)
{
    if (row->state == OTOK_PLANNED || row->state == OTOK_RUNNING) return "not run";
    if (row->state == OTOK_FAILED) return "failed";
    const int64_t v = row->result->verdict;
    return v == OTOK_REFUSED || v == OTOK_DIVERGED ? otok_verdict_name((otok_verdict)v) : NULL;
}

void otok_table_sum(const otok_table *t, otok_merged *out)
{
    size_t n = 0;
    *out = (otok_merged){.members = t->nrows, .size = otok_design_block(&t->study->design)};
    for (int j = 0; j < t->njournals; j++)
        out->damaged += t->journals[j].damaged;
    out->blocks = t->nrows / out->size;
    for (int64_t row = 0; row < t->nrows; row++)
        out->done += t->rows[row].state == OTOK_DONE;
    for (int64_t block = 0; block < out->blocks; block++) {
        int whole = 1;
        for (int64_t row = block * out->size; row < (block + 1) * out->size; row++) {
            const char *lacks = otok_table_lacks(&t->rows[row]);
            if (!lacks) continue;
            whole = 0;
            if (out->missing++ < OTOK_MISSING_SHOWN)
                n += (size_t)snprintf(out->rows + n, sizeof out->rows - n, "%s%lld (%s)",
                                      n ? ", " : "", (long long)row, lacks);
        }
        out->complete += whole;
    }
}

static otok_status add_journals(otok_table *t, const char *directory)
{
    struct dirent **names = NULL;
    const int n = scandir(directory, &names, is_journal, alphasort);
    if (n < 0) return otok_file_failed(directory, "read", errno);
    t->journals = calloc((size_t)n + 1, sizeof *t->journals);
    otok_status status = t->journals ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for journals");
    for (int i = 0; i < n; i++) {
        if (status == OTOK_OK) status = add_journal(t, directory, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    return status;
}

otok_status otok_table_read(otok_table *t, const char *directory)
{
    *t = (otok_table){0};
    otok_status status = add_journals(t, directory);
    if (status == OTOK_OK && !t->study)
        status =
            OTOK_FAIL(OTOK_DATA, "%s: holds no journal of a study; run otok study STUDY.yaml -o %s",
                      directory, directory);
    if (status != OTOK_OK) otok_table_destroy(t);
    return status;
}

otok_status otok_table_read_of(otok_table *t, const char *directory, const char *study, size_t size)
{
    *t = (otok_table){.given = 1};
    otok_status status = begin_table(t, study, size, directory);
    if (status == OTOK_OK) status = add_journals(t, directory);
    if (status != OTOK_OK) otok_table_destroy(t);
    return status;
}

void otok_table_destroy(otok_table *t)
{
    for (int j = 0; j < t->njournals; j++)
        otok_records_close(&t->journals[j]);
    free(t->journals);
    free(t->rows);
    otok_study_destroy(t->study);
    *t = (otok_table){0};
}
