/* slot.h: the state of a slot of a part. Private to part.c, part_run.c and slot.c. */
#ifndef OTOK_STUDY_SLOT_H
#define OTOK_STUDY_SLOT_H

#include "../scenario/twin.h"
#include "keep.h"
#include "part.h"

/* The next steps of a member, or of its twin. */
typedef struct otok_course {
    otok_job job;
    int carries; /* after it the bookings are carried (sim.h) */
} otok_course;

/* A member in doubt, while it runs again: the `again`th of its further runs (member.h). */
typedef struct otok_doubt {
    int again;
    otok_result result;
    otok_sample *samples;
    unsigned char *rivers;
    otok_twin *twin;
} otok_doubt;

typedef struct otok_slot {
    int taken, fresh; /* fresh: there is no sample yet */
    otok_result result;
    otok_sample *samples;
    unsigned char *rivers; /* otok_twin_rivers */
    otok_kept kept;
    otok_scenario *scenario;
    otok_sim *sim;
    otok_judge judge;
    otok_ledger ledger;
    double moved;
    otok_audit audit;
    int next;          /* its further run that follows the one that has ended ... */
    int doubtful;      /* ... if it runs again */
    otok_doubt *doubt; /* it runs again; `result` and `samples` are those of this run */
    otok_course run, twin;
    int64_t end, due; /* iterations: of the member; at the next sample */
} otok_slot;

/* Is there another run of the member, whose present one has ended? The member in its slot gets
   ready for it. The end of a further run: its verdict is that of all so far; and of the last one:
   the result is the first one, with this verdict. */
void otok_slot_ask(otok_slot *slot, const otok_study *study);
otok_status otok_slot_again(otok_slot *slot);
void otok_slot_settle(otok_slot *slot, const otok_study *study);

/* Gives up a slot; ends its member with its result (any thread may call it); ends it with a
   failure, whose text is otok_why(). */
void otok_slot_clear(otok_slot *slot);
void otok_slot_end(otok_part *part, otok_slot *slot);
void otok_slot_fail(otok_part *part, otok_slot *slot, otok_status status);

/* Runs every slot to its next sample. */
otok_status otok_part_run_to_samples(otok_part *part);

/* Takes a sample of the fresh slots, or of all. *n: the number of slots, in part->who. */
otok_status otok_part_sample(otok_part *part, int fresh, int *n);

#endif
