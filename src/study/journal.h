/* journal.h: the results of a process in a file that only grows and that no other process writes:
   one record a result, each with its length and checksums (record.h). Damaged or torn records are
   left out; the others stay. It knows no simulations. */
#ifndef OTOK_JOURNAL_H
#define OTOK_JOURNAL_H

#include "member.h"

/* A study as bytes. Two journals belong together if these bytes are equal. otok_study_unpack makes
 * the study of them again, without the folders of its files, so study.h5 needs nothing but
 * journals. */
otok_status otok_study_pack(char **bytes, size_t *size, const otok_study *study);
otok_status otok_study_unpack(otok_study **out, const char *bytes, size_t size, const char *path);

/* A journal that is being written. */
typedef struct otok_journal {
    int file; /* -1: none */
    const char *path;
    double synced; /* when last begun [s] */
    size_t late;   /* bytes of results that the kernel was not yet asked to write */
    int broken;    /* errno of a record that could not be written whole; 0: none  */
} otok_journal;

/* Makes the journal of a process. OTOK_USAGE: there is a file of this name. */
otok_status otok_journal_create(otok_journal *out, const char *path, const char *study,
                                size_t size);
otok_status otok_journal_begin(otok_journal *journal, int64_t row); /* the member is running */
otok_status otok_journal_put(otok_journal *journal, const otok_result *result,
                             const otok_sample *samples); /* by any thread */
otok_status otok_journal_close(otok_journal *journal);    /* synced */

/* A journal that is being read: its bytes, and where its whole records are. */
typedef struct otok_entry {
    int64_t row;
    const otok_result *result; /* NULL: it began only */
    const otok_sample *samples;
} otok_entry;

struct otok_record;
typedef struct otok_records {
    char *bytes;
    size_t size, torn; /* torn: where a record begins that ends with the file; 0: none */
    const struct otok_record **all; /* whole ones */
    size_t n, next;
    const char *study; /* NULL: torn before it was whole */
    size_t study_size;
    int64_t damaged; /* places of the file where records are damaged, which are left out */
} otok_records;

/* OTOK_DATA: it is not a journal, or of another version of otok, or its study is damaged, or a
 * record holds what otok never writes. */
otok_status otok_records_open(otok_records *out, const char *path);
int otok_records_next(otok_records *records, otok_entry *out); /* 0 at the end */
void otok_records_close(otok_records *records);

#endif
