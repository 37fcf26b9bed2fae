/* part.h: a part of a group of members: the slots of one ensemble and its cycles, on one thread.
   The parts of a group share the list of members; while the host judges one, the device runs
   another. Private to ensemble.c. */
#ifndef OTOK_STUDY_PART_H
#define OTOK_STUDY_PART_H

#include "ensemble.h"

#include "../core/verdict.h"

/* Members of one grid size and one set of buffers. */
typedef struct otok_group {
    const otok_ensemble_plan *plan;
    const int64_t *rows;
    int64_t n, next; /* next: by one thread at a time */
    int stopped;     /* likewise                      */
    int max_steps;   /* iterations whose schedule goes to the slots at once */
} otok_group;

typedef struct otok_part {
    otok_group *group;
    int device;
    void *ensemble;
    int slots;
    struct slot_state *states;
    otok_job *jobs;
    otok_diagnostics_request *requests;
    int *who; /* slots of the requests */
    otok_initial_state initial;
    double seconds; /* in cycles */
} otok_part;

/* Makes the part's device the calling thread's. */
otok_status otok_part_enter(const otok_part *part);

/* On a device, with room for `slots` members of the size of `like`, and in one more slot for the
 * state that they begin with. */
otok_status otok_part_create(otok_part *part, otok_group *group, int device, const otok_patch *like,
                             uint64_t buffers, int slots);
void otok_part_destroy(
    otok_part *part); /* accepts what otok_part_create left unfinished, and zeros */

/* Takes members from the group's list until there are none, or the plan stops. */
void otok_part_run(otok_part *part);

#endif
