/* table.h: the results of a study's members side by side, and study.h5. */
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
} otok_table;

/* Has the row what an analysis needs, a state at its end? NULL: yes; else what it lacks: "planned", "refused", "diverged", ... */
const char *otok_table_lacks(const otok_table_row *row);

void otok_table_sum(const otok_table *table, otok_merged *out);

/* Reads all journals of a directory. OTOK_DATA: there is none, or they are of different studies. */
otok_status otok_table_read(otok_table *out, const char *directory);
void otok_table_destroy(otok_table *table);

/* Writes study.h5: the same table, the same bytes. */
otok_status otok_table_write(const otok_table *table, const char *path);

#endif
