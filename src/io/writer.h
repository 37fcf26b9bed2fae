/* writer.h: threads that write checkpoints while the simulation continues. While one file is
   synced and renamed, the next is packed and written. They own a few snapshots. The caller fills
   one, hands it over, and waits only if all of them are still being written. All calls come from
   one thread. */
#ifndef OTOK_WRITER_H
#define OTOK_WRITER_H

#include "checkpoint.h"

typedef struct otok_writer otok_writer;

/* `slots` snapshots (2: one is filled while the other is written) with maps for `has` in `memory`.
   `threads` threads compress and check. */
otok_status otok_writer_create(otok_writer **out, otok_grid grid, uint64_t has, otok_memory memory,
                               int slots, int threads);

/* Waits for what was submitted. Accepts NULL. A failure that wait did not report is lost. */
void otok_writer_destroy(otok_writer *writer);

/* Waits for a free snapshot. Its texts and numbers are those of its last use. Returns the first
   failure of an earlier write, so a run does not continue without its checkpoints. */
otok_status otok_writer_slot(otok_writer *writer, otok_snapshot **out);

/* Hands a snapshot over. It is completed (otok_snapshot_complete) and written to path. Then the
   directory is pruned to `keep` checkpoints of the stem, and its series is rewritten. */
otok_status otok_writer_submit(otok_writer *writer, otok_snapshot *slot, const char *path,
                               const char *directory, const char *stem, int64_t keep);

/* Returns when everything submitted is on disk, or the first failure since create. */
otok_status otok_writer_wait(otok_writer *writer);

/* The time that the checkpoints on disk have taken so far [s]. */
typedef struct otok_writer_cost {
    int64_t files;
    double waited;             /* the caller waited in otok_writer_slot */
    double arriving;           /* until the fields had come from the device */
    double filling;            /* from then to complete files that are not yet synced */
    otok_checkpoint_cost work; /* part of this, summed over all threads */
    double syncing;            /* sync and rename; meanwhile the next file is filled */
} otok_writer_cost;

otok_writer_cost otok_writer_costs(otok_writer *writer);

#endif
