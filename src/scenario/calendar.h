/* calendar.h: which phase an iteration belongs to, and its time and level of the sea: pure
   functions of the scenario, so that a restart cannot drift. scenario.h includes it. */
#ifndef OTOK_CALENDAR_H
#define OTOK_CALENDAR_H

/* One run of a phase. The phases of a cycle run round after round. */
typedef struct otok_visit {
    int phase;              /* nphases: after the last one */
    int64_t round, begin;   /* of its cycle, from 0 on; its first iteration */
    double time, sea_level; /* at its start [s, m]; only of an otok_moment */
    double lifted;          /* the seconds of uplift before it, likewise */
    double risen;           /* what uplift by numbers raised the ground before it [m], likewise */
} otok_visit;

/* The next one. Without what only a moment has. */
void otok_visit_next(otok_visit *visit, const otok_scenario *scenario);

typedef struct otok_moment {
    int phase;        /* index of the phase that iteration n belongs to; nphases at the very end */
    int64_t within;   /* iterations of this run of the phase already finished                   */
    double time;      /* [s] */
    double sea_level; /* [m] */
    double clock;     /* since the start of that run, at the very end of the last one [s] */
    double next;      /* the same after the next iteration [s] */
    otok_visit visit; /* that run */
} otok_moment;

/* The state of clock and sea after n finished iterations. It takes a step per run of a phase before
   n. The second function gives it sooner from a run that began before, and the third n iterations
   after a moment of the same run. */
otok_moment otok_scenario_moment(const otok_scenario *scenario, int64_t n);
otok_moment otok_scenario_moment_from(const otok_scenario *scenario, const otok_visit *from,
                                      int64_t n);
otok_moment otok_moment_after(const otok_scenario *scenario, const otok_moment *moment, int64_t n);

/* How often a phase runs, 1 or more, and the iteration of the scenario that is iteration n of all
   its runs together. */
int64_t otok_phase_runs(const otok_phase *phase);
int64_t otok_phase_iteration(const otok_scenario *scenario, int phase, int64_t n);

/* The phase that ends the cycle of a phase; -1: it is in none. */
int otok_phase_cycle(const otok_scenario *scenario, int phase);

/* The number of finished iterations whose time is nearest to this one; -1: the scenario ends
   earlier. */
int64_t otok_scenario_iteration_at(const otok_scenario *scenario, double time);

/* Computes the iterations of rain that is given in seconds, after `done` iterations of the phase
   that took `clock` seconds. Each end is the nearest iteration, so that the amount is right within
   one time step. */
void otok_phase_place_rain(otok_phase *phase, int64_t done, double clock);

/* The time that one iteration of the phase adds to the clock [s]: the time step of the processes
   whose pace is the clock; without one, the longest of those that can be divided, or the own one of
   the others. 0: no process has a time step. */
double otok_phase_step(const otok_phase *phase);

/* knots.c. The seconds of uplift until a clock of the phase, each counted with the factor
   of its history. */
double otok_phase_lifts(const otok_phase *phase, double clock);

/* Gives the phase half the time steps and twice the iterations, so that waves are swept in half the
   interval, too. */
void otok_phase_halve_steps(otok_phase *phase);

/* What the state of a phase keeps of the flow of water: that of pipes (OTOK_ONE_WAY, OTOK_SIGNED),
   or speeds (OTOK_SPEEDS, law shallow_water); -1: no water flows. The second function gives the
   word for it in messages. */
enum { OTOK_SPEEDS = OTOK_SIGNED + 1 };
enum { OTOK_TO_SPEEDS = 1, OTOK_TO_FLOWS }; /* otok_phase.turns; 0: it keeps the same */
int otok_pipes_of_phase(const otok_scenario *scenario, int phase);
/* The same of the state after n iterations. */
int otok_pipes_after(const otok_scenario *scenario, int64_t n);
const char *otok_pipes_word(int kind);

#endif
