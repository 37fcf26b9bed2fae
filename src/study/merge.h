/* merge.h: makes study.h5 from the journals of a directory, in one process at a time. */
#ifndef OTOK_STUDY_MERGE_H
#define OTOK_STUDY_MERGE_H

#include "claims.h"
#include "table.h"

/* For a process with a lease: waits until it alone may write, then writes. */
otok_status otok_study_write(otok_claims *claims, const char *directory, otok_merged *out);

#endif
