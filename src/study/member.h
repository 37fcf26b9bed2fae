/* member.h: one member of a study, from its row to its result. The engine knows backends only
 * through this. */
#ifndef OTOK_MEMBER_H
#define OTOK_MEMBER_H

#include "../core/verdict.h"
#include "../scenario/twin.h"
#include "response.h"
#include "study.h"

/* Plain data without pointers or padding, as in journals. */
typedef struct otok_result {
    int64_t row;
    int64_t failed;  /* the run failed for a reason other than its values; `cause` has the text */
    int64_t verdict; /* otok_verdict; -1: failed */
    int64_t first, cell_x, cell_y,
        cells; /* see otok_diagnosis: iteration of the first sign, worst cell, number; -1: none */
    int64_t iterations; /* done                                                        */
    int64_t nsamples;
    uint64_t fingerprint;
    double time;   /* simulated time [s] */
    double margin; /* predicted margin of the binding limit; NAN: none */
    double slow;   /* otok_predict_slow */
    double audit_speed, audit_ground, audit_sediment, audit_sweeps; /* see otok_diagnosis */
    double doubt;                                                   /* otok_judge_doubt */
    double allowed;                                                 /* otok_judge_change */
    double proof;                                                   /* see otok_diagnosis */
    double changed;     /* of a member that ran again with half the step: the most that a result
                           changed, as a share of it; NAN: it did not */
    double reversed;    /* the same of one that ran again with its processes in reverse order */
    double rivers;      /* likewise: the share of its river cells that lie elsewhere
                           (otok_twin_rivers_apart); NAN: it has none */
    double fed;         /* otok_state_fed */
    double verge;       /* otok_response_measure */
    double rough_start; /* roughness of the ground [m] before the first sample; NAN: none */
    double growth[3];   /* growth rates [1/s] of a member that was run again: its own, with half dt,
                           with half l and dt; NAN: none */
    double ledger[OTOK_LEDGER_ENTRIES]; /* ledger at its end, by otok_ledger_at */
    double responses[OTOK_RESPONSES];   /* otok_response_infos; NAN: none */
    double own[OTOK_MAX_RESPONSES];     /* of the study's responses; NAN: none */
    otok_island island;                 /* at its end */
    int64_t kept[OTOK_MAX_KEPT];        /* bytes of the packed maps behind the samples (keep.h) */
    char limit[OTOK_NAME_SIZE];         /* the binding limit */
    char most[OTOK_NAME_SIZE];          /* the result that changed by `changed` ... */
    char most_reversed[OTOK_NAME_SIZE]; /* ... and by `reversed` */
    struct otok_margin {
        char limit[24];
        double margin;      /* the largest of all phases */
    } margins[OTOK_LIMITS]; /* of the limits that apply, and empty ones */
    char cause[1024];
} otok_result;

/* The i-th number of a result: its name in study.h5 and its address, as a double or an int64_t. 0:
   there is no such number. */
typedef struct otok_result_number {
    char name[80];
    const char *unit, *long_name;
    size_t offset;
    int is_int;
} otok_result_number;
int otok_result_number_at(otok_result_number *out, int i);

/* Runs a row alone on a backend and takes a sample every study->every iterations. The caller frees
   **samples (nsamples). A failure of the member is part of the result. OTOK_NOMEM: not even that
   has memory. */
otok_status otok_member_run(otok_result *out, otok_sample **samples, const otok_study *study,
                            int64_t row, const char *backend);

/* settle.c: runs a member again if it grows and the study asks for this (otok_verdict_growth). Its
   verdict and rates become part of its result. */
otok_status otok_member_rerun(otok_result *result, const otok_sample *samples,
                              const otok_study *study, const otok_scenario *scenario,
                              const char *backend);

/* A member in doubt runs again, with half the step, and, with `half_step: all`, with
   its processes in reverse order. `next`: the first of these runs from `from` on that the study
   asks for; OTOK_AGAINS: none. `settle` runs them, and makes the verdict of all results. */
enum { OTOK_AGAIN_HALVED, OTOK_AGAIN_REVERSED, OTOK_AGAINS };
otok_halves otok_again_halves(int again, const otok_scenario *scenario);
int otok_member_next(int from, const otok_result *result, const otok_study *study,
                     const otok_scenario *scenario);
otok_status otok_member_settle(otok_result *result, const otok_sample *samples,
                               const unsigned char *rivers, const otok_study *study,
                               const otok_scenario *scenario, const char *backend);
/* A run of a member, at its end. */
typedef struct otok_run_end {
    const otok_result *result;
    const otok_sample *last;
    const unsigned char *rivers; /* otok_twin_rivers; NULL: it has none */
} otok_run_end;
/* By how much more of the azimuths have the form of an island than the next one; NAN: no form. */
double otok_form_lead(const otok_island *island);

/* Compares a member, `result` with `own`, with a further run of it; half the step decides. */
void otok_member_compare(otok_result *result, int again, const otok_run_end *own,
                         const otok_run_end *other, const otok_study *study, otok_grid grid);

/* The part of a result that is known before the run: otok_predict with the site of the member,
   which members that begin alike share (predicted.c). */
void otok_member_predict(otok_result *result, const otok_scenario *scenario);

/* The parts of otok_member_run, for members that run side by side: an empty result; what is read
   off the end of a simulation, with its last maps (NULL: they are not kept) and its rivers (the
   caller frees *rivers); that and its verdict;
   a failed run, whose cause is otok_why(). `room`: for the maps of otok_keep_reads(study), or NULL
   (otok_state_of). */
void otok_member_begin(otok_result *result, int64_t row);
struct otok_kept;
otok_status otok_member_measure(otok_result *result, struct otok_kept *kept, unsigned char **rivers,
                                const otok_study *study, otok_sim *sim, const otok_ledger *ledger,
                                float *room);
otok_status otok_member_conclude(otok_result *result, struct otok_kept *kept,
                                 unsigned char **rivers, const otok_study *study, otok_sim *sim,
                                 const otok_judge *judge, const otok_ledger *ledger, float *room);
void otok_member_fail(otok_result *result, const otok_study *study, otok_status status);

#endif
