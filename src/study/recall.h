/* recall.h: the maps that study.h5 kept of a member (keep.h), as states to look at. */
#ifndef OTOK_STUDY_RECALL_H
#define OTOK_STUDY_RECALL_H

#include "../otok.h"

typedef struct otok_recall otok_recall;

/* OTOK_USAGE: there is no such member; -1: none was given. OTOK_DATA: the file is no study, or kept
   no terrain. */
otok_status otok_recall_open(otok_recall **out, const char *path, int64_t member);
void otok_recall_close(otok_recall *recall); /* accepts NULL */

/* How many moments of it were kept; the state of one. */
int otok_recall_count(const otok_recall *recall);
otok_status otok_recall_read(const otok_recall *recall, int i, otok_checkpoint **out);

#endif
