/* journal.h: the results of a process in a file that only grows and that no other process writes.
   Each result is a record with its length and checksums (record.h). Damaged or incomplete records
   are left out; the others stay. It does not know what a simulation is. */
#ifndef OTOK_JOURNAL_H
#define OTOK_JOURNAL_H

#include "member.h"

/* A study as bytes. otok_study_unpack makes the study from them, without the folders of its files,
   so that writing study.h5 needs only journals. Two journals belong together if they have the same
   study and the same inputs, as far as both have them: a file may have been missing. */
otok_status otok_study_pack(char **bytes, size_t *size, const otok_study *study);
int otok_study_is_same(const char *mine, size_t my_size, const char *theirs, size_t their_size);
otok_status otok_study_unpack(otok_study **out, const char *bytes, size_t size, const char *path);

/* study_inputs.c. A line "# input SHA-256 NAME" for each file that members read besides the
   scenario (malloc); where these lines begin in a study as bytes; whether a file that both studies
   have is another, and its name. */
#define OTOK_JOURNAL_INPUT "# input "
enum { OTOK_JOURNAL_INPUT_NAME = sizeof OTOK_JOURNAL_INPUT + 64 };
otok_status otok_study_inputs(char **out, const otok_study *study);
size_t otok_study_inputs_at(const char *bytes, size_t size);
int otok_study_other_input(char name[OTOK_TEXT_SIZE], const char *mine, size_t my_size,
                           const char *theirs, size_t their_size);

/* Where a process runs members, and since when (UTC). With SOURCE_DATE_EPOCH, as reproducible
   builds have it, equal studies are equal bytes wherever they ran: the date is that one, and
   backend and device are "". */
typedef struct otok_ran {
    char date[24], backend[32], device[128];
} otok_ran;

/* A journal that is being written. */
typedef struct otok_journal {
    int file; /* -1: none */
    const char *path;
    double synced; /* when the last sync began [s] */
    size_t late;   /* bytes of results that the kernel was not yet told to write */
    int broken;    /* errno of a record that could not be written whole; 0: none  */
} otok_journal;

/* Makes the journal of a process. OTOK_USAGE: a file of this name exists. */
otok_status otok_journal_create(otok_journal *out, const char *path, const char *study,
                                size_t size);
otok_status otok_journal_ran(otok_journal *journal, const char *backend, const char *device);
otok_status otok_journal_begin(otok_journal *journal,
                               int64_t row); /* notes that the member is running */
otok_status otok_journal_put(otok_journal *journal, const otok_result *result,
                             const otok_sample *samples); /* called by any thread */
otok_status otok_journal_close(otok_journal *journal);    /* synced */

/* An entry of a journal that is being read. */
typedef struct otok_entry {
    int64_t row;
    const otok_result *result; /* NULL: the member has only begun */
    const otok_sample *samples;
} otok_entry;

struct otok_record;
typedef struct otok_records {
    char *bytes;
    size_t size;
    const struct otok_record **all; /* whole ones */
    size_t n, next;
    const char *study; /* NULL: its record is incomplete */
    size_t study_size;
    const otok_ran *ran; /* NULL: not known */
    int64_t damaged;     /* places with damaged records, which are left out */
} otok_records;

/* OTOK_DATA: the file is not a journal, or is of another version of otok, or its study is damaged,
   or a record has contents that otok never writes. */
otok_status otok_records_open(otok_records *out, const char *path);
int otok_records_next(otok_records *records, otok_entry *out); /* 0 at the end */
void otok_records_close(otok_records *records);

#endif
