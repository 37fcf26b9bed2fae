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
    const char *packed; /* the study that all journals must be of; NULL: not known yet */
    size_t packed_size;
    int given; /* by the caller, not by the first journal */
} otok_table;

/* NULL: the row has a state at its end, which an analysis needs. Else why it has none: "not run",
 * "failed", "refused" or "diverged". */
const char *otok_table_lacks(const otok_table_row *row);

void otok_table_sum(const otok_table *table, otok_merged *out);

/* Reads all journals of a directory. OTOK_DATA: there is none, or they are of different studies, or
   hold what no member of theirs can be. */
otok_status otok_table_read(otok_table *out, const char *directory);

/* The same for this study, as otok_study_pack has it: there may be no journal, and none of another
 * study. */
otok_status otok_table_read_of(otok_table *out, const char *directory, const char *study,
                               size_t size);
void otok_table_destroy(otok_table *table);

/* Writes study.h5: the same table, the same bytes. */
otok_status otok_table_write(const otok_table *table, const char *path);

#endif
