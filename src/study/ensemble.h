/* ensemble.h: runs the members of a study side by side on a backend that has ensembles
   (core/backend.h): which members run together, and which member has a slot in each cycle. It knows
   no journals. */
#ifndef OTOK_STUDY_ENSEMBLE_H
#define OTOK_STUDY_ENSEMBLE_H

#include "member.h"

/* Answers before a member begins: no further member may begin; run it; another process has it. */
enum { OTOK_MEMBER_STOPS, OTOK_MEMBER_RUNS, OTOK_MEMBER_ELSEWHERE };

typedef struct otok_ensemble_plan {
    const otok_study *study;
    const otok_backend *backend; /* one with ensembles */
    const int64_t *rows;         /* members to run     */
    int64_t n;
    int gpu, devices; /* the first device, and the number of devices that share the members, at
                         least 1; all are alike */
    int64_t slots;    /* the most slots; 0: as many as keep a device busy and fit */
    int (*begin)(void *user, int64_t row); /* before each member; returns an OTOK_MEMBER_...    */
    void (*end)(void *user, const otok_result *result,
                const otok_sample *samples); /* called by any thread, also by several at a time */
    int (*stops)(void *user); /* called after each sample; 1: members that run are given up without
                                 a result */
    void (*message)(void *user,
                    const char *text); /* reports slots, their memory and the time spent; or NULL */
    void *user, *message_user;         /* of begin and end, and of message */
} otok_ensemble_plan;

/* Ends every member that has begun, except those given up. OTOK_NOMEM: the host has no memory for
   the plan. */
otok_status otok_ensemble_run(const otok_ensemble_plan *plan);

#endif
