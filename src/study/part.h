/* part.h: a part of a group of members: the slots of one ensemble and its cycles, on one thread.
   The parts of a group share the list of members; while the host judges one, the device runs
   another. Private to ensemble.c. */
#ifndef OTOK_STUDY_PART_H
#define OTOK_STUDY_PART_H

#include "ensemble.h"

#include "../core/verdict.h"
#include "../sim/audit.h"

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

typedef struct otok_part {
    otok_group *group;
    int device;
    void *ensemble;
    int slots;
    struct otok_slot *states;
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

#endif
