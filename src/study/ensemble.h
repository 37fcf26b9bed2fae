/* ensemble.h: runs the members of a study side by side on a backend that has ensembles
   (core/backend.h): which members run together, and which member has a slot in each cycle. It knows
   no journals. */
#ifndef OTOK_STUDY_ENSEMBLE_H
#define OTOK_STUDY_ENSEMBLE_H

#include "member.h"

/* Answers before a member begins: no member is to begin any more; run it; another process has it.
 */
enum { OTOK_MEMBER_STOPS, OTOK_MEMBER_RUNS, OTOK_MEMBER_ELSEWHERE };

typedef struct otok_ensemble_plan {
    const otok_study *study;
    const otok_backend *backend; /* one with ensembles */
    const int64_t *rows;         /* members to run     */
    int64_t n;
    int gpu, devices; /* the first device and how many share them, 1 or more; alike */
    int64_t slots;    /* at most; 0: as many as there is memory for        */
    int (*begin)(void *user, int64_t row); /* before each member; returns an OTOK_MEMBER_...    */
    void (*end)(void *user, const otok_result *result,
                const otok_sample *samples); /* by any thread, by several at a time */
    int (*stops)(
        void *user); /* after each sample; 1: members side by side are given up, without an end */
    void (*message)(
        void *user,
        const char *text);     /* how many slots, what they take; where time went; or NULL */
    void *user, *message_user; /* of begin and end, and of message */
} otok_ensemble_plan;

/* Ends every member that has begun, except those given up. OTOK_NOMEM: no memory on the host for
 * the plan. */
otok_status otok_ensemble_run(const otok_ensemble_plan *plan);

#endif
