/* part.h: a part of a group of members: the slots of one ensemble and its cycles, on one thread.
   The parts of a group share the list of members; while the host judges one, the device runs
   another. Private to ensemble.c. */
#ifndef OTOK_STUDY_PART_H
#define OTOK_STUDY_PART_H

#include "ensemble.h"

#include "../core/verdict.h"
#include "../scenario/twin.h"
#include "../sim/audit.h"
#include "keep.h"

#include <semaphore.h>

/* Members of one grid size and one set of buffers. */
typedef struct otok_group {
    const otok_ensemble_plan *plan;
    const int64_t *rows;
    int64_t n, next;   /* one thread at a time uses `next` */
    int stopped;       /* likewise */
    int audited;       /* members have twins (sim/audit.h) */
    int max_steps;     /* iterations whose schedule slots get at once */
    int threads, busy; /* of the machine; parts that still have members */
    int stagger;       /* a part begins after such a fraction of the cycles of a member of the part
                          before it; 0: they begin together */
} otok_group;

typedef struct otok_slot otok_slot;

typedef struct otok_part {
    otok_group *group;
    int device;
    void *ensemble;
    int slots;
    otok_slot *states;
    otok_job *jobs;
    otok_sim **asking; /* how fast their water is; */
    otok_patch **racing;
    float *waves, *speeds;
    otok_diagnostics_request *requests;
    int *who;          /* slot of each request */
    otok_twins *pairs; /* of an audit: members and their twins, ... */
    int *paired;       /* ... their slots, and what was found */
    otok_audit_sums *apart;
    otok_initial_state initial;
    size_t map_floats; /* of the maps that a thread needs to conclude a member */
    int rooms;         /* threads that have room for these ... */
    float *maps;       /* ... in memory of the backend's `host`, or NULL */
    double seconds;    /* time in cycles */
    sem_t may_begin;
} otok_part;

/* Makes the device of the part the current one of the calling thread. */
otok_status otok_part_enter(const otok_part *part);

/* Creates a part on a device, with `slots` slots for members of the size of `like`, and one more
   slot for the state in which they begin. If the group is audited, the slots of the twins follow.
   `first`: it waits for no other part. */
otok_status otok_part_create(otok_part *part, otok_group *group, int device, const otok_patch *like,
                             otok_set buffers, int slots, int first);
void otok_part_destroy(otok_part *part); /* accepts an unfinished part and a zeroed one */

/* Takes members from the group's list until the list is empty or the plan stops, and lets the next
   part of its device begin (NULL: it is the last one). */
void otok_part_run(otok_part *part, otok_part *next);

/* ---- a slot, for part.c, part_run.c and slot.c ---- */

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

struct otok_slot {
    int taken, fresh; /* fresh: there is no sample yet */
    otok_result result;
    otok_sample *samples;
    unsigned char *rivers; /* otok_twin_rivers */
    otok_kept kept;
    otok_scenario *scenario;
    otok_sim *sim;
    otok_judge judge;
    otok_ledger ledger;
    otok_audit audit;
    int next;          /* its further run that follows the one that has ended ... */
    int doubtful;      /* ... if it runs again */
    otok_doubt *doubt; /* it runs again; `result` and `samples` are those of this run */
    otok_course run, twin;
    int64_t end, due; /* iterations: of the member; at the next sample */
};

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
