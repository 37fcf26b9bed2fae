/* turns.h: the thread that runs a simulation, a turn at a time. */
#ifndef OTOK_TURNS_H
#define OTOK_TURNS_H

#include "live.h"

typedef struct otok_turn {
    double seconds; /* no longer than this, but one iteration at least */
    int64_t most;   /* iterations                                      */
    int64_t done;   /* filled in at the end, with the status and its text */
    otok_status status;
    char why[400];
} otok_turn;

otok_status otok_turns_create(otok_turns **out);
void otok_turns_destroy(otok_turns *turns); /* after the turn's end */

/* Begins a turn: the simulation is the thread's until otok_turns_wait says otherwise. */
void otok_turns_give(otok_turns *turns, otok_sim *sim, const otok_turn *turn);

/* Waits so many seconds at most. 1: the turn is over, and how; 0: not yet. */
int otok_turns_wait(otok_turns *turns, double seconds, otok_turn *out);

#endif
