/* table.h: the results of the members of a study, and study.h5. */
#ifndef OTOK_STUDY_TABLE_H
#define OTOK_STUDY_TABLE_H

#include "journal.h"

enum { OTOK_PLANNED, OTOK_RUNNING, OTOK_DONE, OTOK_FAILED, OTOK_STATES };

/* One row of the table; entries point into the journals. */
typedef struct otok_table_row {
    int state;
    const otok_result *result;
    const otok_sample *samples;
} otok_table_row;

typedef struct otok_table {
    otok_study *study;
    int64_t nrows;
    otok_table_row *rows;
    int njournals;
    otok_records *journals;
    const char *packed; /* the study that all journals must have; NULL: not known yet */
    size_t packed_size;
    int given; /* the caller gave it, not the first journal */
} otok_table;

/* NULL: the row has a final state, as an analysis needs. Otherwise the reason why not: "not run",
   "failed", "refused" or "diverged". */
const char *otok_table_lacks(const otok_table_row *row);

void otok_table_sum(const otok_table *table, otok_merged *out);

/* Reads all journals of a directory. OTOK_DATA: there are none, or they belong to different
   studies, or one has impossible members. */
otok_status otok_table_read(otok_table *out, const char *directory);

/* The same for this study, given as bytes of otok_study_pack. There may be no journals, but none of
   another study. */
otok_status otok_table_read_of(otok_table *out, const char *directory, const char *study,
                               size_t size);
void otok_table_destroy(otok_table *table);

/* Writes study.h5. The same table of the same journals gives the same bytes. */
otok_status otok_table_write(const otok_table *table, const char *path);

#endif
