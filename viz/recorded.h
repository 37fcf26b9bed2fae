/* recorded.h: states that were computed before, one after the other: the checkpoints of a run, or
   the maps that a study kept of a member. Nothing is computed. A thread reads the one that is asked
   for, so that the window never waits for a disk; what was read stays in memory, at most a quarter
   of it. */
#ifndef OTOK_RECORDED_H
#define OTOK_RECORDED_H

#include "live.h"

void otok_reader_destroy(otok_reader *reader); /* accepts NULL */

/* A state that was read; it stays until two others were asked for. NULL: it is not read yet, or
   that failed. It is read next if `asks`. */
otok_checkpoint *otok_reader_state(otok_reader *reader, int i, int asks);

/* Waits for it. The status and words of a failure are those of reading. */
otok_status otok_reader_wait(otok_reader *reader, int i, otok_checkpoint **out);

/* The first state that is shown: the last one, or the first one of a view that plays. */
otok_status otok_recorded_begin(otok_live *live);

/* In a frame: shows the state that is asked for, or the next one if it is time. */
void otok_recorded_frame(otok_live *live);

#endif
