/* courant.h: iterations whose steps of water follow the state. A run asks the backend how fast the
   water is and gives it the steps that follow. A member of a study in a slot of an ensemble does
   the same beside others (study/part_run.c). */
#ifndef OTOK_COURANT_H
#define OTOK_COURANT_H

#include "sim.h"

enum { OTOK_COURANT_STEPS = 4 }; /* the most of a job */

/* The processes that take part in every step of water. */
enum { OTOK_COURANT_PROCESSES = OTOK_HYDRAULIC | OTOK_RAIN | OTOK_BEYOND_SIDES | OTOK_MAXIMA };

/* Does the next iteration belong to a phase with hydraulic.courant? */
int otok_sim_has_courant(const otok_sim *sim);

/* Runs such an iteration, when nothing is started. */
otok_status otok_sim_run_courant(otok_sim *sim);

/* The same job by job: begin; while it is under way, answer if it asks, and run the next job. asks:
   how fast is the water now, by otok_backend.fastest with this `wave`? */
otok_status otok_courant_begin(otok_sim *sim);
int otok_courant_is_under_way(const otok_sim *sim);
int otok_courant_asks(const otok_sim *sim, float *wave);
void otok_courant_answer(otok_sim *sim, float speed);

/* The next steps. *first: they are the first of the iteration. With the last ones the iteration is
   no longer under way and counts as done. *carries: after them the bookings are carried. */
void otok_courant_next(otok_job *out, otok_sim *sim, int *first, int *carries);

#endif
